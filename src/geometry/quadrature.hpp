// Numerical integration over the reference domains of shape.hpp. All weights are positive.
#pragma once

#include <limber/mesh.hpp>

#include <span>

namespace limber {

/// Weights sum to the reference measure: tri 1/2, tet 1/6, quad 4, hex 8.
struct QuadraturePoint {
    Vec3 xi;
    double weight = 0.0;
};

/// The smallest rule exact for all polynomials of total degree <= `degree` (1 to 5) on simplices, and of that degree
/// per axis on quads and hexes: 1, 2 or 3 Gauss points per axis for degree 1, 3, 5.
/// Points: tri 1, 3, 6, 6, 7; tet 1, 4, 8, 14, 14. The rule lives forever. Throws bad_usage outside 1..5.
std::span<const QuadraturePoint> quadrature(CellKind kind, int degree);

}  // namespace limber
