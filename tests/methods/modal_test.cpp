#include "methods/linear_fem_fixtures.hpp"

#include <limber/tools/matrices.hpp>
#include <limber/tools/modes.hpp>

#include <Eigen/Dense>
#include <unsupported/Eigen/MatrixFunctions>

#include <gtest/gtest.h>

#include <numbers>

namespace limber {
namespace {

using namespace test;

const Material kModalRubber{"rubber", 2e4, 0.3, 1000.0, 0.5, 0.002};

Eigen::MatrixXd dense(const SparseMatrix& a, const std::vector<std::int32_t>& rows,
                      const std::vector<std::int32_t>& columns) {
    Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(a.starts.size() - 1),
                                                  static_cast<Eigen::Index>(a.starts.size() - 1));
    for (std::size_t r = 0; r + 1 < a.starts.size(); ++r) {
        for (auto e = a.starts[r]; e < a.starts[r + 1]; ++e) {
            whole(static_cast<Eigen::Index>(r),
                  a.columns[static_cast<std::size_t>(e)]) = a.values[static_cast<std::size_t>(e)];
        }
    }
    Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < columns.size(); ++j)
            out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = whole(rows[i], columns[j]);
    }
    return out;
}

Loads gravity_loads() {
    Loads loads;
    loads.gravity = {0.0, -9.81, 0.0};
    return loads;
}

// The same M, C, K under a constant load by one dense exponential: no time scheme, no modes, no formula in common.
TEST(Modal, WithAllModesEqualsTheMatrixExponential) {
    const auto body = bar(CellKind::hex8, 2, kModalRubber);
    Progress silent;
    const BodyMatrices m = body_matrices(body, {}, silent);
    const auto n = static_cast<Eigen::Index>(m.free.size());
    const Eigen::MatrixXd mass = dense(m.mass, m.free, m.free), inverse = mass.inverse();
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(2 * n + 1, 2 * n + 1);
    a.block(0, n, n, n).setIdentity();
    a.block(n, 0, n, n) = -inverse * dense(m.stiffness, m.free, m.free);
    a.block(n, n, n, n) = -inverse * dense(m.damping, m.free, m.free);
    const std::vector<double> f = load_vector(m, gravity_loads());
    Eigen::VectorXd load(n);
    for (Eigen::Index i = 0; i < n; ++i) load[i] = f[static_cast<std::size_t>(m.free[static_cast<std::size_t>(i)])];
    a.block(n, 2 * n, n, 1) = inverse * load;
    const double dt = 0.02;
    const Eigen::MatrixXd step = (a * dt).exp();
    Eigen::VectorXd x = Eigen::VectorXd::Zero(2 * n + 1);
    x[2 * n] = 1.0;

    Sim sim(body, {{"modes", static_cast<double>(n)}}, "modal");
    sim.deformer->start(sim.state, gravity_loads(), sim.scratch);
    for (int k = 0; k < 25; ++k) {
        x = step * x;
        ASSERT_EQ(sim.deformer->step(sim.state, gravity_loads(), dt, sim.scratch).trouble, Trouble::none);
    }
    const std::vector<Vec3> u = sim.u(), v = sim.v();
    const double size = x.head(n).cwiseAbs().maxCoeff(), speed = x.segment(n, n).cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < n; ++i) {
        const std::int32_t dof = m.free[static_cast<std::size_t>(i)];
        EXPECT_NEAR(u[static_cast<std::size_t>(dof / 3)][dof % 3], x[i], 1e-8 * size);
        EXPECT_NEAR(v[static_cast<std::size_t>(dof / 3)][dof % 3], x[n + i], 1e-8 * speed);
    }
}

HandleTarget swing(double t) {
    HandleTarget h;
    h.translation = {0.02 * std::sin(9.0 * t), 0.05 * (1.0 - std::cos(6.0 * t)), 0.0};
    h.velocity = {0.18 * std::cos(9.0 * t), 0.3 * std::sin(6.0 * t), 0.0};
    h.acceleration = {-1.62 * std::sin(9.0 * t), 1.8 * std::cos(6.0 * t), 0.0};
    return h;
}

// Newmark of second order must come nearer by four with each halving, until the modes' own error shows.
TEST(Modal, IsWhatNewmarkApproachesAsItsStepShrinks) {
    const auto body = bar(CellKind::hex8, 2, kModalRubber, true, true);
    const auto run = [&](const char* method, OptionValues options, double dt) {
        if (method == std::string("linear_fem")) options["step"] = dt;
        Sim sim(body, options, method);
        HandleTarget h = swing(0.0);
        Loads loads;
        loads.handles = {&h, 1};
        sim.deformer->start(sim.state, loads, sim.scratch);
        const int steps = static_cast<int>(std::lround(0.8 / dt));
        for (int k = 1; k <= steps; ++k) {
            h = swing(k * dt);
            EXPECT_EQ(sim.deformer->step(sim.state, loads, dt, sim.scratch).trouble, Trouble::none);
        }
        return sim.u();
    };
    const std::vector<Vec3> truth = run("modal", {{"modes", 1000.0}}, 0.8 / 1024);
    double before = 0.0;
    for (const int steps : {32, 64, 128}) {
        const double error = distance(run("linear_fem", {}, 0.8 / steps), truth);
        if (before > 0.0) {
            EXPECT_NEAR(before / error, 4.0, 0.6) << steps;
        }
        before = error;
    }
    double own = 0.0;
    for (const int steps : {16, 32, 64}) {
        const double error = distance(run("modal", {{"modes", 1000.0}}, 0.8 / steps), truth);
        if (own > 0.0) {
            EXPECT_GT(own / error, 3.5) << steps;
        }
        own = error;
    }
}

// A handle that starts and stops at once: its acceleration is zero at every step's end, so the push must come from the
// change of velocity.
TEST(Modal, FeelsAHandleThatStartsAndStopsAtOnce) {
    const auto body = bar(CellKind::hex8, 2, kModalRubber, true, true);
    const auto run = [&](const char* method, int steps) {
        const double dt = 0.4 / steps;
        OptionValues options;
        if (method == std::string("linear_fem"))
            options["step"] = dt;
        else
            options["modes"] = 1000.0;
        Sim sim(body, options, method);
        for (int k = 1; k <= steps; ++k) {
            const double t = std::min(k * dt, 0.2);
            HandleTarget h;
            h.translation.y = 0.3 * t;
            h.velocity.y = k * dt < 0.2 - 1e-9 ? 0.3 : 0.0;
            Loads loads;
            loads.handles = {&h, 1};
            sim.deformer->step(sim.state, loads, dt, sim.scratch);
        }
        return sim.u();
    };
    const std::vector<Vec3> fine = run("linear_fem", 2048);
    double size = 0.0;
    for (const Vec3& u : fine) size = std::max(size, norm(u));
    EXPECT_LT(distance(run("modal", 512), fine), 0.01 * size);
    EXPECT_GT(distance(run("modal", 512), std::vector<Vec3>(fine.size())), 0.5 * size);
}

// The modes left out are missed by a force at a corner; the correction must bring back the static answer exactly.
TEST(Modal, AtRestIsExactWithAnyNumberOfModes) {
    const auto body = bar(CellKind::tet10, 2, kModalRubber);
    std::vector<Vec3> force(body->vertex_count());
    force.back() = {3.0, -2.0, 1.0};
    Loads loads = gravity_loads();
    loads.force = force;
    const auto settle = [&](const char* method, OptionValues options) {
        Material syrup = kModalRubber;
        syrup.rayleigh_alpha = 6.0;
        Sim sim(bar(CellKind::tet10, 2, syrup), options, method);
        // The bar is soft and its slowest mode creeps: long steps, which the modal method takes as exactly as short
        // ones.
        for (int k = 0; k < 400; ++k)
            sim.deformer->step(sim.state, loads, method == std::string("modal") ? 2.0 : 0.1, sim.scratch);
        return sim.u();
    };
    const std::vector<Vec3> exact = settle("linear_fem", {{"step", 0.1}, {"scheme", std::string("quasi_static")}});
    double size = 0.0;
    for (const Vec3& u : exact) size = std::max(size, norm(u));
    EXPECT_LT(distance(settle("modal", {{"modes", 5.0}}), exact), 1e-8 * size);
    EXPECT_GT(distance(settle("modal", {{"modes", 5.0}, {"correction", std::string("none")}}), exact), 0.01 * size);
}

HandleTarget fast_turn(double t) {
    // Half a round in half a second, from the first moment on: its vertices are accelerated at t = 0 already.
    const double rate = 2 * std::numbers::pi;
    HandleTarget h;
    h.rotation = from_rotation_vector({0.0, 0.0, rate * t});
    h.angular_velocity = {0.0, 0.0, rate};
    return h;
}

// Modes left out answer at their own pace, not at once: nothing has moved when nothing has happened yet.
TEST(Modal, TheFirstFrameIsTheRestShapeWhateverBeginsThere) {
    const auto body = bar(CellKind::hex8, 2, kModalRubber, true, true);
    std::vector<Vec3> force(body->vertex_count());
    force[body->vertex_count() / 2] = {3.0, -2.0, 1.0};
    HandleTarget h = fast_turn(0.0);
    Loads loads = gravity_loads();
    loads.force = force;
    loads.handles = {&h, 1};
    Sim sim(body, {{"modes", 3.0}}, "modal");
    ASSERT_EQ(sim.deformer->start(sim.state, loads, sim.scratch).trouble, Trouble::none);
    for (const Vec3& u : sim.u()) EXPECT_EQ(norm(u), 0.0);
    EXPECT_EQ(sim.deformer->energies(sim.state, sim.scratch).elastic, 0.0);
}

// Each of more modes is nearer to linear_fem, under a handle that starts turning at full speed.
TEST(Modal, ComesNearerToLinearFemWithMoreModesUnderAFastHandle) {
    const auto body = bar(CellKind::hex8, 3, kModalRubber, true, true);
    const auto run = [&](const char* method, const OptionValues& options) {
        Sim sim(body, options, method);
        HandleTarget h = fast_turn(0.0);
        Loads loads;
        loads.handles = {&h, 1};
        sim.deformer->start(sim.state, loads, sim.scratch);
        std::vector<std::vector<Vec3>> frames;
        for (int k = 1; k <= 400; ++k) {
            h = fast_turn(k * 0.001);
            EXPECT_EQ(sim.deformer->step(sim.state, loads, 0.001, sim.scratch).trouble, Trouble::none);
            if (k % 10 == 0) frames.push_back(sim.u());
        }
        return frames;
    };
    const auto truth = run("linear_fem", {{"step", 0.001}});
    double before = 0.0;
    for (const double modes : {4.0, 12.0, 40.0, 1000.0}) {
        const auto frames = run("modal", {{"modes", modes}});
        double worst = 0.0;
        for (std::size_t k = 0; k < frames.size(); ++k) worst = std::max(worst, distance(frames[k], truth[k]));
        std::printf("%g modes: off by %.2e\n", modes, worst);
        if (before > 0.0) {
            EXPECT_LT(worst, before) << modes;
        }
        before = worst;
    }
    EXPECT_LT(before, 1e-3);
}

TEST(Modal, StressIsThatOfTheDisplacementsItShows) {
    const auto body = bar(CellKind::hex8, 2, kModalRubber);
    Sim modal(body, {{"modes", 8.0}}, "modal"), fem(body, {{"step", 0.01}});
    std::vector<Vec3> force(body->vertex_count());
    force.back() = {0.0, -5.0, 0.0};
    Loads loads = gravity_loads();
    loads.force = force;
    for (int k = 0; k < 7; ++k) modal.deformer->step(modal.state, loads, 0.01, modal.scratch);
    const std::vector<Vec3> u = modal.u(), still(u.size());
    ASSERT_TRUE(fem.deformer->set_motion(fem.state, u, still));
    std::vector<SymMat3> mine(body->mesh().cell_count()), theirs(mine.size());
    ASSERT_TRUE(modal.deformer->cell_stress(modal.state, mine));
    ASSERT_TRUE(fem.deformer->cell_stress(fem.state, theirs));
    double size = 0.0;
    for (const SymMat3& s : theirs) size = std::max({size, std::abs(s.xx), std::abs(s.xy)});
    for (std::size_t c = 0; c < mine.size(); ++c) {
        EXPECT_NEAR(mine[c].xx, theirs[c].xx, 1e-10 * size);
        EXPECT_NEAR(mine[c].xy, theirs[c].xy, 1e-10 * size);
    }
}

TEST(Modal, RefusesAMotionItCannotRepresent) {
    const auto body = bar(CellKind::hex8, 2, kModalRubber);
    Progress silent;
    const ModeList modes = body_modes(body, {}, 12, silent);
    Sim sim(body, {{"modes", 6.0}}, "modal");
    const std::vector<Vec3> still(body->vertex_count());
    EXPECT_TRUE(sim.deformer->set_motion(sim.state, modes.shapes[5], still));
    EXPECT_LT(distance(sim.u(), modes.shapes[5]), 1e-7);
    const State before = sim.state;
    EXPECT_FALSE(sim.deformer->set_motion(sim.state, modes.shapes[9], still));
    EXPECT_EQ(sim.state, before);
}

}  // namespace
}  // namespace limber
