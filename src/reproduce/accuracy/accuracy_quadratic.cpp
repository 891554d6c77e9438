// Linear against quadratic strain, which the paper planned to test: the same bodies, loads, scheme and step by
// linear_fem, by Green's strain (stvk) and by a neo-Hookean law. Part of --full.
#include "reproduce/accuracy/accuracy_claims.hpp"

#include "core/text.hpp"

#include <limber/tools/metrics.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

/// A run by a large-strain method with the options of linear_fem that it has too.
BenchRun run_by(const char* method, Scene scene, std::string& stopped, Progress& progress) {
    scene.name += text(" ", method);
    OptionValues kept;
    for (const char* name : {"scheme", "mass", "damping", "integration"}) kept[name] = scene.method.options.at(name);
    if (std::string(method) != "linear_fem") scene.method = {method, kept};
    RunSettings settings;
    RunResult result = run_scene(scene, settings, progress);
    if (result.interrupted) throw Error(Fault::interrupted, {}, "interrupted; nothing was written");
    if (!result.ok()) stopped = result.message;
    BenchRun run;
    run.recording = std::move(result.recording);
    run.step_ms = result.median_ms;
    return run;
}

struct StrainPair {
    double largest = 0.0;  ///< E_n of linear strain against quadratic, over the run
    std::vector<double> t, error;
    std::string stopped;  ///< why the quadratic one ended early; "" = it did not
    double end = 0.0;     ///< [s]
};

StrainPair linear_against(const char* truth, const Bench& bench, double duration, Progress& progress) {
    const Scene scene = bench_scene(bench, "implicit", duration);
    StrainPair out;
    std::string ignored;
    const BenchRun linear = run_by("linear_fem", scene, ignored, progress),
                   quadratic = run_by(truth, scene, out.stopped, progress);
    const MetricSeries e = evaluate_metric("relative_l2", quadratic.recording, linear.recording);
    out.t = e.t;
    out.error = e.value;
    for (const double v : e.value)
        if (std::isfinite(v)) out.largest = std::max(out.largest, v);
    out.end = quadratic.recording.frames.back().time;
    return out;
}

}  // namespace

std::vector<Claim> quadratic_claims(const AccuracySettings& settings, const std::vector<AccuracyRun>& runs,
                                    std::vector<Plot>& plots, PartOfProgress& progress) {
    AccuracySettings plain = settings;
    plain.plane = Plane::strain;
    Plot plot{
        "quadratic",
        "Linear strain against quadratic",
        "Distance E_n of linear_fem from the same body by Green's strain (stvk) and by a neo-Hookean law; implicit, "
        "consistent mass, the paper's step. A line that ends early belongs to a law that gave up there.",
        settings.command,
        {"time", "s"},
        {"E_n", ""},
        {},
        {}};
    std::vector<Claim> out;
    for (const std::string material : {"MP1", "MP2", "MP3"}) {
        for (const char* truth : {"stvk", "neo_hookean"}) {
            const Bench bench = material == "MP3" ? rod_bench() : block_bench(plain, material);
            progress.name(text("linear against ", truth, ", ", material));
            const StrainPair pair = linear_against(truth, bench, settings.duration, progress);
            plot.series.push_back({text(material, ", ", truth), pair.t, pair.error});
            double between = 0.0;
            // Not quasi_static: over the first frames of the rod it is off by many times the motion, a bound that
            // nothing could exceed.
            for (const char* scheme : {"implicit_lumped", "implicit_lumped_alpha"})
                between = std::max(between, mean_of(find_run(runs, material, scheme).relative_l2));
            out.push_back(judged(
                {text("linear-",
                      material == "MP1"   ? "mp1"
                      : material == "MP2" ? "mp2"
                                          : "mp3",
                      "-", truth),
                 text("(planned in the paper) Linear strain costs less than the choice of scheme, ", material),
                 pair.largest, "", between, 0.0, Relation::at_most, false,
                 text("Largest E_n of linear strain against ", truth, ", ",
                      bench.rod ? "rod under gravity" : "block and needle, plane strain", ", ", bench.cells_name(),
                      " cells; expected at most the larger mean difference of the two lumped implicit schemes.",
                      pair.stopped.empty()
                          ? ""
                          : text(" Up to ", short_number(pair.end), " s only: ", pair.stopped, "."))}));
        }
    }
    plots.push_back(plot);
    progress.name("");
    return out;
}

}  // namespace limber
