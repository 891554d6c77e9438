// How the triangles of a surface hang together: holes, edges and vertices shared by too many, islands.
#pragma once

#include "geometry/surface_edges.hpp"

#include <vector>

namespace limber {

/// Sides with one triangle, those that hang together.
struct Hole {
    double perimeter = 0.0;
    Vec3 middle;                 ///< of its sides, weighted by length
    std::int32_t triangle = -1;  ///< beside it
    std::size_t sides = 0;
};
/// The longest first.
std::vector<Hole> find_holes(const Triangles& triangles, const SurfaceEdges& edges);

/// Edges with more than two triangles.
std::vector<std::int32_t> crowded_edges(const SurfaceEdges& edges);

/// Vertices where fans of triangles meet in a point only, and which are not on a crowded edge.
std::vector<std::int32_t> pinched_vertices(const Triangles& triangles, const SurfaceEdges& edges);

struct Island {
    std::size_t triangles = 0;
    std::int32_t first = -1;  ///< its lowest triangle
    double area = 0.0;
};
/// Triangles that share vertices, the most numerous first.
std::vector<Island> find_islands(const Triangles& triangles);

}  // namespace limber
