// What a condition's vertex set is of the boundary, and loads on facets as slot tractions.
#pragma once

#include "bem/static_conditions.hpp"

namespace limber {

struct BoundarySet {
    std::vector<std::int32_t> facets;  ///< all corners in the set
    std::vector<std::int32_t> lone;    ///< points of the shape in the set that are on none of these facets
};
/// Throws Error{bad_scene} when there is no such set, or nothing of it is on the boundary.
BoundarySet boundary_set(const Mesh& mesh, const BoundaryShape& shape, const BoundaryCondition& condition);

/// Facets with the same conditions form a group (BoundarySettings::facet_group).
std::vector<std::int32_t> facet_groups(std::size_t facets, const std::vector<BoundarySet>& sets);

/// Adds the tractions of a pressure on facets: linear elements get the linear traction nearest to it, which has its
/// force and torque exactly.
void add_pressure(const BoundarySystem& system, std::span<const std::int32_t> facets, double pressure,
                  std::vector<double>& traction);
/// Adds a uniform traction.
void add_traction(const BoundarySystem& system, std::span<const std::int32_t> facets, const Vec3& value,
                  std::vector<double>& traction);

}  // namespace limber
