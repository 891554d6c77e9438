// From a field to triangles: closed, outward, of even shape, every vertex on the surface.
#pragma once

#include "assets/shape.hpp"

namespace limber {

enum class Evenness { raw, even };      ///< raw: as it comes, for measuring

/// `cell_size` [m] is about the length of an edge. Gaps and walls need two cells.
Triangles polygonise(const Field& field, const Box3& box, double cell_size, Evenness evenness = Evenness::even);

/// The direction in which the field grows, by central differences over `step` [m]; not normalised.
Vec3 slope_of(const Field& field, const Vec3& at, double step);

}  // namespace limber
