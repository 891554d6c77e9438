// How near a flat facet comes to an obstacle between its corners: what contact at vertices does not see.
#pragma once

#include <limber/obstacle.hpp>

#include <span>

namespace limber {

/// Least gap over an edge (two corners) or a triangle (three) [m], to a thousandth of the facet's size. The gap of what
/// keeps bodies out is convex, so there is one least value; that of a plane, or of a box that keeps bodies in, is at a
/// corner.
double least_gap(const Obstacle& obstacle, std::span<const Vec3> corners, bool planar) noexcept;

}  // namespace limber
