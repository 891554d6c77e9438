// Triangles of a boundary in space, in the forms others take them.
#pragma once

#include "bem/boundary_shape.hpp"
#include "bem/space_facet.hpp"
#include "geometry/triangles.hpp"

namespace limber {

inline Triangles triangles_of(const BoundaryShape& shape) {
    Triangles out;
    out.vertices = shape.points;
    for (std::size_t f = 0; f < shape.facet_count(); ++f)
        out.corners.push_back({shape.facets[3 * f], shape.facets[3 * f + 1], shape.facets[3 * f + 2]});
    return out;
}

inline SpaceFacet facet_of(const BoundaryShape& shape, std::size_t f) {
    const auto corner = [&](std::size_t k) { return shape.points[static_cast<std::size_t>(shape.facets[3 * f + k])]; };
    return make_space_facet(corner(0), corner(1), corner(2));
}

}  // namespace limber
