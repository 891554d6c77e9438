// Assembly: the matrices of a whole body, over all its vertices (what is prescribed is sorted out by the integrators).
#pragma once

#include "fem/element.hpp"
#include "fem/patches.hpp"
#include "linalg/sparse.hpp"

#include <limber/body.hpp>
#include <limber/progress.hpp>

#include <span>
#include <vector>

namespace limber {

enum class MassKind : std::uint8_t { consistent, lumped };
/// rayleigh: C = alpha M + beta K. mass_only: C = alpha M (what explicit schemes with lumped mass need: row-summed K is zero).
enum class DampingKind : std::uint8_t { rayleigh, mass_only };

struct AssemblySettings {
    Integration integration = Integration::full;
    MassKind mass = MassKind::consistent;
    DampingKind damping = DampingKind::rayleigh;
    double volume_penalty = 0.0;   ///< [Pa]
};

struct FemMatrices {
    BlockCsr stiffness;             ///< K
    BlockCsr mass;                  ///< M; no rows when lumped
    std::vector<double> lumped;     ///< mass per vertex [kg]; always filled (row sums; tet10: scaled diagonal, which stays positive)
    std::vector<double> weight;     ///< gravity's share: M applied to a unit acceleration, per vertex [kg]
    bool uniform_damping = true;    ///< one alpha and beta for the whole body: C is never formed
    double alpha = 0.0, beta = 0.0;
    BlockCsr damping;               ///< C where damping is not uniform
};

FemMatrices assemble(const Body& body, const AssemblySettings& settings, Progress& progress);

/// Row-sum lumping (scaled diagonal for tet10, whose row sums are negative at corners) [kg per vertex].
std::vector<double> lumped_mass(const Body& body);

/// Where a matrix over a mesh's vertices has entries when corners of a cell, and the vertices of a patch, see each other; the diagonal
/// always. Values zero.
BlockCsr cell_pattern(const Mesh& mesh, std::span<const StrainPatch> patches = {});

}  // namespace limber
