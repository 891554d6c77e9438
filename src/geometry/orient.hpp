// Orientation: triangles turned so that their outsides are outside, as far as the surface says where that is.
#pragma once

#include "geometry/surface_edges.hpp"

namespace limber {

struct OrientReport {
    std::size_t flipped = 0;         ///< triangles that were turned
    std::size_t disagreeing = 0;     ///< triangles that faced the other way than most of their piece
    std::size_t patches = 0;         ///< connected pieces
    std::size_t turned_patches = 0;  ///< pieces that were inside out as a whole
    std::size_t unjudged = 0;        ///< pieces that enclose nothing and were left as given: too many that overlap
    std::size_t one_sided = 0;       ///< edges that no turning can satisfy (Moebius bands and the like)
};

/// Whether a piece is closed enough for its volume to say something: the area vectors of a closed one cancel.
bool encloses(double area, const Vec3& area_vector);

/// Within a connected piece, also one that narrow gaps run through, neighbours are made to agree, and it keeps the side
/// that most of its area had. Then each piece is judged: one that encloses a volume and has it inside out is turned,
/// unless it lies within another (a cavity); one that encloses nothing (a scrap of a soup) is judged by how the rest of
/// the surface, as it is given, winds around its two sides, and where that is not clear by rays: from outside a ray
/// passes the surface an even number of times.
OrientReport orient(Triangles& triangles);

}  // namespace limber
