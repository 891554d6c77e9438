#include "reproduce/clustered/warping.hpp"

#include "core/text.hpp"

#include <limber/tools/sim.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

struct WarpWay {
    const char* title;
    const char* method;
    OptionValues options;
};

OptionValues implicit(OptionValues more = {}) {
    more.emplace("scheme", std::string("backward_euler"));
    more.emplace("integration", std::string("full"));
    return more;
}

std::vector<WarpWay> warp_ways() {
    return {{"linear", "linear_fem", implicit()},
            {"warped by vertices", "corotational", implicit({{"warp", std::string("vertices")}})},
            {"warped by elements", "corotational", implicit()},
            {"Green strain", "stvk", implicit()},
            {"neo-Hookean", "neo_hookean", implicit()}};
}

/// 1 x 0.25 x 0.25 m of soft rubber, held on the left.
Scene bar_scene(const std::string& motion, bool quick) {
    Scene s;
    s.name = motion;
    s.step = 1.0 / 60.0;
    s.duration = 1.5;
    BodySpec b;
    b.name = "bar";
    MeshGenerator& g = b.mesh.generator;
    g.shape = MeshGenerator::Shape::box, g.kind = CellKind::tet4,
    g.counts = quick ? std::array<int, 3>{8, 2, 2} : std::array<int, 3>{16, 4, 4};
    g.low = {0.0, 0.0, 0.0}, g.high = {1.0, 0.25, 0.25};
    Material m;
    m.name = "rubber";
    m.young = 2e5;
    m.poisson = 0.3;  // far from where plain tetrahedra lock: it is about turning
    m.density = 1000.0;
    m.rayleigh_alpha = 4.0;
    m.rayleigh_beta = 0.01;
    b.materials = {{"*", m}};
    b.anchors = {{"wall", "left", {}}};
    if (motion == "twist") {
        HandleSpec turn;
        turn.name = "end";
        turn.set = "right";
        turn.interpolation = Interpolation::smooth;
        turn.keys = {{0.0, {}, {}}, {1.0, {}, {std::numbers::pi, 0.0, 0.0}}};
        b.handles = {turn};
    } else {
        s.gravity.vector = {0.0, -9.81, 0.0};
    }
    s.bodies = {std::move(b)};
    return s;
}

/// Relative L2 over all frames: at one of them a motion that is ahead and one that is behind may happen to meet.
double distance_over_run(const Recording& a, const Recording& truth) {
    double difference = 0.0, whole = 0.0;
    for (std::size_t f = 0; f < std::min(a.frames.size(), truth.frames.size()); ++f) {
        const std::vector<Vec3>&u = a.frames[f].displacement, &t = truth.frames[f].displacement;
        for (std::size_t v = 0; v < t.size(); ++v) {
            difference += norm2(u[v] - t[v]);
            whole += norm2(t[v]);
        }
    }
    return whole > 0.0 ? std::sqrt(difference / whole) : 0.0;
}

/// The volume farthest from that at rest, of any frame.
double largest_volume_ratio(const Recording& recording) {
    double out = 1.0;
    for (std::size_t f = 0; f < recording.frames.size(); ++f)
        if (const double ratio = volume_ratio(recording, f); std::abs(ratio - 1.0) > std::abs(out - 1.0)) out = ratio;
    return out;
}

/// The largest difference of two volumes at any common frame, over the rest volume.
double volume_distance(const Recording& a, const Recording& truth) {
    double most = 0.0;
    for (std::size_t f = 0; f < std::min(a.frames.size(), truth.frames.size()); ++f)
        most = std::max(most, std::abs(volume_ratio(a, f) - volume_ratio(truth, f)));
    return most;
}

}  // namespace

double volume_ratio(const Recording& recording, std::size_t frame) {
    Mesh now = recording.body->mesh();
    const double rest = measure_of(now);
    for (std::size_t v = 0; v < now.vertices.size(); ++v) now.vertices[v] += recording.frames[frame].displacement[v];
    return measure_of(now) / rest;
}

std::vector<WarpingRow> study_warping(bool quick, Progress& progress) {
    std::vector<WarpingRow> out;
    for (const char* motion : {"droop", "twist"}) {
        const Scene base = bar_scene(motion, quick);
        const std::size_t first = out.size();
        for (const WarpWay& way : warp_ways()) {
            Scene scene = base;
            scene.method = {way.method, way.options};
            RunSettings settings;
            settings.stress = true;
            RunResult result = run_scene(scene, settings, progress);
            if (result.interrupted) throw Error(Fault::interrupted, {}, "interrupted");
            WarpingRow row;
            if (!result.ok()) row.stopped = result.message;
            row.motion = motion;
            row.title = way.title;
            row.step = result.median_ms / 1e3;
            row.recording = std::make_shared<const Recording>(std::move(result.recording));
            row.volume = largest_volume_ratio(*row.recording);
            out.push_back(std::move(row));
        }
        if (!out.back().stopped.empty()) {
            throw Error(Fault::unsupported, {text(motion, ", ", out.back().title), 0, {}}, out.back().stopped,
                        "a truth that comes to the end");
        }
        for (std::size_t i = first; i < out.size(); ++i) {
            out[i].error = distance_over_run(*out[i].recording, *out.back().recording);
            out[i].volume_error = volume_distance(*out[i].recording, *out.back().recording);
        }
    }
    return out;
}

void add_warping_claims(const std::vector<WarpingRow>& rows, std::vector<Claim>& claims) {
    const auto row = [&](const char* motion, const char* title) -> const WarpingRow& {
        return *std::find_if(rows.begin(), rows.end(),
                             [&](const WarpingRow& r) { return r.motion == motion && r.title == title; });
    };
    const WarpingRow &linear = row("droop", "linear"), &warped = row("droop", "warped by elements"),
                     &clusters = row("droop", "warped by vertices");
    claims.push_back(
        judged({"growth", "Linear strain enlarges long bodies", 100.0 * (linear.volume - 1.0), "%", 10.0, 0.0,
                Relation::at_least, false,
                "Volume gained by a soft bar that droops by its own weight, at the worst frame of the run."}));
    claims.push_back(judged({"warping", "Stiffness warping controls the growth of volume (4.2)",
                             100.0 * warped.volume_error, "%", 1.0, 0.0, Relation::at_most, false,
                             text("Volume of the same bar with a rotation per element, away from the neo-Hookean one, "
                                  "at the worst frame of the run; with one per vertex: ",
                                  short_number(100.0 * clusters.volume_error, 2), " %.")}));
    claims.push_back(judged(
        {"warping-loss", "One rotation per cluster instead of one per element loses little", 100.0 * clusters.error,
         "%", 2.0 * 100.0 * std::max(warped.error, 0.01), 0.0, Relation::at_most, false,
         text("Distance of the drooping bar from the neo-Hookean one over the run, relative L2; with a rotation per "
              "element ",
              short_number(100.0 * warped.error, 2), " %, linear ", short_number(100.0 * linear.error, 2), " %.")}));
}

}  // namespace limber
