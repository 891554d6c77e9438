// The paper's two bodies as scenes, and running them.
#pragma once

#include "core/part_of_progress.hpp"
#include "reproduce/accuracy/accuracy.hpp"

#include <limber/tools/sim.hpp>

#include <array>
#include <span>
#include <string>

namespace limber {

inline constexpr double kPaperStep = 1.0 / 30.0;  ///< [s]

/// One body of the paper: which mesh, which material, which elements.
struct Bench {
    bool rod = false;
    std::array<int, 3> cells{20, 20, 0};
    Plane plane = Plane::strain;
    bool bbar = false;
    Material material;

    std::string scene_name() const { return rod ? "rod" : "block"; }
    std::string cells_name() const;
    std::string plane_name() const { return rod ? "" : plane == Plane::strain ? "strain" : "stress"; }
    std::string integration_name() const { return bbar ? "bbar" : "full"; }
};

/// Tables 1 to 3 of the paper: "MP1", "MP2", "MP3".
Material paper_material(const std::string& name);
Bench block_bench(const AccuracySettings& settings, const std::string& material);
Bench rod_bench(int refinement = 1);

/// The six algorithms: implicit, explicit, implicit_lumped, implicit_lumped_alpha, explicit_lumped, quasi_static.
std::span<const char* const> paper_schemes();
/// linear_fem's options for one of them.
OptionValues scheme_options(const Bench& bench, const std::string& scheme, double step = kPaperStep);

/// Needle or gravity as in the paper, probes included.
Scene bench_scene(const Bench& bench, const std::string& scheme, double duration, double step = kPaperStep);

/// Runs to the end, or as far as it stays below a million metres. Throws Error{interrupted}.
struct BenchRun {
    Recording recording;
    std::vector<Probe> probes;
    std::optional<double> diverged_at{};
    double step_ms = 0.0;
};
BenchRun run_bench(const Scene& scene, Progress& progress);

/// Measures of a candidate against a reference, aligned with the candidate's frames.
AccuracyRun measured_run(const Bench& bench, const std::string& scheme, const BenchRun& candidate,
                         const BenchRun& reference, const std::string& reference_name);

}  // namespace limber
