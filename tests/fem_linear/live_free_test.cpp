// Live point constraints of free bodies of small strain, which ride floating axes: their forces move the body as a
// whole, turn it and deform it.
#include "methods/linear_fem_fixtures.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace test;

// Stiffness damping only: what a rigid motion does is not braked.
const Material kFirm{"firm", 2e6, 0.3, 1000.0, 0.0, 0.004};
// The same without an echo: a body held at one point rings about it for a second.
const Material kDead{"dead", 2e6, 0.3, 1000.0, 0.0, 0.03};

struct Case {
    std::string method, scheme;
    double step;
    bool any_step() const { return method == "clustered_fem"; }
    OptionValues options() const {
        OptionValues o{{"scheme", scheme}};
        if (!any_step()) o["step"] = step;
        return o;
    }
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.method << " " << c.scheme; }

// A step at a time, whichever step the method was prepared for.
struct FreeSim : Sim {
    explicit FreeSim(const Case& c, const std::shared_ptr<const Body>& body)
        : Sim(body, c.options(), c.method.c_str()), dt(c.step) {}
    StepReport go(const Loads& loads) { return last = deformer->step(state, loads, dt, scratch); }
    Vec3 pull(int slot = 0) const { return deformer->reaction(state, {SupportRef::Kind::live, slot}).force; }
    Vec3 at(std::int32_t vertex) const {
        return deformer->body().mesh().vertices[static_cast<std::size_t>(vertex)] +
               u()[static_cast<std::size_t>(vertex)];
    }
    double dt;
};

PointConstraint pin(const Body& body, std::int32_t v) {
    PointConstraint c;
    c.kind = PointConstraint::Kind::hard;
    c.vertex_count = 1;
    c.vertices[0] = v;
    c.weights[0] = 1.0;
    c.target = body.mesh().vertices[static_cast<std::size_t>(v)];
    return c;
}

class LiveFree : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Schemes, LiveFree,
                         testing::Values(Case{"linear_fem", "newmark_implicit", 0.004},
                                         Case{"linear_fem", "backward_euler", 0.004}, Case{"linear_fem", "bdf2", 0.004},
                                         Case{"linear_fem", "implicit_midpoint", 0.004},
                                         Case{"linear_fem", "symplectic_euler", 0.004},
                                         Case{"clustered_fem", "newmark_implicit", 0.004},
                                         Case{"clustered_fem", "symplectic_euler", 0.004}),
                         [](const auto& one) { return one.param.method + "_" + one.param.scheme; });

TEST_P(LiveFree, AHardPointIsWhereItsTargetIsAtEveryStep) {
    // The body falls, spins and is dragged by a corner: the corner's path is the target's to rounding.
    const auto body = bar(CellKind::hex8, 1, kFirm, false);
    FreeSim sim(GetParam(), body);
    std::vector<Vec3> rest(body->vertex_count()), spin;
    for (const Vec3& x : body->mesh().vertices) spin.push_back(cross({0.3, -0.4, 2.0}, x - Vec3{1, 0.5, 0.5}));
    ASSERT_TRUE(sim.deformer->set_motion(sim.state, rest, spin));
    PointConstraint c = pin(*body, body->mesh().vertex_sets.at("right").back());
    const Vec3 start = c.target;
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    loads.live = {&c, 1};
    for (int i = 1; i <= 250; ++i) {
        const double t = i * sim.dt;
        c.target = start + Vec3{0.2 * std::sin(3 * t), -0.1 * t, 0.1 * t * t};
        c.velocity = {0.6 * std::cos(3 * t), -0.1, 0.2 * t};
        ASSERT_EQ(sim.go(loads).trouble, Trouble::none) << "step " << i;
        ASSERT_LT(norm(sim.at(c.vertices[0]) - c.target), 1e-9) << "step " << i;
    }
}

TEST_P(LiveFree, ABodyHungOnAPointComesToRestBelowItAndWeighsWhatItWeighs) {
    // Air that brakes the swing too.
    Material m = kFirm;
    m.rayleigh_alpha = 4.0;
    const auto body = bar(CellKind::hex8, 1, m, false);
    FreeSim sim(GetParam(), body);
    const PointConstraint c = pin(*body, body->mesh().vertex_sets.at("right").back());
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    loads.live = {&c, 1};
    for (int i = 0; i < 4000; ++i) ASSERT_EQ(sim.go(loads).trouble, Trouble::none);
    EXPECT_NEAR(sim.pull().y / (2000.0 * 9.81), 1.0, 2e-3);
    EXPECT_LT(std::hypot(sim.pull().x, sim.pull().z), 2e-3 * 2000.0 * 9.81);
    Vec3 centre;  // of the corners, which is the bar's middle
    for (std::size_t v = 0; v < body->vertex_count(); ++v)
        centre += sim.at(static_cast<std::int32_t>(v)) / static_cast<double>(body->vertex_count());
    const Vec3 arm = centre - c.target;
    EXPECT_LT(std::hypot(arm.x, arm.z), 5e-3);
    EXPECT_LT(arm.y, -1.0);
}

TEST_P(LiveFree, WhatAcceleratesABodyIsItsMassTimesTheAcceleration) {
    // A wrong share between the axes and the deformation shows here as a force that is off by the share.
    const auto body = bar(CellKind::hex8, 2, kDead, false);
    FreeSim sim(GetParam(), body);
    PointConstraint c;  // the middle, so that nothing turns
    c.kind = PointConstraint::Kind::hard;
    c.vertex_count = 1;
    for (std::size_t v = 0; v < body->vertex_count(); ++v)
        if (norm(body->mesh().vertices[v] - Vec3{1, 0.5, 0.5}) < 1e-9) c.vertices[0] = static_cast<std::int32_t>(v);
    c.weights[0] = 1.0;
    const Vec3 start = body->mesh().vertices[static_cast<std::size_t>(c.vertices[0])];
    Loads loads;
    loads.live = {&c, 1};
    for (int i = 1; i <= 400; ++i) {
        const double t = i * sim.dt;
        c.target = start + Vec3{0, t * t / 2, 0};
        c.velocity = {0, t, 0};
        ASSERT_EQ(sim.go(loads).trouble, Trouble::none);
    }
    EXPECT_NEAR(sim.pull().y, 2000.0, 20.0);
    EXPECT_LT(std::hypot(sim.pull().x, sim.pull().z), 1.0);
}

TEST_P(LiveFree, ItsStiffnessIsTheSlopeOfItsForce) {
    const auto body = bar(CellKind::hex8, 1, kFirm, false);
    FreeSim sim(GetParam(), body);
    PointConstraint c = pin(*body, body->mesh().vertex_sets.at("right").back());
    const Vec3 start = c.target;
    Loads loads;
    loads.gravity = {0, -1, 0};
    loads.live = {&c, 1};
    for (int i = 0; i < 20; ++i) sim.go(loads);
    const State before = sim.state;
    sim.go(loads);
    if (sim.last.sub_steps > 1) GTEST_SKIP() << "sub-steps: a target acts on all of them";
    Mat3 k;
    ASSERT_TRUE(sim.deformer->tangent_stiffness(sim.state, {SupportRef::Kind::live, 0}, k));
    const double e = 1e-6;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 force[2];
        for (const int side : {0, 1}) {
            sim.state = before;
            c.target = start;
            c.target[axis] += side == 0 ? e : -e;
            sim.go(loads);
            force[side] = sim.pull();
        }
        const Vec3 slope = (force[0] - force[1]) / (2 * e);
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(k(i, axis), slope[i], 2e-3 * std::abs(k(axis, axis))) << i << axis;
    }
}

TEST(LiveFree, AStiffBodySwingsAsItDoesUnderLargeStrain) {
    // Another method, another formulation: no axes there.
    Material m = kFirm;
    m.young = 2e7;
    const auto body = bar(CellKind::hex8, 1, m, false);
    const double dt = 0.002;
    Sim small(body, {{"step", dt}}), large(body, {}, "corotational");
    const PointConstraint c = pin(*body, body->mesh().vertex_sets.at("right").back());
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    loads.live = {&c, 1};
    double most = 0.0;
    for (int i = 0; i < 500; ++i) {
        ASSERT_EQ(small.deformer->step(small.state, loads, dt, small.scratch).trouble, Trouble::none);
        ASSERT_EQ(large.deformer->step(large.state, loads, dt, large.scratch).trouble, Trouble::none);
        most = std::max(most, distance(small.u(), large.u()));
    }
    EXPECT_GT(norm(small.u()[0]), 0.5);  // it has swung
    EXPECT_LT(most, 0.03);
}

TEST(LiveFree, APendulumIsOfSecondOrderInTheStep) {
    // With the arm of the step's end in the torque of a force that acts all through it, this was of first order and
    // lost a quarter of its energy within a swing.
    Material m = kFirm;
    m.young = 1e8;
    const auto body = bar(CellKind::hex8, 1, m, false);
    const PointConstraint c = pin(*body, body->mesh().vertex_sets.at("right").back());
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    loads.live = {&c, 1};
    const auto end_of = [&](int steps) {
        Sim sim(body, {{"step", 1.0 / steps}});
        for (int i = 0; i < steps; ++i) EXPECT_EQ(sim.step(loads).trouble, Trouble::none);
        return sim.u()[0];
    };
    const Vec3 a = end_of(100), b = end_of(200), d = end_of(400);
    EXPECT_GT(norm(a), 1.0);
    EXPECT_NEAR(std::log2(norm(a - b) / norm(b - d)), 2.0, 0.5);
    EXPECT_LT(norm(b - d), 1e-3);
}

TEST(LiveFree, TwoPinsOnASmallStiffBodyAreNoTrouble) {
    // Forces that only rounding changes once counted as not converged.
    BodyDescription d;
    d.mesh = make_box(CellKind::tet4, 4, 2, 2, {0, 0, 0}, {0.1, 0.025, 0.025});
    d.materials = {{"", {"m", 1e6, 0.3, 1000.0, 0.0, 0.01}}};
    const auto body = Body::make(d);
    Sim sim(body, {{"step", 1.0 / 60}, {"scheme", std::string("backward_euler")}});
    const std::array<PointConstraint, 2> pins{pin(*body, 0), pin(*body, 2)};
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    loads.live = pins;
    for (int i = 0; i < 600; ++i) ASSERT_EQ(sim.step(loads).trouble, Trouble::none) << i;
}

TEST(LiveFree, ASoftPointHoldsAsFirmlyInSubStepsAsInOne) {
    Material m = kFirm;
    m.rayleigh_alpha = 4.0;
    BodyDescription d;
    d.mesh = make_box(CellKind::hex8, 4, 1, 1, {0, 0, 0}, {1, 0.25, 0.25});
    d.materials = {{"", m}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    const auto body = Body::make(d);
    const auto tip = static_cast<std::int32_t>(body->vertex_count()) - 1;
    PointConstraint c = pin(*body, tip);
    c.kind = PointConstraint::Kind::soft;
    c.stiffness = 2000.0;
    c.target.y += 0.05;
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    loads.live = {&c, 1};
    const auto rest = [&](int steps_at_once) {
        Sim sim(body, {{"step", 0.01}, {"scheme", std::string("backward_euler")}});
        for (int i = 0; i < 400; ++i) sim.deformer->step(sim.state, loads, 0.01 * steps_at_once, sim.scratch);
        return sim.u()[static_cast<std::size_t>(tip)].y;
    };
    EXPECT_NEAR(rest(5), rest(1), 1e-6);
}

TEST(LiveFree, AUnilateralPointStopsAFallAndNeverPulls) {
    const auto body = bar(CellKind::hex8, 1, kDead, false);
    Sim sim(body, {{"step", 0.004}});
    std::array<PointConstraint, 4> floor;
    int used = 0;
    for (std::size_t v = 0; v < body->vertex_count(); ++v) {
        const Vec3& x = body->mesh().vertices[v];
        if (x.y != 0.0 || (x.x != 0.0 && x.x != 2.0) || used == 4) continue;
        floor[static_cast<std::size_t>(used)] = pin(*body, static_cast<std::int32_t>(v));
        floor[static_cast<std::size_t>(used)].unilateral = true;
        floor[static_cast<std::size_t>(used)].target.y = -0.05;
        ++used;
    }
    ASSERT_EQ(used, 4);
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    loads.live = floor;
    double lowest = 1.0, sum = 0.0;
    for (int i = 0; i < 500; ++i) {
        ASSERT_EQ(sim.deformer->step(sim.state, loads, 0.004, sim.scratch).trouble, Trouble::none) << i;
        sum = 0.0;
        for (int k = 0; k < 4; ++k) {
            const double push = sim.deformer->reaction(sim.state, {SupportRef::Kind::live, k}).force.y;
            ASSERT_GE(push, -1e-6) << i;
            sum += push;
            const auto v = static_cast<std::size_t>(floor[static_cast<std::size_t>(k)].vertices[0]);
            lowest = std::min(lowest, sim.u()[v].y);
        }
    }
    EXPECT_GT(lowest, -0.05 - 1e-9);
    EXPECT_NEAR(sum / (2000.0 * 9.81), 1.0, 0.05);  // it lies on them
}

TEST(LiveFree, ABodyThatSlidesAndTipsOverItsEdgeOnSurfacesGainsNoEnergy) {
    // Points that touch slide away from their targets; what the surface's speed is there, as seen from axes that turn,
    // is another than at the target, and with that the surface pulled and threw the body.
    for (const Case& c :
         {Case{"clustered_fem", "backward_euler", 0.005}, Case{"linear_fem", "newmark_implicit", 0.005}}) {
        BodyDescription d;
        d.mesh = make_box(CellKind::tet4, 4, 1, 2, {0, 0, 0}, {0.8, 0.2, 0.4});
        d.materials = {{"", {"soft", 1e6, 0.3, 1000.0, 0.0, 5e-3}}};
        const auto body = Body::make(d);
        FreeSim sim(c, body);
        std::vector<PointConstraint> live;
        for (std::int32_t v = 0; v < static_cast<std::int32_t>(body->vertex_count()) && live.size() < 4; ++v) {
            if (body->mesh().vertices[static_cast<std::size_t>(v)].y > 0.0) continue;
            live.push_back(pin(*body, v));
            live.back().unilateral = true;
            live.back().normal = Vec3{0.1, 1.0, 0.0} / norm(Vec3{0.1, 1.0, 0.0});
            live.back().target.y -= 0.03;
        }
        ASSERT_EQ(live.size(), 4u);
        Loads loads;
        loads.gravity = {0.3, -9.81, 0};
        loads.live = live;
        const double weight = 64.0;  // kg
        double start = 0.0;
        for (int i = 0; i < 80; ++i) {
            ASSERT_EQ(sim.go(loads).trouble, Trouble::none) << c.method << " step " << i;
            Vec3 centre;
            const std::vector<Vec3> u = sim.u();
            for (const Vec3& p : u) centre += p / static_cast<double>(u.size());
            const double energy = sim.deformer->energies(sim.state, sim.scratch).total() -
                                  weight * dot(loads.gravity, centre);
            if (i == 0) start = energy;
            ASSERT_LT(energy, start + 0.5 * weight * 9.81 * 0.03) << c.method << " step " << i;
        }
    }
}

TEST(LiveFree, AStateIsSmallAndRemembersNoColumns) {
    // Eight slots once cost 8 x 3 x unknowns numbers in every copy of a state.
    const auto body = bar(CellKind::tet4, 4, kFirm, false);
    const auto none = prepare(body, {{"step", 0.01}, {"max_live", 0.0}}),
               eight = prepare(body, {{"step", 0.01}, {"max_live", 8.0}});
    EXPECT_LE(eight->rest_state().reals.size(), none->rest_state().reals.size() + 8 * 15);
    EXPECT_EQ(eight->make_workspace().cached.size(), 8 * 3 * 3 * body->vertex_count());
}

TEST(LiveFree, SeveralStepsAtOnceFollowAMovingTarget) {
    const auto body = bar(CellKind::hex8, 1, kFirm, false);
    Sim sim(body, {{"step", 0.004}});
    PointConstraint c = pin(*body, body->mesh().vertex_sets.at("right").back());
    const Vec3 start = c.target;
    c.velocity = {1, 0, 0};
    Loads loads;
    loads.live = {&c, 1};
    for (int i = 1; i <= 30; ++i) {
        c.target = start + Vec3{0.02 * i, 0, 0};
        ASSERT_EQ(sim.deformer->step(sim.state, loads, 0.02, sim.scratch).trouble, Trouble::none);
        const auto v = static_cast<std::size_t>(c.vertices[0]);
        ASSERT_LT(norm(body->mesh().vertices[v] + sim.u()[v] - c.target), 1e-9);
    }
}

}  // namespace
}  // namespace limber
