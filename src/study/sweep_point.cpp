#include "study/sweep_point.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"

#include <limber/tools/metrics.hpp>
#include <limber/tools/modes.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <numbers>

namespace limber {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kErrors[] = {"relative_l2", "relative_energy", "surface", "interior_mean", "max_distance"};

bool is_metric(const std::string& name) {
    for (const auto& specs : {metric_specs(), shown_metric_specs()}) {
        for (const MetricSpec& spec : specs)
            if (name == spec.name) return true;
    }
    return false;
}

std::vector<std::string> support_names(const Scene& scene) {
    std::vector<std::string> names;
    if (scene.bodies.empty()) return names;
    for (const AnchorSpec& a : scene.bodies[0].anchors) names.push_back(a.name.empty() ? a.set : a.name);
    for (const HandleSpec& h : scene.bodies[0].handles) names.push_back(h.name.empty() ? h.set : h.name);
    return names;
}

std::string metric_unit(const MetricSpec& spec, int dimension) {
    const std::string unit = spec.unit;
    return unit == "1" ? "" : unit == "m^d" ? text("m^", dimension) : unit;
}

/// Every column that a scene can have, in the order of the file.
std::vector<PointColumn> all_columns(const Scene& scene, const Recording* reference) {
    std::vector<PointColumn> out;
    for (const ProbeSpec& probe : scene.output.probes) {
        for (const char* what : {"end ux", "end uy", "end uz", "end |u|", "peak |u|"})
            out.push_back({text(probe.name, " ", what), "m", "probes"});
    }
    for (const char* what : {"largest end |u|", "largest peak |u|"}) out.push_back({what, "m", "displacement"});
    for (const char* what : {"kinetic end", "elastic end", "elastic peak"}) out.push_back({what, "J", "energies"});
    for (const std::string& name : support_names(scene)) {
        for (const char* what : {"end fx", "end fy", "end fz"})
            out.push_back({text(name, " ", what), "N", "reactions"});
    }
    if (!support_names(scene).empty()) out.push_back({"largest peak |f|", "N", "reactions"});
    out.push_back({"frequency", "Hz", "frequency"});
    if (reference && reference->body) {
        for (const MetricSpec& spec : metric_specs_for(*reference)) {
            for (const char* when : {"max", "end"}) {
                out.push_back(
                    {text(spec.name, " ", when), metric_unit(spec, reference->body->mesh().dimension()), spec.name});
            }
        }
    }
    return out;
}

bool wants(const std::string& asked, const PointColumn& column) {
    const bool error = std::find(std::begin(kErrors), std::end(kErrors), column.quantity) != std::end(kErrors);
    return asked == column.name || asked == column.quantity || (asked == "errors" && error);
}

[[noreturn]] void refuse_quantity(const std::string& asked, const std::vector<PointColumn>& columns) {
    if (asked == "errors" || is_metric(asked)) {
        throw Error(Fault::bad_usage, {"--quantity", 0, {}}, text("'", asked, "' without a reference"),
                    "--reference with it");
    }
    std::vector<std::string> names, near;
    for (const PointQuantity& q : point_quantities()) names.emplace_back(q.name);
    near = names;
    for (const PointColumn& column : columns) near.push_back(column.name);
    const bool known = std::find(names.begin(), names.end(), asked) != names.end();
    if (known) {
        throw Error(Fault::bad_usage, {"--quantity", 0, {}}, text("this scene has no ", asked),
                    "probes, anchors or handles in the scene, or another quantity");
    }
    throw Error(
        Fault::bad_usage, {"--quantity", 0, {}}, text("unknown quantity '", asked, "'", suggestion(asked, near)),
        fmt::format("one of {}, a metric or a column such as \"{}\"", fmt::join(names, ", "), columns.front().name));
}

/// Sees every step of a run and keeps what the columns need.
class Watcher {
public:
    Watcher(const Scene& scene, const PointRequest& request)
        : scene_(scene),
          keep_(request.reference != nullptr),
          every_(static_cast<std::size_t>(std::max(1, scene.output.every))) {
        recording_.scene = scene.name;
    }
    void start(const Recording& head) {
        recording_ = head;
        probes_ = make_probes(scene_, *head.body);
        probe_peaks_.assign(probes_.size(), 0.0);
    }
    void see(const Frame& frame) {
        for (std::size_t i = 0; i < probes_.size(); ++i)
            probe_peaks_[i] = std::max(probe_peaks_[i], norm(probes_[i].value(frame.displacement)));
        largest_ = 0.0;
        for (const Vec3& u : frame.displacement) largest_ = std::max(largest_, norm(u));
        peak_ = std::max(peak_, largest_);
        elastic_peak_ = std::max(elastic_peak_, frame.energies.elastic);
        for (const Wrench& w : frame.reactions) force_peak_ = std::max(force_peak_, norm(w.force));
        if (keep_ && count_ % every_ == 0) recording_.frames.push_back(frame);
        ++count_;
        last_ = frame;
    }
    const Recording& recording() const { return recording_; }

    void write(std::map<std::string, double>& out) const {
        for (std::size_t i = 0; i < probes_.size(); ++i) {
            const Vec3 u = probes_[i].value(last_.displacement);
            for (int a = 0; a < 3; ++a) out.emplace(text(probes_[i].name, " end u", "xyz"[a]), u[a]);
            out.emplace(text(probes_[i].name, " end |u|"), norm(u));
            out.emplace(text(probes_[i].name, " peak |u|"), probe_peaks_[i]);
        }
        out.emplace("largest end |u|", largest_);
        out.emplace("largest peak |u|", peak_);
        out.emplace("kinetic end", last_.energies.kinetic);
        out.emplace("elastic end", last_.energies.elastic);
        out.emplace("elastic peak", elastic_peak_);
        const std::vector<std::string> names = support_names(scene_);
        for (std::size_t i = 0; i < std::min(names.size(), last_.reactions.size()); ++i)
            for (int a = 0; a < 3; ++a) out.emplace(text(names[i], " end f", "xyz"[a]), last_.reactions[i].force[a]);
        out.emplace("largest peak |f|", force_peak_);
    }

private:
    const Scene& scene_;
    bool keep_;
    std::size_t every_, count_ = 0;
    Recording recording_;
    std::vector<Probe> probes_;
    std::vector<double> probe_peaks_;
    double largest_ = 0.0, peak_ = 0.0, elastic_peak_ = 0.0, force_peak_ = 0.0;
    Frame last_;
};

bool asks_for(const PointRequest& request, const std::string& quantity) {
    return std::any_of(request.columns.begin(), request.columns.end(),
                       [&](const PointColumn& c) { return c.quantity == quantity; });
}

void note(PointResult& result, const std::string& words) {
    result.cause += text(result.cause.empty() ? "" : "; ", words);
}

/// The first frequency that is no rigid motion.
double lowest_frequency(const Scene& scene, const Recording& head, Progress& progress) {
    OptionValues
        options;  // modes are linear_fem's; of another method's options only those of the same name mean the same
    const OptionTable known = require_method("linear_fem").options();
    for (const auto& [name, value] : scene.method.options) {
        if (std::any_of(known.begin(), known.end(), [&n = name](const OptionSpec& o) { return o.name == n; }))
            options.emplace(name, value);
    }
    const int rigid = head.body->support() == Support::held ? 0 : head.body->mesh().dimension() == 2 ? 3 : 6;
    const ModeList modes = body_modes(head.body, options, rigid + 1, progress);
    for (const double omega : modes.omega)
        if (omega > 0.0) return omega / (2 * std::numbers::pi);
    return kNoFigure;
}

void measure_errors(const PointRequest& request, const Recording& candidate, std::map<std::string, double>& out,
                    PointResult& result) {
    std::string why;
    for (const MetricSpec& spec : metric_specs_for(*request.reference)) {
        if (!asks_for(request, spec.name)) continue;
        try {
            const MetricSeries series = evaluate_metric(spec.name, *request.reference, candidate);
            if (!series.overflowed.empty()) {
                if (why.empty())
                    why = text("no ", spec.name, ": too large for a number from t = ", series.overflowed.front(), " s");
                continue;
            }
            // At the start everything rests, in any scene: that both have that frame is no agreement.
            if (series.t.empty() || series.t.back() <= 0.0) {
                if (why.empty()) why = text("no ", spec.name, ": no value at a common time after the start");
                continue;
            }
            out.emplace(text(spec.name, " max"),
                        *std::max_element(series.value.begin(), series.value.end(),
                                          [](double a, double b) { return std::abs(a) < std::abs(b); }));
            out.emplace(text(spec.name, " end"), series.value.back());
        } catch (const Error& error) {
            if (error.fault() == Fault::interrupted) throw;
            if (why.empty()) why = text("no ", spec.name, ": ", error.what());
        }
    }
    if (!why.empty()) note(result, why);
}

void run_point(const Scene& scene, const PointRequest& request, Progress& progress, PointResult& result) {
    Watcher watcher(scene, request);
    RunSettings settings;
    settings.every = 1;
    settings.keep_frames = false;
    settings.on_start = [&](const Recording& head) { watcher.start(head); };
    settings.on_frame = [&](const Frame& frame) { watcher.see(frame); };
    const RunResult run = run_scene(scene, settings, progress);
    if (run.interrupted) throw Error(Fault::interrupted, {}, "interrupted");
    result.steps = run.steps;
    result.prepare_ms = run.recording.prepare_ms;
    result.step_ms = run.median_ms;
    result.status = PointStatus::trouble;
    if (!run.ok()) {
        result.cause = run.message;
    } else {
        result.status = PointStatus::done;
        if (!run.message.empty()) note(result, run.message);
        std::map<std::string, double> values;
        watcher.write(values);
        if (asks_for(request, "frequency"))
            values.emplace("frequency", lowest_frequency(scene, watcher.recording(), progress));
        if (request.reference) measure_errors(request, watcher.recording(), values, result);
        for (std::size_t i = 0; i < request.columns.size(); ++i) {
            if (const auto found = values.find(request.columns[i].name);
                found != values.end() && std::isfinite(found->second)) {
                result.values[i] = found->second;
            }
        }
    }
}

}  // namespace

const std::vector<PointQuantity>& point_quantities() {
    static const std::vector<PointQuantity> all{
        {"probes", "displacement of every probe at the end, and its largest length", true},
        {"displacement", "largest displacement of any vertex at the end, and at any time", true},
        {"energies", "kinetic and elastic energy at the end, and the largest elastic energy", true},
        {"reactions", "force on every anchor and handle at the end, and the largest at any time", true},
        {"frequency", "lowest natural frequency", false},
        {"errors", "distance from the reference: largest over time, and at the end", false},
    };
    return all;
}

PointRequest make_point_request(const Scene& scene, const std::vector<std::string>& given,
                                std::shared_ptr<const Recording> reference) {
    const std::vector<PointColumn> all = all_columns(scene, reference.get());
    std::vector<std::string> asked = given;
    if (asked.empty()) {
        for (const PointQuantity& q : point_quantities())
            if (q.standard) asked.emplace_back(q.name);
        if (reference) asked.emplace_back("errors");
    }
    PointRequest out;
    for (const std::string& name : given) {
        if (std::none_of(all.begin(), all.end(), [&](const PointColumn& c) { return wants(name, c); }))
            refuse_quantity(name, all);
    }
    for (const PointColumn& column : all) {
        if (std::any_of(asked.begin(), asked.end(), [&](const std::string& name) { return wants(name, column); }))
            out.columns.push_back(column);
    }
    out.reference = std::move(reference);
    return out;
}

const char* to_string(PointStatus status) {
    return status == PointStatus::done ? "done" : status == PointStatus::refused ? "refused" : "trouble";
}

double estimated_bytes(const Scene& scene) {
    if (scene.bodies.empty()) return 0.0;
    const MeshSource& mesh = scene.bodies[0].mesh;
    const MeshGenerator& g = mesh.generator;
    const double a = g.counts[0], b = g.counts[1], c = g.counts[2];
    using Shape = MeshGenerator::Shape;
    double vertices = (a + 1) * (a + 1) * (b + 1);  // cylinder, torus
    if (g.shape == Shape::grid || g.shape == Shape::ring) vertices = (a + 1) * (b + 1);
    if (g.shape == Shape::box) vertices = (a + 1) * (b + 1) * (c + 1);
    if (g.shape == Shape::ball || g.shape == Shape::ellipsoid) vertices = (a + 1) * (a + 1) * (a + 1);
    if (g.shape == Shape::disc || g.shape == Shape::ellipse) vertices = a * a / 5.0 + a;
    if (g.shape == Shape::shell) vertices = (6.0 * a * a + 2.0) * (b + 1);
    if (g.kind == CellKind::tet10) vertices *= 8.0;
    bool planar = dimension_of(g.kind) == 2;
    if (mesh.loaded) {
        vertices = static_cast<double>(mesh.loaded->vertices.size());
        planar = mesh.loaded->dimension() == 2;
    }
    // Entries of a nested-dissection factor, with the constants measured on grids and boxes; 8 bytes each, and the
    // matrices beside it.
    const double entries = planar ? 4.0 * 3.0 * vertices * std::log2(vertices + 2.0)
                                  : 9.0 * 7.0 * std::pow(vertices, 4.0 / 3.0);
    return 8.0 * entries + 3000.0 * vertices;
}

PointResult refused_point(const PointRequest& request, const std::string& cause) {
    PointResult result;
    result.cause = cause;
    result.values.assign(request.columns.size(), kNoFigure);
    return result;
}

PointResult measure_point(const Scene& scene, const PointRequest& request, Progress& progress) {
    PointResult result = refused_point(request, {});
    const Clock::time_point start = Clock::now();
    const auto refuse = [&](const std::string& cause) {
        result = refused_point(request, cause);  // half a row would pass for a whole one
    };
    try {
        run_point(scene, request, progress, result);
    } catch (const Error& error) {
        if (error.fault() == Fault::interrupted || progress.stop_requested())
            throw Error(Fault::interrupted, {}, "interrupted");
        refuse(error.what());
    } catch (const std::bad_alloc&) {
        refuse("not enough memory");
    } catch (const std::exception& error) {
        refuse(text("internal error: ", error.what()));
    }
    result.total_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    return result;
}

}  // namespace limber
