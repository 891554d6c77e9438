// The humanoid's flesh: sturdy, in an A pose, so that arms and legs are thick enough to be solids of few cells.
#include "assets/humanoid.hpp"
#include "assets/implicit.hpp"
#include "assets/shape.hpp"

#include <array>

namespace limber {
namespace {

using namespace implicit;

constexpr Vec3 kNeckAt{0, 1.335, -0.005}, kHeadAt{0, 1.415, 0.005}, kShoulder{0.175, 1.275, -0.005},
    kElbow{0.355, 1.085, -0.010}, kWrist{0.510, 0.905, 0.020}, kFingers{0.590, 0.805, 0.045}, kHip{0.095, 0.865, 0},
    kKnee{0.112, 0.475, 0.012}, kAnkle{0.118, 0.095, -0.022}, kBall{0.128, 0.045, 0.090}, kTiptoe{0.132, 0.045, 0.160};

constexpr Vec3 mirrored(const Vec3& p) { return {-p.x, p.y, p.z}; }

constexpr std::array<HumanoidJoint, kHumanoidJoints> kJoints{{
    {"hips", -1, {0, 0.900, 0}, {0, 0.990, 0}},
    {"spine", kHips, {0, 0.990, 0}, {0, 1.120, 0}},
    {"chest", kSpine, {0, 1.120, 0}, kNeckAt},
    {"neck", kChest, kNeckAt, kHeadAt},
    {"head", kNeck, kHeadAt, {0, 1.700, 0.01}},
    {"shoulder_l", kChest, {0.050, 1.290, -0.005}, kShoulder},
    {"upper_arm_l", kShoulderL, kShoulder, kElbow},
    {"forearm_l", kUpperArmL, kElbow, kWrist},
    {"hand_l", kForearmL, kWrist, kFingers},
    {"shoulder_r", kChest, {-0.050, 1.290, -0.005}, mirrored(kShoulder)},
    {"upper_arm_r", kShoulderR, mirrored(kShoulder), mirrored(kElbow)},
    {"forearm_r", kUpperArmR, mirrored(kElbow), mirrored(kWrist)},
    {"hand_r", kForearmR, mirrored(kWrist), mirrored(kFingers)},
    {"thigh_l", kHips, kHip, kKnee},
    {"shin_l", kThighL, kKnee, kAnkle},
    {"foot_l", kShinL, kAnkle, kBall},
    {"toes_l", kFootL, kBall, kTiptoe},
    {"thigh_r", kHips, mirrored(kHip), mirrored(kKnee)},
    {"shin_r", kThighR, mirrored(kKnee), mirrored(kAnkle)},
    {"foot_r", kShinR, mirrored(kAnkle), mirrored(kBall)},
    {"toes_r", kFootR, mirrored(kBall), mirrored(kTiptoe)},
}};

// Every part takes a point folded to x >= 0.

double torso(const Vec3& q) {
    double d = ellipsoid(q, {0, 1.190, -0.005}, {0.165, 0.155, 0.112});
    d = blend(d, ellipsoid(q, {0, 1.020, 0.008}, {0.132, 0.150, 0.108}), 0.09);
    d = blend(d, ellipsoid(q, {0.030, 0.885, -0.004}, {0.125, 0.105, 0.118}), 0.07);
    return blend(d, rod(q, {0.03, 1.285, -0.008}, {0.155, 1.275, -0.005}, 0.060, 0.070), 0.06);
}

double arm(const Vec3& q) {
    return blend(rod(q, kShoulder, kElbow, 0.071, 0.058), rod(q, kElbow, kWrist, 0.058, 0.049), 0.02);
}

double hand(const Vec3& q) {
    const Vec3 along = (kFingers - kWrist) / norm(kFingers - kWrist);
    const double palm = rod(q, kWrist + 0.045 * along, kFingers, 0.053, 0.042);
    const double thumb = rod(q, kWrist + 0.035 * along + Vec3{0, 0, 0.03},
                             kWrist + 0.075 * along + Vec3{-0.018, 0, 0.078}, 0.027, 0.024);
    return blend(palm, thumb, 0.018);
}

double leg(const Vec3& q) {
    const double thigh = rod(q, {0.096, 0.850, -0.002}, kKnee, 0.094, 0.072),
                 shin = rod(q, kKnee, kAnkle, 0.071, 0.055);
    const double calf = ellipsoid(q, {0.114, 0.345, -0.022}, {0.060, 0.120, 0.062});
    return blend(blend(thigh, shin, 0.03), calf, 0.04);
}

double foot(const Vec3& q) {
    const double d = blend(rod(q, {0.118, 0.055, -0.030}, {0.130, 0.046, 0.120}, 0.060, 0.058),
                           rod(q, kAnkle, {0.122, 0.062, 0.050}, 0.056, 0.052), 0.03);
    return overlap(d, -q.y, 0.016);
}

double skull(const Vec3& q) {
    double d = ellipsoid(q, {0, 1.555, 0}, {0.118, 0.138, 0.130});
    d = blend(d, ellipsoid(q, {0, 1.490, 0.030}, {0.088, 0.072, 0.092}), 0.05);        // jaw
    d = blend(d, ellipsoid(q, {0.117, 1.535, -0.005}, {0.020, 0.036, 0.024}), 0.008);  // ears
    return blend(d, ellipsoid(q, {0, 1.522, 0.130}, {0.018, 0.020, 0.022}), 0.014);    // nose
}

double hair(const Vec3& q) {
    const double cap = ellipsoid(q, {0, 1.585, -0.016}, {0.132, 0.132, 0.138});
    const double face = ellipsoid(q, {0, 1.500, 0.160}, {0.125, 0.118, 0.145});
    return carve(cap, face, 0.03);
}

double humanoid_eyes(const Vec3& q) { return ellipsoid(q, {0.043, 1.562, 0.117}, {0.0125, 0.017, 0.010}); }
double neck(const Vec3& q) { return rod(q, {0, 1.30, -0.008}, {0, 1.44, 0.002}, 0.066, 0.064); }

double humanoid(const Vec3& p) {
    const Vec3 q{std::abs(p.x), p.y, p.z};
    double d = blend(torso(q), arm(q), 0.05);
    d = blend(d, hand(q), 0.02);
    d = blend(d, leg(q), 0.03);
    d = blend(d, foot(q), 0.02);
    d = blend(d, neck(q), 0.04);
    d = blend(d, blend(skull(q), hair(q), 0.008), 0.025);
    return blend(d, humanoid_eyes(q), 0.003);
}

enum SkinPaint { kSkin, kShirt, kTrousers, kShoes, kHairPaint, kEyes };

int humanoid_paint(const Vec3& p) {
    const Vec3 q{std::abs(p.x), p.y, p.z};
    if (humanoid_eyes(q) < 0.0015) return kEyes;
    if (q.y > 1.40 && hair(q) < skull(q) && hair(q) < 0.004) return kHairPaint;
    if ((q.y > 1.345 && q.x < 0.105) || q.y > 1.39 || hand(q) < 0.004 || neck(q) < std::min(torso(q), arm(q)) - 0.012)
        return kSkin;
    if (q.y < 0.118) return kShoes;
    if (dot(q - kWrist, kFingers - kWrist) > -0.01 * norm(kFingers - kWrist) && arm(q) < leg(q)) return kSkin;
    return q.y < 0.955 && arm(q) > std::min(leg(q), torso(q)) ? kTrousers : kShirt;
}

}  // namespace

std::span<const HumanoidJoint> humanoid_joints() { return kJoints; }

ShapeGroup humanoid_shape() {
    return {"humanoid",
            "a sturdy figure in an A pose, 1.72 m, with a rig of 21 joints, a walk and a jump",
            {{"humanoid",
              humanoid,
              {{-0.68, -0.02, -0.20}, {0.68, 1.76, 0.24}},
              {{"skin", {0.87, 0.64, 0.50}},
               {"shirt", {0.18, 0.45, 0.62}},
               {"trousers", {0.23, 0.25, 0.33}},
               {"shoes", {0.70, 0.22, 0.16}},
               {"hair", {0.27, 0.16, 0.10}},
               {"black", {0.05, 0.05, 0.06}}},
              humanoid_paint,
              Wrap::label}}};
}

}  // namespace limber
