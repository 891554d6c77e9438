// Round bodies made by code: discs, rings and ellipses in the plane; ellipsoids, hollow balls and frustums in space.
// See mesh.hpp for the others.
#pragma once

#include <limber/mesh.hpp>

namespace limber {

/// tri3 or quad4 in z = 0; `around` vertices on the rim, a multiple of 4, equally spaced from 45 degrees on. Set "rim".
Mesh make_disc(CellKind kind, int around, const Vec3& centre, double radius);
/// A disc stretched to two radii (x, y). Set "rim".
Mesh make_ellipse(CellKind kind, int around, const Vec3& centre, const Vec3& radii);
/// tri3 or quad4 in z = 0; `around` vertices on each circle, the first of them at centre + (radius, 0), and `through`
/// cells in between. Sets "inner", "outer".
Mesh make_ring(CellKind kind, int around, int through, const Vec3& centre, double inner_radius, double radius);

/// A ball stretched to three radii: tet4, tet10 or hex8. Set "surface".
Mesh make_ellipsoid(CellKind kind, int cells_across, const Vec3& centre, const Vec3& radii);
/// A hollow ball: tet4, tet10 or hex8. Each circle around the cube that it is blown up from has 4 `across` cells;
/// `through` layers. Sets "inner", "outer".
Mesh make_shell(CellKind kind, int across, int through, const Vec3& centre, double inner_radius, double radius);

/// A cylinder along x (mesh.hpp) whose far end has another radius: tet4, tet10 or hex8. Sets "left", "right", "side".
Mesh make_frustum(CellKind kind, int cells_across, int cells_along, double radius, double end_radius, double length);

}  // namespace limber
