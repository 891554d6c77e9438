// `limber reproduce dyrt`: James & Pai's character with three DyRT objects, claim by claim (docs/methods/dyrt.md).
#pragma once

#include "report/claims.hpp"
#include "report/plot.hpp"

#include <limber/tools/dyrt.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace limber {

struct DyrtStudySettings {
    bool full = false;   ///< the paper's sizes: 10k, 10k and 30k tet10, 18k vertices
    bool quick = false;  ///< tet4, fewer and larger cells, coarser time in the comparison: to see that it works
    bool pictures = false;
    std::string command = "limber reproduce dyrt";
};

struct DyrtStudyRow {
    std::string name;
    std::size_t cells = 0, unknowns = 0, vertices = 0;
    double meshing = 0.0, modes = 0.0;  ///< processor time to make flesh and modes [s]
    std::vector<double> hertz;          ///< modes, then residuals
    double error = 0.0;                 ///< eigen residual, the worst
    double jump = 0.0, walk = 0.0;      ///< how far the skin moves [m]
    DyrtError fem;                      ///< over the jump
    double plain_normals = 0.0,
           corrected_normals = 0.0;    ///< mean angle from the true normals at the first mode's amplitude [rad]
    std::vector<double> times, swing;  ///< of the jump: the vertex that moves most [s, m]
};

struct DyrtStudy {
    DyrtStudySettings settings;
    std::size_t vertices = 0;  ///< of the character
    Rig rig;
    std::vector<DyrtPart> parts;
    std::vector<DyrtStudyRow> rows;
    double step = 0.0, displace = 0.0;  ///< processor time per frame: all parts' oscillators; all their vertices with
                                        ///< normals, done by the processor [s]
    double printed_gain = 0.0,
           corrected_gain = 0.0;  ///< static gain of filter (19) for a mode of 2 Hz with damping ratio 0.1 at 60 Hz
    std::vector<Claim> claims;
    std::vector<Plot> plots;
    double elapsed = 0.0;  ///< [s]
};

/// Throws Error{interrupted}.
DyrtStudy reproduce_dyrt(const DyrtStudySettings& settings, Progress& progress);

/// Filter (19) under a constant force, over the true answer. `sign`: +1 as printed, -1 as it should be.
double paper_filter_gain(double omega, double ratio, double step, double sign);

Table dyrt_summary(const DyrtStudy& study);
nlohmann::json dyrt_json(const DyrtStudy& study);
/// Throws Error{bad_file | interrupted}.
void write_dyrt_pages(const std::string& directory, const DyrtStudy& study, Progress& progress);

}  // namespace limber
