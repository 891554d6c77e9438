#include "rig/clip_motion.hpp"

#include "core/rotation.hpp"
#include "rig/rig_size.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr std::size_t kFewLooks = 128, kMostLooks = 4096;
constexpr double kStillShare = 1e-4;  // of the character's size in a second: below, nothing moves
constexpr double kStillSpin = 2e-3;   // [rad/s]: a tenth of a degree in a second

/// Per joint: the middle of the skin that follows it at rest, in the joint's own space; its origin where none does.
std::vector<Vec3> skin_middles(const Rig& rig, const Pose& rest) {
    std::vector<Vec3> out(rig.joints.size());
    std::vector<double> all(rig.joints.size(), 0.0);
    std::vector<Vec3> x;
    const auto add = [&](std::int32_t joint, const Vec3& at, double weight) {
        out[static_cast<std::size_t>(joint)] += at * weight;
        all[static_cast<std::size_t>(joint)] += weight;
    };
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        const SkinPart& part = rig.parts[p];
        x.resize(part.positions.size());
        skin(rig, p, rest, x);
        for (std::size_t v = 0; v < x.size(); ++v) {
            if (part.binding < 0 && part.joint >= 0) add(part.joint, x[v], 1.0);
            if (part.binding < 0) continue;
            const SkinBinding& binding = rig.bindings[static_cast<std::size_t>(part.binding)];
            for (std::size_t k = 0; k < Influences::kMost; ++k) {
                if (part.influences[v].weight[k] > 0.0) {
                    add(binding.joints[static_cast<std::size_t>(part.influences[v].joint[k])], x[v],
                        part.influences[v].weight[k]);
                }
            }
        }
    }
    for (std::size_t j = 0; j < out.size(); ++j) {
        const bool known = all[j] > 0.0 && invertible(rest.world[j].linear);
        out[j] = known ? inverse(rest.world[j]) * (out[j] / all[j]) : Vec3{};
    }
    return out;
}

}  // namespace

std::string loop_words(const ClipLoop& loop) {
    if (loop.why.empty()) return loop.repeats ? "yes" : "no";
    return (loop.repeats ? "yes, " : "no: ") + loop.why;
}

std::vector<JointMotion> clip_motion(const Rig& rig, std::size_t clip) {
    std::vector<JointMotion> out(rig.joints.size());
    const double duration = rig.clips[clip].duration;
    if (!(duration > 0.0)) return out;
    const std::vector<Vec3> middle = skin_middles(rig, rest_pose(rig));
    std::size_t keys = 0;
    for (const Channel& c : rig.clips[clip].channels) keys = std::max(keys, c.times.size());
    const std::size_t looks = std::clamp(2 * keys, kFewLooks, kMostLooks);
    const double still = kStillShare * norm(rest_box(rig).size());
    Pose pose = pose_at(rig, clip, 0.0);
    std::vector<Vec3> first;
    for (std::size_t j = 0; j < out.size(); ++j) first.push_back(pose.world[j] * middle[j]);
    for (std::size_t i = 0; i < looks; ++i) {
        pose_at(rig, clip, duration * (static_cast<double>(i) + 0.5) / static_cast<double>(looks), pose);
        for (std::size_t j = 0; j < out.size(); ++j) {
            out[j].speed = std::max(out[j].speed, norm(pose.world_rate[j] * middle[j]));
            out[j].spin = std::max(out[j].spin, norm(pose.angular_velocity[j]));
            out[j].moves = out[j].moves ||
                           norm(pose.world[j] * middle[j] - first[j]) > still;  // curves of steps have no speed
        }
    }
    for (JointMotion& m : out) m.moves = m.moves || m.speed > still || m.spin > kStillSpin;
    return out;
}

}  // namespace limber
