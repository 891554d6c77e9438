// limber export: what the part for recordings (export.cpp) and the part for scenes (export_matrices.cpp) share.
#pragma once

#include "cli/cli.hpp"

#include <limber/tools/recording.hpp>
#include <limber/tools/scene.hpp>
#include <limber/tools/series.hpp>
#include <limber/tools/surface_series.hpp>

#include <optional>
#include <string>
#include <vector>

namespace limber::cli {

struct ExportArguments {
    std::string input;               ///< a recording; a scene for --to matrices
    std::string to;                  ///< matrices, npz, pc2, mdd, vtu, csv, obj, ply, stl, glb or inp
    std::string out;                 ///< never empty
    std::vector<std::string> sets;   ///< --set, scenes only
    std::optional<LengthUnit> unit;  ///< of what is written; not given: that of the file the body came from
    std::optional<UpAxis> up;
    double frame_rate = 0.0;      ///< --rate, recordings only; 0 = not given
    SurfaceSeriesTarget surface;  ///< what only surfaces have; path, format, unit, axis and rate are those above
    int modes = 0;                ///< --modes, inp only; 0 = a static step
    CommonArguments common;
};

/// ", lengths in mm, z up", and nothing for metres with y up, which everything is unless told.
std::string other_axes(const FileAxes& axes);

/// K, M and C of a scene; prints its own report and returns the exit code.
int export_matrices(const ExportArguments& arguments);

/// A deck for CalculiX of a scene, or of a recording's body; the same.
int export_inp(const ExportArguments& arguments);

/// obj, ply, stl and glb, and point caches with --match (export_surface.cpp).
void add_surface_options(CLI::App& verb, ExportArguments& arguments);
bool is_surface_export(const ExportArguments& arguments, const Recording& recording);
SeriesWritten export_surface(const Recording& recording, const ExportArguments& arguments, Progress& progress);
/// Throws Error{bad_usage} when an option is given that only surfaces have.
void refuse_surface_options(const ExportArguments& arguments);

}  // namespace limber::cli
