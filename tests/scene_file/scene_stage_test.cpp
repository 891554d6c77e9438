// Obstacles, places, motions and static problems as scenes.
#include "scene_file/scene_texts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace limber::testing_io {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

const std::string kStage = R"({
  "format": 1,
  "bodies": [{
    "mesh": {"shape": "disc", "kind": "tri3", "counts": [16], "radius": 0.5},
    "place": {"position": [0, 2], "rotation": [0, 0, 90]},
    "motion": {"velocity": [1, 0], "spin": [0, 0, 180]},
    "materials": [{"preset": "jelly"}]
  }],
  "obstacles": [
    {"name": "floor", "shape": "plane", "point": [0, -1], "normal": [0, 3]},
    {"name": "ramp", "shape": "plane", "normal": [-1, 1]},
    {"name": "bin", "shape": "box", "size": [4, 6], "centre": [0, 2], "rotation": [0, 0, 30], "inside": true},
    {"shape": "ball", "centre": [1, 1], "radius": 0.25},
    {"name": "bar", "shape": "capsule", "ends": [[0, 0], [2, 0]], "radius": 0.1, "pivot": [0, 0], "interpolation": "smooth",
     "keyframes": [{"t": 0}, {"t": 1, "translation": [1, 0], "rotation": [0, 0, 90]}]}
  ],
  "method": {"name": "linear_fem"},
  "step": 0.01,
  "duration": 1
})";

TEST(SceneStage, ObstaclesMeanWhatTheirWordsSay) {
    const Scene scene = parse_scene(kStage, "stage.json");
    ASSERT_EQ(scene.obstacles.size(), 5u);
    const Vec3 up{0, 1, 0};
    const Obstacle &floor = scene.obstacles[0].start, &ramp = scene.obstacles[1].start, &bin = scene.obstacles[2].start,
                   &ball = scene.obstacles[3].start, &bar = scene.obstacles[4].start;
    EXPECT_EQ(floor.position, (Vec3{0, -1, 0}));
    EXPECT_LT(norm(to_matrix(floor.rotation) * up - up), 1e-15);
    EXPECT_LT(norm(to_matrix(ramp.rotation) * up - Vec3{-1, 1, 0} / std::sqrt(2.0)), 1e-15);
    EXPECT_EQ(floor.shape, ObstacleShape(PlaneShape{}));
    EXPECT_EQ(ramp.shape, ObstacleShape(PlaneShape{}));
    EXPECT_EQ(ramp.rotation.x, 0.0);  // a planar normal must not turn the plane out of the plane
    // Whole sides are typed, half sides are kept.
    EXPECT_EQ(bin.shape, ObstacleShape(BoxShape{{2, 3, 0}, true}));
    EXPECT_LT(norm(to_matrix(bin.rotation) * up - Vec3{-0.5, std::cos(30 * kDegree), 0}), 1e-15);
    EXPECT_EQ(scene.obstacles[3].name, "ball");
    EXPECT_EQ(ball.shape, ObstacleShape(BallShape{0.25}));
    EXPECT_EQ(bar.position, (Vec3{1, 0, 0}));
    EXPECT_EQ(bar.shape, ObstacleShape(CapsuleShape{0.1, 1.0}));
    EXPECT_LT(norm(to_matrix(bar.rotation) * up - Vec3{1, 0, 0}), 1e-15);
    EXPECT_EQ(scene.obstacles[4].keys[1].rotation.z, 90 * kDegree);
    EXPECT_EQ(scene.obstacles[4].interpolation, Interpolation::smooth);
}

TEST(SceneStage, TheHashIsThatOfOlderVersions) {
    // As version 0.1.0 said it, whose recordings carry it: however obstacles and options are held in memory.
    const std::string bem = R"({"name": "bem", "options": {"passes": 4, "friction": 0.25, "vibration": "off"}})";
    EXPECT_EQ(hash(parse_scene(with(kStage, R"({"name": "linear_fem"})", bem), "stage.json")), 0x96ebacd0e64fdf6eu);
}

TEST(SceneStage, APlaneFacesItsNormalInEveryDirectionOfSpace) {
    // The shortest turn from +y has no axis for -y, and divides by nothing near it.
    for (const Vec3& n :
         {Vec3{0, -1, 0}, Vec3{1, 2, 3}, Vec3{0, 0, -1}, Vec3{1e-9, -1, 1e-9}, Vec3{0, -1, 1e-12}, Vec3{-1, 0, 0}}) {
        const std::string text = with(kStage, "\"normal\": [0, 3]",
                                      "\"normal\": [" + std::to_string(n.x) + ", " + std::to_string(n.y) + ", " +
                                          (n.z == 1e-12 ? "1e-12" : std::to_string(n.z)) + "]");
        const Vec3 facing = to_matrix(parse_scene(text, "stage.json").obstacles[0].start.rotation) * Vec3{0, 1, 0};
        EXPECT_LT(norm(facing - n / norm(n)), 1e-6) << n.x << " " << n.y << " " << n.z;
        EXPECT_NEAR(norm(facing), 1.0, 1e-12);
    }
}

TEST(SceneStage, APlacedBodyIsTurnedThenMovedAndItsSetsGoWithIt) {
    const Scene scene = parse_scene(kStage, "stage.json");
    const Mesh placed = make_mesh(scene.bodies[0]);
    BodySpec unplaced = scene.bodies[0];
    unplaced.place = {};
    const Mesh plain = make_mesh(unplaced);
    for (std::size_t v = 0; v < plain.vertices.size(); ++v)
        EXPECT_LT(norm(placed.vertices[v] - Vec3{-plain.vertices[v].y, 2 + plain.vertices[v].x, 0}), 1e-15);
    EXPECT_EQ(placed.vertex_sets.at("rim").size(), 16u);
    EXPECT_EQ(scene.bodies[0].motion.spin.z, std::numbers::pi);
    // Sets speak of the body as placed.
    const std::string no_obstacles = kStage.substr(0, kStage.find("\"obstacles\"")) +
                                     kStage.substr(kStage.find("\"method\""));
    const SceneCheck low = check_text(with(with(no_obstacles, "\"materials\"",
                                                "\"sets\": [{\"name\": \"low\", \"box\": [[-1, 1], [1, 1.6]]}], "
                                                "\"anchors\": [{\"set\": \"low\"}], \"materials\""),
                                           "jelly", "rubber"));
    EXPECT_TRUE(low.ok()) << all_lines(low.faults);
}

TEST(SceneStage, MethodsThatDoNotCollideRefuseObstacles) {
    const SceneCheck check = check_text(kStage);
    ASSERT_EQ(fields_of(check.faults), std::vector<std::string>{"/obstacles"}) << all_lines(check.faults);
    EXPECT_NE(all_lines(check.faults).find("linear_fem"), std::string::npos);
}

// A body that starts inside an obstacle is thrown out of it; who forgot its place should hear of it before it flies.
TEST(SceneStage, WhatStartsInsideAnObstacleIsWarnedOf) {
    const auto warned = [](const std::string& text) {
        const SceneCheck check = check_text(with(text, "linear_fem", "bem"));
        EXPECT_TRUE(check.ok()) << all_lines(check.faults);
        return all_lines(check.warnings);
    };
    const std::string alone = with(with(kStage, "{\"name\": \"ramp\", \"shape\": \"plane\", \"normal\": [-1, 1]},", ""),
                                   "\"centre\": [1, 1], \"radius\": 0.25", "\"centre\": [1, 4], \"radius\": 0.25");
    EXPECT_EQ(warned(alone), "");
    const std::string half = warned(with(alone, "\"position\": [0, 2]", "\"position\": [0, -0.9]"));
    EXPECT_NE(half.find("#/obstacles/0: "), std::string::npos) << half;
    EXPECT_NE(half.find("obstacle \"floor\", up to 0.4 m deep: it is thrown to where it may be"), std::string::npos)
        << half;
    const std::string outside = warned(
        with(alone, "\"position\": [0, 2]", "\"position\": [9, 2]"));  // of the box it should be kept in
    EXPECT_NE(outside.find("all vertices of the body start outside \"bin\", which keeps bodies in"), std::string::npos)
        << outside;
    EXPECT_EQ(warned(with(alone, "\"position\": [0, 2]", "\"position\": [0, -0.499]")).find("floor"),
              std::string::npos);  // as deep as it would lie
}

class OneStageFault : public testing::TestWithParam<Slip> {};

TEST_P(OneStageFault, IsToldOnceWithPlaceFoundAndExpected) {
    const Slip& p = GetParam();
    const SceneCheck check = check_text(with(kStage, p.from, p.to));
    // What is told of the method is told of the sound scene too.
    std::vector<SceneFault> faults;
    for (const SceneFault& f : check.faults)
        if (f.place.field != "/obstacles") faults.push_back(f);
    ASSERT_EQ(faults.size(), 1u) << all_lines(faults);
    const std::string line = to_string(faults[0]);
    EXPECT_EQ(faults[0].place.field, p.field) << line;
    EXPECT_NE(line.find(p.found), std::string::npos) << line;
    EXPECT_NE(line.find(p.expected), std::string::npos) << line;
}

INSTANTIATE_TEST_SUITE_P(
    Scene, OneStageFault,
    testing::Values(
        Slip{"\"shape\": \"plane\", \"point\"", "\"shape\": \"plan\", \"point\"", "/obstacles/0/shape", "\"plan\"",
             "did you mean \"plane\"?"},
        Slip{"\"shape\": \"plane\", \"point\"", "\"point\"", "/obstacles/0/shape", "missing", "\"capsule\""},
        Slip{"\"normal\": [0, 3]", "\"normal\": [0, 0]", "/obstacles/0/normal", "no direction", "[0, 1, 0]"},
        Slip{"\"normal\": [0, 3]", "\"normal\": [0, 3], \"radius\": 1", "/obstacles/0/radius", "not used by \"plane\"",
             "ball, capsule"},
        Slip{"\"normal\": [0, 3]", "\"normal\": [0, 3, 1]", "/obstacles/0", "leaves the plane", "turns about z"},
        Slip{"\"size\": [4, 6], ", "", "/obstacles/2/size", "missing", "[x, y, z]"},
        Slip{"\"size\": [4, 6]", "\"size\": [4, 0]", "/obstacles/2/size", "[4, 0]", "above 0"},
        Slip{"\"inside\": true", "\"inside\": \"yes\"", "/obstacles/2/inside", "yes", "true or false"},
        Slip{"\"rotation\": [0, 0, 30]", "\"rotation\": [30, 0, 0]", "/obstacles/2", "leaves the plane",
             "turns about z"},
        Slip{", \"radius\": 0.25", "", "/obstacles/3/radius", "missing", "above 0"},
        Slip{"\"radius\": 0.25", "\"radius\": -1", "/obstacles/3/radius", "-1", "above 0"},
        Slip{"[[0, 0], [2, 0]]", "[[0, 0]]", "/obstacles/4/ends", "[a list of 2]", "two points"},
        Slip{"\"t\": 1", "\"t\": 0", "/obstacles/4/keyframes/1/t", "0 s after 0 s", "ascending"},
        Slip{"\"rotation\": [0, 0, 90]}]", "\"rotation\": [9, 0, 0]}]", "/obstacles/4", "leaves the plane",
             "turns about z"},
        Slip{"\"name\": \"ramp\"", "\"name\": \"floor\"", "/obstacles/1/name", "names an earlier one too",
             "a name of its own"},
        Slip{"[0, 2], \"rotation\": [0, 0, 90]", "[0, 2, 1]", "/bodies/0/place", "out of the plane", "about z"},
        Slip{"\"velocity\": [1, 0]", "\"velocity\": [1, 0, 2]", "/bodies/0/motion", "out of the plane", "about z"},
        Slip{"\"spin\": [0, 0, 180]", "\"spin\": 180", "/bodies/0/motion/spin", "180", "[degree/s]"},
        Slip{"\"counts\": [16]", "\"counts\": [10]", "/bodies/0/mesh", "around = 10", "multiple of 4"},
        Slip{"\"counts\": [16]", "\"counts\": [16, 3]", "/bodies/0/mesh/counts", "[16, 3]", "1 of them for a disc"},
        Slip{"\"kind\": \"tri3\"", "\"kind\": \"tet4\"", "/bodies/0/mesh", "tet4", "tri3 or quad4"},
        Slip{"\"materials\"", "\"conditions\": [{\"set\": \"rim\", \"pressure\": 1}], \"materials\"",
             "/bodies/0/conditions", "without \"static\"", "\"static\": {}"},
        Slip{"\"step\": 0.01,", "", "/step", "missing", "[s]"}),
    [](const auto& one) { return one.param.name(); });

const std::string kStatic = R"({
  "format": 1,
  "bodies": [{
    "mesh": {"shape": "ring", "kind": "quad4", "counts": [16, 2], "inner_radius": 1, "radius": 2},
    "motion": {"spin": [0, 0, 10]},
    "materials": [{"young": 2e11, "poisson": 0.3, "density": 7800}],
    "conditions": [{"set": "inner", "pressure": 1e6}, {"name": "wall", "set": "outer", "displacement": [0.001, null], "traction": [0, 5]}]
  }],
  "static": {"elements": "constant"},
  "output": {"probes": [{"name": "p", "point": [1.5, 0]}]}
})";

TEST(SceneStage, AStaticProblemNeedsNoMethodStepOrDuration) {
    const SceneCheck check = check_text(kStatic);
    ASSERT_TRUE(check.ok()) << all_lines(check.faults);
    const Scene& scene = *check.scene;
    ASSERT_TRUE(scene.statics);
    EXPECT_EQ(scene.statics->elements, StaticSpec::Elements::constant);
    EXPECT_EQ(scene.statics->method, StaticSpec::Method::bem);
    const std::vector<ConditionSpec>& c = scene.bodies[0].conditions;
    ASSERT_EQ(c.size(), 2u);
    EXPECT_EQ(c[0].name, "inner");
    EXPECT_EQ(c[0].pressure, 1e6);
    EXPECT_EQ(c[1].displacement[0], 0.001);
    EXPECT_FALSE(c[1].displacement[1] || c[1].displacement[2]);
    EXPECT_EQ(c[1].traction, (Vec3{0, 5, 0}));
}

class OneStaticFault : public testing::TestWithParam<Slip> {};

TEST_P(OneStaticFault, IsToldOnceWithPlaceFoundAndExpected) {
    const Slip& p = GetParam();
    const SceneCheck check = check_text(with(kStatic, p.from, p.to));
    ASSERT_EQ(check.faults.size(), 1u) << all_lines(check.faults);
    const std::string line = to_string(check.faults[0]);
    EXPECT_EQ(check.faults[0].place.field, p.field) << line;
    EXPECT_NE(line.find(p.found), std::string::npos) << line;
    EXPECT_NE(line.find(p.expected), std::string::npos) << line;
}

INSTANTIATE_TEST_SUITE_P(
    Scene, OneStaticFault,
    testing::Values(
        Slip{"\"set\": \"inner\"", "\"set\": \"iner\"", "/bodies/0/conditions/0/set", "iner",
             "did you mean \"inner\"?"},
        Slip{"\"pressure\": 1e6", "\"pressure\": \"high\"", "/bodies/0/conditions/0/pressure", "high", "[Pa]"},
        Slip{", \"pressure\": 1e6", "", "/bodies/0/conditions/0", "too little",
             "displacement, or traction, or pressure"},
        Slip{"[0.001, null], \"traction\": [0, 5]", "[null, null]", "/bodies/0/conditions/1/displacement",
             "no component is held", "at least one number"},
        Slip{"[0.001, null]", "[0.001, \"free\"]", "/bodies/0/conditions/1/displacement", "free",
             "each null (free) or a number"},
        Slip{"[0.001, null]", "null", "/bodies/0/conditions/1/displacement", "null", "each null (free) or a number"},
        Slip{"\"elements\": \"constant\"", "\"elements\": \"constant\", \"method\": \"linear_fem\"", "/static/elements",
             "constant elements", "planar bodies and the method bem"},
        Slip{"\"elements\": \"constant\"", "\"elements\": \"quadratic\"", "/static/elements", "quadratic",
             "\"constant\""},
        Slip{"\"static\"", "\"step\": 1, \"static\"", "/static", "given together with \"step\"", "one of the two"},
        Slip{"\"materials\"", "\"anchors\": [{\"set\": \"outer\"}], \"materials\"", "/bodies/0/anchors",
             "does not use them", "conditions with a displacement"},
        Slip{"\"spin\": [0, 0, 10]", "\"velocity\": [1, 0]", "/bodies/0/motion/velocity", "does not use them",
             "only a spin"},
        Slip{"\"inner_radius\": 1", "\"inner_radius\": 3", "/bodies/0/mesh", "inner_radius = 3", "less than radius"},
        Slip{"[1.5, 0]", "[0.5, 0]", "/output/probes/0/point", "outside the body", ""}),
    [](const auto& one) { return one.param.name(); });

}  // namespace
}  // namespace limber::testing_io
