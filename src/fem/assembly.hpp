// Assembly: the matrices of a whole body, over all its vertices (what is prescribed is sorted out by the integrators).
#pragma once

#include "fem/element.hpp"
#include "linalg/sparse.hpp"

#include <limber/body.hpp>
#include <limber/progress.hpp>

#include <span>
#include <vector>

namespace limber {

enum class MassKind : std::uint8_t { consistent, lumped };
/// rayleigh: C = alpha M + beta K. mass_only: C = alpha M (what explicit schemes with lumped mass need: row-summed K is
/// zero).
enum class DampingKind : std::uint8_t { rayleigh, mass_only };

struct AssemblySettings {
    Integration integration = Integration::full;
    MassKind mass = MassKind::consistent;
    DampingKind damping = DampingKind::rayleigh;
    double volume_penalty = 0.0;  ///< [Pa]
};

struct FemMatrices {
    BlockCsr stiffness;  ///< K
    BlockCsr mass;       ///< M; no rows when lumped
    /// Mass per vertex [kg]; always filled (row sums; tet10: scaled diagonal, which stays positive).
    std::vector<double> lumped;
    std::vector<double> weight;   ///< gravity's share: M applied to a unit acceleration, per vertex [kg]
    bool uniform_damping = true;  ///< one alpha and beta for the whole body: C is never formed
    double alpha = 0.0, beta = 0.0;
    BlockCsr damping;  ///< C where damping is not uniform
};

FemMatrices assemble(const Body& body, const AssemblySettings& settings, Progress& progress);

/// Row-sum lumping (scaled diagonal for tet10, whose row sums are negative at corners) [kg per vertex].
std::vector<double> lumped_mass(const Body& body);

/// Nodal averaging for tri3 and tet4: one average of the displacement gradient H per vertex and material. All of the
/// bulk stiffness acts on it [after Bonet & Burton 1998], and of the shear stiffness what is not left to the cells
/// (kCellShearShare) [after Puso & Solberg 2006].
///   H_a = sum_e (V_e/n) H_e / V_a,   d_a = tr H_a,   energy = sum_a V_a (kappa/2 d_a^2 + (1 - share) mu |dev sym
///   H_a|^2)
struct NodalPatch {
    std::int32_t vertex = 0;
    std::int32_t material = 0;
    double measure = 0.0;                ///< V_a [m^3]
    std::vector<std::int32_t> vertices;  ///< the patch's vertices, ascending
    /// Per vertex b of the patch: H_a = sum_b u_b gradient_b^T, so d_a = gradient . u [1/m].
    std::vector<double> gradient;
};
std::vector<NodalPatch> nodal_patches(const Body& body);
/// Which of the patches each corner of each cell belongs to.
std::vector<std::int32_t> patches_of_corners(const Body& body, std::span<const NodalPatch> patches);

/// Where a matrix over a mesh's vertices has entries when corners of a cell, and the vertices of a patch, see each
/// other; the diagonal always. Values zero.
BlockCsr cell_pattern(const Mesh& mesh, std::span<const NodalPatch> patches = {});

}  // namespace limber
