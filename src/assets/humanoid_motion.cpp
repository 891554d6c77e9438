// Angles are given in degrees of flexion: a thigh or an arm goes forward, a knee and an elbow bend, a foot's pitch
// lowers its toes. The hips' height follows from the feet: whichever point of a sole is lowest stands on the ground.
#include "assets/humanoid_motion.hpp"

#include "assets/humanoid.hpp"
#include "assets/implicit.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace limber {
namespace {

using implicit::ramp;

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kGravity = 9.81;  // [m/s^2]
constexpr int kWalkKeys = 32, kJumpKeys = 60;
constexpr double kWalkTime = 1.0, kJumpTime = 2.0;  // [s]

struct Leg {
    double thigh = 0.0, knee = 0.0, pitch = 0.0;  // pitch: of the sole against the ground
};
struct Arm {
    double lower = 24.0, swing = 0.0, elbow = 12.0;  // lower: from the A pose towards the side of the body
};
struct Posture {
    Vec3 shift;                                // of the hips, sideways and forward [m]
    double lean = 0.0, yaw = 0.0, roll = 0.0;  // of the hips; the chest turns back
    std::array<Leg, 2> leg;                    // left, right
    std::array<Arm, 2> arm;
};

using Rotations = std::array<Quat, kHumanoidJoints>;

Quat about_x(double degrees) { return from_rotation_vector({degrees * kDegree, 0, 0}); }
Quat about_y(double degrees) { return from_rotation_vector({0, degrees * kDegree, 0}); }
Quat about_z(double degrees) { return from_rotation_vector({0, 0, degrees * kDegree}); }

Quat elbow(int joint, double degrees) {
    const HumanoidJoint& bone = humanoid_joints()[static_cast<std::size_t>(joint)];
    const Vec3 axis = cross(bone.end - bone.at, Vec3{0, 0, 1});
    return from_rotation_vector((degrees * kDegree / norm(axis)) * axis);
}

Rotations rotations_of(const Posture& p) {
    Rotations r{};
    r[kHips] = about_y(p.yaw) * about_z(p.roll) * about_x(0.4 * p.lean);
    r[kSpine] = about_x(0.35 * p.lean) * about_z(-0.6 * p.roll) * about_y(-0.8 * p.yaw);
    r[kChest] = about_x(0.25 * p.lean) * about_z(-0.4 * p.roll) * about_y(-0.9 * p.yaw);
    r[kNeck] = about_y(0.4 * p.yaw) * about_x(-0.3 * p.lean);
    r[kHead] = about_y(0.3 * p.yaw) * about_x(-0.3 * p.lean);
    for (int side = 0; side < 2; ++side) {
        const auto s = static_cast<std::size_t>(side);
        const Leg& leg = p.leg[s];
        const Arm& arm = p.arm[s];
        const auto at = [&](int left, int right) -> Quat& {
            return r[static_cast<std::size_t>(side == 0 ? left : right)];
        };
        const double flex = leg.thigh + 0.4 * p.lean;  // a leg hangs from leaning hips
        at(kThighL, kThighR) = about_x(-flex);
        at(kShinL, kShinR) = about_x(leg.knee);
        at(kFootL, kFootR) = about_x(leg.pitch + leg.thigh - leg.knee);
        at(kToesL, kToesR) = about_x(-std::clamp(leg.pitch, 0.0, 35.0));
        at(kUpperArmL, kUpperArmR) = about_x(-arm.swing) * about_z(side == 0 ? -arm.lower : arm.lower);
        at(kForearmL, kForearmR) = elbow(side == 0 ? kForearmL : kForearmR, arm.elbow);
    }
    return r;
}

struct WorldPose {
    std::array<Vec3, kHumanoidJoints> at;
    std::array<Quat, kHumanoidJoints> turn;
};

WorldPose world_pose(const Rotations& rotations, const Vec3& hips) {
    WorldPose out;
    const auto joints = humanoid_joints();
    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (joints[j].parent < 0) {
            out.at[j] = hips;
            out.turn[j] = rotations[j];
            continue;
        }
        const auto parent = static_cast<std::size_t>(joints[j].parent);
        out.at[j] = out.at[parent] + to_matrix(out.turn[parent]) * (joints[j].at - joints[parent].at);
        out.turn[j] = out.turn[parent] * rotations[j];
    }
    return out;
}

/// The lowest point of both soles: heel, ball and tip of each.
double lowest(const WorldPose& pose) {
    const auto joints = humanoid_joints();
    double low = 1e9;
    const auto ask = [&](int joint, const Vec3& rest) {
        const auto j = static_cast<std::size_t>(joint);
        low = std::min(low, (pose.at[j] + to_matrix(pose.turn[j]) * (rest - joints[j].at)).y);
    };
    for (int side = 0; side < 2; ++side) {
        const int foot = side == 0 ? kFootL : kFootR, toes = side == 0 ? kToesL : kToesR;
        const double x = joints[static_cast<std::size_t>(foot)].at.x;
        ask(foot, {x, 0.0, -0.075});
        ask(foot, {x, 0.0, 0.090});
        ask(toes, {x, 0.0, 0.150});
    }
    return low;
}

/// Hips such that the lowest sole is on the ground.
Vec3 grounded(const Posture& p, const Rotations& rotations) {
    Vec3 hips = humanoid_joints()[kHips].at + p.shift;
    hips.y -= lowest(world_pose(rotations, hips));
    return hips;
}

/// One cycle of a leg; phase 0 is the heel's strike, half the cycle the foot stands, half it swings.
Leg walking_leg(double phase) {
    const double turn = phase - std::floor(phase), angle = 2.0 * std::numbers::pi * turn;
    const double bend = std::pow(0.5 + 0.5 * std::cos(angle - 1.48 * std::numbers::pi), 2.2);
    const double load = std::pow(0.5 + 0.5 * std::cos(angle - 0.26 * std::numbers::pi), 3.0);
    Leg leg;
    leg.thigh = 4.0 + 23.0 * std::cos(angle);
    leg.knee = 4.0 + 54.0 * bend + 9.0 * load;
    leg.pitch = -16.0 * (1.0 - ramp(turn, 0.0, 0.10)) + 38.0 * ramp(turn, 0.34, 0.55) - 38.0 * ramp(turn, 0.56, 0.80) -
                16.0 * ramp(turn, 0.78, 1.0);
    return leg;
}

Posture walking(double phase) {
    const double angle = 2.0 * std::numbers::pi * phase;
    Posture p;
    p.shift = {0.018 * std::sin(angle), 0, 0.01 * std::cos(2.0 * angle)};
    p.lean = 5.0;
    p.yaw = -5.0 * std::cos(angle);
    p.roll = 2.5 * std::sin(angle);
    for (std::size_t side = 0; side < 2; ++side) {
        const double own = phase + 0.5 * static_cast<double>(side), swing = -std::cos(2.0 * std::numbers::pi * own);
        p.leg[side] = walking_leg(own);
        p.arm[side] = {24.0, 2.0 + 24.0 * swing, 22.0 + 14.0 * swing};
    }
    return p;
}

constexpr double kLeave = 0.70, kSpeed = 2.45;      // take-off: when [s], how fast [m/s]
constexpr double kAloft = 2.0 * kSpeed / kGravity;  // [s]
constexpr double kLand = kLeave + kAloft;

/// Down, up on the toes, tucked in the air, landing on the toes, down again and up.
Posture jumping(double t) {
    const double crouch = ramp(t, 0.10, 0.48) * (1.0 - ramp(t, 0.50, kLeave)) +
                          0.85 * ramp(t, kLand, kLand + 0.20) * (1.0 - ramp(t, kLand + 0.22, 1.85));
    const double tuck = ramp(t, kLeave + 0.02, kLeave + 0.5 * kAloft) * (1.0 - ramp(t, kLeave + 0.5 * kAloft, kLand));
    const double toes = ramp(t, 0.56, kLeave) * (1.0 - ramp(t, kLand, kLand + 0.09));
    const double reach = ramp(t, 0.46, kLeave + 0.05) * (1.0 - ramp(t, kLand - 0.10, kLand + 0.35));
    Posture p;
    p.lean = 48.0 * crouch + 8.0 * tuck;
    for (std::size_t side = 0; side < 2; ++side) {
        p.leg[side] = {62.0 * crouch + 48.0 * tuck, 100.0 * crouch + 70.0 * tuck, 42.0 * toes};
        p.arm[side] = {24.0 - 10.0 * reach, -48.0 * crouch * (1.0 - reach) + 140.0 * reach, 14.0 + 22.0 * reach};
    }
    return p;
}

/// On the ground the ankles stay where they are; aloft the hips fall freely.
Vec3 jumping_hips(double t, const Rotations& rotations) {
    const auto over_feet = [](const Posture& p, const Rotations& r) {
        Vec3 hips = grounded(p, r);
        hips.z += humanoid_joints()[kFootL].at.z - world_pose(r, hips).at[kFootL].z;
        return hips;
    };
    if (t <= kLeave || t >= kLand) return over_feet(jumping(t), rotations);
    const Posture leave = jumping(kLeave), land = jumping(kLand);
    const Vec3 from = over_feet(leave, rotations_of(leave)), to = over_feet(land, rotations_of(land));
    const double since = t - kLeave, share = since / kAloft;
    Vec3 hips = from + share * (to - from);
    hips.y += kSpeed * since - 0.5 * kGravity * since * since;
    return hips;
}

/// Keys of every joint that moves; the hips also move from place to place.
template <class Pose, class Hips>
Clip make_clip(const char* name, double time, int keys, Pose&& posture, Hips&& hips_of) {
    Clip clip;
    clip.name = name;
    clip.duration = time;
    Channel travel;
    travel.joint = kHips;
    travel.target = Channel::Target::translation;
    std::array<Channel, kHumanoidJoints> turns;
    for (int k = 0; k <= keys; ++k) {
        const double t = time * k / keys;
        const Rotations r = rotations_of(posture(t));
        const Vec3 hips = hips_of(t, r);
        travel.times.push_back(t);
        travel.values.insert(travel.values.end(), {hips.x, hips.y, hips.z});
        for (std::size_t j = 0; j < r.size(); ++j) {
            turns[j].joint = static_cast<std::int32_t>(j);
            turns[j].times.push_back(t);
            turns[j].values.insert(turns[j].values.end(), {r[j].x, r[j].y, r[j].z, r[j].w});
        }
    }
    clip.channels.push_back(std::move(travel));
    for (Channel& turn : turns) clip.channels.push_back(std::move(turn));
    return clip;
}

}  // namespace

Clip walk_clip() {
    return make_clip(
        "walk", kWalkTime, kWalkKeys, [](double t) { return walking(t / kWalkTime); },
        [](double t, const Rotations& r) { return grounded(walking(t / kWalkTime), r); });
}

Clip jump_clip() { return make_clip("jump", kJumpTime, kJumpKeys, jumping, jumping_hips); }

}  // namespace limber
