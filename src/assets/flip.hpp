// Edge flips: of two triangles that share an edge, the other diagonal where it makes better triangles.
#pragma once

#include "geometry/triangles.hpp"

namespace limber {

/// One pass over all edges: flips where the smallest angle of the pair grows and the surface stays as smooth as it was.
/// Needs a closed surface; leaves it closed and of the same topology. Returns how many.
std::size_t flip_edges(Triangles& triangles);

}  // namespace limber
