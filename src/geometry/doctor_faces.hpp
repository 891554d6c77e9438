// The first look at a surface: which of its faces can be followed at all, on joined vertices.
#pragma once

#include "geometry/triangles.hpp"

#include <cstdint>
#include <vector>

namespace limber {

/// Vertices nearer than this share of the diagonal are one.
inline constexpr double kDoubled = 1e-6;

/// The faces worth keeping, on the surface's own vertex numbers (of joined vertices the lowest), and what became of the
/// others.
struct SortedFaces {
    Surface kept;
    std::vector<std::int32_t> number;         ///< of each kept face in the surface
    std::vector<std::int32_t> source_corner;  ///< of each kept corner in the surface's `faces`
    std::vector<std::int32_t> bad, flat, repeated, shortened, flat_kept;  ///< faces of the surface
    std::vector<std::int32_t> doubled, unused;                            ///< vertices of the surface
};
SortedFaces sort_faces(const Surface& surface);

/// Length of a side below which two vertices are one: kDoubled of the diagonal around the finite vertices [unit of the
/// surface].
double doubling_reach(const Surface& surface);

}  // namespace limber
