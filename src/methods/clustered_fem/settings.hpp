// The options of clustered_fem: one table, and the values read from it.
#pragma once

#include "fem_linear/settings.hpp"

#include <limber/method.hpp>

namespace limber {

/// What a product runs over. rows: a cluster per vertex. voxels: the paper's, per vertex and group of cells. none:
/// element by element.
enum class Clusters : std::uint8_t { rows, voxels, none };

struct ClusteredFemSettings {
    LinearSettings linear;
    Clusters clusters = Clusters::rows;
    bool single = false;  ///< products in single precision
    int voxel_cells = 6;
};

OptionTable clustered_fem_options();

/// Throws Error for values that are in range but contradict each other or the body.
ClusteredFemSettings read_clustered_fem_settings(const Body& body, const OptionValues& given);

}  // namespace limber
