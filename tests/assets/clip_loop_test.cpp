#include "rig/clip_motion.hpp"

#include <limber/tools/assets.hpp>
#include <limber/tools/rig.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

/// The humanoid's walk, up to a share of its length.
Rig cut_walk(double share) {
    Rig rig = make_humanoid();
    const std::size_t walk = find_clip(rig, "walk");
    Clip& clip = rig.clips[walk];
    const double end = share * clip.duration;
    for (Channel& c : clip.channels) {
        std::size_t keep = 0;
        while (keep < c.times.size() && c.times[keep] <= end + 1e-9) ++keep;
        keep = std::max<std::size_t>(keep, 1);
        const std::size_t width = c.values.size() / c.times.size();
        c.times.resize(keep);
        c.values.resize(keep * width);
    }
    clip.duration = end;
    rig.clips = {clip};
    return rig;
}

TEST(ClipLoop, ClipsThatEndInTheirFirstPoseRepeatHoweverFastTheyAreThere) {
    const Rig rig = make_humanoid();
    for (std::size_t c = 0; c < rig.clips.size(); ++c)
        EXPECT_TRUE(loop_of(rig, c).repeats) << rig.clips[c].name << ": " << loop_of(rig, c).why;
}

TEST(ClipLoop, HalfAWalkDoesNotAndSaysWhichJoint) {
    const ClipLoop half = loop_of(cut_walk(0.5), 0);
    EXPECT_FALSE(half.repeats);
    EXPECT_NE(half.why.find("turned by"), std::string::npos) << half.why;
}

TEST(ClipLoop, ARootMayTravel) {
    Rig rig = make_humanoid();
    rig.clips = {rig.clips[find_clip(rig, "walk")]};
    Clip& walk = rig.clips[0];
    std::int32_t root = 0;
    while (rig.joints[static_cast<std::size_t>(root)].parent >= 0)
        root = rig.joints[static_cast<std::size_t>(root)].parent;
    walk.channels.erase(std::remove_if(walk.channels.begin(), walk.channels.end(),
                                       [](const Channel& c) { return c.target == Channel::Target::translation; }),
                        walk.channels.end());
    walk.channels.push_back({root,
                             Channel::Target::translation,
                             Channel::Curve::linear,
                             {0.0, walk.duration},
                             {0.0, 0.0, 0.0, 0.0, 0.0, 1.4}});
    EXPECT_TRUE(loop_of(rig, 0).repeats) << loop_of(rig, 0).why;
    walk.channels.back() = {root,
                            Channel::Target::translation,
                            Channel::Curve::linear,
                            {0.0, 0.5 * walk.duration, walk.duration},
                            {0, 0, 0, 0, 0, 0, 0, 0, 5.0}};
    EXPECT_FALSE(loop_of(rig, 0).repeats);  // it ends fast and begins slowly
}

/// A ball thrown up: it comes down as fast as it went up, the same pose with the opposite velocity. Keys lie on a
/// parabola.
Rig thrown(double turned) {
    Rig rig = make_humanoid(1500);
    Clip clip{"thrown", {}, 1.0};
    Channel up{0, Channel::Target::translation, Channel::Curve::linear, {}, {}};
    for (int i = 0; i <= 20; ++i) {
        const double t = 0.05 * i, phase = turned * 2.0 * 3.14159265358979 * t;
        up.times.push_back(t);
        up.values.insert(up.values.end(), {0.0, turned > 0.0 ? 0.3 * std::sin(phase) : 4.0 * t * (1.0 - t), 0.0});
    }
    clip.channels.push_back(up);
    rig.clips = {clip};
    return rig;
}

TEST(ClipLoop, VelocitiesThatJumpAtTheSeamAreToldAsAJolt) {
    const ClipLoop ball = loop_of(thrown(0.0), 0), swing = loop_of(thrown(1.0), 0);
    EXPECT_TRUE(ball.repeats) << ball.why;
    EXPECT_NE(ball.why.find("jolt"), std::string::npos) << ball.why;
    EXPECT_TRUE(swing.repeats);
    EXPECT_EQ(swing.why, "");  // a sine goes on as it began; its linear keys jump as much inside
    EXPECT_EQ(loop_words(ball).substr(0, 16), "yes, with a jolt");
    EXPECT_EQ(loop_words(swing), "yes");
}

TEST(ClipMotion, SpeedsAreThoseOfTheCurves) {
    const Rig rig = thrown(0.0);
    const std::vector<JointMotion> m = clip_motion(rig, 0);
    ASSERT_EQ(m.size(), rig.joints.size());
    for (const JointMotion& joint : m) {
        EXPECT_TRUE(joint.moves);
        EXPECT_NEAR(joint.speed, 3.8,
                    1e-9);  // between the first two keys: 4 (0.05 * 0.95) / 0.05; all hang on the root
        EXPECT_NEAR(joint.spin, 0.0, 1e-12);
    }
    Rig still = rig;
    for (double& v : still.clips[0].channels[0].values) v = 0.0;
    for (const JointMotion& joint : clip_motion(still, 0)) EXPECT_FALSE(joint.moves);
    // A bone that turns in its place moves the skin beyond it.
    Rig turning = make_humanoid(1500);
    const auto head = static_cast<std::int32_t>(
        std::find_if(turning.joints.begin(), turning.joints.end(), [](const Joint& j) { return j.name == "head"; }) -
        turning.joints.begin());
    turning.clips = {{"nod",
                      {{head,
                        Channel::Target::rotation,
                        Channel::Curve::linear,
                        {0.0, 1.0},
                        {0, 0, 0, 1, std::sin(0.25), 0, 0, std::cos(0.25)}}},
                      1.0}};
    const std::vector<JointMotion> nod = clip_motion(turning, 0);
    EXPECT_NEAR(nod[static_cast<std::size_t>(head)].spin, 0.5, 1e-9);
    EXPECT_GT(nod[static_cast<std::size_t>(head)].speed, 0.01);
    EXPECT_FALSE(nod[0].moves);
}

}  // namespace
}  // namespace limber
