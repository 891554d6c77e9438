#include "io/bvh_fixtures.hpp"
#include "io/mutate.hpp"

#include <limber/error.hpp>
#include <limber/tools/rig_io.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

const std::string kChain = testing_io::kBvhChain;

Mat3 about(int axis, double degrees) {
    const double a = degrees * std::acos(-1.0) / 180, c = std::cos(a), s = std::sin(a);
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    Mat3 r = Mat3::identity();
    r(i, i) = r(j, j) = c;
    r(i, j) = -s;
    r(j, i) = s;
    return r;
}

std::string refusal(const std::string& bytes) {
    try {
        parse_bvh(bytes, "x.bvh");
    } catch (const Error& e) {
        EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
        return e.what();
    }
    ADD_FAILURE() << "was read";
    return {};
}

std::string changed(const std::string& from, const std::string& to) {
    std::string out = kChain;
    out.replace(out.find(from), from.size(), to);
    return out;
}

#define EXPECT_NAMES(message, words) EXPECT_NE((message).find(words), std::string::npos) << (message)

TEST(Bvh, NamesUnitsAndTimesAreRead) {
    const Rig rig = parse_bvh(kChain, "x.bvh");
    ASSERT_EQ(rig.joints.size(), 4u);
    EXPECT_EQ(rig.joints[1].name, "Left Up Leg");
    EXPECT_EQ(rig.joints[2].name, "mixamorig:Leg");
    EXPECT_EQ(rig.joints[3].name, "mixamorig:Leg_end");
    EXPECT_EQ(rig.joints[3].parent, 2);
    EXPECT_EQ(rig.unit, 0.01);  // 1.75 m long when the numbers are centimetres
    ASSERT_EQ(rig.notes.size(), 1u);
    EXPECT_NAMES(rig.notes[0], "centimetres");
    ASSERT_EQ(rig.clips.size(), 1u);
    EXPECT_NEAR(rig.clips[0].duration, 0.04, 1e-15);
    EXPECT_LT(norm(pose_at(rig, 0, 0.0).position(3) - Vec3{0.11, -0.85, 0.02}), 1e-12);
    EXPECT_EQ(parse_bvh(kChain, "x.bvh", {0.5}).joints[1].rest.translation, (Vec3{5, 0, 0}));
}

TEST(Bvh, RotationsAreAppliedInTheOrderListed) {
    // Matrices multiplied by hand: Z X Y at the root, Y X Z below it, Z X below that.
    const Rig rig = parse_bvh(kChain, "x.bvh", {1.0});
    const Pose pose = pose_at(rig, 0, 0.04);
    const Mat3 hips = about(2, 90), upper = hips * about(1, 30) * about(0, 40) * about(2, 50),
               lower = upper * about(2, 60) * about(0, 70);
    const Vec3 root{5, 94, 2}, knee = root + hips * Vec3{10, 0, 0}, ankle = knee + upper * Vec3{0, -100, 0},
                               end = ankle + lower * Vec3{0, -75, 0};
    EXPECT_LT(norm(pose.position(0) - root), 1e-10);
    EXPECT_LT(norm(pose.position(1) - knee), 1e-10);
    EXPECT_LT(norm(pose.position(2) - ankle), 1e-10);
    EXPECT_LT(norm(pose.position(3) - end), 1e-10);
}

TEST(Bvh, VelocitiesComeFromTheCurves) {
    const Rig rig = parse_bvh(kChain, "x.bvh", {1.0});
    const Pose pose = pose_at(rig, 0, 0.01);
    EXPECT_LT(norm(pose.velocity(0) - Vec3{100, 100, 0}), 1e-9);
    EXPECT_NEAR(pose.angular_velocity[0].z, std::acos(-1.0) / 2 / 0.04, 1e-9);
}

TEST(Bvh, FilesWithFewerFramesThanTheySayAreReadAndTold) {
    const Rig rig = parse_bvh(changed("Frames: 2", "Frames: 3"), "x.bvh");
    EXPECT_NEAR(rig.clips[0].duration, 0.04, 1e-15);
    EXPECT_NAMES(rig.notes[0], "3 frames but has 2");
}

TEST(BvhHostile, FaultsAreNamedByLine) {
    EXPECT_NAMES(refusal("MOTION"), "no BVH file");
    EXPECT_NAMES(refusal("HIERARCHY\nMOTION\nFrames: 1\n"), "without a ROOT");
    EXPECT_NAMES(refusal(changed("Xposition", "Wposition")), "x.bvh:4");
    EXPECT_NAMES(refusal(changed("CHANNELS 6", "CHANNELS 60")), "channels");
    EXPECT_NAMES(refusal(changed("Frames: 2", "Frames: 2000000000")), "frames");
    EXPECT_NAMES(refusal(changed("Frames: 2", "Frames: -2")), "frames");
    EXPECT_NAMES(refusal(changed("0.04", "nan")), "frame time");
    EXPECT_NAMES(refusal(changed("0.04", "0")), "frame time");
    EXPECT_NAMES(refusal(changed("OFFSET 10 0 0", "OFFSET 10 inf 0")), "x.bvh:7");
    EXPECT_NAMES(refusal(changed("60 70\n", "60")), "ends within frame 2");
    EXPECT_NAMES(refusal(changed("90 0 0 5", "90 0 x 5")), "a number");
    EXPECT_NAMES(refusal(kChain.substr(0, 60)), "x.bvh");
    EXPECT_NAMES(refusal(changed("JOINT mix", "ROOT mix")), "root within a joint");
    EXPECT_NAMES(refusal(changed("End Site\n      {\n", "End Site\n      {\n JOINT a {\n")), "within an End Site");
}

TEST(BvhHostile, DeepNestingDoesNotOverflowTheStack) {
    std::string deep = "HIERARCHY\nROOT a {\n";
    for (int i = 0; i < 200000; ++i) deep += "JOINT b {\n";
    EXPECT_NAMES(refusal(deep), "ends within its hierarchy");
}

TEST(BvhHostile, DamagedFilesAreReadOrRefusedInOneLine) {
    std::size_t refused = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        try {
            const Rig rig = parse_bvh(testing_io::mutate(kChain, seed), "mutant");
            if (!rig.clips.empty()) pose_at(rig, 0, 0.3);
        } catch (const Error& e) {
            ++refused;
            EXPECT_EQ(std::string(e.what()).find_first_of("\n\r"), std::string::npos);
        }
    }
    EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace limber
