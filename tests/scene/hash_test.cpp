#include <limber/tools/scene.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace limber {
namespace {

Scene rich_scene() {
    Scene scene;
    BodySpec body;
    body.materials.push_back({"*", Material{}});
    body.sets.push_back({"tip", VertexSetSpec::Kind::nearest, {}, {}, {1.0, 1.0, 1.0}, 0.0, {}, {}});
    body.anchors.push_back({"wall", "left", {}});
    body.handles.push_back(
        {"grip", "right", {}, {}, {{0.0, {}, {}}, {1.0, {0.1, 0.0, 0.0}, {}}}, Interpolation::linear});
    body.conditions.push_back({"held", "left", {0.0, std::nullopt, std::nullopt}, {}, 0.0});
    scene.obstacles.push_back({"floor", {}, {}, {{0.0, {}, {}}}, Interpolation::linear});
    body.forces.push_back({"tip", {0.0, 1.0, 0.0}, false, {{{0.0, 1.0}, {1.0, 2.0}}, Interpolation::linear}});
    scene.bodies.push_back(body);
    return scene;
}

TEST(SceneHash, ChangesWithEverythingTheResultDependsOn) {
    // A field left out of the hash would let a stale recording pass for this scene's.
    const std::vector<std::function<void(Scene&)>> changes = {
        [](Scene& s) { s.step = 0.1; },
        [](Scene& s) { s.duration = 2.0; },
        [](Scene& s) { s.output.every = 2; },
        [](Scene& s) { s.gravity.vector.y = -1.0; },
        [](Scene& s) {
            s.gravity.scale.keys.push_back({1.0, 0.5});
        },
        [](Scene& s) { s.method.name = "other"; },
        [](Scene& s) { s.method.options["scheme"] = std::string("bdf2"); },
        [](Scene& s) { s.method.options["scheme"] = true; },
        [](Scene& s) { s.bodies[0].plane = Plane::stress; },
        [](Scene& s) { s.bodies[0].thickness = 0.5; },
        [](Scene& s) { s.bodies[0].mesh.unit = LengthUnit::mm; },
        [](Scene& s) { s.bodies[0].mesh.up = UpAxis::z; },
        [](Scene& s) { s.bodies[0].mesh.generator.counts[1] = 2; },
        [](Scene& s) { s.bodies[0].mesh.generator.end_radius = 0.1; },
        [](Scene& s) { s.bodies[0].mesh.generator.kind = CellKind::tet4; },
        [](Scene& s) { s.bodies[0].materials[0].material.rayleigh_beta = 0.1; },
        [](Scene& s) { s.bodies[0].sets[0].point.z = 0.5; },
        [](Scene& s) { s.bodies[0].anchors[0].axes.y = false; },
        [](Scene& s) { s.bodies[0].handles[0].keys[1].rotation.x = 0.1; },
        [](Scene& s) { s.bodies[0].handles[0].interpolation = Interpolation::smooth; },
        [](Scene& s) { s.bodies[0].handles[0].pivot = Vec3{}; },
        [](Scene& s) { s.bodies[0].forces[0].total = true; },
        [](Scene& s) { s.bodies[0].forces[0].scale.keys[1].scale = 3.0; },
        [](Scene& s) { s.bodies[0].place.position.x = 1.0; },
        [](Scene& s) { s.bodies[0].place.rotation.x = 1.0; },
        [](Scene& s) { s.bodies[0].motion.velocity.x = 1.0; },
        [](Scene& s) { s.bodies[0].motion.spin.x = 1.0; },
        [](Scene& s) { s.bodies[0].mesh.generator.shape = MeshGenerator::Shape::shell; },
        [](Scene& s) {
            s.bodies[0].mesh.generator.shape = MeshGenerator::Shape::shell;
            s.bodies[0].mesh.generator.inner_radius = 0.1;
        },
        [](Scene& s) {
            s.bodies[0].mesh.generator.shape = MeshGenerator::Shape::shell;
            s.bodies[0].mesh.generator.radii.y = 0.1;
        },
        [](Scene& s) { s.bodies[0].conditions[0].displacement[0] = 1.0; },
        [](Scene& s) { s.bodies[0].conditions[0].displacement[1] = 0.0; },
        [](Scene& s) { s.bodies[0].conditions[0].traction.y = 1.0; },
        [](Scene& s) { s.bodies[0].conditions[0].pressure = 1.0; },
        [](Scene& s) { s.bodies[0].conditions[0].set = "right"; },
        [](Scene& s) {
            s.obstacles[0].start.shape = BoxShape{{1.0, 0.0, 0.0}};
        },
        [](Scene& s) {
            s.obstacles[0].start.shape = BoxShape{{1.0, 0.0, 0.0}, true};
        },
        [](Scene& s) { s.obstacles[0].start.shape = BallShape{1.0}; },
        [](Scene& s) {
            s.obstacles[0].start.shape = CapsuleShape{1.0, 0.0};
        },
        [](Scene& s) {
            s.obstacles[0].start.shape = CapsuleShape{1.0, 1.0};
        },
        [](Scene& s) { s.obstacles[0].start.position.x = 1.0; },
        [](Scene& s) { s.obstacles[0].start.rotation.z = 1.0; },
        [](Scene& s) { s.obstacles[0].pivot = Vec3{}; },
        [](Scene& s) { s.obstacles[0].keys[0].translation.x = 1.0; },
        [](Scene& s) { s.obstacles[0].interpolation = Interpolation::smooth; },
        [](Scene& s) { s.statics.emplace(); },
        [](Scene& s) { s.statics.emplace().elements = StaticSpec::Elements::constant; },
        [](Scene& s) { s.statics.emplace().method = StaticSpec::Method::linear_fem; },
    };
    std::set<std::uint64_t> seen{hash(rich_scene())};
    for (std::size_t i = 0; i < changes.size(); ++i) {
        Scene scene = rich_scene();
        changes[i](scene);
        EXPECT_TRUE(seen.insert(hash(scene)).second) << "change " << i;
    }
}

TEST(SceneHash, IntegersAndRealsOfOneValueAreAlike) {
    Scene whole = rich_scene(), real = rich_scene(), other = rich_scene();
    whole.method.options["max_live"] = 4;
    real.method.options["max_live"] = 4.0;
    other.method.options["max_live"] = 5;
    EXPECT_EQ(hash(whole), hash(real));
    EXPECT_NE(hash(whole), hash(other));
    // What no method takes is still another scene.
    whole.method.options["max_live"] = (std::int64_t{1} << 53) + 1;
    real.method.options["max_live"] = 0x1p53;
    EXPECT_NE(hash(whole), hash(real));
}

TEST(SceneHash, IgnoresWordsForPeopleAndWhereTheFileLies) {
    Scene scene = rich_scene();
    scene.name = "another";
    scene.about = "words";
    scene.source = "elsewhere.json";
    EXPECT_EQ(hash(scene), hash(rich_scene()));
}

TEST(SceneHash, OfAMeshFileFollowsWhatItHoldsAndNotWhatItIsCalled) {
    Scene a = rich_scene(), b = rich_scene(), c = rich_scene();
    Mesh mesh = make_box(CellKind::hex8, 1, 1, 1, {}, {1.0, 1.0, 1.0});
    a.bodies[0].mesh.path = "a.msh";
    b.bodies[0].mesh.path = "b.msh";
    c.bodies[0].mesh.path = "a.msh";
    a.bodies[0].mesh.loaded = b.bodies[0].mesh.loaded = std::make_shared<const Mesh>(mesh);
    mesh.vertices[0].x = 0.1;
    c.bodies[0].mesh.loaded = std::make_shared<const Mesh>(mesh);
    EXPECT_EQ(hash(a), hash(b));
    EXPECT_NE(hash(a), hash(c));
}

}  // namespace
}  // namespace limber
