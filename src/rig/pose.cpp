// Poses: curves to joint frames, down the hierarchy, with their derivatives.
#include "rig/pose_curve.hpp"
#include "rig/pose_rates.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>
#include <limber/tools/rig.hpp>

#include <cmath>

namespace limber {
namespace {

void set_to_rest(const Rig& rig, Pose& pose) {
    const std::size_t n = rig.joints.size();
    pose.world.resize(n);
    pose.world_rate.resize(n);
    pose.rotation.resize(n);
    pose.angular_velocity.resize(n);
    pose.local.resize(n);
    pose.local_rate.assign(n, {});
    for (std::size_t j = 0; j < n; ++j) {
        pose.local[j] = rig.joints[j].rest;
        pose.local[j].rotation = normalized(pose.local[j].rotation);
    }
    pose.weights.resize(rig.parts.size());
    pose.weight_rates.resize(rig.parts.size());
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        const std::vector<Morph>& morphs = rig.parts[p].morphs;
        pose.weights[p].resize(morphs.size());
        for (std::size_t m = 0; m < morphs.size(); ++m) pose.weights[p][m] = morphs[m].weight;
        pose.weight_rates[p].assign(morphs.size(), 0.0);
    }
}

void apply(const Rig& rig, const Channel& channel, double time, Pose& pose) {
    const auto j = static_cast<std::size_t>(channel.joint);
    if (channel.target == Channel::Target::rotation) {
        const RotationSample sample = sample_rotation(channel, time);
        pose.local[j].rotation = sample.rotation;
        pose.local_rate[j].spin = sample.spin;
    } else if (channel.target == Channel::Target::weights) {
        for (std::size_t p = 0; p < rig.parts.size(); ++p) {
            if (rig.parts[p].joint == channel.joint && rig.parts[p].morphs.size() == channel.width())
                sample_curve(channel, time, pose.weights[p], pose.weight_rates[p]);
        }
    } else {
        std::array<double, 3> value{}, rate{};
        sample_curve(channel, time, value, rate);
        const bool moves = channel.target == Channel::Target::translation;
        (moves ? pose.local[j].translation : pose.local[j].scale) = {value[0], value[1], value[2]};
        (moves ? pose.local_rate[j].translation : pose.local_rate[j].scale) = {rate[0], rate[1], rate[2]};
    }
}

void compose_joints(const Rig& rig, Pose& pose) {
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
        const Transform& t = pose.local[j];
        const Affine local = to_affine(t);
        const Affine rate = local_rate(local, t, pose.local_rate[j]);
        if (rig.joints[j].parent < 0) {
            pose.world[j] = local;
            pose.world_rate[j] = rate;
            pose.rotation[j] = t.rotation;
            pose.angular_velocity[j] = pose.local_rate[j].spin;
            continue;
        }
        const auto p = static_cast<std::size_t>(rig.joints[j].parent);
        const Affine &up = pose.world[p], &up_rate = pose.world_rate[p];
        pose.world[j] = up * local;
        pose.world_rate[j].linear = sum(up_rate.linear * local.linear, up.linear * rate.linear);
        pose.world_rate[j].translation = up_rate * local.translation + up.linear * rate.translation;
        pose.rotation[j] = normalized(pose.rotation[p] * t.rotation);
        pose.angular_velocity[j] = pose.angular_velocity[p] + to_matrix(pose.rotation[p]) * pose.local_rate[j].spin;
    }
}

}  // namespace

Mat3 sum(const Mat3& a, const Mat3& b) {
    Mat3 c;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) c(i, k) = a(i, k) + b(i, k);
    return c;
}

Affine local_rate(const Affine& local, const Transform& transform, const Pose::LocalRate& rate) {
    const Mat3 turn = to_matrix(transform.rotation);
    Affine out{{}, rate.translation};
    for (int k = 0; k < 3; ++k) {
        const Vec3 swung = cross(rate.spin, Vec3{local.linear(0, k), local.linear(1, k), local.linear(2, k)});
        for (int i = 0; i < 3; ++i) out.linear(i, k) = swung[i] + turn(i, k) * rate.scale[k];
    }
    return out;
}

Pose rest_pose(const Rig& rig) {
    Pose pose;
    set_to_rest(rig, pose);
    compose_joints(rig, pose);
    return pose;
}

void pose_at(const Rig& rig, std::size_t clip, double time, Pose& out) {
    if (clip >= rig.clips.size()) {
        throw Error(Fault::bad_usage, {rig.source, 0, {}}, text("clip ", clip),
                    text("an index below ", rig.clips.size()));
    }
    if (!std::isfinite(time))
        throw Error(Fault::bad_usage, {rig.source, 0, {}}, "a pose at a time that is not finite", "seconds");
    set_to_rest(rig, out);
    out.time = time;
    for (const Channel& channel : rig.clips[clip].channels) apply(rig, channel, time, out);
    compose_joints(rig, out);
}

Pose pose_at(const Rig& rig, std::size_t clip, double time) {
    Pose pose;
    pose_at(rig, clip, time, pose);
    return pose;
}

double looped(const Clip& clip, double time) {
    if (!(clip.duration > 0.0)) return 0.0;
    const double t = std::fmod(time, clip.duration);
    return t < 0.0 ? t + clip.duration : t;
}

}  // namespace limber
