// Rigid motions of a boundary system (three in the plane, six in space) and the force and torque of tractions and body
// forces.
#pragma once

#include "bem/static_problem.hpp"

#include <functional>

namespace limber {

inline std::size_t mode_count(int dimension) { return dimension == 2 ? 3 : 6; }
/// Translations, then rotations about the origin with `size` as the unit of length, so that all modes are of order 1.
Vec3 rigid_mode(int dimension, std::size_t mode, const Vec3& from_origin, double size);
/// Greatest distance of a point of the boundary from the origin [m].
double boundary_radius(const BoundarySystem& system);

/// What a slot's shape function on one facet carries: its integral and its first moment about the world's origin.
struct SlotShare {
    std::size_t slot;
    double weight;
    Vec3 moment;
};
/// Calls `take` for every slot of the given facets (all when empty), facet by facet.
void for_slot_shares(const BoundarySystem& system, std::span<const std::int32_t> facets,
                     const std::function<void(const SlotShare&)>& take);

}  // namespace limber
