// Patches of tri3 and tet4 cells that share one averaged strain, so that nearly incompressible bodies bend and flow instead of locking.
#pragma once

#include <limber/body.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace limber {

/// Cells of one material that lie around a vertex. Every cell is in exactly one patch p. All of the bulk stiffness acts on the patch's mean
/// displacement gradient H, and of the shear stiffness what is not left to the cells (kCellShearShare):
///   H_p = sum_e V_e H_e / V_p,   energy = sum_p V_p (kappa/2 (tr H_p)^2 + (1 - share) mu |dev sym H_p|^2) + sum_e V_e share mu |dev sym H_e|^2
struct StrainPatch {
    std::int32_t material = 0;
    double measure = 0.0;                   ///< V_p [m^3]
    std::vector<std::int32_t> cells;        ///< ascending
    std::vector<std::int32_t> vertices;     ///< of these cells, ascending
    std::vector<double> gradient;           ///< per vertex b: H_p = sum_b u_b gradient_b^T, so tr H_p = gradient . u [1/m]
};

/// The same patches for the same mesh, whatever it is asked for.
std::vector<StrainPatch> strain_patches(const Body& body);

/// Which patch each of `cell_count` cells belongs to.
std::vector<std::int32_t> patch_of_cells(std::size_t cell_count, std::span<const StrainPatch> patches);

}  // namespace limber
