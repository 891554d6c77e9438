// The reaction of obstacles on a body that pierces them undeformed: proportional to the volume inside (paper, (17)), F
// = k V.
//
// k V is what a fluid of weight k per volume would push with, so it has a potential: W = k int_{inside} depth dV, and
// by Gauss over the surface
//     W = k int_{surface, g < 0} 1/2 g^2 (-grad g . n) dS          (g: gap; exact where the obstacle is flat).
// Only facets that face the obstacle count (-grad g . n > 0): that is all of them until the body is in up to its widest
// section. Beyond, a fluid would also push from above, and too soft a body would sink through the floor. Depth beyond
// 0.4 of the body's least width counts extra (100 (depth - 0.4 width)^4 / width^2 on top of depth^2 / 2). Balls, boxes
// and capsules have points from which the way out jumps; for them -grad g . n is replaced by 1, which is the same while
// contact is shallow, so that W stays continuous. Force and torque here are the exact derivatives of the discretised W
// (g linear on facets, clipped where it changes sign): without friction nothing is gained or lost, whatever the mesh.
#pragma once

#include "bem/boundary_shape.hpp"
#include "contact/gap.hpp"

#include <limber/deformer.hpp>
#include <limber/obstacle.hpp>

#include <span>
#include <vector>

namespace limber {

/// Position of the centroid and orientation of a rigid body.
struct RigidPose {
    Vec3 position;
    Quat rotation;
};

/// One point that touches: what damps and rubs there.
struct Touch {
    Vec3 arm;            ///< from the centroid, world axes [m]
    Vec3 normal;         ///< unit, out of the obstacle
    Vec3 velocity;       ///< of the obstacle there [m/s]
    double force = 0.0;  ///< along the normal [N]
    double rate = 0.0;   ///< d(force)/d(depth) as far as the part inside tells: k times its area [N/m]
    std::int32_t obstacle = 0;
    // RigidMotion's own: damping along the normal [N s/m], tangential speed [m/s], rubbing over it [N s/m].
    double press = 0.0, slip = 0.0, grip = 0.0;
};

struct Push {
    double energy = 0.0;  ///< W [J]
    double volume = 0.0;  ///< what is inside [m^3] (planar: times thickness)
    Wrench wrench;        ///< torque about the centroid, world axes
    double power = 0.0;   ///< of obstacles that move [W]
    Vec3 carrier;  ///< velocity of the obstacles at the body's middle, the mean over those that push by how hard they
                   ///< do [m/s]
    std::size_t touches = 0;
};

class VolumeReaction {
public:
    /// `points`: of the shape, from the centroid. `latch_break`: a latched point holds up to this gap [m]; 0 = nothing
    /// sticks.
    VolumeReaction(const BoundaryShape& shape, const Vec3& centroid, double stiffness, double thickness,
                   double latch_break);

    std::size_t scratch_size() const { return 15 * arm_.size(); }
    std::size_t point_count() const { return arm_.size(); }
    double stiffness() const { return stiffness_; }
    double radius() const { return radius_; }
    double width() const { return size_; }  ///< the least one [m]
    int dimension() const { return dimension_; }
    bool has_solid_middle() const { return solid_middle_; }  ///< false: the centroid is in a hole
    bool latches() const { return latch_break_ > 0.0; }

    /// Per obstacle a wrench is added to `each` when it is given. `touches` (scratch, max_touches of them) may be
    /// nullptr. `latched`: one mark per point, obstacle + 1 or 0, read only.
    Push evaluate(const RigidPose& pose, std::span<const Obstacle> obstacles, const std::int32_t* latched,
                  double* scratch, Touch* touches, Wrench* each) const noexcept;
    /// The smallest gap of any point, or a lower bound of it where it is far.
    double clearance(const RigidPose& pose, std::span<const Obstacle> obstacles) const noexcept;
    /// The first obstacle that the body's middle is in, -1 = none (planes and insides of boxes have no other side, and
    /// a body whose middle is a hole may stand around a post).
    std::int32_t around_middle(const RigidPose& pose, std::span<const Obstacle> obstacles, Gap& gap) const noexcept;
    /// The way out of an obstacle at the body's middle.
    Vec3 way_out(const RigidPose& pose, const Obstacle& obstacle) const noexcept {
        return gap_to(obstacle, pose.position, dimension_ == 2).gradient;
    }
    /// Latches what is inside, lets go of what is beyond latch_break. True when something changed.
    bool update_latches(const RigidPose& pose, std::span<const Obstacle> obstacles,
                        std::int32_t* latched) const noexcept;
    std::size_t max_touches(std::size_t obstacles) const { return arm_.size() * obstacles; }

private:
    struct Facet {
        std::int32_t point[3];
        Vec3 normal;
        double measure;
    };
    struct Near;
    void add_facet(const Facet& facet, const Near& near, Push& push) const noexcept;
    void add_latches(const Near& near, const std::int32_t* latched, Push& push) const noexcept;
    void add_touches(const Near& near, Push& push, Touch* touches) const noexcept;

    int dimension_;
    double stiffness_, thickness_, latch_break_, size_ = 0.0, radius_ = 0.0;
    std::vector<Vec3> arm_;     ///< points from the centroid, body axes
    std::vector<double> area_;  ///< per point [m, m^2]
    std::vector<Facet> facets_;
    bool solid_middle_ = true;  ///< the centroid is inside the body
};

}  // namespace limber
