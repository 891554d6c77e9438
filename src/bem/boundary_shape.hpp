// The boundary of a body as boundary elements see it: closed polygons in the plane, closed triangle surfaces in space.
#pragma once

#include <limber/mesh.hpp>

#include <cstdint>
#include <vector>

namespace limber {

struct BoundaryShape {
    int dimension = 2;
    std::vector<Vec3> points;          ///< [m]
    std::vector<std::int32_t> facets;  ///< `dimension` points each: edges with the body on their left, triangles
                                       ///< counter-clockwise from outside
    std::vector<std::int32_t> vertex;  ///< the body vertex that each point is

    std::size_t facet_count() const { return facets.size() / static_cast<std::size_t>(dimension); }
};

/// Outward normal of a facet, as long as its length or area.
inline Vec3 outward_of(const BoundaryShape& shape, std::size_t facet) {
    const auto d = static_cast<std::size_t>(shape.dimension);
    const auto point = [&](std::size_t k) {
        return shape.points[static_cast<std::size_t>(shape.facets[d * facet + k])];
    };
    const Vec3 a = point(1) - point(0);
    if (d == 2) return {a.y, -a.x, 0.0};
    return cross(a, point(2) - point(0)) * 0.5;
}

/// Per point: the mean outward normal of its facets, by their size; unit, or zero where they cancel.
std::vector<Vec3> outward_at_points(const BoundaryShape& shape);

/// Quads are split in two; mid-edge vertices of tet10 are points like others. Throws Error{unsupported} where the
/// boundary is not a closed manifold (two loops that share a point, an edge of four triangles).
BoundaryShape boundary_shape(const Mesh& mesh);

/// Separate bodies: closed loops or surfaces that wind around their inside the right way (holes and cavities do not
/// count).
std::size_t part_count(const BoundaryShape& shape);

}  // namespace limber
