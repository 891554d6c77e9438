// Unanchored bodies: they fall, spin and jiggle without swelling.
#include "fem_linear/floating_axes.hpp"
#include "expect_error.hpp"
#include "fem/assembly.hpp"
#include "methods/linear_fem_fixtures.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>

namespace limber {
namespace {

using namespace test;

const Material kJelly{"jelly", 5e4, 0.4, 1000.0, 0.0, 0.0};

double volume(const Body& body, const std::vector<Vec3>& u) {
    Mesh mesh = body.mesh();
    for (std::size_t i = 0; i < u.size(); ++i) mesh.vertices[i] += u[i];
    return measure_of(mesh);
}

TEST(FloatingAxes, FreeFallIsExactAndUndeformed) {
    const auto body = bar(CellKind::tet4, 2, kJelly, false);
    Sim sim(body, {{"step", 0.01}});
    Loads loads;
    loads.gravity = {1, -9.81, 2};
    sim.step(loads, 100);
    for (const Vec3& x : sim.u()) EXPECT_LT(norm(x - 0.5 * loads.gravity), 1e-9);
    for (const Vec3& x : sim.v()) EXPECT_LT(norm(x - loads.gravity), 1e-9);
}

TEST(FloatingAxes, ASpinningBodyKeepsItsVolumeEnergyAndAngularMomentum) {
    // Linear strain without the axes would swell by 1/cos of the turn: a factor without bound. Ten full turns here.
    const auto body = bar(CellKind::hex8, 2, kJelly, false);
    Sim sim(body, {{"step", 0.005}, {"scheme", std::string("implicit_midpoint")}});
    std::vector<Vec3> rest(body->vertex_count()), spin;
    for (const Vec3& x : body->mesh().vertices) spin.push_back(cross({0, 0.1, 3.0}, x - Vec3{1, 0.5, 0.5}));
    ASSERT_TRUE(sim.deformer->set_motion(sim.state, rest, spin));
    const double energy = sim.deformer->energies(sim.state, sim.scratch).total();
    double most = 0.0;
    for (int i = 0; i < 4000; ++i) {
        ASSERT_EQ(sim.step({}).trouble, Trouble::none);
        most = std::max(most, std::abs(volume(*body, sim.u()) / volume(*body, rest) - 1));
    }
    EXPECT_LT(most, 0.05);  // what remains is real: the centrifugal stretch
    EXPECT_NEAR(sim.deformer->energies(sim.state, sim.scratch).total() / energy, 1.0, 0.1);
}

TEST(FloatingAxes, ForceMovesTheCentreOfMassAndTurnsTheBody) {
    const auto body = bar(CellKind::hex8, 2, kJelly, false);
    Sim sim(body, {{"step", 0.002}});
    std::vector<Vec3> force(body->vertex_count());
    force[static_cast<std::size_t>(body->mesh().vertex_sets.at("right").back())] = {0, 5, 0};
    Loads loads;
    loads.force = force;
    sim.step(loads, 250);  // half a second of 5 N on 2000 kg
    Vec3 momentum;
    // Mean velocity by equal cells: sum over cell corners.
    const std::vector<Vec3> v = sim.v();
    for (const std::int32_t c : body->mesh().cells)
        momentum += (2000.0 / static_cast<double>(body->mesh().cells.size())) * v[static_cast<std::size_t>(c)];
    EXPECT_NEAR(momentum.y, 2.5, 1e-6);
    EXPECT_NEAR(momentum.x, 0.0, 1e-6);
    const auto& right = body->mesh().vertex_sets.at("right");
    const auto& left = body->mesh().vertex_sets.at("left");
    EXPECT_GT(sim.u()[static_cast<std::size_t>(right[0])].y, sim.u()[static_cast<std::size_t>(left[0])].y);
}

TEST(FloatingAxes, SetMotionIsReadBack) {
    const auto body = bar(CellKind::hex8, 2, kJelly, false);
    Sim sim(body, {{"step", 0.01}});
    const Quat q = normalized(Quat{0.8, 0.3, -0.4, 0.2});
    std::vector<Vec3> u, v;
    for (const Vec3& x : body->mesh().vertices) {
        const Vec3 bent = x + Vec3{0, 0.02 * x.x * x.x, 0};
        u.push_back(to_matrix(q) * bent + Vec3{3, 1, 2} - x);
        v.push_back(cross({0.3, 0.2, 0.1}, u.back() + x) + Vec3{0, 1, 0});
    }
    ASSERT_TRUE(sim.deformer->set_motion(sim.state, u, v));
    EXPECT_LT(distance(sim.u(), u), 1e-9);
    EXPECT_LT(distance(sim.v(), v), 1e-9);
}

TEST(FloatingAxes, AHalfTurnIsNotADeformation) {
    // At a half turn the torque between rest and present vanishes although the fit is the worst there is.
    const auto body = bar(CellKind::hex8, 1, kJelly, false);
    for (const Quat& q : {Quat{0, 1, 0, 0}, Quat{0, 0, 1, 0}, Quat{0, 0, 0, 1}}) {
        Sim sim(body, {{"step", 0.01}});
        std::vector<Vec3> u, v(body->vertex_count());
        for (const Vec3& x : body->mesh().vertices) u.push_back(to_matrix(q) * x - x);
        ASSERT_TRUE(sim.deformer->set_motion(sim.state, u, v));
        EXPECT_LT(sim.deformer->energies(sim.state, sim.scratch).elastic, 1e-9);
        EXPECT_LT(distance(sim.u(), u), 1e-9);
    }
}

TEST(FloatingAxes, ForcedMotionConvergesAtSecondOrder) {
    // Stiff and with its vibration damped away: what is left is the motion of the axes.
    const auto body = bar(CellKind::hex8, 1, {"stiff", 1e8, 0.3, 1000.0, 0.0, 0.1}, false);
    std::vector<Vec3> force(body->vertex_count());
    force[static_cast<std::size_t>(body->mesh().vertex_sets.at("right").back())] = {0, 900, 0};
    Loads loads;
    loads.force = force;
    const auto end_of = [&](int steps) {
        Sim sim(body, {{"step", 1.6 / steps}});
        sim.step(loads, steps);
        return sim.u()[0];
    };
    const Vec3 a = end_of(40), b = end_of(80), c = end_of(160);
    EXPECT_NEAR(std::log2(norm(a - b) / norm(b - c)), 2.0, 0.3);
}

TEST(FloatingAxes, SeparatePartsAreRefused) {
    BodyDescription d;
    d.mesh = make_grid(CellKind::quad4, 1, 1, {0, 0, 0}, {1, 1, 0});
    const Mesh other = make_grid(CellKind::quad4, 1, 1, {3, 0, 0}, {4, 1, 0});
    for (const Vec3& x : other.vertices) d.mesh.vertices.push_back(x);
    for (const std::int32_t c : other.cells) d.mesh.cells.push_back(c + 4);
    d.materials = {{"", kJelly}};
    expect_error(Fault::unsupported, "a free body of separate parts", [&] {
        prepare(Body::make(d), {{"step", 0.01}});
    });
}

TEST(FloatingAxes, StressIsInWorldAxes) {
    const auto body = bar(CellKind::hex8, 1, kJelly, false);
    Sim sim(body, {{"step", 0.01}});
    const Quat q = from_rotation_vector({0, 0, 1.5707963267948966});
    std::vector<Vec3> u, v(body->vertex_count());
    for (const Vec3& x : body->mesh().vertices) u.push_back(to_matrix(q) * (x + Vec3{0.01 * x.x, 0, 0}) - x);
    ASSERT_TRUE(sim.deformer->set_motion(sim.state, u, v));
    std::vector<SymMat3> stress(body->mesh().cell_count());
    ASSERT_TRUE(sim.deformer->cell_stress(sim.state, stress));
    EXPECT_GT(stress[0].yy, stress[0].xx + 100.0);  // stretched along x, then turned onto y
}

TEST(FloatingAxes, APlanarBodyStaysInItsPlane) {
    BodyDescription d;
    d.mesh = make_grid(CellKind::tri3, 4, 2, {0, 0, 0}, {2, 1, 0});
    d.materials = {{"", kJelly}};
    const auto body = Body::make(d);
    Sim sim(body, {{"step", 0.01}});
    std::vector<Vec3> force(body->vertex_count());
    force[0] = {3, -2, 0};
    Loads loads;
    loads.force = force;
    loads.gravity = {0, -9.81, 0};
    EXPECT_EQ(sim.step(loads, 50).trouble, Trouble::none);
    for (const Vec3& x : sim.u()) EXPECT_EQ(x.z, 0.0);
}

// The axes alone, of a bar with lumped mass.
struct Alone {
    explicit Alone(double alpha = 0.0) : body(bar(CellKind::hex8, 1, kJelly, false)) {
        AssemblySettings settings;
        settings.mass = MassKind::lumped;
        Progress silent;
        FemMatrices fem = assemble(*body, settings, silent);
        system.stiffness.block = 3;
        system.stiffness.starts.assign(body->vertex_count() + 1, 0);
        system.lumped = fem.lumped;
        axes.emplace(*body, system, alpha);
        axes->reset(state.data());
        u.assign(3 * body->vertex_count(), 0.0);
    }
    std::shared_ptr<const Body> body;
    System system;
    std::optional<FloatingAxes> axes;
    std::array<double, FloatingAxes::kReals> state{};
    std::vector<double> u;
};

TEST(FloatingAxes, APullOnAPointMovesOthersAsItsResponseSays) {
    // A constant force at a corner of a body at rest for one short step: the way of another corner is the response
    // times h^2/2, of which damping takes its part.
    for (const double alpha : {0.0, 30.0}) {
        Alone b(alpha);
        const Vec3 arm = b.body->mesh().vertices.back() - b.axes->rest_centre(),
                   other = b.body->mesh().vertices.front() - b.axes->rest_centre(), force{3, -2, 5};
        const double h = 1e-3;
        auto after = b.state;
        b.axes->advance_under(after.data(), b.state.data(), b.u.data(), {}, {}, {force, cross(arm, force)}, h);
        const FloatingAxes::Pose pose = b.axes->pose(after.data());
        const Vec3 moved = pose.centre + pose.turn * other - b.axes->rest_centre() - other;
        const Vec3 expected = b.axes->reach_of(h) * (b.axes->rigid_response(other, arm) * force);
        EXPECT_LT(norm(moved - expected), 1e-5 * norm(expected)) << alpha;
    }
}

TEST(FloatingAxes, ABlowChangesMomentumAtOnce) {
    Alone b;
    const Vec3 impulse{1, 2, 3}, spin{0.4, -0.2, 0.1};
    b.axes->push(b.state.data(), {impulse, spin});
    const FloatingAxes::Pose pose = b.axes->pose(b.state.data());
    EXPECT_LT(norm(pose.velocity - impulse / 2000.0), 1e-15);
    EXPECT_NEAR(b.axes->kinetic(b.state.data()), 0.5 * dot(impulse, impulse) / 2000.0 + 0.5 * dot(pose.spin, spin),
                1e-12);
    EXPECT_GT(norm(pose.spin), 0.0);
}

TEST(FloatingAxes, ARigidFieldLeavesNothingBehind) {
    Alone b;
    std::vector<double> field;
    for (const Vec3& x : b.body->mesh().vertices) {
        const Vec3 moved = Vec3{0.1, 0.2, 0.3} + cross({0.3, -0.1, 0.2}, x);
        field.insert(field.end(), {moved.x, moved.y, moved.z});
    }
    b.axes->remove_rigid(field.data());
    for (const double left : field) EXPECT_NEAR(left, 0.0, 1e-13);
}

}  // namespace
}  // namespace limber
