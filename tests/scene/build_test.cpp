#include <limber/tools/scene.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace limber {
namespace {

using Kind = VertexSetSpec::Kind;

Scene box_scene() {
    Scene scene;
    scene.source = "box.json";
    BodySpec body;
    body.mesh.generator.counts = {2, 1, 1};
    body.mesh.generator.high = {2.0, 1.0, 1.0};
    body.materials.push_back({"*", Material{}});
    body.anchors.push_back({"wall", "left", {}});
    scene.bodies.push_back(body);
    return scene;
}

VertexSetSpec set_of(Kind kind, const std::string& name) {
    VertexSetSpec set;
    set.kind = kind;
    set.name = name;
    return set;
}

std::vector<SceneFault> faults_of(const Scene& scene) {
    try {
        make_body(scene);
    } catch (const SceneError& error) {
        return error.faults();
    }
    return {};
}

TEST(SceneMesh, UnitsBecomeMetresAndZUpIsTurnedToYUp) {
    // A sign error in the turn would mirror the body: its cells would be inside out, which Body would silently mend.
    Scene scene = box_scene();
    MeshSource& mesh = scene.bodies[0].mesh;
    mesh.unit = LengthUnit::in;
    mesh.up = UpAxis::z;
    mesh.generator.high = {2.0, 3.0, 5.0};
    const auto body = make_body(scene);
    Vec3 low = body->mesh().vertices[0], high = low;
    for (const Vec3& p : body->mesh().vertices) {
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    }
    EXPECT_NEAR(norm(low - Vec3{0.0, 0.0, -3 * 0.0254}), 0.0, 1e-15);
    EXPECT_NEAR(norm(high - Vec3{2 * 0.0254, 5 * 0.0254, 0.0}), 0.0, 1e-15);
    EXPECT_TRUE(body->findings().empty());
    EXPECT_NEAR(measure_of(body->mesh()), 30 * 0.0254 * 0.0254 * 0.0254, 1e-15);
}

TEST(SceneSets, EveryKindSelectsTheVerticesItNames) {
    Scene scene = box_scene();
    auto& sets = scene.bodies[0].sets;
    sets.push_back(set_of(Kind::box, "middle"));
    sets.back().low = {1.0, 0.0, 0.0};
    sets.back().high = {1.0, 1.0, 1.0};
    sets.push_back(set_of(Kind::ball, "corner"));
    sets.back().point = {2.0, 1.0, 1.0};
    sets.back().radius = 1.0;  // the neighbours are at exactly this distance
    sets.push_back(set_of(Kind::nearest, "tip"));
    sets.back().point = {1.9, 0.1, 0.2};
    sets.push_back(set_of(Kind::vertices, "listed"));
    sets.back().vertices = {3, 1, 3};
    sets.push_back(set_of(Kind::union_of, "joined"));
    sets.back().of = {"middle", "tip", "left"};
    const Mesh mesh = make_mesh(scene.bodies[0]);
    EXPECT_EQ(mesh.vertex_sets.at("middle").size(), 4u);
    EXPECT_EQ(mesh.vertex_sets.at("corner").size(), 4u);
    ASSERT_EQ(mesh.vertex_sets.at("tip").size(), 1u);
    EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(mesh.vertex_sets.at("tip")[0])], (Vec3{2.0, 0.0, 0.0}));
    EXPECT_EQ(mesh.vertex_sets.at("listed"), (IndexSet{1, 3}));
    EXPECT_EQ(mesh.vertex_sets.at("joined").size(), 9u);
    EXPECT_TRUE(std::is_sorted(mesh.vertex_sets.at("joined").begin(), mesh.vertex_sets.at("joined").end()));
}

TEST(SceneSets, NearestOfTwoEquallyNearVerticesIsTheLowerNumber) {
    Scene scene = box_scene();
    scene.bodies[0].sets.push_back(set_of(Kind::nearest, "tip"));
    scene.bodies[0].sets.back().point = {0.5, 0.5, 0.5};
    EXPECT_EQ(make_mesh(scene.bodies[0]).vertex_sets.at("tip"), (IndexSet{0}));
}

TEST(SceneBody, TellsEveryFaultAtOnceWithItsPlace) {
    Scene scene = box_scene();
    BodySpec& body = scene.bodies[0];
    body.anchors[0].set = "leftt";
    body.materials[0].material.poisson = 0.7;
    body.materials.push_back({"bone", Material{}});
    body.sets.push_back(set_of(Kind::box, "nowhere"));
    body.sets.back().low = body.sets.back().high = {9.0, 9.0, 9.0};
    body.sets.push_back(set_of(Kind::vertices, "listed"));
    body.sets.back().vertices = {0, 12};
    body.forces.push_back({"nowehre", {1.0, 0.0, 0.0}, false, {}});
    const std::vector<SceneFault> faults = faults_of(scene);
    std::vector<std::string> fields, suggestions;
    for (const SceneFault& f : faults) {
        fields.push_back(f.place.field);
        suggestions.push_back(f.suggestion);
        EXPECT_EQ(f.place.path, "box.json");
    }
    EXPECT_EQ(fields, (std::vector<std::string>{"/bodies/0/sets/0", "/bodies/0/sets/1/vertices/1",
                                                "/bodies/0/materials/0", "/bodies/0/materials/1/cells",
                                                "/bodies/0/anchors/0/set", "/bodies/0/forces/0/set"}));
    EXPECT_EQ(suggestions, (std::vector<std::string>{"", "", "", "", "left", "nowhere"}));
}

TEST(SceneBody, AMeshOfAbsurdSizeIsRefusedBeforeItIsMade) {
    // 10^12 cells would not fit into any memory: this test ends only because nothing is generated.
    Scene scene = box_scene();
    scene.bodies[0].mesh.generator.counts = {10000, 10000, 10000};
    const std::vector<SceneFault> faults = faults_of(scene);
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(faults[0].place.field, "/bodies/0/mesh/counts");
}

TEST(SceneBody, AHandleTurnsAboutTheMeanOfItsVerticesUnlessToldOtherwise) {
    Scene scene = box_scene();
    scene.bodies[0].handles.push_back({"grip", "right", {}, {}, {}, {}});
    EXPECT_EQ(make_body(scene)->handles()[0].pivot, (Vec3{2.0, 0.5, 0.5}));
    scene.bodies[0].handles[0].pivot = Vec3{1.0, 2.0, 3.0};
    EXPECT_EQ(make_body(scene)->handles()[0].pivot, (Vec3{1.0, 2.0, 3.0}));
}

TEST(SceneBody, AMeshFileThatWasNotReadIsAFaultAndNotAnEmptyBody) {
    Scene scene = box_scene();
    scene.bodies[0].mesh.path = "liver.msh";
    EXPECT_EQ(faults_of(scene).size(), 1u);
}

}  // namespace
}  // namespace limber
