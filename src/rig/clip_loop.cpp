// Whether a clip goes on with its beginning when it is over.
#include "core/rotation.hpp"
#include "core/text.hpp"
#include "rig/rig_size.hpp"

#include <limber/tools/rig.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace limber {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180.0;
constexpr double kTurn = 2.0 * kDegree;  // between last and first pose
constexpr double kShift = 0.01;          // of the character's size
constexpr double kMissingKey =
    1.5;  // some exporters leave out the last key, which is the first again: so many intervals of motion may be missing
constexpr double kTravel = 0.25;  // of the fastest: how much velocities may differ where a root travels

/// Joints that carry skin, with all above them.
std::set<std::size_t> carrying_joints(const Rig& rig) {
    std::set<std::size_t> out;
    for (const SkinBinding& binding : rig.bindings) {
        for (std::int32_t j : binding.joints) {
            for (; j >= 0 && out.insert(static_cast<std::size_t>(j)).second;)
                j = rig.joints[static_cast<std::size_t>(j)].parent;
        }
    }
    for (std::size_t j = 0; out.empty() && j < rig.joints.size(); ++j) out.insert(j);
    return out;
}

double angle_between(const Quat& a, const Quat& b) {
    const Quat turn = conjugate(a) * b;
    return 2.0 * std::atan2(std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z), std::abs(turn.w));
}

/// No joint above it is shifted by the clip: what takes the character along.
bool is_first_to_shift(const Rig& rig, const Clip& clip, std::size_t joint) {
    const auto shifts = [&](std::int32_t j) {
        return std::any_of(clip.channels.begin(), clip.channels.end(),
                           [&](const Channel& c) { return c.joint == j && c.target == Channel::Target::translation; });
    };
    for (std::int32_t j = rig.joints[joint].parent; j >= 0; j = rig.joints[static_cast<std::size_t>(j)].parent)
        if (shifts(j)) return false;
    return shifts(static_cast<std::int32_t>(joint));
}

/// When the first curve begins [s]: some exporters number keys from 1, and nothing moves before.
double first_key(const Clip& clip) {
    double out = clip.duration;
    for (const Channel& c : clip.channels)
        if (!c.times.empty()) out = std::min(out, c.times.front());
    return std::max(out, 0.0);
}

/// Between keys, by the curve that has most of them [s].
double key_interval(const Clip& clip) {
    std::size_t most = 2;
    for (const Channel& c : clip.channels) most = std::max(most, c.times.size());
    return (clip.duration - first_key(clip)) / static_cast<double>(most - 1);
}

/// Whether velocities are others after the seam than before it, by more than the clip's own keys change them: players
/// repeat such clips all the same, with a jolt.
std::string jump_at_seam(const Rig& rig, std::size_t clip, const std::set<std::size_t>& joints, double size) {
    constexpr double kMostIntervals = 512.0, kOwn = 2.0, kOfFastest = 0.25, kLeastSpin = 20.0 * kDegree,
                     kLeastSpeed = 0.05;
    const double duration = rig.clips[clip].duration,
                 intervals = std::min(std::round(duration / key_interval(rig.clips[clip])), kMostIntervals);
    const auto n = static_cast<std::size_t>(std::max(intervals, 1.0));
    struct Change {
        Vec3 last, first;
        double most = 0.0, fastest = 0.0;  ///< within the clip

        void see(const Vec3& now, bool start) {
            if (start)
                first = now;
            else
                most = std::max(most, norm(now - last));
            fastest = std::max(fastest, norm(now));
            last = now;
        }
        double seam(double least) const {  ///< above 1: a jolt
            return norm(first - last) / std::max({kOwn * most, kOfFastest * fastest, least});
        }
    };
    std::vector<Change> spin(rig.joints.size()), speed(rig.joints.size());
    Pose pose;
    for (std::size_t i = 0; i < n; ++i) {
        pose_at(rig, clip, duration * (static_cast<double>(i) + 0.5) / static_cast<double>(n), pose);
        for (const std::size_t j : joints) {
            spin[j].see(pose.local_rate[j].spin, i == 0);
            speed[j].see(pose.local_rate[j].translation, i == 0);
        }
    }
    double worst = 1.0;
    std::string out;
    for (const std::size_t j : joints) {
        if (const double seam = std::max(spin[j].seam(kLeastSpin), speed[j].seam(kLeastSpeed * size)); seam > worst) {
            worst = seam;
            out = text("with a jolt: '", rig.joints[j].name,
                       "' is faster or slower at the end than at the beginning (--loop no if it plays once)");
        }
    }
    return out;
}

}  // namespace

ClipLoop loop_of(const Rig& rig, std::size_t clip) {
    constexpr int kLooks = 64;
    ClipLoop out;
    const double duration = rig.clips[clip].duration;
    if (!(duration > 0.0)) {
        out.why = "it lasts no time";
        return out;
    }
    const std::set<std::size_t> joints = carrying_joints(rig);
    const Pose first = pose_at(rig, clip, first_key(rig.clips[clip])), last = pose_at(rig, clip, duration);
    const double size = norm(rest_box(rig).size()), missing = kMissingKey * key_interval(rig.clips[clip]);
    double fastest = 0.0;
    for (int i = 0; i <= kLooks; ++i) {
        const Pose pose = pose_at(rig, clip, duration * i / kLooks);
        for (const std::size_t j : joints) fastest = std::max(fastest, norm(pose.velocity(j)));
    }
    out.repeats = true;
    double worst = 1.0;
    const auto refuse = [&](double ratio, const std::string& why) {
        if (!(ratio > worst)) return;
        worst = ratio;
        out.repeats = false;
        out.why = why;
    };
    for (const std::size_t j : joints) {
        const std::string& name = rig.joints[j].name;
        const double turned = angle_between(first.local[j].rotation, last.local[j].rotation);
        // The mean: a motion that just begins is fast on one side only.
        const double spin = 0.5 * (norm(first.local_rate[j].spin) + norm(last.local_rate[j].spin));
        refuse(turned / std::max(kTurn, missing * spin),
               text("it ends with '", name, "' turned by ", std::round(10.0 * turned / kDegree) / 10.0,
                    " degrees (--loop yes if it repeats all the same)"));
        const Mat3 parent = rig.joints[j].parent < 0
                                ? Mat3::identity()
                                : first.world[static_cast<std::size_t>(rig.joints[j].parent)].linear;
        const double shifted = norm(parent * (last.local[j].translation - first.local[j].translation));
        const Vec3 before = parent * last.local_rate[j].translation, after = parent * first.local_rate[j].translation;
        const bool travels = is_first_to_shift(rig, rig.clips[clip], j) &&
                             norm(last.velocity(j) - first.velocity(j)) <= kTravel * fastest && norm(before) > 0.0 &&
                             norm(after) > 0.0;
        if (!travels) {
            refuse(shifted / std::max(kShift * size, 0.5 * missing * (norm(before) + norm(after))),
                   text("it ends with '", name, "' elsewhere (--loop yes if it repeats all the same)"));
        }
    }
    if (out.repeats) out.why = jump_at_seam(rig, clip, joints, size);
    return out;
}

}  // namespace limber
