#include "reproduce/accuracy/accuracy_bench.hpp"

#include "core/text.hpp"

#include <limber/tools/metrics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

// [m]: the paper's runs are looked at while they blow up; a million block lengths is no deformation any more.
constexpr double kLost = 1e6;

void add_needle(BodySpec& body) {
    body.sets.push_back({"needle", VertexSetSpec::Kind::nearest, {}, {}, {1.0, 0.5, 0.0}, 0.0, {}, {}});
    body.sets.push_back({"walls", VertexSetSpec::Kind::union_of, {}, {}, {}, 0.0, {}, {"left", "top", "bottom"}});
    body.anchors.push_back({"walls", "walls", {}});
    // 0.08 m/s to the left for 2 s, then held.
    HandleSpec needle{
        "needle", "needle", {}, std::nullopt, {{0.0, {}, {}}, {2.0, {-0.16, 0.0, 0.0}, {}}}, Interpolation::linear};
    body.handles.push_back(needle);
}

std::vector<ProbeSpec> probes_of(const Bench& bench) {
    if (bench.rod) {
        return {{"tip", 0, -1, {0.5, 0.125, 0.125}},
                {"middle", 0, -1, {0.25, 0.125, 0.125}},
                {"corner", 0, -1, {0.5, 0.25, 0.25}}};
    }
    return {{"center", 0, -1, {0.5, 0.5, 0.0}},    {"front", 0, -1, {0.75, 0.5, 0.0}},
            {"quarter", 0, -1, {0.75, 0.25, 0.0}}, {"ahead", 0, -1, {0.8, 0.5, 0.0}},
            {"edge", 0, -1, {1.0, 0.7, 0.0}},      {"needle", 0, -1, {1.0, 0.5, 0.0}}};
}

bool within_reach(const Frame& frame) {
    return std::all_of(frame.displacement.begin(), frame.displacement.end(), [](const Vec3& u) {
        return is_finite(u) && std::abs(u.x) < kLost && std::abs(u.y) < kLost && std::abs(u.z) < kLost;
    });
}

/// One value per frame of `t`; frames the measure left out are not a number.
std::vector<double> aligned(const std::string& metric, const std::vector<double>& t, const Recording& reference,
                            const Recording& candidate) {
    const MetricSeries series = evaluate_metric(metric, reference, candidate);
    std::vector<double> out(t.size(), std::numeric_limits<double>::quiet_NaN());
    std::size_t next = 0;
    for (std::size_t i = 0; i < t.size() && next < series.t.size(); ++i)
        if (std::abs(series.t[next] - t[i]) < 1e-6 * kPaperStep) out[i] = series.value[next++];
    return out;
}

}  // namespace

std::string Bench::cells_name() const { return rod ? text(cells[0], "x", cells[1], "x", cells[2]) : text(cells[0]); }

Material paper_material(const std::string& name) {
    if (name == "MP1") return {"MP1", 200.0, 0.47, 2000.0, 1.0, 0.1};
    if (name == "MP2") return {"MP2", 60000.0, 0.495, 1140.0, 1.0, 0.1};
    return {"MP3", 7000.0, 0.2, 10000.0, 1.0, 0.1};
}

Bench block_bench(const AccuracySettings& settings, const std::string& material) {
    return {false, {settings.cells, settings.cells, 0}, settings.plane, settings.bbar, paper_material(material)};
}

Bench rod_bench(int refinement) {
    return {true, {6 * refinement, 2 * refinement, 2 * refinement}, Plane::strain, false, paper_material("MP3")};
}

std::span<const char* const> paper_schemes() {
    static constexpr const char* names[] = {
        "implicit", "explicit", "implicit_lumped", "implicit_lumped_alpha", "explicit_lumped", "quasi_static"};
    return names;
}

OptionValues scheme_options(const Bench& bench, const std::string& scheme, double step) {
    const bool lumped = scheme.find("lumped") != std::string::npos;
    const bool mass_only = scheme == "implicit_lumped_alpha" || scheme == "explicit_lumped";
    const std::string stepper = scheme == "quasi_static"         ? "quasi_static"
                                : scheme.starts_with("explicit") ? "newmark_explicit"
                                                                 : "newmark_implicit";
    return {{"step", step},
            {"scheme", stepper},
            {"mass", std::string(lumped ? "lumped" : "consistent")},
            {"damping", std::string(mass_only ? "mass_only" : "rayleigh")},
            {"integration", bench.integration_name()},
            {"max_live", 0.0}};
}

Scene bench_scene(const Bench& bench, const std::string& scheme, double duration, double step) {
    Scene scene;
    scene.name = text(bench.scene_name(), " ", bench.material.name, " ", scheme);
    BodySpec body;
    body.name = bench.scene_name();
    MeshGenerator& generator = body.mesh.generator;
    generator.shape = bench.rod ? MeshGenerator::Shape::box : MeshGenerator::Shape::grid;
    generator.kind = bench.rod ? CellKind::hex8 : CellKind::quad4;
    generator.counts = bench.cells;
    generator.high = bench.rod ? Vec3{0.5, 0.25, 0.25} : Vec3{1.0, 1.0, 0.0};
    body.plane = bench.plane;
    body.materials.push_back({"*", bench.material});
    if (bench.rod) {
        body.anchors.push_back({"wall", "left", {}});
        scene.gravity.vector = {0.0, -0.05, 0.0};
    } else {
        add_needle(body);
    }
    scene.bodies.push_back(body);
    scene.method.options = scheme_options(bench, scheme, step);
    scene.step = step;
    scene.duration = duration;
    scene.output.probes = probes_of(bench);
    return scene;
}

BenchRun run_bench(const Scene& scene, Progress& progress) {
    RunSettings settings;
    settings.keep_diverged = true;
    RunResult result = run_scene(scene, settings, progress);
    if (result.interrupted) throw Error(Fault::interrupted, {}, "interrupted; nothing was written");
    BenchRun run;
    run.probes = std::move(result.probes);
    run.step_ms = result.median_ms;
    std::vector<Frame>& frames = result.recording.frames;
    const auto end = std::find_if_not(frames.begin(), frames.end(), within_reach);
    if (end != frames.end()) {
        run.diverged_at = end->time;
        frames.erase(end, frames.end());
    } else if (!result.ok()) {
        if (!result.blew_up()) throw Error(Fault::unsupported, InputLocation{scene.name, 0, {}}, result.message);
        run.diverged_at = result.end_time + scene.step;
    }
    run.recording = std::move(result.recording);
    return run;
}

AccuracyRun measured_run(const Bench& bench, const std::string& scheme, const BenchRun& candidate,
                         const BenchRun& reference, const std::string& reference_name) {
    AccuracyRun run;
    run.scene = bench.scene_name();
    run.cells = bench.cells_name();
    run.plane = bench.plane_name();
    run.integration = bench.integration_name();
    run.material = bench.material.name;
    run.scheme = scheme;
    run.reference = reference_name;
    run.diverged_at = candidate.diverged_at;
    run.step_ms = candidate.step_ms;
    for (const Frame& frame : candidate.recording.frames) run.t.push_back(frame.time);
    run.relative_l2 = aligned("relative_l2", run.t, reference.recording, candidate.recording);
    run.surface = aligned("surface", run.t, reference.recording, candidate.recording);
    run.interior = aligned("interior", run.t, reference.recording, candidate.recording);
    for (const Probe& probe : candidate.probes) {
        ProbeTrack& track = run.probes[probe.name];
        track.at = probe.rest;
        for (const Frame& frame : candidate.recording.frames) track.u.push_back(probe.value(frame.displacement));
    }
    return run;
}

}  // namespace limber
