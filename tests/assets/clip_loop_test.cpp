#include <limber/assets.hpp>
#include <limber/rig.hpp>

#include <gtest/gtest.h>

#include <algorithm>

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
    for (std::size_t c = 0; c < rig.clips.size(); ++c) EXPECT_TRUE(loop_of(rig, c).repeats) << rig.clips[c].name << ": " << loop_of(rig, c).why;
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
    while (rig.joints[static_cast<std::size_t>(root)].parent >= 0) root = rig.joints[static_cast<std::size_t>(root)].parent;
    walk.channels.erase(std::remove_if(walk.channels.begin(), walk.channels.end(), [](const Channel& c) { return c.target == Channel::Target::translation; }), walk.channels.end());
    walk.channels.push_back({root, Channel::Target::translation, Channel::Curve::linear, {0.0, walk.duration}, {0.0, 0.0, 0.0, 0.0, 0.0, 1.4}});
    EXPECT_TRUE(loop_of(rig, 0).repeats) << loop_of(rig, 0).why;
    walk.channels.back() = {root, Channel::Target::translation, Channel::Curve::linear, {0.0, 0.5 * walk.duration, walk.duration}, {0, 0, 0, 0, 0, 0, 0, 0, 5.0}};
    EXPECT_FALSE(loop_of(rig, 0).repeats);      // it ends fast and begins slowly
}

}  // namespace
}  // namespace limber
