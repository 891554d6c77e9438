#include "expect_error.hpp"
#include "rig/rig_fixtures.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace testing_body;

Rig checked_moving_rig() {
    Rig rig = sample_rig();
    rig.clips.push_back(sample_clip(rig));
    check_rig(rig);
    return rig;
}

// Fourth order in h: with h = 1e-3 what is left is rounding.
template <class Get>
auto slope(const Rig& rig, double t, Get&& get) {
    const double h = 1e-3;
    const auto near = get(pose_at(rig, 0, t + h)) - get(pose_at(rig, 0, t - h));
    const auto far = get(pose_at(rig, 0, t + 2 * h)) - get(pose_at(rig, 0, t - 2 * h));
    return (near * 8.0 - far) / (12 * h);
}

/// Times inside of segments, away from keys by more than the difference reaches.
const double kTimes[] = {0.05, 0.15, 0.27, 0.33, 0.42, 0.48, 0.6, 0.83, 1.05};

TEST(RigPose, JointVelocitiesAreTheDerivativeOfTheirPlaces) {
    // Chain rule over hierarchy, three kinds of curves, non-uniform and moving scales: a forgotten term is off by order
    // one.
    const Rig rig = checked_moving_rig();
    for (const double t : kTimes) {
        const Pose pose = pose_at(rig, 0, t);
        for (std::size_t j = 0; j < rig.joints.size(); ++j) {
            const Vec3 expected = slope(rig, t, [&](const Pose& p) { return p.position(j); });
            EXPECT_LT(norm(pose.velocity(j) - expected), 1e-6 * (1 + norm(expected))) << "joint " << j << " at " << t;
        }
    }
}

TEST(RigPose, WorldRatesAreTheDerivativeOfTheMatrices) {
    const Rig rig = checked_moving_rig();
    for (const double t : kTimes) {
        for (std::size_t j = 0; j < rig.joints.size(); ++j) {
            for (int k = 0; k < 3; ++k) {
                const auto column = [&](const Affine& a) {
                    return Vec3{a.linear(0, k), a.linear(1, k), a.linear(2, k)};
                };
                const Vec3 expected = slope(rig, t, [&](const Pose& p) { return column(p.world[j]); });
                EXPECT_LT(norm(column(pose_at(rig, 0, t).world_rate[j]) - expected), 1e-6 * (1 + norm(expected)))
                    << "joint " << j << " at " << t;
            }
        }
    }
}

TEST(RigPose, AngularVelocityTurnsTheAxes) {
    // d/dt R e = omega x R e, in world axes: the wrong frame or a factor of two fails.
    const Rig rig = checked_moving_rig();
    for (const double t : kTimes) {
        for (std::size_t j = 0; j < rig.joints.size(); ++j) {
            const auto axis = [&](const Pose& p) { return to_matrix(p.rotation[j]) * Vec3{0.3, -0.5, 0.8}; };
            const Pose pose = pose_at(rig, 0, t);
            const Vec3 expected = slope(rig, t, axis);
            EXPECT_LT(norm(cross(pose.angular_velocity[j], axis(pose)) - expected), 1e-6 * (1 + norm(expected)))
                << "joint " << j << " at " << t;
        }
    }
}

TEST(RigPose, LinearRotationsTakeTheShorterArcAtEvenSpeed) {
    // The second key has the sign turned: the same rotation, but naive interpolation goes round the long way.
    Rig rig;
    rig.joints.push_back({"a", -1, {}});
    const Quat q = from_rotation_vector({0, 0, 1.0});
    Channel c{0, Channel::Target::rotation, Channel::Curve::linear, {0.0, 2.0}, {0, 0, 0, 1, -q.x, -q.y, -q.z, -q.w}};
    rig.clips.push_back({"turn", {c}, 2.0});
    for (const double t : {0.0, 0.5, 1.7, 2.0}) {
        const Pose pose = pose_at(rig, 0, t);
        EXPECT_LT(norm(pose.angular_velocity[0] - Vec3{0, 0, 0.5}), 1e-14) << t;
        EXPECT_LT(norm(pose.world[0].linear * Vec3{1, 0, 0} - Vec3{std::cos(t / 2), std::sin(t / 2), 0}), 1e-14) << t;
    }
}

TEST(RigPose, KeysAreHitExactlyAndCurvesStandStillBeyondTheirEnds) {
    Rig rig;
    rig.joints.push_back({"a", -1, {}});
    for (const Channel::Curve curve : {Channel::Curve::linear, Channel::Curve::step, Channel::Curve::cubic}) {
        const Channel c = sample_channel(0, Channel::Target::translation, curve, 3, 3);
        rig.clips = {{"move", {c}, 1.1}};
        for (std::size_t k = 0; k < c.times.size(); ++k) {
            const std::size_t at = curve == Channel::Curve::cubic ? 9 * k + 3 : 3 * k;
            EXPECT_LT(
                norm(pose_at(rig, 0, c.times[k]).position(0) - Vec3{c.values[at], c.values[at + 1], c.values[at + 2]}),
                1e-15);
        }
        for (const double t : {-1.0, 1.2, 50.0}) {
            EXPECT_EQ(pose_at(rig, 0, t).velocity(0), Vec3{});
            EXPECT_EQ(pose_at(rig, 0, t).position(0), pose_at(rig, 0, t < 0 ? 0.0 : 1.1).position(0));
        }
        // At the last key the segment before it still counts: the body arrives with its speed.
        if (curve == Channel::Curve::linear) {
            EXPECT_GT(norm(pose_at(rig, 0, 1.1).velocity(0)), 0.1);
        }
    }
}

TEST(RigPose, StepsHoldUntilTheNextKey) {
    Rig rig;
    rig.joints.push_back({"a", -1, {}});
    rig.clips.push_back(
        {"", {{0, Channel::Target::translation, Channel::Curve::step, {0.0, 1.0}, {1, 2, 3, 4, 5, 6}}}, 1.0});
    EXPECT_EQ(pose_at(rig, 0, 0.999).position(0), (Vec3{1, 2, 3}));
    EXPECT_EQ(pose_at(rig, 0, 1.0).position(0), (Vec3{4, 5, 6}));
}

TEST(RigPose, LoopedTimesStayInTheClip) {
    const Clip clip{"", {}, 2.0};
    EXPECT_DOUBLE_EQ(looped(clip, 5.0), 1.0);
    EXPECT_DOUBLE_EQ(looped(clip, -0.5), 1.5);
    EXPECT_DOUBLE_EQ(looped(Clip{}, 7.0), 0.0);
}

TEST(RigPose, ClipsGoByNameOrIndexAndNearNamesAreSuggested) {
    Rig rig = checked_moving_rig();
    rig.clips.push_back({"", {}, 0.0});
    EXPECT_EQ(find_clip(rig, "all"), 0u);
    EXPECT_EQ(find_clip(rig, "1"), 1u);
    try {
        find_clip(rig, "alll");
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("did you mean 'all'"), std::string::npos) << e.what();
    }
    expect_error(Fault::bad_usage, "sample", [&] { find_clip(rig, "2"); });
    expect_error(Fault::bad_usage, "sample", [&] { pose_at(rig, 7, 0.0); });
    expect_error(Fault::bad_usage, "sample", [&] { pose_at(rig, 0, std::nan("")); });
}

TEST(RigPose, ScalingARigScalesItsMotion) {
    const Rig rig = checked_moving_rig();
    Rig large = rig;
    scale_rig(large, 100.0);
    for (const double t : {0.2, 0.9}) {
        const Pose a = pose_at(rig, 0, t), b = pose_at(large, 0, t);
        std::vector<Vec3> x(40), y(40);
        skin(rig, 0, a, x);
        skin(large, 0, b, y);
        for (std::size_t v = 0; v < x.size(); ++v) EXPECT_LT(norm(x[v] * 100.0 - y[v]), 1e-10);
        for (std::size_t j = 0; j < rig.joints.size(); ++j)
            EXPECT_LT(norm(a.velocity(j) * 100.0 - b.velocity(j)), 1e-10);
    }
}

TEST(RigPose, BrokenRigsAreNamed) {
    const auto message = [](auto&& breaking) {
        Rig rig = checked_moving_rig();
        breaking(rig);
        try {
            check_rig(rig);
        } catch (const Error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    EXPECT_NE(message([](Rig& r) { r.joints[1].parent = 2; }).find("/joints/1"), std::string::npos);
    EXPECT_NE(message([](Rig& r) { r.parts[0].influences[3].weight[0] += 0.1; }).find("vertex 3"), std::string::npos);
    EXPECT_NE(message([](Rig& r) { r.parts[0].influences[3].joint[0] = 5; }).find("vertex 3"), std::string::npos);
    EXPECT_NE(message([](Rig& r) { r.parts[0].triangles[2][1] = 40; }).find("vertex 40"), std::string::npos);
    EXPECT_NE(message([](Rig& r) { r.parts[1].positions[0].y = std::nan(""); }).find("not finite"), std::string::npos);
    EXPECT_NE(message([](Rig& r) { r.clips[0].channels[0].times[2] = 0.3; }).find("key 2"), std::string::npos);
    EXPECT_NE(message([](Rig& r) { r.clips[0].channels[0].values.pop_back(); }).find("values"), std::string::npos);
    EXPECT_NE(message([](Rig& r) { r.bindings[0].inverse_bind.pop_back(); }).find("inverse bind"), std::string::npos);
}

}  // namespace
}  // namespace limber
