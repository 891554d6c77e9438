// Isosurface stuffing: the inside of a shape filled with tetrahedra of bounded angles [Labelle & Shewchuk 2007].
#pragma once

#include "geometry/triangles.hpp"

#include <limber/progress.hpp>

#include <functional>

namespace limber {

/// Asked from several threads at once.
using InsideTest = std::function<bool(const Vec3& point)>;

/// Tetrahedra of a body-centred cubic lattice with spacing `cell_size` [m], warped and cut at the shape's boundary,
/// which is found by bisection along lattice edges to a thousandth of a cell. Every tetrahedron is positive, dihedral
/// angles lie between 10 and 165 degrees. `box` must hold the shape. What is thinner than a cell may be missing. The
/// vertex set "surface" holds the boundary's vertices. Throws Error{interrupted}, Error{bad_usage} when the lattice
/// would be absurdly large.
Mesh stuff(const InsideTest& inside, const Box3& box, double cell_size, Progress& progress);

/// About how many tetrahedra the lattice has per volume of one cell_size cubed.
inline constexpr double kTetsPerCube = 12.0;

}  // namespace limber
