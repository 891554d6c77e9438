// `limber reproduce clustered`: Tang et al.'s sphere, cube and torus by plain finite elements, by clusters and by 30
// modes, claim by claim (docs/methods/clustered_fem.md), and what warping does to the volume.
#pragma once

#include "report/claims.hpp"

#include <limber/tools/recording.hpp>
#include <limber/tools/scene.hpp>

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <vector>

namespace limber {

struct ClusteredStudySettings {
    bool quick = false;  ///< shorter runs, fewer rounds of timing: to see that it works
    bool pictures = false;
    std::string command = "limber reproduce clustered";
};

/// One method on one object.
struct ClusteredStudyRun {
    std::string title;  ///< "plain", "clustered", "30 modes"
    std::shared_ptr<const Recording> recording;
    double step = 0.0;                ///< processor time of one step of the scheme [s]
    int sub_steps = 1;                ///< of the scheme in one frame
    double displacement_error = 0.0;  ///< relative L2 over all vertices and frames, against plain
    double stress_error = 0.0;        ///< largest difference of von Mises stress at any time over the largest stress
};

struct ClusteredStudyRow {
    std::string name;
    std::shared_ptr<const Scene> scene;
    std::size_t vertices = 0, cells = 0;
    std::vector<ClusteredStudyRun> runs;  ///< plain, clustered, modal
    const ClusteredStudyRun& plain() const { return runs[0]; }
    const ClusteredStudyRun& clustered() const { return runs[1]; }
    const ClusteredStudyRun& modal() const { return runs[2]; }
};

/// A bar held at one end that droops by its weight or is turned at the other, by one method.
struct WarpingRow {
    std::string motion;  ///< "droop", "twist"
    std::string title;
    std::shared_ptr<const Recording> recording;
    std::string stopped;        ///< why it did not come to the end; "" = it did, and the rest counts
    double volume = 0.0;        ///< over that at rest, of the frame where it is farthest from it
    double volume_error = 0.0;  ///< largest difference from neo_hookean's at any frame, over the rest volume
    double error = 0.0;         ///< relative L2 over the run against neo_hookean
    double step = 0.0;          ///< processor time per frame [s]
};

struct ClusteredStudy {
    ClusteredStudySettings settings;
    std::vector<ClusteredStudyRow> rows;
    std::vector<WarpingRow> warping;
    std::size_t jelly_cells = 0;  ///< of the jelly man
    double jelly_step = 0.0;      ///< processor time of one step [s]
    std::vector<Claim> claims;
    double elapsed = 0.0;  ///< [s]
};

/// Throws Error{interrupted}.
ClusteredStudy reproduce_clustered(const ClusteredStudySettings& settings, Progress& progress);

Table clustered_summary(const ClusteredStudy& study);
nlohmann::json clustered_json(const ClusteredStudy& study);
/// Throws Error{bad_file | interrupted}.
void write_clustered_pages(const std::string& directory, const ClusteredStudy& study, Progress& progress);

}  // namespace limber
