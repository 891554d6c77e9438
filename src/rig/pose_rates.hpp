// How joint frames change: first derivatives beside the pose, second ones from the curves.
#pragma once

#include <limber/tools/rig.hpp>

namespace limber {

Mat3 sum(const Mat3& a, const Mat3& b);

/// d/dt of (R S | t): spin x (R S) + R dS.
Affine local_rate(const Affine& local, const Transform& transform, const Pose::LocalRate& rate);

/// Second derivatives between keys: the jumps of velocity at the keys of linear and step curves are not in them.
struct PoseAcceleration {
    std::vector<Affine> world;  ///< of Pose::world [1/s^2, m/s^2]
    std::vector<Vec3> angular;  ///< of Pose::angular_velocity, in world axes [rad/s^2]
};
/// `pose` must be pose_at(rig, clip, time).
PoseAcceleration acceleration_at(const Rig& rig, std::size_t clip, double time, const Pose& pose);

}  // namespace limber
