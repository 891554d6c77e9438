#include "reproduce/accuracy/accuracy_claims.hpp"

#include "core/text.hpp"

#include <limber/tools/metrics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

using Measure = std::vector<double> AccuracyRun::*;

/// Smallest ratio of a later scheme's time mean to an earlier one's: above 1 when the order is as listed.
double order_margin(const std::vector<AccuracyRun>& runs, const std::string& material, Measure measure,
                    const std::vector<std::vector<const char*>>& groups) {
    double margin = std::numeric_limits<double>::infinity();
    for (std::size_t g = 1; g < groups.size(); ++g) {
        for (const char* better : groups[g - 1]) {
            for (const char* worse : groups[g]) {
                margin = std::min(margin, mean_of(find_run(runs, material, worse).*measure) /
                                              mean_of(find_run(runs, material, better).*measure));
            }
        }
    }
    return margin;
}

std::string means(const std::vector<AccuracyRun>& runs, const std::string& material, Measure measure) {
    std::string out = "Means over time:";
    for (const char* scheme : paper_schemes()) {
        if (std::string(scheme) != "implicit")
            out += text(" ", scheme, " ", short_number(mean_of(find_run(runs, material, scheme).*measure), 3), ",");
    }
    out.back() = '.';
    return out;
}

void add_order_claims(std::vector<Claim>& out, const std::vector<AccuracyRun>& runs) {
    struct Case {
        const char* id;
        const char* material;
        Measure measure;
        const char* words;
    };
    const Case cases[] = {{"order-block-relative-l2", "MP1", &AccuracyRun::relative_l2, "E_n, block (Fig. 5)"},
                          {"order-block-surface", "MP1", &AccuracyRun::surface, "E_s, block (Fig. 6)"},
                          {"order-block-interior", "MP1", &AccuracyRun::interior, "E_i, block (Figs. 7, 8)"},
                          {"order-rod-interior", "MP3", &AccuracyRun::interior, "E_i, rod (Figs. 9, 10)"}};
    for (const Case& c : cases) {
        out.push_back(judged(
            {c.id, text("Explicit is best, then mass lumping, quasi-static is worst: ", c.words),
             order_margin(
                 runs, c.material, c.measure,
                 {{"explicit"}, {"implicit_lumped", "implicit_lumped_alpha", "explicit_lumped"}, {"quasi_static"}}),
             "x", 1.0, 0.0, Relation::at_least, false,
             text("Smallest ratio of neighbours in that order. ", means(runs, c.material, c.measure))}));
    }
    for (const bool rod : {false, true}) {
        const std::string material = rod ? "MP3" : "MP1";
        const double margin = order_margin(runs, material, &AccuracyRun::interior,
                                           {{"implicit_lumped", "implicit_lumped_alpha"}, {"explicit_lumped"}});
        out.push_back(judged(
            {rod ? "order-rod-explicit-lumped" : "order-block-explicit-lumped",
             text("Explicit with lumping is worse than lumping alone: E_i, ", rod ? "rod" : "block"), margin, "x", 1.0,
             0.0, Relation::at_least, false,
             "Against the worse of the two implicit lumped schemes. With equal damping (alpha only) the two lumped "
             "schemes differ by little; what separates them from the third is the damping that lumping gives up."}));
    }
}

/// Explicit + lumped against the sum of its two causes.
Claim sum_rule_claim(const std::vector<AccuracyRun>& runs, const std::string& material, const std::string& lumped) {
    const double both = mean_of(find_run(runs, material, "explicit_lumped").interior);
    const double alone = mean_of(find_run(runs, material, lumped).interior),
                 time = mean_of(find_run(runs, material, "explicit").interior);
    const bool same_damping = lumped == "implicit_lumped_alpha";
    return judged({text("sum-rule-", material == "MP1" ? "block" : "rod", same_damping ? "-alpha" : ""),
                   text("Explicit with lumping errs by the sum of both causes (", material == "MP1" ? "block" : "rod",
                        same_damping ? ", C = alpha M)" : ", C = alpha M + beta K)"),
                   both / (alone + time), "x", 1.0, 0.25, Relation::equal, false,
                   same_damping ? "Mean E_i over the sum of the means of lumping alone and explicit alone, all lumped "
                                  "runs damped by C = alpha M."
                                : "The same with beta K kept in the implicit lumped run: then dropping beta K is a "
                                  "third cause, which the rule does not know."});
}

/// Every scheme long after the needle has stopped, against the static solution.
Claim static_limit_claim(const Bench& bench, Progress& progress) {
    constexpr double kLong = 60.0;
    const Scene still = bench_scene(bench, "quasi_static", kLong);
    const BenchRun reference = run_bench(still, progress);
    double worst = 0.0;
    bool any_missing = false;
    for (const char* scheme : paper_schemes()) {
        Scene scene = bench_scene(bench, scheme, kLong);
        const BenchRun run = run_bench(scene, progress);
        if (run.diverged_at) {
            any_missing = true;
        } else {
            worst = std::max(worst, relative_l2(reference.recording.frames.back().displacement,
                                                run.recording.frames.back().displacement));
        }
    }
    return judged({text("static-limit-", bench.scene_name()),
                   text("All schemes converge to the same static solution (", bench.scene_name(), ")"), worst, "", 0.0,
                   1e-6, Relation::at_most, false,
                   text("Largest E_n of any ", any_missing ? "stable " : "",
                        "scheme against the static solution after ", kLong, " s.")});
}

void add_material_claims(std::vector<Claim>& out, const std::vector<AccuracyRun>& runs) {
    const AccuracyRun& still = find_run(runs, "MP2", "quasi_static");
    double best = std::numeric_limits<double>::infinity(), least_end = best;
    for (const char* scheme : paper_schemes()) {
        const AccuracyRun& mp1 = find_run(runs, "MP1", scheme, "MP2 implicit");
        if (mp1.diverged_at) continue;
        best = std::min(best, mean_of(mp1.surface));
        least_end = std::min(least_end, last_of(mp1.surface));
    }
    out.push_back(judged({"material-matters-more",
                          "Quasi-static MP2 is closer to implicit MP2 than any scheme with MP1 (Fig. 11)",
                          mean_of(still.surface) / best, "x", 1.0, 0.0, Relation::at_most, false,
                          text("Mean E_s of quasi-static MP2 (", short_number(mean_of(still.surface), 3),
                               ") over that of the best MP1 run (", short_number(best, 3), ").")}));
    out.push_back(judged({"mp1-other-steady-state", "MP1 converges to a different steady state than MP2", least_end, "",
                          1e-4, 0.0, Relation::at_least, false,
                          text("Smallest E_s of any MP1 run at the end; quasi-static MP2 ends at ",
                               short_number(last_of(still.surface), 2), ".")}));
    const AccuracyRun& implicit = find_run(runs, "MP2", "implicit");
    out.push_back(judged({"mp2-implicit-converges", "Implicit integration of MP2 converges well with damping below 1",
                          implicit.diverged_at ? kNone : last_of(still.relative_l2), "", 0.0, 1e-4, Relation::at_most,
                          false, "E_n between implicit and quasi-static at the end."}));
}

std::vector<double> heights(const ProbeTrack& probe) {
    std::vector<double> y;
    for (const Vec3& u : probe.u) y.push_back(u.y);
    return y;
}

void add_rod_claims(std::vector<Claim>& out, const std::vector<AccuracyRun>& runs) {
    const AccuracyRun& rod = find_run(runs, "MP3", "implicit");
    const AccuracyRun& still = find_run(runs, "MP3", "quasi_static");
    const std::vector<double> tip = heights(rod.probes.at("tip"));
    const double steady = still.probes.at("tip").u.back().y;
    const double lowest = *std::min_element(tip.begin(), tip.end());
    out.push_back(
        judged({"rod-overshoot", "The rod overshoots its steady state before it settles", lowest / steady - 1, "", 0.01,
                0.0, Relation::at_least, false,
                text("Lowest tip ", short_number(lowest), " m, steady state ", short_number(steady), " m.")}));
    out.push_back(judged({"rod-below-steady", "At 4.2 s the rod drops below its steady state",
                          first_below(rod.t, tip, steady), "s", 4.2, 0.05, Relation::equal, false,
                          "The tip of the implicit run crosses its steady height, between steps by interpolation."}));
    std::size_t at = 1;
    for (std::size_t i = 1; i < still.t.size(); ++i)
        if (still.t[i] > 3 && still.t[i] < 6 && (still.t[at] <= 3 || still.interior[i] < still.interior[at])) at = i;
    out.push_back(judged(
        {"rod-quasi-static-dip", "The error of quasi-static approaches 0 at that time (Fig. 10)", still.t[at], "s", 4.2,
         0.1, Relation::equal, false,
         text("Where E_i of the quasi-static run is least between 3 s and 6 s: ", short_number(still.interior[at], 3),
              ", ", short_number(still.interior[at] / largest_of(still.interior), 2), " of its largest.")}));
}

Claim peaks_claim(const AccuracyRun& run) {
    int peaks = 0;
    for (std::size_t i = 1; i + 1 < run.t.size(); ++i)
        if (run.t[i] > 5 && run.surface[i] > run.surface[i - 1] && run.surface[i] >= run.surface[i + 1]) ++peaks;
    return judged({"surface-peaks-after-5s",
                   "The surface error has several peaks after 5 s: the block still oscillates (Fig. 6)",
                   static_cast<double>(peaks), "", 2.0, 0.0, Relation::at_least, false,
                   "Local maxima of E_s after 5 s, explicit with lumped mass, MP1."});
}

}  // namespace

const AccuracyRun& find_run(const std::vector<AccuracyRun>& runs, const std::string& material,
                            const std::string& scheme, const std::string& reference) {
    for (const AccuracyRun& run : runs)
        if (run.material == material && run.scheme == scheme && run.reference == reference) return run;
    throw Error(Fault::bad_usage, {}, text("no run of ", material, " ", scheme, " against ", reference));
}

double mean_of(const std::vector<double>& values) {
    double sum = 0.0;
    std::size_t count = 0;
    for (const double v : values) {
        if (std::isfinite(v)) {
            sum += v;
            ++count;
        }
    }
    return count > 0 ? sum / static_cast<double>(count) : kNone;
}

double largest_of(const std::vector<double>& values) {
    double out = kNone;
    for (const double v : values)
        if (std::isfinite(v) && !(v <= out)) out = v;
    return out;
}

double last_of(const std::vector<double>& values) { return values.empty() ? kNone : values.back(); }

double first_below(const std::vector<double>& t, const std::vector<double>& values, double level) {
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (values[i - 1] >= level && values[i] < level)
            return t[i - 1] + (t[i] - t[i - 1]) * (values[i - 1] - level) / (values[i - 1] - values[i]);
    }
    return kNone;
}

std::vector<Claim> run_claims(const AccuracySettings& settings, const std::vector<AccuracyRun>& runs,
                              PartOfProgress& progress) {
    std::vector<Claim> out;
    add_order_claims(out, runs);
    for (const char* material : {"MP1", "MP3"}) {
        for (const char* lumped : {"implicit_lumped_alpha", "implicit_lumped"})
            out.push_back(sum_rule_claim(runs, material, lumped));
    }
    progress.name("running on to the static limit");
    out.push_back(static_limit_claim(block_bench(settings, "MP1"), progress));
    out.push_back(static_limit_claim(rod_bench(), progress));
    progress.name("");
    out.push_back(peaks_claim(find_run(runs, "MP1", "explicit_lumped")));
    add_rod_claims(out, runs);
    add_material_claims(out, runs);
    return out;
}

}  // namespace limber
