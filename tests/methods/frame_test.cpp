// Unanchored bodies: they fall, spin and jiggle without swelling.
#include "expect_error.hpp"
#include "methods/linear_fem_fixtures.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace test;

const Material kJelly{"jelly", 5e4, 0.4, 1000.0, 0.0, 0.0};

double volume(const Body& body, const std::vector<Vec3>& u) {
    Mesh mesh = body.mesh();
    for (std::size_t i = 0; i < u.size(); ++i) mesh.vertices[i] += u[i];
    return measure_of(mesh);
}

TEST(FloatingFrame, FreeFallIsExactAndUndeformed) {
    const auto body = bar(CellKind::tet4, 2, kJelly, false);
    Sim sim(body, {{"step", 0.01}});
    Loads loads;
    loads.gravity = {1, -9.81, 2};
    sim.step(loads, 100);
    for (const Vec3& x : sim.u()) EXPECT_LT(norm(x - 0.5 * loads.gravity), 1e-9);
    for (const Vec3& x : sim.v()) EXPECT_LT(norm(x - loads.gravity), 1e-9);
}

TEST(FloatingFrame, ASpinningBodyKeepsItsVolumeEnergyAndAngularMomentum) {
    // Linear strain without the frame would swell by 1/cos of the turn: a factor without bound. Ten full turns here.
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

TEST(FloatingFrame, ForceMovesTheCentreOfMassAndTurnsTheBody) {
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

TEST(FloatingFrame, SetMotionIsReadBack) {
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

TEST(FloatingFrame, AHalfTurnIsNotADeformation) {
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

TEST(FloatingFrame, ForcedMotionConvergesAtSecondOrder) {
    // Stiff and with its vibration damped away: what is left is the frame.
    const auto body = bar(CellKind::hex8, 1, {"stiff", 1e8, 0.3, 1000.0, 0.0, 0.1}, false);
    std::vector<Vec3> force(body->vertex_count());
    force[static_cast<std::size_t>(body->mesh().vertex_sets.at("right").back())] = {0, 900, 0};
    Loads loads;
    loads.force = force;
    const auto position = [&](int steps) {
        Sim sim(body, {{"step", 1.6 / steps}});
        sim.step(loads, steps);
        return sim.u()[0];
    };
    const Vec3 a = position(40), b = position(80), c = position(160);
    EXPECT_NEAR(std::log2(norm(a - b) / norm(b - c)), 2.0, 0.3);
}

TEST(FloatingFrame, SeparatePartsAreRefused) {
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

TEST(FloatingFrame, StressIsInWorldAxes) {
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

TEST(FloatingFrame, APlanarBodyStaysInItsPlane) {
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

}  // namespace
}  // namespace limber
