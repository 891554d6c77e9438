// `limber sweep`: a scene at every point of a grid of parameters, in parallel, resumable, with failures kept as rows.
#pragma once

#include "report/plot.hpp"
#include "report/table.hpp"
#include "study/parameter.hpp"
#include "study/sweep_point.hpp"

#include <nlohmann/json_fwd.hpp>

#include <limber/progress.hpp>

#include <string>
#include <vector>

namespace limber {

/// More points than this is a typing mistake.
inline constexpr std::size_t kMostPoints = 1000000;

struct SweepSettings {
    SceneText scene;
    std::vector<std::string> varied;      ///< "PATH=VALUES", the last one varying fastest
    std::vector<std::string> quantities;  ///< see make_point_request; empty = the standard ones
    std::string reference;  ///< a recording, a scene (.json) to run, "scene" = this scene unchanged; "" = none
    std::string directory;  ///< where points.jsonl, and later the rest, is kept; "" = nothing is written
    bool fresh = false;     ///< forget what the directory has
    int jobs = 0;           ///< points at once; 0 = as the machine has
    std::string command = "limber sweep";  ///< written into every output; the same for a resumed sweep
};

struct SweepReport {
    std::string scene;       ///< name
    std::string scene_hash;  ///< of the unchanged scene
    std::string command, made_by;
    std::vector<Parameter> parameters;
    std::vector<PointColumn> columns;
    std::vector<PointResult> points;  ///< in grid order: the last parameter varies fastest
    std::size_t resumed = 0;          ///< points that were there already

    /// Which value of which parameter a point has.
    std::size_t value_of(std::size_t point, std::size_t parameter) const;
    std::size_t count(PointStatus status) const;
};

/// Throws Error{bad_usage}, SceneError; Error{interrupted} when stopped: what was finished is kept in the directory.
SweepReport run_sweep(const SweepSettings& settings, Progress& progress);

/// The table: comment lines of provenance, one row per point. The same bytes for the same points, however they came
/// about.
std::string sweep_csv(const SweepReport& report);
/// Wall clock per point; never the same twice.
std::string sweep_timings_csv(const SweepReport& report);
/// One per quantity that varies. `left_out` receives what is not shown and why, one line each.
std::vector<Plot> sweep_plots(const SweepReport& report, std::vector<std::string>& left_out);
/// For terminal and page: points by parameter and a few quantities; at most `rows` of them.
Table sweep_table(const SweepReport& report, std::size_t rows);
nlohmann::json sweep_json(const SweepReport& report);
/// sweep.csv, timings.csv, plots and index.html. Throws Error{bad_file}.
void write_sweep(const std::string& directory, const SweepReport& report);

}  // namespace limber
