// What the paper says of cost: Gauss-Seidel iterations, and the order of speeds in its Fig. 4.
#include "reproduce/accuracy/accuracy_claims.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

// Of the residual. The paper says "accurately" and no more, so both a loose and a tight one are measured.
constexpr double kLoose = 1e-6, kTight = 1e-10;

// A ratio of times that noise does not make.
constexpr double kClearly = 1.15;

struct SolverCost {
    double iterations = 0.0;  ///< per step, mean
    double step_ms = 0.0;     ///< median
};

/// Half a second of the benchmark with the paper's solver.
SolverCost gauss_seidel_cost(const Bench& bench, const std::string& scheme, double tolerance, Progress& progress) {
    Scene scene = bench_scene(bench, scheme, 0.5);
    scene.method.options["solver"] = std::string("gauss_seidel");
    scene.method.options["tolerance"] = tolerance;
    scene.method.options["max_iterations"] = 100000.0;
    RunSettings settings;
    settings.tolerate = Trouble::not_converged;  // a count at the limit is still an answer: "more than"
    const RunResult result = run_scene(scene, settings, progress);
    if (result.interrupted) throw Error(Fault::interrupted, {}, "interrupted; nothing was written");
    SolverCost cost;
    cost.step_ms = result.median_ms;
    for (std::size_t i = 1; i < result.recording.frames.size(); ++i)
        cost.iterations += result.recording.frames[i].report.iterations;
    cost.iterations /= std::max(1.0, static_cast<double>(result.recording.frames.size()) - 1.0);
    return cost;
}

Claim speed_claim(const char* id, const char* words, double slow_ms, double fast_ms, const std::string& why) {
    return judged(
        {id, words, slow_ms / fast_ms, "x", kClearly, 0.0, Relation::at_least, false,
         text(why, " Median step: ", short_number(slow_ms, 3), " ms against ", short_number(fast_ms, 3), " ms.")});
}

}  // namespace

std::vector<Claim> solver_claims(const AccuracySettings& settings, const std::vector<AccuracyRun>& runs,
                                 PartOfProgress& progress) {
    const Bench mp1 = block_bench(settings, "MP1"), mp2 = block_bench(settings, "MP2");
    progress.name("iterating with Gauss-Seidel");
    const SolverCost hard = gauss_seidel_cost(mp2, "implicit", kTight, progress),
                     loose = gauss_seidel_cost(mp2, "implicit", kLoose, progress);
    const SolverCost easy = gauss_seidel_cost(mp1, "implicit", kTight, progress),
                     plain = gauss_seidel_cost(mp1, "explicit", kTight, progress);
    const SolverCost lumped = gauss_seidel_cost(mp1, "explicit_lumped", kTight, progress);
    progress.name("");
    std::vector<Claim> out;
    out.push_back(judged({"gauss-seidel-mp2", "Several thousand Gauss-Seidel iterations per implicit step with MP2",
                          hard.iterations, "iterations", 2000.0, 0.0, Relation::at_least, false,
                          text("Mean over the first half second to a relative residual of ", kTight, "; ",
                               short_number(loose.iterations), " to ", kLoose,
                               ". Each step starts from the last one's acceleration. Taken as several: 2000.")}));
    out.push_back(judged({"gauss-seidel-mp1", "(implied) MP1 needs fewer", easy.iterations / hard.iterations, "x", 1.0,
                          0.0, Relation::at_most, false,
                          text("MP1 takes ", short_number(easy.iterations), " iterations per implicit step and ",
                               short_number(plain.iterations), " per explicit one with consistent mass.")}));
    out.push_back(
        speed_claim("speed-implicit-explicit", "Implicit is slower than explicit (Fig. 4)", easy.step_ms, plain.step_ms,
                    text("By Gauss-Seidel, as in the paper, MP1: ", short_number(easy.iterations), " and ",
                         short_number(plain.iterations),
                         " iterations. beta K is in both matrices, and MP1 is so soft that the rest hardly matters.")));
    out.push_back(speed_claim("speed-explicit-lumped",
                              "Explicit with consistent mass is slower than with lumped mass (Fig. 4)", plain.step_ms,
                              lumped.step_ms, "By Gauss-Seidel, as in the paper, MP1."));
    const double implicit_ms = find_run(runs, "MP1", "implicit").step_ms;
    out.push_back(speed_claim("speed-factored-lumped", "Implicit is slower than explicit with lumped mass (Fig. 4)",
                              implicit_ms, find_run(runs, "MP1", "explicit_lumped").step_ms,
                              "With a Cholesky factor made once, as limber does by default."));
    out.push_back(speed_claim("speed-factored-quasi-static", "Quasi-static steps can be very fast", implicit_ms,
                              find_run(runs, "MP1", "quasi_static").step_ms,
                              "Against implicit, both with a factor made once: one solve each, and quasi-static needs "
                              "no products with M and C."));
    out.push_back(
        judged({"speed-factored-explicit", "Explicit with consistent mass is faster than implicit (Fig. 4)",
                implicit_ms / find_run(runs, "MP1", "explicit").step_ms, "x", kClearly, 0.0, Relation::at_least, false,
                "With a factor made once both cost the same pair of triangular solves: what the paper saw belongs to "
                "Gauss-Seidel, not to the schemes."}));
    return out;
}

}  // namespace limber
