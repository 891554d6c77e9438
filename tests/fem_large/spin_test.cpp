// Free bodies that spin fast: every step of every scheme converges, and nothing but a scheme's own damping changes the
// energy.
#include "body/mass_centre.hpp"
#include "fem_large/battery.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace limber {
namespace {

using namespace testing;

constexpr double kStep = 0.1;  // [s]

struct SpinCase {
    std::string method, scheme;
    CellKind kind;
    double poisson, young, degrees;  ///< degrees: per step
    int steps;
    bool tumbles;        ///< about an axis that is not the body's own
    double flies = 0.0;  ///< [m/s]
    std::string label() const {
        return method + " " + to_string(kind) + " " + scheme + ", nu " + std::to_string(poisson) + ", E " +
               std::to_string(young) + ", " + std::to_string(degrees) + " degrees a step" +
               (tumbles ? ", tumbling" : "");
    }
};

SpinCase spin_case(std::uint64_t seed, int steps) {
    static constexpr const char* kMethods[] = {"corotational", "stvk", "neo_hookean"};
    static constexpr const char* kSchemes[] = {"newmark_implicit", "backward_euler", "bdf2", "implicit_midpoint"};
    static constexpr double kPoisson[] = {0.3, 0.45, 0.49};
    BatteryDice dice(seed);
    SpinCase c{dice.among(kMethods),
               dice.among(kSchemes),
               dice.among(kAllKinds),
               dice.among(kPoisson),
               0.0,
               0.0,
               steps,
               false};
    c.young = dice.logarithmic(1e6, 1e9);
    c.degrees = dice.between(0, 1) < 0.3 ? 30.0 : dice.between(5.0, 30.0);
    c.tumbles = dimension_of(c.kind) == 3 && dice.between(0, 1) < 0.3;
    return c;
}

struct Spun {
    std::shared_ptr<const Body> body;
    std::unique_ptr<Deformer> deformer;
    State state;
    Workspace scratch;

    explicit Spun(const SpinCase& c, const OptionValues& more = {}) {
        BodyDescription d;
        d.mesh = battery_mesh(c.kind, 1.0, 0.25, 1);
        d.thickness = 0.25;
        d.materials = {{"", {"test", c.young, c.poisson, 1000.0, 0.0, 0.0}}};
        body = Body::make(std::move(d));
        OptionValues options{{"scheme", c.scheme}};
        options.insert(more.begin(), more.end());
        Progress silent;
        deformer = require_method(c.method).prepare(body, options, silent);
        state = deformer->rest_state();
        scratch = deformer->make_workspace();
        const Vec3 axis = c.tumbles ? Vec3{0.6, 0.0, 0.8} : Vec3{0.0, 0.0, 1.0};
        const Vec3 spin = c.degrees * std::numbers::pi / 180 / kStep * axis,
                   middle{0.5, 0.125, body->mesh().dimension() == 3 ? 0.125 : 0.0};
        const std::vector<Vec3> rest(body->vertex_count());
        std::vector<Vec3> velocity;
        for (const Vec3& x : body->mesh().vertices)
            velocity.push_back(cross(spin, x - middle) + Vec3{c.flies, 0.0, 0.0});
        EXPECT_TRUE(deformer->set_motion(state, rest, velocity));
    }
    /// With lumped mass.
    Vec3 angular_momentum() {
        const std::vector<double> mass = vertex_masses(*body);
        std::vector<Vec3> u(body->vertex_count()), v(u.size());
        deformer->displacements(state, u);
        deformer->velocities(state, v);
        Vec3 sum;
        for (std::size_t i = 0; i < u.size(); ++i) sum += mass[i] * cross(body->mesh().vertices[i] + u[i], v[i]);
        return sum;
    }
    double energy() {
        const Energies e = deformer->energies(state, scratch);
        return e.kinetic + e.elastic;
    }
};

void judge_spin(const SpinCase& c) {
    Spun run(c);
    const double start = run.energy();
    double most = start;
    for (int i = 0; i < c.steps; ++i) {
        const StepReport report = run.deformer->step(run.state, {}, kStep, run.scratch);
        ASSERT_EQ(report.trouble, Trouble::none)
            << c.label() << ": step " << i << ", residual " << report.residual << ", " << report.sub_steps << " parts";
        most = std::max(most, run.energy());
    }
    EXPECT_LT(most, 1.1 * start) << c.label();
}

TEST(FreeSpins, EveryStepConvergesAndMakesNoEnergy) {
    // Up to thirty degrees a step, from rest shape (so that it swells and rings). LIMBER_SPINS=400 runs as many, ten
    // turns each (./test
    // --heavy); the few here are a sample.
    const char* asked = std::getenv("LIMBER_SPINS");
    const int cases = asked != nullptr ? std::atoi(asked) : 12, steps = asked != nullptr ? 120 : 13;
    for (int i = 0; i < cases; ++i) judge_spin(spin_case(static_cast<std::uint64_t>(1 + i), steps));
}

TEST(FreeSpins, TheMidpointRuleKeepsASpinThatItWouldBlowUp) {
    // The middle of a step of 30 degrees is a body shrunk by cos 15 degrees: its forces throw the next step apart, a
    // thousandfold of the energy within twelve steps.
    judge_spin({"neo_hookean", "implicit_midpoint", CellKind::tet4, 0.3, 1e7, 30.0, 24, false});
    judge_spin({"stvk", "newmark_implicit", CellKind::quad4, 0.45, 1e7, 30.0, 24, false});
}

TEST(FreeSpins, ASpinIsKeptInFlightToo) {
    // Compared with the energy of a flight of 30 m/s every gain of the spin would be small: elastic energy grew a
    // hundredfold in 60 steps.
    for (const char* scheme : {"implicit_midpoint", "newmark_implicit"}) {
        double most[2] = {};
        for (const int flies : {0, 1}) {
            Spun run({"neo_hookean", scheme, CellKind::tet4, 0.3, 1e7, 24.0, 0, false, 30.0 * flies});
            for (int i = 0; i < 40; ++i) {
                ASSERT_EQ(run.deformer->step(run.state, {}, kStep, run.scratch).trouble, Trouble::none) << scheme;
                most[flies] = std::max(most[flies], run.deformer->energies(run.state, run.scratch).elastic);
            }
        }
        EXPECT_NEAR(most[1] / most[0], 1.0, 0.05) << scheme;
    }
}

TEST(FreeSpins, StepsThatGainNothingAreNotCut) {
    // Small turns of a soft body: the scheme as it stands in textbooks, one part a step.
    Spun run({"stvk", "implicit_midpoint", CellKind::quad4, 0.3, 1e5, 0.5, 20, false});
    for (int i = 0; i < 20; ++i) {
        const StepReport report = run.deformer->step(run.state, {}, kStep, run.scratch);
        ASSERT_EQ(report.trouble, Trouble::none);
        EXPECT_EQ(report.sub_steps, 1) << i;
    }
}

/// Of the outer half of a bar with stiffness damping that a handle turns by 0.1 rad a step, once it turns steadily.
double strain_of_a_turned_bar(const char* scheme) {
    BodyDescription d;
    d.mesh = make_grid(CellKind::quad4, 20, 1, {}, {1.0, 0.05, 0.0});
    d.materials = {{"", {"test", 1e9, 0.3, 1000.0, 0.0, 0.005}}};
    d.handles = {{"left", d.mesh.vertex_sets.at("left"), {}, {}}};
    const auto body = Body::make(std::move(d));
    Progress silent;
    const auto deformer = require_method("stvk").prepare(body, {{"scheme", std::string(scheme)}}, silent);
    State state = deformer->rest_state();
    Workspace scratch = deformer->make_workspace();
    for (int i = 1; i <= 90; ++i) {
        HandleTarget target;
        target.rotation = from_rotation_vector({0.0, 0.0, 0.1 * i});
        target.angular_velocity = {0.0, 0.0, 6.0};
        Loads loads;
        loads.handles = {&target, 1};
        EXPECT_EQ(deformer->step(state, loads, 1.0 / 60, scratch).trouble, Trouble::none) << scheme << " " << i;
    }
    std::vector<Vec3> u(body->vertex_count());
    deformer->displacements(state, u);
    double length = 0.0;
    for (std::size_t v = 0; v < u.size(); ++v) {
        const Vec3& x = body->mesh().vertices[v];
        if (x.y == 0.0 && (x.x == 1.0 || x.x == 0.5)) length += (x.x == 1.0 ? 1.0 : -1.0) * norm(x + u[v]);
    }
    return length / 0.5 - 1.0;
}

TEST(TurnedBars, DampingByBackwardEulerShrinksThemAsDocumented) {
    // docs/not_yet.md: by beta (1 - cos a)/h, because the chord of a turn looks like stretching. Schemes of second
    // order have nothing of it.
    const double told = -0.005 * (1 - std::cos(0.1)) * 60;
    EXPECT_NEAR(strain_of_a_turned_bar("backward_euler") / told, 1.0, 0.03);
    for (const char* scheme : {"bdf2", "implicit_midpoint"})
        EXPECT_LT(std::abs(strain_of_a_turned_bar(scheme)), -0.05 * told) << scheme;
}

TEST(FreeSpins, AMidpointPartThatCannotBeCutFurtherIsDamped) {
    // No cutting allowed: damping takes back what five degrees a step make, and leaves the angular momentum alone.
    const SpinCase c{"stvk", "implicit_midpoint", CellKind::tet4, 0.3, 1e7, 5.0, 40, false};
    Spun run(c, {{"max_sub_steps", 1.0}, {"tolerance", 1e-11}, {"mass", std::string("lumped")}});
    const double start = run.energy();
    const Vec3 momentum = run.angular_momentum();
    for (int i = 0; i < c.steps; ++i) {
        const StepReport report = run.deformer->step(run.state, {}, kStep, run.scratch);
        ASSERT_EQ(report.trouble, Trouble::none) << i << " " << report.residual;
        ASSERT_EQ(report.sub_steps, 1);
    }
    EXPECT_NEAR(run.energy() / start, 1.0, 0.02);
    EXPECT_LT(norm(run.angular_momentum() - momentum), 1e-7 * norm(momentum));
}

}  // namespace
}  // namespace limber
