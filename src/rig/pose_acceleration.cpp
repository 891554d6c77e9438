#include "rig/pose_curve.hpp"
#include "rig/pose_rates.hpp"

namespace limber {
namespace {

/// The same three things as a LocalRate, once more derived.
std::vector<Pose::LocalRate> local_seconds(const Rig& rig, std::size_t clip, double time) {
    std::vector<Pose::LocalRate> out(rig.joints.size());
    for (const Channel& channel : rig.clips[clip].channels) {
        Pose::LocalRate& second = out[static_cast<std::size_t>(channel.joint)];
        if (channel.target == Channel::Target::rotation) {
            second.spin = sample_spin_rate(channel, time);
        } else if (channel.target != Channel::Target::weights) {
            std::array<double, 3> v{};
            sample_second(channel, time, v);
            (channel.target == Channel::Target::translation ? second.translation : second.scale) = {v[0], v[1], v[2]};
        }
    }
    return out;
}

/// d2/dt2 of (R S | t); column k of R is turned by its spin w: w' x r + w x (w x r).
Affine local_second(const Transform& transform, const Pose::LocalRate& rate, const Pose::LocalRate& second) {
    const Mat3 turn = to_matrix(transform.rotation);
    Affine out{{}, second.translation};
    for (int k = 0; k < 3; ++k) {
        const Vec3 r{turn(0, k), turn(1, k), turn(2, k)}, swung = cross(rate.spin, r);
        const Vec3 column = transform.scale[k] * (cross(second.spin, r) + cross(rate.spin, swung)) +
                            (2.0 * rate.scale[k]) * swung + second.scale[k] * r;
        for (int i = 0; i < 3; ++i) out.linear(i, k) = column[i];
    }
    return out;
}

}  // namespace

PoseAcceleration acceleration_at(const Rig& rig, std::size_t clip, double time, const Pose& pose) {
    const std::vector<Pose::LocalRate> seconds = local_seconds(rig, clip, time);
    const std::size_t n = rig.joints.size();
    PoseAcceleration out{std::vector<Affine>(n), std::vector<Vec3>(n)};
    for (std::size_t j = 0; j < n; ++j) {
        const Affine local = to_affine(pose.local[j]), rate = local_rate(local, pose.local[j], pose.local_rate[j]),
                     second = local_second(pose.local[j], pose.local_rate[j], seconds[j]);
        if (rig.joints[j].parent < 0) {
            out.world[j] = second;
            out.angular[j] = seconds[j].spin;
            continue;
        }
        const auto p = static_cast<std::size_t>(rig.joints[j].parent);
        const Affine &up = pose.world[p], &up_rate = pose.world_rate[p], &up_second = out.world[p];
        const Mat3 across = up_rate.linear * rate.linear;
        out.world[j].linear = sum(sum(up_second.linear * local.linear, up.linear * second.linear), sum(across, across));
        out.world[j].translation = up_second * local.translation + 2.0 * (up_rate.linear * rate.translation) +
                                   up.linear * second.translation;
        const Mat3 turn = to_matrix(pose.rotation[p]);
        const Vec3 own = turn * pose.local_rate[j].spin;
        out.angular[j] = out.angular[p] + turn * seconds[j].spin + cross(pose.angular_velocity[p], own);
    }
    return out;
}

}  // namespace limber
