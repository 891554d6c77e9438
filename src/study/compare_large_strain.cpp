#include "study/compare_large_strain.hpp"

#include "core/text.hpp"
#include "metrics/summary.hpp"
#include "report/table.hpp"
#include "study/compare_run.hpp"

#include <limber/method.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

/// Run unasked up to this many vertices times steps: about ten seconds.
constexpr double kAffordableTruth = 2e5;

Scene as_large_strain(const Scene& scene, const Method& method) {
    Scene out = scene;
    out.method = {method.name(), {}};
    const OptionTable table = method.options();
    for (const auto& [name, value] : scene.method.options) {  // what describes body and scheme stays
        const auto spec = std::find_if(table.begin(), table.end(),
                                       [&n = name](const OptionSpec& s) { return s.name == n; });
        if (spec == table.end() || name == "tolerance" || name == "max_iterations" || name == "step") continue;
        const std::string* word = value.word();
        if (word == nullptr || std::find(spec->choices.begin(), spec->choices.end(), *word) != spec->choices.end())
            out.method.options[name] = value;
    }
    // Methods differ in the scheme they take unless told, and that must not be taken for an effect of strain.
    const auto scheme_of = [](const OptionTable& options) {
        return std::find_if(options.begin(), options.end(), [](const OptionSpec& s) { return s.name == "scheme"; });
    };
    const OptionTable own = require_method(scene.method.name).options();
    const auto ours = scheme_of(own), theirs = scheme_of(table);
    if (out.method.options.count("scheme") == 0 && ours != own.end() && theirs != table.end() &&
        std::find(theirs->choices.begin(), theirs->choices.end(), ours->choices.front()) != theirs->choices.end()) {
        out.method.options["scheme"] = ours->choices.front();
    }
    return out;
}

}  // namespace

const Method* large_strain_method() { return find_method("neo_hookean"); }

bool any_large_strain(const CompareSettings& settings) {
    return std::any_of(settings.candidates.begin(), settings.candidates.end(), [](const Candidate& c) {
        const Method* method = c.scene ? find_method(c.scene->method.name) : nullptr;
        return method != nullptr && !method->traits().linear;
    });
}

void measure_large_strain(const Scene& scene, const Recording& linear, const MetricSpec& metric, Comparison& out,
                          Progress& progress) {
    const Method* truth = large_strain_method();
    const Method* own = find_method(scene.method.name);
    if (truth == nullptr || own == nullptr || !own->traits().linear) return;
    LargeStrain& result = out.large_strain;
    const double work = static_cast<double>(linear.body->vertex_count()) * scene.duration / scene.step;
    if (work > kAffordableTruth) {
        result.words = text("How far small strain itself is from the truth is not known: ", truth->name(),
                            " on this mesh with this step takes too long to run unasked (--reference refined:1,method=",
                            truth->name(), " asks)");
        return;
    }
    try {
        const ComparedRun run = run_reference(as_large_strain(scene, *truth), out.interval, progress);
        const Score distance = score({metric}, run.recording, linear)[0];
        if (!distance.missing.empty()) {
            result.words = text("How far small strain itself is from the truth is not known: ", distance.missing);
            return;
        }
        result.distance = distance.overall;
        result.words = text("Small strain itself: on the scene's own mesh ", scene.method.name, " is ",
                            short_number(distance.overall, 3), " away from ", truth->name(),
                            ", which is true for large strain (", metric.name, " over the run, step ",
                            step_words(scene.step),
                            " s). No refinement takes that away; --reference refined:method=", truth->name(),
                            " measures against large strain");
    } catch (const Error& e) {
        if (e.fault() == Fault::interrupted) throw;
        result.words = text("How far small strain itself is from the truth is not known: ", truth->name(),
                            " did not run (", e.found(), ")");
    }
}

}  // namespace limber
