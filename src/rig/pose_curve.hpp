// One animation curve at one time: value and exact rate.
#pragma once

#include <limber/tools/rig.hpp>

#include <span>

namespace limber {

/// `value` and `rate` have channel.width() entries. Not for rotations.
void sample_curve(const Channel& channel, double time, std::span<double> value, std::span<double> rate);

struct RotationSample {
    Quat rotation;  ///< unit length
    Vec3 spin;      ///< angular velocity in the axes the rotation maps into [rad/s]
};
RotationSample sample_rotation(const Channel& channel, double time);

/// Second derivatives between keys: of sample_curve() [1/s^2], and of sample_rotation()'s spin [rad/s^2]. 0 but for
/// cubic curves.
void sample_second(const Channel& channel, double time, std::span<double> second);
Vec3 sample_spin_rate(const Channel& channel, double time);

}  // namespace limber
