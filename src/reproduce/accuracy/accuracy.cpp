#include "reproduce/accuracy/accuracy.hpp"

#include "core/text.hpp"
#include "reproduce/accuracy/accuracy_claims.hpp"
#include "reproduce/accuracy/accuracy_stability.hpp"

#include <chrono>

namespace limber {
namespace {

/// All schemes on one body; the first is implicit, the reference.
std::vector<BenchRun> run_all(const Bench& bench, double duration, PartOfProgress& progress) {
    std::vector<BenchRun> out;
    for (const char* scheme : paper_schemes()) {
        progress.name(text("running ", bench.scene_name(), " ", bench.material.name, " ", scheme));
        out.push_back(run_bench(bench_scene(bench, scheme, duration), progress));
    }
    return out;
}

void measure_all(std::vector<AccuracyRun>& out, const Bench& bench, const std::vector<BenchRun>& runs,
                 const BenchRun& reference, const std::string& reference_name, PartOfProgress& progress) {
    progress.name(text("measuring ", bench.scene_name(), " ", bench.material.name));
    for (std::size_t i = 0; i < runs.size(); ++i) {
        progress.check();
        progress.update(static_cast<double>(i) / static_cast<double>(runs.size()), "measuring");
        out.push_back(measured_run(bench, paper_schemes()[i], runs[i], reference, reference_name));
    }
}

/// The block with both materials, then the comparison across materials in `across`.
void add_block(const AccuracySettings& settings, std::vector<AccuracyRun>& same, std::vector<AccuracyRun>& across,
               PartOfProgress& progress) {
    const Bench mp1 = block_bench(settings, "MP1"), mp2 = block_bench(settings, "MP2");
    const std::vector<BenchRun> soft = run_all(mp1, settings.duration, progress),
                                real = run_all(mp2, settings.duration, progress);
    measure_all(same, mp1, soft, soft[0], "implicit", progress);
    measure_all(same, mp2, real, real[0], "implicit", progress);
    measure_all(across, mp1, soft, real[0], "MP2 implicit", progress);
}

void add_rod(int refinement, double duration, std::vector<AccuracyRun>& out, PartOfProgress& progress) {
    const Bench rod = rod_bench(refinement);
    const std::vector<BenchRun> runs = run_all(rod, duration, progress);
    measure_all(out, rod, runs, runs[0], "implicit", progress);
}

/// The meshes and elements of --full, apart from the one asked for.
std::vector<AccuracySettings> variants_of(const AccuracySettings& main) {
    std::vector<AccuracySettings> out;
    for (const int cells : {10, 16, 20, 32}) {
        for (const int kind : {0, 1, 2}) {
            AccuracySettings v = main;
            v.cells = cells;
            v.bbar = kind == 1;
            v.plane = kind == 2 ? Plane::stress : Plane::strain;
            if (v.cells != main.cells || v.bbar != main.bbar || v.plane != main.plane) out.push_back(v);
        }
    }
    return out;
}

void check_settings(const AccuracySettings& s) {
    if (s.cells < 4 || s.cells > 128 || s.cells % 2 != 0) {
        throw Error(Fault::bad_usage, InputLocation{"--cells", 0, {}}, text(s.cells),
                    "an even number from 4 to 128, so that the needle at (1, 0.5) meets a vertex");
    }
    if (s.bbar && s.plane == Plane::stress) {
        throw Error(Fault::bad_usage, InputLocation{"--integration", 0, {}},
                    "bbar in plane stress, where thickness can change and nothing locks", "full");
    }
}

void add_variants(const AccuracySettings& settings, AccuracyReport& report, std::vector<AccuracyRun>& across,
                  Progress& progress) {
    const std::vector<AccuracySettings> variants = variants_of(settings);
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const double low = 0.5 + 0.4 * static_cast<double>(i) / static_cast<double>(variants.size());
        PartOfProgress part(progress, low, low + 0.4 / static_cast<double>(variants.size()));
        add_block(variants[i], report.runs, across, part);
    }
    for (const int refinement : {2, 3}) {
        PartOfProgress part(progress, 0.9 + 0.05 * (refinement - 2), 0.95 + 0.05 * (refinement - 2));
        add_rod(refinement, settings.duration, report.runs, part);
    }
}

void append(std::vector<Claim>& out, const std::vector<Claim>& more) {
    out.insert(out.end(), more.begin(), more.end());
}

}  // namespace

AccuracyReport reproduce_accuracy(const AccuracySettings& settings, Progress& progress) {
    check_settings(settings);
    const auto start = std::chrono::steady_clock::now();
    const double share = settings.full ? 0.5 : 1.0;  // of the default experiments in all the work
    const auto part = [&](double low, double high) { return PartOfProgress(progress, share * low, share * high); };
    AccuracyReport report;
    report.settings = settings;
    std::vector<AccuracyRun> across;

    PartOfProgress running = part(0.0, 0.3), spectra = part(0.3, 0.5), claims = part(0.5, 0.6),
                   stability = part(0.6, 0.8), solvers = part(0.8, 0.87), locking = part(0.87, 1.0);
    add_block(settings, report.runs, across, running);
    add_rod(1, settings.duration, report.runs, running);
    report.runs.insert(report.runs.end(), across.begin(), across.end());

    report.spectra = measure_spectra(settings, spectra);
    append(report.claims, run_claims(settings, report.runs, claims));
    append(report.claims, stability_claims(settings, report.runs, report.spectra, stability));
    append(report.claims, solver_claims(settings, report.runs, solvers));
    report.plots = paper_figures(settings, report.runs);
    report.plots.push_back(critical_step_plot(settings, report.spectra));
    append(report.claims, locking_claims(settings, report.runs, report.plots, locking));
    if (settings.full) {
        across.clear();
        PartOfProgress quadratic(progress, 0.45, 0.5);
        append(report.claims, quadratic_claims(settings, report.runs, report.plots, quadratic));
        add_variants(settings, report, across, progress);
        report.runs.insert(report.runs.end(), across.begin(), across.end());
    }
    report.elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

}  // namespace limber
