#include "study/sensitivity.hpp"

#include "core/text.hpp"
#include "report/files.hpp"
#include "study/sensitivity_difference.hpp"
#include "study/sensitivity_plan.hpp"
#include "study/sweep_jobs.hpp"
#include "study/variant.hpp"

#include <limber/method.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr double kNotThere = std::numeric_limits<double>::quiet_NaN();
/// Below this a quantity is itself made of rounding, and its derivative is nobody's business.
constexpr double kMostNoise = 1e-4;
/// Relative noise of anything computed, however quiet the nudges were.
constexpr double kLeastNoise = 1e-15;
/// Of runs on other meshes or with other steps: each rounds in its own way, which nudging one of them does not show.
constexpr double kLeastNoiseOfNodes = 1e-12;

/// Another method keeps those of the scene's options that mean something to it.
std::string other_method(const Method& method, const Scene& scene) {
    nlohmann::json options = nlohmann::json::object();
    for (const OptionSpec& spec : method.options()) {
        const auto given = scene.method.options.find(spec.name);
        if (given == scene.method.options.end()) continue;
        const std::string* word = given->second.word();
        if (word && std::find(spec.choices.begin(), spec.choices.end(), *word) == spec.choices.end()) continue;
        given->second.visit([&](const auto& value) { options[spec.name] = value; });
    }
    return text("method=", nlohmann::json{{"name", method.name()}, {"options", options}}.dump());
}

/// A method as asked for: what it changes in the scene.
std::vector<std::string> method_sets(const std::string& asked, const Scene& scene) {
    const NamedOptions parts = split_options(asked);
    const Method& method = require_method(parts.name, {text("--method ", asked), 0, {}});
    std::vector<std::string> sets;
    if (parts.name != scene.method.name) sets.push_back(other_method(method, scene));
    for (const auto& [option, value] : parts.options) {
        parse_option(method.options(), option, value, text("--method ", asked));
        sets.push_back(text("method.options.", option, "=", value));
    }
    return sets;
}

std::vector<std::string> asked_methods(const std::vector<std::string>& asked, const Scene& scene) {
    if (asked.empty()) return {scene.method.name};
    std::vector<std::string> out;
    for (const std::string& one : asked) {
        if (one != "all")
            out.push_back(one);
        else
            for (const Method* method : all_methods()) out.emplace_back(method->name());
    }
    for (std::size_t i = 1; i < out.size(); ++i) {
        if (std::find(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(i), out[i]) !=
            out.begin() + static_cast<std::ptrdiff_t>(i)) {
            throw Error(Fault::bad_usage, {text("--method ", out[i]), 0, {}}, "the same method twice",
                        "each once, or with other options");
        }
    }
    return out;
}

/// What a scene shows without being asked: displacements, energy, force, frequency.
std::vector<std::string> default_quantities(const Scene& scene) {
    std::vector<std::string> out;
    for (const ProbeSpec& probe : scene.output.probes)
        for (const char* when : {" end |u|", " peak |u|"}) out.push_back(probe.name + when);
    if (scene.output.probes.empty()) out = {"largest end |u|", "largest peak |u|"};
    out.emplace_back("elastic end");
    if (!scene.bodies[0].anchors.empty() || !scene.bodies[0].handles.empty()) out.emplace_back("largest peak |f|");
    out.emplace_back("frequency");
    return out;
}

/// One run of the experiment.
struct Trial {
    std::vector<std::string> sets;
    PointResult result;
};

/// One method with all its variations; `first` are places in the list of trials.
struct MethodPlan {
    std::size_t base = 0;
    std::vector<Variation> variations;  ///< one per parameter of the report
    std::vector<std::size_t> first;
};

class Experiment {
public:
    explicit Experiment(const SensitivitySettings& settings) : settings_(settings), scene_(scene_of(settings.scene)) {}

    void plan() {
        const std::vector<std::string> methods = asked_methods(settings_.methods, scene_);
        request_ = make_point_request(
            scene_, settings_.quantities.empty() ? default_quantities(scene_) : settings_.quantities, nullptr);
        for (const std::string& name : methods) method_trees_.push_back(method_sets(name, scene_));
        collect_parameters();
        for (std::size_t m = 0; m < methods.size(); ++m) {
            plan_method(method_trees_[m]);
            report.methods.push_back({methods[m], {}, {}});
        }
        report.quantities = request_.columns;
        report.runs = trials_.size();
    }

    void run(Progress& progress) {
        MemoryGate gate;
        const bool all = run_jobs(
            trials_.size(), settings_.jobs > 0 ? settings_.jobs : default_jobs(), "run", progress,
            [&](std::size_t i, Progress& inner) { trials_[i].result = measure(trials_[i].sets, gate, inner); });
        if (!all) throw Error(Fault::interrupted, {settings_.scene.path, 0, {}}, "interrupted; nothing was written");
    }

    void evaluate() {
        for (std::size_t m = 0; m < plans_.size(); ++m) {
            const PointResult& base = trials_[plans_[m].base].result;
            report.methods[m].values = base.values;
            if (base.status != PointStatus::done) report.methods[m].cause = base.cause;
            for (std::size_t p = 0; p < report.parameters.size(); ++p)
                for (std::size_t q = 0; q < report.quantities.size(); ++q) report.rows.push_back(evaluate(m, p, q));
        }
    }

    SensitivityReport report;

private:
    /// The parameters of every method, each once; those that cannot be varied with any of them are told apart.
    void collect_parameters() {
        for (const std::vector<std::string>& sets : method_trees_) {
            const JsonValue root = tree_of(settings_.scene, sets);
            const Scene scene = scene_of(settings_.scene, sets);
            for (const std::string& path :
                 settings_.parameters.empty() ? default_parameters(root, scene) : settings_.parameters) {
                const Variation v = plan_variation(root, scene, path);
                const bool known = std::any_of(report.parameters.begin(), report.parameters.end(),
                                               [&](const SensitivityParameter& p) { return p.name == path; });
                if (known) continue;
                if (v.left_out.empty()) {
                    report.parameters.push_back({path, v.unit, v.value, v.way});
                } else if (std::none_of(report.left_out.begin(), report.left_out.end(),
                                        [&](const auto& l) { return l.first == path; })) {
                    report.left_out.emplace_back(path, v.left_out);
                }
            }
        }
    }

    void plan_method(const std::vector<std::string>& sets) {
        MethodPlan plan;
        const JsonValue root = tree_of(settings_.scene, sets);
        const Scene scene = scene_of(settings_.scene, sets);
        plan.base = trials_.size();
        trials_.push_back({sets, {}});
        for (const SensitivityParameter& parameter : report.parameters) {
            Variation v;
            try {
                v = plan_variation(root, scene, parameter.name);
            } catch (const Error&) {
                v.left_out = "this method has no such parameter";  // another one of those compared has
            }
            plan.first.push_back(trials_.size());
            for (const Variation::Trial& t : v.trials) {
                Trial trial{sets, {}};
                trial.sets.insert(trial.sets.end(), t.sets.begin(), t.sets.end());
                trials_.push_back(std::move(trial));
            }
            plan.variations.push_back(std::move(v));
        }
        plans_.push_back(std::move(plan));
    }

    PointResult measure(const std::vector<std::string>& sets, MemoryGate& gate, Progress& progress) const {
        try {
            const Scene scene = scene_of(settings_.scene, sets);
            const MemoryShare share(gate, std::min(estimated_bytes(scene), gate.total()));
            return measure_point(scene, request_, progress);
        } catch (const Error& error) {
            if (error.fault() == Fault::interrupted) throw;
            return refused_point(request_, error.what());
        }
    }

    /// The value of a trial, and its cause into `cause` when there is none.
    double value_of(std::size_t trial, std::size_t quantity, std::string& cause) const {
        const PointResult& r = trials_[trial].result;
        if (r.status != PointStatus::done) {
            if (cause.empty())
                cause = text(trials_[trial].sets.empty() ? "" : trials_[trial].sets.back() + ": ", r.cause);
            return kNotThere;
        }
        return r.values[quantity];
    }

    Sensitivity evaluate(std::size_t m, std::size_t p, std::size_t q) const {
        const Variation& v = plans_[m].variations[p];
        Sensitivity out;
        out.method = m;
        out.parameter = p;
        out.quantity = q;
        out.relative = kNotThere;
        const double base = value_of(plans_[m].base, q, out.cause);
        if (!v.left_out.empty())
            out.cause = v.left_out;
        else if (!std::isfinite(base))
            out.cause = out.cause.empty() ? "the quantity has no value here" : out.cause;
        else if (base == 0.0)
            out.cause = "the quantity is 0, which has no relative change";
        else
            slope_into(out, v, plans_[m].first[p], base);
        return out;
    }

    /// The most that any nudge changed the quantity: what rounding does to it, whichever parameter brought it about.
    double noise_of(const MethodPlan& plan, std::size_t quantity, double base) const {
        double noise = 0.0;
        std::string ignored;
        for (std::size_t p = 0; p < plan.variations.size(); ++p) {
            const Variation& v = plan.variations[p];
            for (std::size_t i = v.trials.size() - v.nudges; i < v.trials.size(); ++i) {
                if (const double nudged = value_of(plan.first[p] + i, quantity, ignored); std::isfinite(nudged))
                    noise = std::max(noise, std::abs(nudged - base));
            }
        }
        return noise;
    }

    void slope_into(Sensitivity& out, const Variation& v, std::size_t first, double base) const {
        const std::size_t regular = v.trials.size() - v.nudges;
        const double least = v.kind == Variation::Kind::nodes ? kLeastNoiseOfNodes : kLeastNoise;
        const double noise = std::max(least * std::abs(base), noise_of(plans_[out.method], out.quantity, base));
        if (noise > kMostNoise * std::abs(base)) {
            out.cause = "the quantity is made of rounding only";
            return;
        }
        const Slope slope = v.kind == Variation::Kind::nodes ? slope_of_nodes(out, v, first, base, noise)
                                                             : slope_of_pairs(out, v, first, regular, base, noise);
        if (!slope.known) {
            if (out.cause.empty()) out.cause = "too few of its runs have a value";
            return;
        }
        const double scale = v.kind == Variation::Kind::shifted ? v.value / base : 1.0 / base;
        out.known = true;
        out.value = scale * slope.value;
        out.truncation = std::abs(scale) * slope.truncation;
        out.rounding = std::abs(scale) * slope.rounding;
        out.bar = out.truncation + out.rounding;
        const double per_unit = v.kind == Variation::Kind::shifted ? 1.0 / base : 1.0 / (base * v.value);
        out.relative = per_unit * slope.value;
        out.relative_bar = std::abs(per_unit) * slope.bar();
    }

    Slope slope_of_pairs(Sensitivity& out, const Variation& v, std::size_t first, std::size_t regular, double base,
                         double noise) const {
        std::vector<DifferencePair> pairs;
        for (std::size_t i = 0; i + 1 < regular; i += 2) {
            const double minus = value_of(first + i, out.quantity, out.cause),
                         plus = value_of(first + i + 1, out.quantity, out.cause);
            if (std::isfinite(minus) && std::isfinite(plus)) pairs.push_back({v.trials[i + 1].x, minus, plus});
        }
        return extrapolated_slope(std::move(pairs), base, noise);
    }

    Slope slope_of_nodes(Sensitivity& out, const Variation& v, std::size_t first, double base, double noise) const {
        std::vector<DifferenceNode> nodes;
        for (std::size_t i = 0; i < v.trials.size(); ++i) {
            if (const double value = value_of(first + i, out.quantity, out.cause); std::isfinite(value))
                nodes.push_back({v.trials[i].x, value});
        }
        return node_slope(base, std::move(nodes), noise);
    }

    const SensitivitySettings& settings_;
    Scene scene_;
    PointRequest request_;
    std::vector<std::vector<std::string>> method_trees_;
    std::vector<MethodPlan> plans_;
    std::vector<Trial> trials_;
};

}  // namespace

const Sensitivity& SensitivityReport::at(std::size_t method, std::size_t parameter, std::size_t quantity) const {
    return rows.at((method * parameters.size() + parameter) * quantities.size() + quantity);
}

SensitivityReport run_sensitivity(const SensitivitySettings& settings, Progress& progress) {
    const OneThread one_thread;
    Experiment experiment(settings);
    experiment.report.made_by = provenance_line();
    const Scene scene = scene_of(settings.scene);
    experiment.report.scene = scene.name;
    experiment.report.scene_hash = fmt::format("{:#018x}", hash(scene));
    experiment.report.command = settings.command;
    experiment.plan();
    experiment.run(progress);
    experiment.evaluate();
    return std::move(experiment.report);
}

}  // namespace limber
