// From a field to triangles: closed, outward, of even shape, every vertex on the surface.
#pragma once

#include "assets/shape.hpp"

namespace limber {

enum class Evenness { raw, even };  ///< raw: as it comes, for measuring

/// `cell_size` [m] is about the length of an edge. Gaps and walls need two cells.
Triangles polygonise(const Field& field, const Box3& box, double cell_size, Evenness evenness = Evenness::even);

/// Slides vertices along the surface towards the middle of their neighbours, once; those that `held` marks stay (empty:
/// none does).
void slide_even(const Field& field, Triangles& triangles, double cell_size, int newton_steps,
                const std::vector<char>& held = {});
/// Newton steps from a point near the surface. A vertex never goes farther than a quarter of a cell in one: a field
/// with a kink may send it anywhere.
Vec3 onto_surface(const Field& field, Vec3 at, double cell_size, int newton_steps);

/// The direction in which the field grows, by central differences over `step` [m]; not normalised.
Vec3 slope_of(const Field& field, const Vec3& at, double step);

}  // namespace limber
