// Shape functions of the five cell kinds on their reference domains.
// Reference domains: unit simplex for tri3, tet4, tet10; [-1,1]^d for quad4 and hex8. 2D kinds ignore xi.z.
#pragma once

#include <limber/mesh.hpp>

namespace limber {

inline constexpr int kMaxCorners = 10;

/// Writes corners_of(kind) values; they sum to 1.
void shape_values(CellKind kind, const Vec3& xi, double* n);
/// Writes corners_of(kind) gradients dN/dxi; they sum to 0; z = 0 for 2D kinds.
void shape_gradients(CellKind kind, const Vec3& xi, Vec3* dn);

/// Where node `a` lies in the reference domain.
Vec3 reference_node(CellKind kind, int a);
/// The middle of the reference domain.
Vec3 reference_centre(CellKind kind);

/// The reference point's image in cell coordinates x[0..corners).
Vec3 map_to_cell(CellKind kind, const Vec3* x, const Vec3& xi);
/// J(i,j) = dx_i/dxi_j; 2D kinds get J(2,2) = 1 so that det J is the area ratio and inverse(J) exists.
Mat3 cell_jacobian(CellKind kind, const Vec3* x, const Vec3& xi);

/// Copies a cell's corner positions.
void gather_corners(const Mesh& mesh, std::size_t cell, Vec3* x);

}  // namespace limber
