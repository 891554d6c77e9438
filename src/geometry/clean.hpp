// Cleaning: a surface as triangles without repeats, flat ones and double vertices, oriented.
#pragma once

#include "geometry/orient.hpp"

namespace limber {

struct CleanReport {
    std::size_t joined_vertices = 0;  ///< double ones
    std::size_t flat = 0;             ///< triangles without area
    std::size_t repeated = 0;         ///< triangles that were there already, either way round
    std::size_t not_finite = 0;       ///< triangles with a corner that is no number, or does not exist
    OrientReport orientation;
};

/// `reach`: vertices this near become one [m].
Triangles clean(const Surface& surface, double reach, CleanReport& report);

}  // namespace limber
