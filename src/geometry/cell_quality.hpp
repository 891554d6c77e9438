// How far a cell is from folding over.
#pragma once

#include <limber/mesh.hpp>

namespace limber {

/// The smallest det J over the cell's nodes and its degree-5 quadrature points; corner positions x. Negative or zero:
/// folded.
double least_determinant(CellKind kind, const Vec3* x);

/// The longest distance of a corner from corner 0 [m]: the cell's own size, up to a factor of 2.
double cell_size(CellKind kind, const Vec3* x);

}  // namespace limber
