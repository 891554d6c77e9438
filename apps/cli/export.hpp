// limber export: what the part for recordings (export.cpp) and the part for scenes (export_matrices.cpp) share.
#pragma once

#include "cli/cli.hpp"

#include <limber/scene.hpp>

#include <string>
#include <vector>

namespace limber::cli {

struct ExportArguments {
    std::string input;                  ///< a recording; a scene for --to matrices
    std::string to;                     ///< matrices, npz, pc2, mdd, vtu or csv
    std::string out;                    ///< never empty
    std::vector<std::string> sets;      ///< --set, scenes only
    LengthUnit unit = LengthUnit::m;    ///< recordings only
    UpAxis up = UpAxis::y;              ///< recordings only
    double frame_rate = 0.0;            ///< --rate, recordings only; 0 = not given
    CommonArguments common;
};

/// K, M and C of a scene; prints its own report and returns the exit code.
int export_matrices(const ExportArguments& arguments);

}  // namespace limber::cli
