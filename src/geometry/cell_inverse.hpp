// From a point in space back to a cell's reference coordinates.
#pragma once

#include <limber/mesh.hpp>

namespace limber {

/// How far xi lies inside the reference domain: the least of the constraints' slacks, negative outside.
/// (Barycentric coordinates on simplices, 1 - |xi| per axis on quads and hexes.)
double reference_margin(CellKind kind, const Vec3& xi);

/// Solves x(xi) = point for a cell with corners x. Newton with halving and several starts, so that strongly distorted
/// (but valid) cells are inverted too. False: the cell does not hold the point. True with a negative reference_margin:
/// just outside. 2D kinds ignore z.
bool invert_cell_map(CellKind kind, const Vec3* x, const Vec3& point, Vec3& xi);

struct ClosestPoint {
    Vec3 xi;
    double distance = 0.0;  ///< [m]
};
/// The point of the cell's boundary nearest to `point`. 2D kinds ignore z.
ClosestPoint closest_on_boundary(CellKind kind, const Vec3* x, const Vec3& point);

}  // namespace limber
