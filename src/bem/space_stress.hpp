// Somigliana's stress kernels of space times the linear shape functions of a flat triangle, integrated.
//   sigma_ij(p) = int D_kij t_k - int S_kij u_k + int over the volume of D_kij b_k
#pragma once

#include "bem/boundary_system.hpp"
#include "bem/space_facet.hpp"

namespace limber {

/// Per corner six rows (xx yy zz xy yz zx) by three columns, row by row.
struct SpaceStressBlocks {
    double d[3][18];  ///< [1]
    double s[3][18];  ///< [Pa/m]
};

/// The point is not on the facet. In closed form near the facet, by sixteen points beyond ten times its reach.
void stress_blocks(const SpaceFacet& facet, const Vec3& point, const BoundaryMaterial& material,
                   SpaceStressBlocks& out);

/// As add_body_force of space_blocks.hpp: six rows by 12 columns. D is of degree -2.
void add_body_stress(const SpaceFacet& facet, const Vec3& point, const Vec3& origin, const SpaceStressBlocks& blocks,
                     double* out);

}  // namespace limber
