// Edges of a triangle surface and who shares them.
#pragma once

#include "geometry/triangles.hpp"

#include <cstdint>
#include <vector>

namespace limber {

/// One side of one triangle.
struct EdgeUse {
    std::int32_t low = 0, high = 0;  ///< its vertices, low < high
    std::int32_t triangle = 0;
    std::uint8_t side = 0;  ///< from corner `side` to the next
    bool forward = true;    ///< the triangle runs from low to high
};

/// Every side of every triangle, those of one edge next to each other; triangles with a repeated corner are left out.
struct SurfaceEdges {
    std::vector<EdgeUse> uses;
    std::vector<std::int32_t> starts;  ///< uses[starts[e] .. starts[e + 1]) share edge e

    std::size_t size() const { return starts.size() - 1; }
    std::size_t users(std::size_t e) const { return static_cast<std::size_t>(starts[e + 1] - starts[e]); }
    const EdgeUse& use(std::size_t e, std::size_t k) const { return uses[static_cast<std::size_t>(starts[e]) + k]; }
};
SurfaceEdges surface_edges(const Triangles& triangles);

/// Triangles connected through edges with exactly two users: a patch number per triangle, counted from 0 by lowest
/// triangle.
struct Patches {
    std::vector<std::int32_t> of_triangle;
    std::int32_t count = 0;
};
Patches find_patches(const Triangles& triangles, const SurfaceEdges& edges);

}  // namespace limber
