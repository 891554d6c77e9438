// How many cells a body has between its surfaces.
#pragma once

#include <limber/mesh.hpp>

namespace limber {

/// Nearly all cells have all their corners on the boundary: there is nothing within.
bool is_one_cell_thick(const Mesh& mesh);

}  // namespace limber
