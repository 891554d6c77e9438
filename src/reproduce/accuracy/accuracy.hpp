// `limber reproduce accuracy`: the experiments of Alterovitz & Goldberg, "Comparing Algorithms for Soft Tissue
// Deformation", run with the conventions written down in docs/methods/linear_fem.md, and their claims measured one by
// one.
#pragma once

#include "report/claims.hpp"
#include "report/plot.hpp"

#include <limber/body.hpp>
#include <limber/progress.hpp>

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace limber {

struct AccuracySettings {
    int cells = 20;               ///< the block is cells x cells quads; even, so that the needle meets a vertex
    Plane plane = Plane::strain;  ///< of the block
    bool bbar = false;            ///< of the block; the rod is always fully integrated, as in the paper
    bool full = false;            ///< every mesh and variant
    double duration = 10.0;       ///< [s]
    bool pictures = false;        ///< on the page, from runs of their own
    std::string command = "limber reproduce accuracy";  ///< written beside every plot
};

struct ProbeTrack {
    Vec3 at;              ///< rest position [m]
    std::vector<Vec3> u;  ///< one per time [m]
};

/// One scheme on one body, measured against a reference run.
struct AccuracyRun {
    std::string scene;        ///< "block" or "rod"
    std::string cells;        ///< "20" or "6x2x2"
    std::string plane;        ///< "strain", "stress"; "" in space
    std::string integration;  ///< "full" or "bbar"
    std::string material, scheme;
    std::string reference;                               ///< "implicit" = of the same material; else "MP2 implicit"
    std::vector<double> t;                               ///< [s]
    std::vector<double> relative_l2, surface, interior;  ///< not a number where undefined
    std::map<std::string, ProbeTrack> probes;
    std::optional<double> diverged_at{};  ///< first time that is not there any more [s]
    double step_ms = 0.0;                 ///< median cost of a step, wall clock
};

/// Natural frequencies and stable steps of one body.
struct AccuracySpectrum {
    std::string scene, cells, material, integration;
    std::vector<double> lowest;            ///< angular frequencies, consistent mass [rad/s]
    double omega_max[2] = {0.0, 0.0};      ///< consistent, lumped [rad/s]
    double critical_step[2] = {0.0, 0.0};  ///< measured by stepping [s]
};

struct AccuracyReport {
    AccuracySettings settings;
    std::vector<AccuracyRun> runs;
    std::vector<AccuracySpectrum> spectra;
    std::vector<Claim> claims;
    std::vector<Plot> plots;
    double elapsed = 0.0;  ///< [s]
};

/// Throws Error: bad settings, or interrupted.
AccuracyReport reproduce_accuracy(const AccuracySettings& settings, Progress& progress);

/// {"runs": [...], "claims": [...], "spectra": [...], "provenance": ...}; what is undefined is null.
nlohmann::json accuracy_json(const AccuracyReport& report);
/// One row per run: largest, mean and last value of every measure.
Table accuracy_summary(const AccuracyReport& report);
/// index.html and every plot as SVG and CSV; pictures where they were asked for. Throws Error{bad_file}.
void write_accuracy_pages(const std::string& directory, const AccuracyReport& report, Progress& progress);

}  // namespace limber
