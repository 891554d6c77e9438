// Where one paint ends and another begins: a line of edges, not a row of teeth.
#pragma once

#include "assets/shape.hpp"

#include <cstdint>
#include <vector>

namespace limber {

/// Moves the vertices nearest to a seam onto it (the triangles stay the same ones) and returns each triangle's paint.
std::vector<std::int32_t> paint_along_seams(const Shape& shape, Triangles& triangles, double cell_size);

}  // namespace limber
