// Tractions as nodal forces: what a pressure or a pull on a face amounts to at the vertices, for elements of any kind.
#pragma once

#include <limber/mesh.hpp>

#include <functional>
#include <vector>

namespace limber {

/// Force per area [Pa] at a point, given the outward normal there (unit).
using Traction = std::function<Vec3(const Vec3& at, const Vec3& outward)>;

/// One force per vertex of the mesh [N]: the traction's share by the shape functions, over the outer facets that lie in
/// `set`. In the plane (per metre of thickness) the traction may vary along an edge; in space it is taken constant over
/// each facet.
std::vector<Vec3> traction_forces(const Mesh& mesh, const IndexSet& set, const Traction& traction);

}  // namespace limber
