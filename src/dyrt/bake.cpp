#include "dyrt/oscillators.hpp"

#include "core/rotation.hpp"
#include "core/text.hpp"

#include <limber/error.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

/// The rotation in the middle of two that are near each other.
Quat middle(const Quat& a, Quat b) {
    if (a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0.0) b = {-b.w, -b.x, -b.y, -b.z};
    return normalized(Quat{a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z});
}

Vec3 into_bone(const BoneMotion& f, const Vec3& world) { return to_matrix(conjugate(f.rotation)) * world; }

/// A bone over a clip, at even times; the drives between them.
struct Motion {
    double dt = 0.0;
    std::vector<BoneMotion> frames;  ///< steps + 1
    std::vector<DyrtDrive> drives;   ///< per step
    std::vector<Vec3> spins;         ///< per step, bone's axes
};

constexpr double kBeside =
    1e-3;  // of a step: files have times in 32 bits, so that a key may lie either side of its frame

/// Where curves are linear, velocities jump at keys, and keys often lie on frames: the mean of both sides puts half of
/// the blow into each step beside it. One side alone would bring every blow half a step early.
void take_mean_velocities(const BoneMotion& before, BoneMotion& motion) {
    motion.velocity = (motion.velocity + before.velocity) * 0.5;
    motion.angular_velocity = (motion.angular_velocity + before.angular_velocity) * 0.5;
}

/// The bone ends turned as it began. Where it does not, a clip that is told to repeat has a blow at its seam that no
/// mean can share out.
bool is_closed(const BoneMotion& first, const BoneMotion& last) {
    const Quat turn = conjugate(first.rotation) * last.rotation;
    return std::abs(turn.w) > 0.995;  // a fifth of a radian
}

Motion sample(const Rig& rig, const DyrtPart& part, std::size_t clip, double duration, std::size_t steps, bool looped,
              const BakeSettings& settings) {
    Motion out;
    out.dt = duration / static_cast<double>(steps);
    Pose pose;
    for (std::size_t i = 0; i <= steps; ++i) {
        const double time = duration * static_cast<double>(i) / static_cast<double>(steps);
        pose_at(rig, clip, time, pose);
        out.frames.push_back(bone_motion_at(part.flesh, pose));
        if (i == 0 || i == steps) continue;
        pose_at(rig, clip, time - kBeside * out.dt, pose);
        const BoneMotion before = bone_motion_at(part.flesh, pose);
        pose_at(rig, clip, time + kBeside * out.dt, pose);
        const BoneMotion after = bone_motion_at(part.flesh, pose);
        out.frames.back().velocity = (before.velocity + after.velocity) * 0.5;
        out.frames.back().angular_velocity = (before.angular_velocity + after.angular_velocity) * 0.5;
    }
    if (looped && is_closed(out.frames.front(), out.frames.back()))
        take_mean_velocities(out.frames.back(), out.frames.front());
    if (looped) out.frames.back() = repeating(out.frames.front(), out.frames.back());
    for (std::size_t i = 0; i < steps; ++i) {
        out.drives.push_back(mean_drive(out.frames[i], out.frames[i + 1], out.dt, settings));
        out.spins.push_back(mean_spin(out.frames[i], out.frames[i + 1]));
    }
    return out;
}

void add(DyrtTrack& track, const Amplitudes& a) {
    track.amplitudes.insert(track.amplitudes.end(), a.q.begin(), a.q.end());
    track.rates.insert(track.rates.end(), a.rate.begin(), a.rate.end());
}

void run(const Oscillators& oscillators, const Motion& motion, Amplitudes& a, std::size_t per_frame, DyrtTrack* out) {
    if (out != nullptr) add(*out, a);
    for (std::size_t i = 0; i < motion.drives.size(); ++i) {
        oscillators.step(a, motion.drives[i], motion.spins[i]);
        if (out != nullptr && (i + 1) % per_frame == 0) add(*out, a);
    }
}

/// The state that comes back after one period: x = P x + c, with P and c from runs of the period itself (it is affine
/// in the state).
Amplitudes steady(const Oscillators& oscillators, const Motion& motion, const DyrtPart& part, bool coupled) {
    const std::size_t m = part.count();
    const auto over = [&](Amplitudes a) {
        run(oscillators, motion, a, 1, nullptr);
        return a;
    };
    const auto size = static_cast<Eigen::Index>(2 * m), half = static_cast<Eigen::Index>(m);
    const Amplitudes c = over(oscillators.at_rest());
    Eigen::MatrixXd p = Eigen::MatrixXd::Zero(size, size);
    // Uncoupled, one run serves all oscillators at once.
    for (std::size_t which = 0; which < (coupled ? 2 * m : 2); ++which) {
        Amplitudes unit = oscillators.at_rest();
        std::vector<double>& side = (coupled ? which >= m : which == 1) ? unit.rate : unit.q;
        if (coupled)
            side[which % m] = 1.0;
        else
            std::fill(side.begin(), side.end(), 1.0);
        const Amplitudes end = over(unit);
        for (std::size_t k = 0; k < m; ++k) {
            const auto row = static_cast<Eigen::Index>(k),
                       column = static_cast<Eigen::Index>(coupled ? which : which * m + k);
            p(row, column) = end.q[k] - c.q[k];
            p(half + row, column) = end.rate[k] - c.rate[k];
        }
    }
    Eigen::VectorXd right(size);
    for (std::size_t k = 0; k < m; ++k) {
        right[static_cast<Eigen::Index>(k)] = c.q[k];
        right[half + static_cast<Eigen::Index>(k)] = c.rate[k];
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(Eigen::MatrixXd::Identity(size, size) - p);
    if (lu.rcond() < 1e-12) {
        throw Error(
            Fault::bad_usage, {part.name(), 0, {}},
            "no motion that repeats with the clip: a mode is undamped and in resonance, or its frequency or damping is "
            "far beyond the clip's own times",
            "damping (--settle, or a material with some), a frequency between 0.01 and 1000 Hz, or --loop no");
    }
    const Eigen::VectorXd x = lu.solve(right);
    Amplitudes out = oscillators.at_rest();
    for (std::size_t k = 0; k < m; ++k) {
        out.q[k] = x[static_cast<Eigen::Index>(k)];
        out.rate[k] = x[half + static_cast<Eigen::Index>(k)];
    }
    return out;
}

void check_bake(const Rig& rig, std::size_t clip, const BakeSettings& s) {
    if (clip >= rig.clips.size())
        throw Error(Fault::bad_usage, {"clip", 0, {}}, text(clip), text("below ", rig.clips.size()));
    if (!(s.rate > 0.0 && s.rate <= 1000.0))
        throw Error(Fault::bad_usage, {"rate", 0, {}}, text(s.rate), "frames per second, above 0 and at most 1000");
    if (!(s.substep > 0.0)) throw Error(Fault::bad_usage, {"substep", 0, {}}, text(s.substep), "a time above 0");
    const double duration = rig.clips[clip].duration;
    if (!(duration > 0.0) || duration * s.rate > 1e6) {
        throw Error(Fault::bad_usage, {rig.clips[clip].name, 0, {}}, text("a clip of ", duration, " s"),
                    "a time above 0 and at most a million frames");
    }
}

DyrtTrack bake(const Rig& rig, const DyrtPart& part, std::size_t clip, const BakeSettings& settings, bool looped) {
    const double duration = rig.clips[clip].duration;
    const auto [frames, per_frame, dt] = sampling_of(duration, settings);
    const Motion motion = sample(rig, part, clip, duration, frames * per_frame, looped, settings);
    const Oscillators oscillators(part, dt, settings.coriolis);
    // What stands still before the clip hangs in its gravity.
    DyrtDrive before = mean_drive(motion.frames[0], motion.frames[0], 1.0, settings);
    for (std::size_t c = 3; c < kDyrtDrives; ++c) before[c] = 0.0;
    Amplitudes a = looped ? steady(oscillators, motion, part, settings.coriolis && !part.coriolis.empty())
                          : oscillators.settled(before);
    DyrtTrack out;
    out.looped = looped;
    for (std::size_t i = 0; i <= frames; ++i)
        out.times.push_back(duration * static_cast<double>(i) / static_cast<double>(frames));
    run(oscillators, motion, a, per_frame, &out);
    const std::size_t m = part.count();
    for (std::size_t k = 0; looped && k < m; ++k)
        out.seam = std::max(out.seam, std::abs(out.amplitudes[frames * m + k] - out.amplitudes[k]));
    return out;
}

}  // namespace

BoneMotion repeating(const BoneMotion& first, BoneMotion last) {
    last.velocity = first.velocity;
    last.angular_velocity = to_matrix(last.rotation) * into_bone(first, first.angular_velocity);
    return last;
}

BakeSampling sampling_of(double duration, const BakeSettings& settings) {
    BakeSampling out;
    out.frames = static_cast<std::size_t>(std::max(1.0, std::round(duration * settings.rate)));
    const double frame = duration / static_cast<double>(out.frames);
    out.per_frame = static_cast<std::size_t>(std::max(1.0, std::ceil(frame / settings.substep - 1e-9)));
    out.dt = duration / static_cast<double>(out.frames * out.per_frame);
    return out;
}

DyrtDrive mean_drive(const BoneMotion& from, const BoneMotion& to, double dt, const BakeSettings& settings) {
    const Mat3 back = to_matrix(conjugate(middle(from.rotation, to.rotation)));
    const Vec3 w0 = into_bone(from, from.angular_velocity), w1 = into_bone(to, to.angular_velocity);
    const Vec3 hanging = (into_bone(from, settings.gravity) + into_bone(to, settings.gravity)) * 0.5;
    const Vec3 linear = back * ((to.velocity - from.velocity) / dt) - hanging + settings.gravity;
    const Vec3 angular = (w1 - w0) / dt;  // in the bone's axes its change is the angular acceleration
    DyrtDrive d{linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    if (!settings.centripetal) return d;
    const auto mean = [&](int i, int j) {
        return (2.0 * (w0[i] * w0[j] + w1[i] * w1[j]) + w0[i] * w1[j] + w1[i] * w0[j]) / 6.0;
    };  // of a linear w
    d[6] = mean(0, 0);
    d[7] = mean(1, 1);
    d[8] = mean(2, 2);
    d[9] = mean(0, 1);
    d[10] = mean(1, 2);
    d[11] = mean(2, 0);
    return d;
}

Vec3 mean_spin(const BoneMotion& from, const BoneMotion& to) {
    return (into_bone(from, from.angular_velocity) + into_bone(to, to.angular_velocity)) * 0.5;
}

DyrtTrack bake_clip(const Rig& rig, const DyrtPart& part, std::size_t clip, const BakeSettings& settings) {
    check_bake(rig, clip, settings);
    const bool looped = settings.loop == BakeSettings::Loop::yes ||
                        (settings.loop == BakeSettings::Loop::automatic && loop_of(rig, clip).repeats);
    return bake(rig, part, clip, settings, looped);
}

}  // namespace limber
