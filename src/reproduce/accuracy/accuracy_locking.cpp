// Locking: what plain quads get wrong near incompressibility, and what B-bar mends. Plane strain throughout.
#include "reproduce/accuracy/accuracy_claims.hpp"

#include "core/text.hpp"

#include <limber/tools/metrics.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

/// The block with the needle at its end, at rest.
struct StaticBlock {
    Recording recording;
    double needle_force = 0.0;  ///< [N], pushing into the block
};

StaticBlock static_block(const std::string& material, int cells, bool bbar, Progress& progress) {
    AccuracySettings settings;
    settings.cells = cells;
    settings.bbar = bbar;
    const Bench bench = block_bench(settings, material);
    Scene scene = bench_scene(bench, "quasi_static", 2.0, 2.0);  // one step to where the needle stops
    BenchRun run = run_bench(scene, progress);
    StaticBlock out;
    out.needle_force = -run.recording.frames.back().reactions.back().force.x;
    out.recording = std::move(run.recording);
    return out;
}

double error_against(const StaticBlock& reference, const StaticBlock& candidate, const char* metric) {
    return last_of(evaluate_metric(metric, reference.recording, candidate.recording).value);
}

Plot force_plot(const AccuracySettings& settings, Progress& progress) {
    Plot plot{"locking",
              "Locking: the static force on the needle, with and without B-bar",
              "Force per metre of depth over Young's modulus, needle 0.16 m deep, plane strain. Both must fall slowly "
              "(a point load has no finite stiffness in the limit) and towards each other; plain quads with "
              "MP2 (nu = 0.495) are twice too stiff.",
              settings.command,
              {"cells along a side", "", Scale::log},
              {"needle force / E", "m"},
              {},
              {}};
    for (const char* material : {"MP1", "MP2"}) {
        for (const bool bbar : {false, true}) {
            Series line{text(material, bbar ? ", B-bar" : ", full integration"), {}, {}};
            for (const int n : {6, 10, 14, 20, 28, 40}) {
                line.x.push_back(n);
                line.y.push_back(static_block(material, n, bbar, progress).needle_force /
                                 paper_material(material).young);
            }
            plot.series.push_back(line);
        }
    }
    return plot;
}

}  // namespace

std::vector<Claim> locking_claims(const AccuracySettings& settings, const std::vector<AccuracyRun>& runs,
                                  std::vector<Plot>& plots, PartOfProgress& progress) {
    constexpr int kFine = 80;
    progress.name("measuring locking");
    plots.push_back(force_plot(settings, progress));
    // What the paper's figures show for MP2: the largest mean difference between schemes.
    double between_schemes = 0.0;
    for (const char* scheme : {"implicit_lumped", "implicit_lumped_alpha", "quasi_static"})
        between_schemes = std::max(between_schemes, mean_of(find_run(runs, "MP2", scheme).relative_l2));
    std::vector<Claim> out;
    for (const std::string material : {"MP1", "MP2"}) {
        const StaticBlock fine = static_block(material, kFine, true, progress);
        const StaticBlock full = static_block(material, settings.cells, false, progress),
                          bbar = static_block(material, settings.cells, true, progress);
        const double full_error = error_against(fine, full, "relative_l2"),
                     bbar_error = error_against(fine, bbar, "relative_l2");
        const std::string tail = material == "MP1" ? "-mp1" : "-mp2";
        const std::string mesh = text(settings.cells, " x ", settings.cells, " quads against ", kFine, " x ", kFine,
                                      " with B-bar, static, plane strain.");
        if (material == "MP2") {
            out.push_back(
                judged({"locking" + tail, "Implicit integration on the given mesh is the correct deformation",
                        full_error, "", between_schemes, 0.0, Relation::at_most, false,
                        text("E_n of plain quads: ", mesh,
                             " Expected at most the largest mean difference between schemes: plain quads lock at nu = "
                             "0.495, and the paper's reference is off by more than the schemes it ranks.")}));
        }
        out.push_back(judged({"locking-force" + tail,
                              text("(not in the paper) Plain quads and B-bar agree on the needle force, ", material),
                              full.needle_force / bbar.needle_force, "x", 1.0, 0.1, Relation::equal, false,
                              "The same mesh, with and without B-bar; anything above 1 is locking."}));
        out.push_back(judged(
            {"bbar-mends" + tail, text("(not in the paper) B-bar removes most of the discretisation error, ", material),
             bbar_error / full_error, "x", 0.5, 0.0, Relation::at_most, false,
             text("E_n ", short_number(bbar_error, 3), " with B-bar, ", short_number(full_error, 3), " without: ", mesh,
                  " What is left is the needle itself: under a point load every mesh has its own answer.")}));
    }
    progress.name("");
    return out;
}

}  // namespace limber
