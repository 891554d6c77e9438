// The elastic shape of a body that presses on obstacles: contact points are moved onto the obstacle, everything else is
// free, inertia balances the reaction.
//
// One-sided: a point is in while pressed and goes out when it is pulled by more than sticking holds; a point that the
// deformed shape would push through an obstacle comes in (the paper's "once more", section 6, until nothing changes).
// Where it sticks, a point keeps the place where it touched, unless that takes more than Coulomb's share of the
// pressure and the sticking. The body may sag along the reaction (`sag`), so that the tractions sum to exactly the
// reaction that moves it: the rigid motion knows volume only, not shape. A reaction near `most_force` (a pressure like
// Young's modulus) would squash a linear body flat and inside out: the shape carries smoothly less of it.
#pragma once

#include "bem/low_rank.hpp"
#include "methods/bem/volume_reaction.hpp"

#include <span>

namespace limber {

struct ShapeSettings {
    int passes = 8;           ///< most rounds of the one-sided search
    double stick = 0.0;       ///< tension a contact point bears [Pa]
    double friction = 0.0;    ///< Coulomb's
    double most_force = 0.0;  ///< that a shape is asked to carry, per thickness in the plane [N, N/m]; 0 = any
};

/// Per point, kept in the State: 0 = free, otherwise obstacle + 1; negative: it also keeps its touch point (grips).
using ContactMark = std::int32_t;

struct ShapeReport {
    int passes = 0;
    int rebuilds = 0;        ///< of the small inverse
    bool fell_back = false;  ///< no linear shape was found: the undeformed one, with its points put out
    /// How far the worst point that no linear shape brought out was simply put out, of the body's size.
    double moved = 0.0;
};

class ContactShape {
public:
    /// `capacity`: prescribed directions at most.
    ContactShape(const FreeResponse& response, const BoundaryShape& shape, const ShapeSettings& settings,
                 std::size_t capacity);

    std::size_t capacity() const { return capacity_; }
    std::size_t scratch_reals() const;  ///< LowRank's memory, target, tau, field, weight, and a copy of u

    struct Input {
        RigidPose pose;  ///< of the rigid motion, centroid
        std::span<const Obstacle> obstacles;
        Vec3 force;                    ///< the reaction, world axes; per unit thickness in the plane [N, N/m]
        const double* base = nullptr;  ///< displacement that is there without contact, body axes; nullptr = none
        const std::int32_t* latched = nullptr;  ///< points that stick
        /// Per point: inside undeformed and yet let go last time; read and renewed, saves passes.
        std::int32_t* released = nullptr;
        bool reuse_partly = false;  ///< scratch is as the last search of the same step left it
        /// The response is that of a plane section of a body in space: its pose turns it into space.
        bool section = false;
    };

    /// u (size of the response, body axes) receives base + contact, traction (same size) what presses [Pa]; marks and
    /// `touch_points` (world, 3 per point) are read and renewed.
    ShapeReport solve(const Input& input, ContactMark* marks, double* touch_points, double* u, double* traction,
                      double* scratch, PrescribedDirection* items) const noexcept;

private:
    struct Search;
    const FreeResponse& response_;
    ShapeSettings settings_;
    std::size_t capacity_;
    std::vector<Vec3> normal_;  ///< outward, per node; unit
};

}  // namespace limber
