// Tractions as nodal forces: what a pressure or a pull on a face amounts to at the vertices, for elements of any kind.
#pragma once

#include <limber/scene.hpp>

#include <functional>
#include <string>

namespace limber {

/// Force per area [Pa] at a place, given the outward normal there (unit).
using Traction = std::function<Vec3(const Vec3& at, const Vec3& outward)>;

/// Adds a force on each vertex of `set`: the traction's share by the shape functions, over the outer facets that lie in
/// the set. In the plane the traction may vary along an edge; in space it is taken constant over each facet.
void add_traction(BodySpec& body, const std::string& set, const Traction& traction, const ScaleTrack& scale);

}  // namespace limber
