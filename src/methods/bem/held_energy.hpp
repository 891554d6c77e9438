// The elastic energy of a body that supports and obstacles hold: by Clapeyron half the work of everything that acts on
// it, on the part of its displacement that is not rigid.
//
// Forces in balance do no work on rigid motions, so those are left out before anything is multiplied: what is left is
// no difference of large numbers, and a body that is carried a metre has the same energy as one that is not. Everything
// counts where it acts as outsiders see it: forces and contact push their vertices, supports the facets that they hold.
// Tractions act in the middle of their hat functions, so their share of rigid work is counted there, as their torques
// are.
#pragma once

#include "bem/free_response.hpp"

#include <vector>

namespace limber {

/// What is elastic of a displacement at a position, with `rigid` the amplitudes of the rigid motions in it.
Vec3 elastic_part(const FreeResponse& response, const double* rigid, const Vec3& displacement,
                  const Vec3& position) noexcept;
/// The same along one axis for the displacement of a node, with the rigid motion where the node's traction acts.
double elastic_at_arm(const FreeResponse& response, const double* rigid, const Vec3& displacement, std::size_t node,
                      int axis) noexcept;

class SupportWork {
public:
    /// `held_axes`: per facet, a bit for each axis along which all its corners are held.
    SupportWork(const FreeResponse& response, const BoundaryShape& shape, const std::vector<std::int32_t>& held_axes);

    /// Work of forces per node and axis [N] on what is elastic of the displacements [m]. `u`: all of them per node;
    /// `elastic`: without the rigid motion at the node.
    double operator()(const double* force, const double* u, const double* elastic, const double* rigid) const noexcept;

private:
    struct Patch {
        std::int32_t unknown[3];  ///< per corner
        double measure;
    };
    const FreeResponse& response_;
    int dimension_;
    std::vector<Patch> patches_;  ///< one per held facet and axis
    std::vector<double> weight_;  ///< force of a unit traction per unknown [m, m^2]; 0: no facet around is held, the
                                  ///< force acts at the node
};

}  // namespace limber
