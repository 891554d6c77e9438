#include "rig/rig_fixtures.hpp"

#include "rig/region_glob.hpp"
#include "rig/region_lines.hpp"
#include "rig/rig_size.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace testing_body;

std::string refusal(const Rig& rig, const std::string& line) {
    try {
        freedom_of(rig, parse_region(line));
    } catch (const Error& e) {
        EXPECT_EQ(e.fault(), Fault::bad_usage);
        return e.what();
    }
    return {};
}

TEST(Region, GlobsMatchWholeNamesWithoutCase) {
    EXPECT_TRUE(glob_matches("*UpLeg*", "LeftUpLeg"));
    EXPECT_TRUE(glob_matches("*upleg", "LeftUpLeg"));
    EXPECT_TRUE(glob_matches("Left?pLeg", "LeftUpLeg"));
    EXPECT_TRUE(glob_matches("*", ""));
    EXPECT_TRUE(glob_matches("a*b*c", "aXbYbZc"));
    EXPECT_FALSE(glob_matches("UpLeg", "LeftUpLeg"));
    EXPECT_FALSE(glob_matches("*Leg?", "LeftUpLeg"));
    EXPECT_FALSE(glob_matches("", "a"));
    // A glob that would take an exponential time with naive backtracking.
    EXPECT_FALSE(glob_matches("*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}

TEST(Region, BonesGiveTheSumOfTheirWeights) {
    const Rig rig = sample_rig();
    const auto freedom = freedom_of(rig, parse_region("leg=bone:Left*"));
    ASSERT_EQ(freedom.size(), 2u);
    for (std::size_t v = 0; v < 40; ++v) {
        double expected = 0.0;
        for (std::size_t k = 0; k < 8; ++k)
            if (k % 5 >= 1 && k % 5 <= 3) expected += rig.parts[0].influences[v].weight[k];
        EXPECT_NEAR(freedom[0][v], expected, 1e-12);
    }
    for (const double f : freedom[1]) EXPECT_EQ(f, 1.0);  // rigid on LeftLeg
}

TEST(Region, TermsJoinBySum) {
    Rig rig = sample_rig();
    rig.parts[0].paint.push_back({"_BELLY", std::vector<double>(40, 0.25)});
    rig.parts[0].paint[0].values[7] = 3.0;
    const auto tail = freedom_of(rig, parse_region("bone:Tail")),
               both = freedom_of(rig, parse_region("x=bone:Tail+paint:_BELLY"));
    for (std::size_t v = 0; v < 40; ++v) EXPECT_DOUBLE_EQ(both[0][v], v == 7 ? 1.0 : std::min(tail[0][v] + 0.25, 1.0));
    // Bones that several terms name count once: two terms are what one glob over both is.
    const auto once = freedom_of(rig, parse_region("bone:Left*")),
               twice = freedom_of(rig, parse_region("bone:LeftUpLeg+bone:Left*"));
    const auto one = freedom_of(rig, parse_region("bone:LeftUpLeg")),
               rest = freedom_of(rig, parse_region("bone:LeftLeg")),
               sum = freedom_of(rig, parse_region("bone:LeftUpLeg+bone:LeftLeg"));
    for (std::size_t v = 0; v < 40; ++v) {
        EXPECT_DOUBLE_EQ(twice[0][v], once[0][v]);
        EXPECT_NEAR(sum[0][v], std::min(one[0][v] + rest[0][v], 1.0), 1e-12);
    }
}

TEST(Region, ABoneOfExactlyThatNameIsMeantAlone) {
    // Names may have the signs of globs in them.
    Rig rig = sample_rig();
    const auto before = freedom_of(rig, parse_region("bone:Tail"));
    for (Joint& joint : rig.joints)
        if (joint.name == "Tail") joint.name = "*";
    EXPECT_EQ(freedom_of(rig, parse_region("bone:*")), before);
}

TEST(Region, BallsAndCapsulesFadeAtTheirRim) {
    Rig rig;
    rig.joints.push_back({"a", -1, {{10, 0, 0}, {}, {2, 2, 2}}});
    SkinPart part;
    part.joint = 0;
    part.positions = {{0, 0, 0}, {0.35, 0, 0}, {0.45, 0, 0}, {0.55, 0, 0}};  // 0, 0.7, 0.9 and 1.1 m from (10, 0, 0)
    part.triangles = {{0, 1, 2}};
    rig.parts.push_back(part);
    const auto ball = freedom_of(rig, parse_region("ball:10,0,0,1"))[0];
    EXPECT_EQ(ball[0], 1.0);
    EXPECT_EQ(ball[1], 1.0);
    EXPECT_NEAR(ball[2], 0.5, 1e-12);
    EXPECT_EQ(ball[3], 0.0);
    const auto capsule = freedom_of(rig, parse_region("capsule:10,0,0,11,0,0,0.1"))[0];
    for (std::size_t v = 0; v < 3; ++v) EXPECT_EQ(capsule[v], 1.0);
}

TEST(Region, RefusalsNameWhatIsNear) {
    Rig rig = sample_rig();
    rig.parts[0].paint.push_back({"_BELLY", std::vector<double>(40, 1.0)});
    rig.materials.push_back({});
    rig.materials[0].name = "fur";
    rig.parts[0].material = 0;
    EXPECT_NE(refusal(rig, "bone:*LeftUpLegg*").find("did you mean 'LeftUpLeg'"), std::string::npos);
    EXPECT_NE(refusal(rig, "bone:upleg").find("did you mean '*upleg*'"), std::string::npos);
    EXPECT_NE(refusal(rig, "paint:_BELY").find("did you mean '_BELLY'"), std::string::npos);
    EXPECT_NE(refusal(rig, "material:furr").find("did you mean 'fur'"), std::string::npos);
    EXPECT_NE(refusal(rig, "bones:Tail").find("did you mean 'bone'"), std::string::npos);
    EXPECT_NE(refusal(rig, "ball:100,0,0,1").find("no vertex"), std::string::npos);
    for (const char* bad : {"", "x=", "=bone:a", "bone:", "ball:1,2,3", "ball:1,2,3,0", "ball:1,2,3,-1", "ball:1,2,x,1",
                            "ball:1,2,nan,1", "capsule:1,2,3,4", "ball:1,2,3,4,"}) {
        EXPECT_FALSE(refusal(rig, bad).empty()) << bad;
    }
}

TEST(Region, ABoneWithPlusInItsNameIsOneTerm) {
    const Region r = parse_region("a=bone:arm+01+bone:leg");
    ASSERT_EQ(r.terms.size(), 2u);
    EXPECT_EQ(r.terms[0].name, "arm+01");
    EXPECT_EQ(r.name, "a");
}

TEST(Region, LinesOfferedAreAccepted) {
    const Rig rig = sample_rig();
    const std::vector<std::string> lines = region_lines(rig);
    ASSERT_FALSE(lines.empty());
    bool thigh = false;
    for (const std::string& line : lines) {
        freedom_of(rig, parse_region(line));
        thigh = thigh || line == "thigh_l=bone:LeftUpLeg";
    }
    EXPECT_TRUE(thigh);
    double total = 0.0;
    for (const double s : skin_share(rig)) total += s;
    EXPECT_NEAR(total, 1.0, 1e-12);
}

TEST(Region, PlainLegsAndArmsAreNamedByTheirPlace) {
    // As in files whose bones are only numbered: the limb's order is all there is.
    Rig rig;
    const char* names[] = {"Armature", "leg_L_1", "leg_L_2", "leg_L_3", "arm.R", "arm.R.001"};
    const std::int32_t parents[] = {-1, 0, 1, 2, 0, 4};
    SkinPart part;
    for (std::int32_t j = 0; j < 6; ++j) rig.joints.push_back({names[j], parents[j], {}});
    rig.bindings.push_back(bind_at_rest(rig));
    part.binding = 0;
    for (std::int32_t v = 0; v < 18; ++v) {
        part.positions.push_back({v % 3 == 1 ? 1.0 : 0.0, v % 3 == 2 ? 1.0 : 0.0, 0.1 * v});
        part.influences.push_back({{v / 3}, {1.0}});
        if (v % 3 == 2) part.triangles.push_back({v - 2, v - 1, v});
    }
    rig.parts.push_back(part);
    const std::vector<std::string> expected{"armature=bone:Armature", "thigh_l=bone:leg_L_1",
                                            "calf_l=bone:leg_L_2",    "foot_l=bone:leg_L_3",
                                            "upper_arm_r=bone:arm.R", "forearm_r=bone:arm.R.001"};
    EXPECT_EQ(region_lines(rig), expected);
}

TEST(RigSize, UnitsAreGuessedFromHeights) {
    EXPECT_EQ(guess_unit_of_person(1.8).unit, 1.0);
    EXPECT_EQ(guess_unit_of_person(175.0).unit, 0.01);
    EXPECT_EQ(guess_unit_of_person(1700.0).unit, 0.001);
    EXPECT_EQ(guess_unit_of_person(68.0).unit, 0.0254);
    EXPECT_NEAR(guess_unit_of_person(27.0).unit, 0.0564444, 1e-6);
    EXPECT_FALSE(guess_unit_of_person(1e6).sure);
    EXPECT_EQ(guess_unit_of_creature(1.5).unit, 1.0);
    EXPECT_EQ(guess_unit_of_creature(79.0).unit, 0.01);
    EXPECT_EQ(guess_unit_of_creature(9.15).unit, 0.01);
    EXPECT_EQ(guess_unit_of_creature(1800.0).unit, 0.001);
}

}  // namespace
}  // namespace limber
