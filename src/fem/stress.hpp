// Stress and strain of a displacement field, at cell centres and at vertices.
#pragma once

#include "fem/assembly.hpp"

#include <limber/body.hpp>

#include <array>
#include <span>
#include <vector>

namespace limber {

/// Linear maps prepared once, so that reading stress while stepping needs neither quadrature nor memory.
class StressMap {
public:
    StressMap(const Body& body, Integration integration);
    /// Small strain at cell centres; with bbar what the stiffness averages is averaged here too.
    void cell_strain(std::span<const double> u, std::span<SymMat3> out) const noexcept;
    /// Cauchy stress at cell centres [Pa].
    void cell_stress(std::span<const double> u, std::span<SymMat3> out) const noexcept;
    /// Means of the cells around each vertex, weighted by their measure; zero where no cell is.
    void to_vertices(std::span<const SymMat3> cells, std::span<SymMat3> out) const noexcept;

private:
    SymMat3 strain_of(std::size_t cell, std::span<const double> u) const noexcept;
    Mat3 patch_gradient(std::size_t patch, std::span<const double> u) const noexcept;
    const Body& body_;
    int dim_;
    std::vector<Vec3> gradients_;         ///< at the cell's centre, per corner
    std::vector<double> dilatation_;      ///< mean div of the cell, per dof; empty with full integration
    std::vector<double> measure_;         ///< per cell
    std::vector<double> vertex_measure_;  ///< of the cells around each vertex
    std::vector<NodalPatch> patches_;     ///< tri3 and tet4 with bbar
    std::vector<std::int32_t> patch_of_;  ///< per cell and corner
};

/// von Mises equivalent stress [Pa].
double von_mises(const SymMat3& stress);
/// The three principal stresses, largest first (tension is positive) [Pa].
std::array<double, 3> principal_stresses(const SymMat3& stress);

}  // namespace limber
