// One animation curve at one time: value and exact rate.
#pragma once

#include <limber/rig.hpp>

#include <span>

namespace limber {

/// `value` and `rate` have channel.width() entries. Not for rotations.
void sample_curve(const Channel& channel, double time, std::span<double> value, std::span<double> rate);

struct RotationSample {
    Quat rotation;      ///< unit length
    Vec3 spin;          ///< angular velocity in the axes the rotation maps into [rad/s]
};
RotationSample sample_rotation(const Channel& channel, double time);

}  // namespace limber
