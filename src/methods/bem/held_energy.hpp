// The elastic energy of a body that supports and obstacles hold: by Clapeyron half the work of everything that acts on it, on the part of its displacement that is not rigid.
//
// Forces in balance do no work on rigid motions, so those are left out before anything is multiplied: what is left is no difference of large numbers, and a body that
// is carried a metre has the same energy as one that is not. Everything counts where it acts as outsiders see it: forces and contact at their vertices, supports in
// the middle of their hat functions, over the facets that they hold (where the torques of their reactions act too).
#pragma once

#include "bem/free_response.hpp"

#include <vector>

namespace limber {

/// What is elastic of a displacement at a place, with `rigid` the amplitudes of the rigid motions in it.
Vec3 elastic_part(const FreeResponse& response, const double* rigid, const Vec3& displacement, const Vec3& place) noexcept;

class SupportWork {
public:
    /// `held_axes`: per facet, a bit for each axis along which all its corners are held.
    SupportWork(const FreeResponse& response, const BoundaryShape& shape, const std::vector<std::int32_t>& held_axes);

    /// Work of forces per node and axis [N] on an elastic displacement per node and axis [m].
    double operator()(const double* force, const double* u) const noexcept;

private:
    struct Patch {
        std::int32_t unknown[3];        ///< per corner
        double measure;
    };
    int dimension_;
    std::vector<Patch> patches_;        ///< one per held facet and axis
    std::vector<double> weight_;        ///< force of a unit traction per unknown [m, m^2]; 0: no facet around is held, the force acts at the node
};

}  // namespace limber
