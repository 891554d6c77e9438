// Strain energy as a sum of squares: the quadratic form of K, but never negative, whatever cancels in K u.
#pragma once

#include "fem/assembly.hpp"

#include <limber/body.hpp>

#include <vector>

namespace limber {

class StrainEnergy {
public:
    /// As the stiffness with these settings measures it. Borrows the body. Gradients are kept where they fit into 64
    /// MB.
    StrainEnergy(const Body& body, const AssemblySettings& settings);

    /// Of displacements over all unknowns, vertex by vertex [J].
    double of(const double* u) const noexcept;

private:
    double of_cell(std::size_t cell, std::size_t points, const double* weights, const Vec3* gradients,
                   const double* u) const noexcept;
    double of_patch(const NodalPatch& patch, const double* u) const noexcept;

    const Body& body_;
    AssemblySettings settings_;
    bool averaged_ = false;  ///< volume change and most of the rest are measured around vertices
    std::vector<NodalPatch> patches_;
    std::size_t points_ = 0;       ///< of a cell
    std::vector<double> weights_;  ///< points_ per cell; empty = found anew each time
    std::vector<Vec3> gradients_;  ///< points_ times corners per cell
};

}  // namespace limber
