#include "study/compare_reference.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "report/table.hpp"
#include "scene_file/scene_table.hpp"
#include "study/compare_large_strain.hpp"
#include "study/has_choice.hpp"

#include <limber/method.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace limber {
namespace {

/// Two levels are run unasked up to this many vertices, and vertices times steps, of the finest one: tens of seconds.
constexpr double kAffordableVertices = 4e4, kAffordableWork = 2e7;

double step_of(const Scene& scene) {
    const auto given = scene.method.options.find("step");
    const double* value = given == scene.method.options.end() ? nullptr : given->second.number();
    return value ? *value : scene.step;
}

bool same_source(const MeshSource& a, const MeshSource& b) {
    const MeshGenerator &g = a.generator, &h = b.generator;
    return a.loaded == b.loaded && a.path == b.path && a.unit == b.unit && a.up == b.up && g.shape == h.shape &&
           g.kind == h.kind && g.counts == h.counts && g.low == h.low && g.high == h.high && g.centre == h.centre &&
           g.radius == h.radius && g.tube_radius == h.tube_radius && g.length == h.length &&
           g.end_radius == h.end_radius && g.inner_radius == h.inner_radius && g.radii == h.radii;
}

/// The scene as posed, on the finest mesh and with the smallest step among the candidates: the reference must beat them
/// all.
Scene finest(const CompareSettings& settings) {
    Scene out = settings.base;
    std::size_t most = make_mesh(out.bodies.at(0), {out.source, 0, "/bodies/0"}).vertices.size();
    double step = 0.0;
    for (const Candidate& c : settings.candidates) {
        if (!c.scene) continue;
        step = step > 0.0 ? std::min(step, step_of(*c.scene)) : step_of(*c.scene);
        const BodySpec& body = c.scene->bodies.at(0);
        if (same_source(body.mesh, settings.base.bodies[0].mesh)) continue;
        const std::size_t count = make_mesh(body, {c.scene->source, 0, "/bodies/0"}).vertices.size();
        if (count > most) out.bodies[0].mesh = body.mesh;
        most = std::max(most, count);
    }
    out.method.options.erase("step");
    out.step = step > 0.0 ? step : step_of(settings.base);
    return out;
}

/// Without inertia by everybody's wish: then the truth has none either.
bool all_quasi_static(const CompareSettings& settings) {
    const auto is = [](const Scene& s) {
        const auto found = s.method.options.find("scheme");
        const std::string* word = found == s.method.options.end() ? nullptr : found->second.word();
        return word && *word == "quasi_static";
    };
    bool any = false;
    for (const Candidate& c : settings.candidates) {
        if (c.scene && !is(*c.scene)) return false;
        any = any || c.scene;
    }
    return any || is(settings.base);
}

/// The most trustworthy options that a method has by these names; what describes the body (damping, integration) stays.
std::string choose_options(const CompareSettings& settings, const Method& method, OptionValues& options) {
    const OptionTable table = method.options();
    std::string words;
    const auto choose = [&](const char* option, const char* value) {
        if (!has_choice(table, option, value)) return;
        options[option] = std::string(value);
        words += text(words.empty() ? "" : ", ", option, " ", value);
    };
    if (all_quasi_static(settings))
        choose("scheme", "quasi_static");
    else {
        choose("scheme", "newmark_implicit");
        options.erase("newmark_beta");
        options.erase("newmark_gamma");
    }
    choose("mass", "consistent");
    choose("solver", "cholesky");
    return words;
}

/// The scene with the reference's method and options; returns what was chosen, in words.
std::string set_method(const CompareSettings& settings, Scene& scene) {
    const ReferenceSpec& spec = settings.reference;
    const std::string argument = text("--reference ", spec.typed);
    const bool large = spec.kind == ReferenceSpec::Kind::refined && spec.method.empty() && any_large_strain(settings) &&
                       large_strain_method() != nullptr;
    const Method& method = require_method(large                 ? large_strain_method()->name()
                                          : spec.method.empty() ? scene.method.name
                                                                : spec.method,
                                          {argument, 0, {}});
    const OptionTable table = method.options();
    if (scene.method.name != method.name()) {
        for (auto it = scene.method.options.begin(); it != scene.method.options.end();) {
            const bool known = std::any_of(table.begin(), table.end(),
                                           [&](const OptionSpec& s) { return s.name == it->first; });
            it = known ? std::next(it) : scene.method.options.erase(it);
        }
    }
    scene.method.name = method.name();
    std::string words = spec.kind == ReferenceSpec::Kind::refined
                            ? choose_options(settings, method, scene.method.options)
                            : std::string();
    for (const auto& [option, value] : spec.options) {
        scene.method.options[option] = parse_option(table, option, value, argument);
        words += text(words.empty() ? "" : ", ", option, " ", value);
    }
    return words;
}

int affordable_levels(const Scene& start) {
    const Mesh mesh = make_mesh(start.bodies.at(0));
    const double grown = static_cast<double>(mesh.vertices.size()) * (mesh.dimension() == 2 ? 16.0 : 64.0);
    const double steps = 4.0 * start.duration / start.step;
    return grown <= kAffordableVertices && grown * steps <= kAffordableWork ? 2 : 1;
}

ReferencePlan plan_refined(const CompareSettings& settings) {
    const ReferenceSpec& spec = settings.reference;
    Scene scene = finest(settings);
    const std::string chosen = set_method(settings, scene);
    const int levels = spec.how == Finer::order ? 1 : spec.levels > 0 ? spec.levels : affordable_levels(scene);
    if (spec.step > 0.0) scene.step = spec.step * std::pow(2.0, levels);
    ReferencePlan plan;
    plan.levels.push_back(scene);
    for (int k = 1; k <= levels; ++k) {
        Scene next = refined_scene(plan.levels.back(), spec.how);
        next.step = plan.levels.back().step / 2.0;
        plan.levels.push_back(std::move(next));
    }
    plan.words = text("The scene on a finer mesh: ",
                      spec.how == Finer::order ? "ten-node instead of four-node tetrahedra"
                      : levels == 2            ? "every cell split twice"
                                               : "every cell split once",
                      ", and ", levels == 2 ? "a quarter" : "half", " of the smallest step among the candidates",
                      chosen.empty() ? "" : text(" (", chosen, ")"), ".");
    if (chosen.find("newmark_implicit") != std::string::npos) {
        plan.words +=
            " That scheme is of second order and stable at any step, whatever scheme a candidate uses, so halving mesh "
            "and step brings the run nearer to the truth at a rate that can be observed.";
    }
    if (scene.method.name != settings.base.method.name && spec.method.empty()) {
        plan.words += text(" It is by ", scene.method.name,
                           ", which is true for large strain, because there are candidates that know large strain.");
    }
    plan.words +=
        " Rounded bodies keep the facets of the scene's own mesh: the error of meshing them is not part of the "
        "comparison.";
    return plan;
}

ReferencePlan plan_method(const CompareSettings& settings) {
    Scene scene = finest(settings);
    if (settings.reference.step > 0.0) scene.step = settings.reference.step;
    const std::string chosen = set_method(settings, scene);
    return {{scene},
            text("The scene on its own mesh by ", scene.method.name, chosen.empty() ? "" : text(" (", chosen, ")"),
                 ". Errors are differences from that run: what the mesh itself gets wrong is not part of them, and the "
                 "reference's own error is not known.")};
}

std::string words_of(const Floor& floor, std::size_t levels) {
    if (!std::isfinite(floor.error)) return "not known";
    if (levels < 2) return "distance between the two meshes: a bound, if the order of convergence is at least 1";
    if (floor.asymptotic) return text("Richardson's estimate, observed order ", short_number(floor.order, 2));
    if (floor.distance == 0.0) return "the two finest levels agree";
    return text("not in the asymptotic range (observed order ", short_number(floor.order, 2),
                "): distance between the two finest levels");
}

}  // namespace

ReferenceSpec parse_reference(const std::string& typed) {
    ReferenceSpec out;
    out.typed = typed;
    const std::string argument = text("--reference ", typed);
    const NamedOptions parts = split_options(typed);
    const bool refined = parts.name == "refined";
    if (!refined && !find_method(parts.name)) {
        out.kind = ReferenceSpec::Kind::file;
        out.file = parse_series_source(typed, argument);
        std::vector<std::string> known{"refined"};
        for (const Method* m : all_methods()) known.emplace_back(m->name());
        const bool looks_like_file = out.file.path.find_first_of("./*") != std::string::npos;
        if (!looks_like_file && !std::filesystem::exists(out.file.path)) {
            throw Error(Fault::bad_usage, {argument, 0, {}},
                        text("\"", parts.name, "\" is neither a method nor a file", suggestion(parts.name, known)),
                        "refined, a method or a file");
        }
        return out;
    }
    out.kind = refined ? ReferenceSpec::Kind::refined : ReferenceSpec::Kind::method;
    if (!refined) out.method = parts.name;
    for (const auto& [key, value] : parts.options) {
        if (refined && value.empty() && (key == "1" || key == "2")) {
            out.levels = key == "1" ? 1 : 2;
        } else if (refined && value.empty() && key == "order") {
            out.how = Finer::order;
        } else if (refined && key == "method") {
            out.method = value;
        } else if (key == "step") {
            if (!parse_fraction(value, out.step) || !(out.step > 0.0)) {
                throw Error(Fault::bad_usage, {argument, 0, {}}, text("step is \"", value, "\""),
                            "a number above 0 or a fraction such as 1/480");
            }
        } else if (value.empty()) {
            throw Error(Fault::bad_usage, {argument, 0, {}}, text("\"", key, "\""),
                        refined ? "1, 2, order, step=S, method=NAME or option=value" : "option=value");
        } else {
            out.options.emplace_back(key, value);
        }
    }
    return out;
}

ReferencePlan plan_reference(const CompareSettings& settings) {
    switch (settings.reference.kind) {
        case ReferenceSpec::Kind::refined: return plan_refined(settings);
        case ReferenceSpec::Kind::method: return plan_method(settings);
        case ReferenceSpec::Kind::file: break;
    }
    return {{}, text("Read from ", settings.reference.file.path, ". Its own error is not known.")};
}

double observed_order(double coarse_distance, double fine_distance) {
    if (!(coarse_distance > 0.0) || !(fine_distance > 0.0)) return kUnknown;
    return std::log2(coarse_distance / fine_distance);
}

std::vector<Floor> estimate_floors(const std::vector<std::vector<Score>>& steps_up, const std::vector<Score>& coarse,
                                   const std::vector<MetricSpec>& metrics) {
    std::vector<Floor> out;
    for (std::size_t m = 0; m < metrics.size(); ++m) {
        Floor floor;
        floor.metric = metrics[m];
        if (!coarse.empty()) floor.coarse = coarse[m].overall;
        double share = 1.0;
        if (!steps_up.empty()) floor.distance = steps_up.back()[m].overall;
        if (steps_up.size() > 1) {
            floor.order = observed_order(steps_up[steps_up.size() - 2][m].overall, floor.distance);
            floor.asymptotic = floor.order >= kLeastOrder && floor.order <= kMostOrder;
            if (floor.asymptotic) share = 1.0 / (std::pow(2.0, floor.order) - 1.0);
        }
        floor.error = floor.distance * share;
        if (std::isfinite(floor.error)) {
            floor.t = steps_up.back()[m].series.t;
            for (const double v : steps_up.back()[m].series.value) floor.value.push_back(std::abs(v) * share);
        }
        floor.words = words_of(floor, steps_up.size());
        out.push_back(std::move(floor));
    }
    return out;
}

}  // namespace limber
