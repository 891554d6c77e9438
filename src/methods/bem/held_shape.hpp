// A body that anchors and handles hold: static balance of loads, prescribed displacements and one-sided obstacles, at
// small strain.
//
// Contact is a complementarity problem, gap >= 0, pressure >= 0, one of them 0, at each vertex and obstacle. All wrong
// ones are exchanged at once as long as that makes them fewer, one at a time when it does not (block pivoting: Judice
// and Pires 1994; Murty's rule, which cannot cycle where lifting one point lifts its neighbours less). Curved obstacles
// are flat at each point as it lies deformed, and that is repeated until points lie on them.
#pragma once

#include "bem/low_rank.hpp"
#include "fem/supports.hpp"

#include <limber/obstacle.hpp>

#include <span>
#include <vector>

namespace limber {

class HeldShape {
public:
    /// `node_of`: per body vertex, -1 inside. Inner vertices of supports are left to themselves.
    HeldShape(const Body& body, const Supports& supports, const FreeResponse& response, const BoundaryShape& shape,
              const std::vector<std::int32_t>& node_of, std::size_t contacts, int passes);

    std::size_t scratch_reals() const;
    std::size_t capacity() const { return prescribed_.size() + contacts_; }

    struct Input {
        const double* target;  ///< per prescribed unknown of `supports` [m]
        const double* force;   ///< per node and axis [N]
        Vec3 weight;           ///< gravity's force, at the centroid [N]
        std::span<const Obstacle> obstacles;
        double thickness;  ///< 1 in space
    };
    struct Report {
        bool solved = true;    ///< false: no balance was found, nothing was written
        bool settled = true;   ///< every gap and pressure is right
        bool dropped = false;  ///< more contacts than there is room for
        int passes = 0;
        std::int32_t inside = -1;  ///< a node that is in an obstacle because a support holds it there, or a corner of a
                                   ///< facet that an obstacle has entered
        double depth = 0.0;        ///< of the deepest point, facets included, in any obstacle [of the body's size]
        double rigid[LowRank::kMaxExtra] = {};  ///< amplitudes of the rigid motions in u: what is left is elastic
        double contact_work = 0.0;              ///< of contact forces, on what is elastic of u [J]
    };
    /// u: per node and axis [m], the last shape on entry; support: force of supports per node and axis [N]; pressure:
    /// of contact, as vectors per node and axis [Pa]; wrenches: one per obstacle, torque about the origin.
    Report solve(const Input& input, std::int32_t* marks, double* u, double* support, double* pressure,
                 Wrench* wrenches, double* scratch, PrescribedDirection* items) const noexcept;

private:
    struct Search;
    const FreeResponse& response_;
    const BoundaryShape& shape_;
    std::vector<std::uint8_t> held_axes_;          ///< per node, a bit per axis
    std::vector<Vec3> normal_;                     ///< outward, per node; unit
    std::vector<PrescribedDirection> prescribed_;  ///< on nodes
    std::vector<std::size_t> number_;              ///< of the prescribed unknown among supports.prescribed()
    std::vector<double> prepared_;                 ///< the small system of the supports alone
    std::size_t contacts_;
    int passes_;
};

}  // namespace limber
