// A world steps each body as if it were alone, keeps the last good state of one in trouble, and takes no memory while
// it runs.
#include "conformance/allocation_count.hpp"
#include "expect_error.hpp"

#include <limber/method.hpp>
#include <limber/world.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace limber {
namespace {

constexpr double kStep = 1.0 / 60.0;

std::shared_ptr<const Body> soft_bar(bool driven = false) {
    BodyDescription d;
    d.mesh = make_box(CellKind::tet4, 4, 2, 2, {0, 0, 0}, {0.4, 0.1, 0.1});
    d.materials = {{"", {"jelly", 2e4, 0.4, 1000.0, 0.5, 1e-3}}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    if (driven) d.handles = {{"skin", d.mesh.vertex_sets.at("right"), {}, {0.4, 0.05, 0.05}, true}};
    return Body::make(std::move(d));
}

std::shared_ptr<const Deformer> prepared(const std::string& method, const std::shared_ptr<const Body>& body) {
    const Method& m = require_method(method);
    OptionValues options;
    if (m.traits().fixed_step) options["step"] = kStep;
    Progress silent;
    return m.prepare(body, options, silent);
}

TEST(World, ABodyGivesTheBitsThatItGivesAlone) {
    // Scratch memory, order and obstacles of others must leave no trace.
    const std::vector<std::string> names{"linear_fem", "corotational", "neo_hookean", "modal", "clustered_fem"};
    const auto body = soft_bar();
    World all;
    all.set_gravity({0, -9.81, 0});
    for (const std::string& name : names) all.add(prepared(name, body));
    ASSERT_EQ(all.start(), Trouble::none);
    std::vector<World> alone(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        alone[i].set_gravity({0, -9.81, 0});
        alone[i].add(prepared(names[i], body));
        ASSERT_EQ(alone[i].start(), Trouble::none);
    }
    for (int step = 0; step < 12; ++step) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            const Vec3 push{0, 0, 0.01 * static_cast<double>(i) * step};
            all.inputs(i).force.back() = push;
            alone[i].inputs(0).force.back() = push;
            alone[i].step(kStep);
        }
        ASSERT_EQ(all.step(kStep), Trouble::none) << "step " << step;
        for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(all.state(i), alone[i].state(0)) << names[i];
    }
    EXPECT_NEAR(all.time(), 12 * kStep, 1e-12);
}

TEST(World, OneInTroubleKeepsItsLastGoodStateAndTheOthersGoOn) {
    const auto body = soft_bar();
    World world;
    const std::size_t bad = world.add(prepared("corotational", body)), good = world.add(prepared("linear_fem", body));
    world.set_gravity({0, -9.81, 0});
    ASSERT_EQ(world.step(kStep), Trouble::none);
    const State before = world.state(bad), other = world.state(good);
    world.inputs(bad).force.front().x = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(world.step(kStep), Trouble::bad_loads);
    EXPECT_EQ(world.report(bad).trouble, Trouble::bad_loads);
    EXPECT_EQ(world.report(good).trouble, Trouble::none);
    EXPECT_EQ(world.state(bad), before);
    EXPECT_NE(world.state(good), other);
    world.inputs(bad).force.front() = {};
    EXPECT_EQ(world.step(kStep), Trouble::none);
}

TEST(World, ObstaclesAreForMethodsThatCollide) {
    World world;
    world.add(prepared("linear_fem", soft_bar()));
    ASSERT_EQ(world.step(kStep), Trouble::none);
    world.add_obstacle({});
    EXPECT_EQ(world.step(kStep), Trouble::bad_loads);
}

TEST(World, DrivenVerticesRestUntilTheyAreMoved) {
    World world;
    const auto body = soft_bar(true);
    world.add(prepared("corotational", body));
    ASSERT_EQ(world.inputs(0).vertices.size(), body->driven_vertices().size());
    ASSERT_EQ(world.step(kStep), Trouble::none);
    for (std::size_t v = 0; v < body->vertex_count(); ++v)
        EXPECT_EQ(world.positions(0)[v], body->mesh().vertices[v]) << v;
    for (VertexTarget& target : world.inputs(0).vertices) target.position.y += 0.01;
    ASSERT_EQ(world.step(kStep), Trouble::none);
    for (const std::int32_t v : body->driven_vertices()) {
        const auto i = static_cast<std::size_t>(v);
        EXPECT_NEAR(world.positions(0)[i].y, body->mesh().vertices[i].y + 0.01, 1e-15);
    }
}

TEST(World, TakesNoMemoryAfterItsFirstStep) {
    if (!conformance::allocations_are_counted()) GTEST_SKIP() << "allocations are not counted here";
    World world;
    for (const char* name : {"linear_fem", "corotational", "neo_hookean", "modal"})
        world.add(prepared(name, soft_bar()));
    world.set_gravity({0, -9.81, 0});
    world.start();
    world.step(kStep);
    std::vector<Vec3> out(world.deformer(0).body().vertex_count());
    const std::uint64_t before = conformance::allocation_count();
    for (int i = 0; i < 20; ++i) {
        world.inputs(1).force.back().y = 0.01 * i;
        world.step(kStep);
        for (std::size_t body = 0; body < world.body_count(); ++body) world.positions(body, out);
    }
    EXPECT_EQ(conformance::allocation_count(), before);
}

TEST(World, AStateIsSetBackAndAStrangersIsRefused) {
    World world;
    world.add(prepared("corotational", soft_bar()));
    world.set_gravity({0, -9.81, 0});
    world.step(kStep);
    const State saved = world.state(0);
    world.step(kStep);
    const State later = world.state(0);
    ASSERT_TRUE(world.set_state(0, saved));
    world.step(kStep);
    EXPECT_EQ(world.state(0), later);
    State foreign = saved;
    foreign.reals.pop_back();
    EXPECT_FALSE(world.set_state(0, foreign));
    EXPECT_EQ(world.state(0), later);
}

TEST(World, NoDeformerIsRefused) {
    World world;
    expect_error(Fault::bad_usage, "", [&] { world.add(nullptr); });
}

}  // namespace
}  // namespace limber
