// Rows of the plane's boundary integral equation: what one source point sees of all edges. Private to bem/plane_*.cpp.
#pragma once

#include "bem/boundary_system.hpp"
#include "bem/plane_edge.hpp"

namespace limber {

/// The boundary in coordinates about the centroid in which no two points are more than 1 apart. There every logarithm
/// is negative, so the single layer is positive: a body whose size [m] happens to be the degenerate one is like any
/// other.
struct ScaledBoundary {
    Complex centre;
    double scale = 1.0;  ///< [m]
    std::vector<PlaneEdge> edges;
    std::vector<Complex> nodes;

    Complex coordinates(const Vec3& point) const { return (Complex{point.x, point.y} - centre) / scale; }
};
/// `system` needs its shape, elements, origin and nodes.
ScaledBoundary scaled_boundary(const BoundarySystem& system);

/// A particular solution of  mu lap u + (lambda + mu) grad div u + b = 0  for one coefficient of the body force, shear
/// modulus 1: one component of u is k times a power of one coordinate. All stay finite for nu -> 1/2, stresses too.
struct PlaneBodyField {
    int component, coordinate, power;
    double k, stretch, across;  ///< u; stresses along and across of those that stretch

    Complex displacement(const Complex& at) const;
    /// Coefficients of 1, xi, xi^2, xi^3 along an edge.
    std::array<Complex, 4> displacement_along(const PlaneEdge& edge) const;
    std::array<Complex, 4> traction_along(const PlaneEdge& edge) const;
    /// The same of the field less its value and gradient at `about`.
    std::array<Complex, 4> displacement_beyond(const PlaneEdge& edge, const Complex& about) const;
    std::array<Complex, 4> traction_beyond(const PlaneEdge& edge, const Complex& about) const;

private:
    Complex traction_factor(const PlaneEdge& edge) const;
};
constexpr std::size_t kPlaneBodyColumns = 6;
std::array<PlaneBodyField, kPlaneBodyColumns> plane_body_fields(double poisson);

/// A source point in scaled coordinates: a node (its number), or a point of its own (-1).
struct PlaneSource {
    Complex at;
    std::int64_t node = -1;
    std::size_t row = 0;  ///< the first of its two rows
};
/// Adds int T to h, int U to g and the body force's columns. A node's own block in h is left without its free term.
void add_displacement_rows(const BoundarySystem& system, const ScaledBoundary& scaled, const PlaneSource& source,
                           DenseMatrix& h, DenseMatrix& g, DenseMatrix& body) noexcept;

/// Makes rows of nodes around holes safe near incompressibility; see plane_holes.cpp.
void strengthen_holes(BoundarySystem& system);

}  // namespace limber
