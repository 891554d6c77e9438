#include <limber/tools/sim.hpp>

#include "sim/sim_scenes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

std::vector<Vec3> affine_field(const Body& body) {
    std::vector<Vec3> field;
    for (const Vec3& p : body.mesh().vertices) field.push_back({1.0 + 2.0 * p.x - p.y, 3.0 * p.z, p.x + p.y + p.z});
    return field;
}

TEST(Probes, FollowAnAffineFieldExactlyAnywhereInTheBody) {
    Scene scene = driven_box();
    scene.output.probes = {
        {"inside", 0, -1, {1.3, 0.2, 0.7}}, {"on a face", 0, -1, {1.0, 0.5, 1.0}}, {"vertex", 0, 3, {}}};
    const auto body = make_body(scene);
    const std::vector<Vec3> field = affine_field(*body);
    for (const Probe& probe : make_probes(scene, *body)) {
        const Vec3 p = probe.rest;
        const Vec3 expected{1.0 + 2.0 * p.x - p.y, 3.0 * p.z, p.x + p.y + p.z};
        EXPECT_NEAR(norm(probe.value(field) - expected), 0.0, 1e-12) << probe.name;
    }
}

TEST(Probes, APointAtAVertexIsThatVertexAlone) {
    Scene scene = driven_box();
    scene.output.probes = {{"corner", 0, -1, {2.0, 1.0, 1.0}}};
    const auto body = make_body(scene);
    const std::vector<Probe> probes = make_probes(scene, *body);
    ASSERT_EQ(probes[0].vertices.size(), 1u);
    EXPECT_EQ(body->mesh().vertices[static_cast<std::size_t>(probes[0].vertices[0])], (Vec3{2.0, 1.0, 1.0}));
}

TEST(Probes, OutsideTheBodyAndUnknownVerticesAreFaultsWithTheirPlace) {
    for (const ProbeSpec& spec : {ProbeSpec{"away", 0, -1, {5.0, 0.0, 0.0}}, ProbeSpec{"none", 0, 12, {}}}) {
        Scene scene = driven_box();
        scene.output.probes = {{"fine", 0, 0, {}}, spec};
        try {
            make_probes(scene, *make_body(scene));
            FAIL() << spec.name;
        } catch (const Error& error) {
            EXPECT_EQ(error.place().field, spec.vertex < 0 ? "/output/probes/1/point" : "/output/probes/1/vertex");
        }
    }
}

}  // namespace
}  // namespace limber
