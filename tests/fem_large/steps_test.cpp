// What an ElasticDeformer promises about single steps: uneven ones, failing ones, and what they report.
#include "body/mass_centre.hpp"
#include "expect_error.hpp"
#include "fem_large/elastic_fixtures.hpp"

#include <limber/method.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace testing;

std::unique_ptr<Deformer> neo_hookean_bar(const OptionValues& options, double beta = 0.0) {
    Progress silent;
    return require_method("neo_hookean")
        .prepare(hyper_body({.kind = CellKind::hex8, .cells = 4, .beta = beta, .anchored = true}), options, silent);
}

/// The tip after half a second under gravity, by steps that alternate between h/2 and 3h/2.
Vec3 swung_tip(int pairs) {
    const auto deformer = neo_hookean_bar({{"scheme", std::string("bdf2")}, {"tolerance", 1e-11}}, 0.01);
    State state = deformer->rest_state();
    Workspace scratch = deformer->make_workspace();
    Loads loads;
    loads.gravity = {0.0, -1.0, 0.3};
    deformer->start(state, loads, scratch);
    const double h = 0.25 / pairs;
    for (int i = 0; i < 2 * pairs; ++i)
        EXPECT_EQ(deformer->step(state, loads, i % 2 == 0 ? h / 2 : 3 * h / 2, scratch).trouble, Trouble::none);
    std::vector<Vec3> u(deformer->body().vertex_count());
    deformer->displacements(state, u);
    return u.back();
}

TEST(ElasticSteps, Bdf2KeepsItsOrderOverUnevenSteps) {
    // With the coefficients of even steps it would still run, and be of first order.
    const Vec3 a = swung_tip(8), b = swung_tip(16), c = swung_tip(32);
    EXPECT_NEAR(std::log2(norm(a - b) / norm(b - c)), 2.0, 0.3);
}

/// A bar held at the left, stretched and moving, of a body with stiffness damping; `steps` steps of dt.
struct Snapped {
    std::unique_ptr<Deformer> deformer;
    State state;
    Workspace scratch;
    Snapped(const char* method, const char* scheme, double beta) {
        Progress silent;
        const auto body = hyper_body(
            {.kind = CellKind::hex8, .cells = 4, .poisson = 0.45, .beta = beta, .anchored = true});
        deformer = require_method(method).prepare(body, {{"scheme", std::string(scheme)}, {"tolerance", 1e-10}},
                                                  silent);
        state = deformer->rest_state();
        scratch = deformer->make_workspace();
        std::vector<Vec3> u, v;
        for (const Vec3& x : body->mesh().vertices) {
            u.push_back(x.x * Vec3{0.1, 0.05 * x.x, 0.0});
            v.push_back(x.x * Vec3{-0.5, 1.0, 0.3});
        }
        EXPECT_TRUE(deformer->set_motion(state, u, v));
    }
    StepReport step(double dt) { return deformer->step(state, {}, dt, scratch); }
    double energy() {
        const Energies e = deformer->energies(state, scratch);
        return e.kinetic + e.elastic;
    }
    std::vector<Vec3> displacements() const {
        std::vector<Vec3> u(deformer->body().vertex_count());
        deformer->displacements(state, u);
        return u;
    }
};

TEST(ElasticSteps, Bdf2StartsWithBackwardEulerAndAddsNoEnergy) {
    // Large steps, stiffness damping from none to far beyond critical. The past used to lie on a parabola through the
    // first acceleration, whatever that was.
    for (const char* method : {"corotational", "stvk", "neo_hookean"}) {
        for (const double beta : {0.0, 0.01, 1.0}) {
            for (const double dt : {0.01, 0.1, 1.0}) {
                Snapped run(method, "bdf2", beta), euler(method, "backward_euler", beta);
                const double before = run.energy();
                for (int i = 0; i < 10; ++i) {
                    const StepReport report = run.step(dt);
                    EXPECT_FALSE(has(report.trouble, Trouble::not_converged))
                        << method << " " << beta << " " << dt << " step " << i << " residual " << report.residual;
                    EXPECT_LE(run.energy(), before) << method << " " << beta << " " << dt << " step " << i;
                    if (i > 0) continue;
                    euler.step(dt);
                    EXPECT_EQ(run.displacements(), euler.displacements()) << method << " " << beta << " " << dt;
                }
            }
        }
    }
}

TEST(ElasticSteps, Bdf2StartsAnewAfterAMuchShorterStep) {
    // Ten times as long as the last: looking back would take differences over the short step tenfold. Three times is
    // looked back on (see above).
    Snapped run("stvk", "bdf2", 0.01), short_first("stvk", "backward_euler", 0.01);
    for (Snapped* one : {&run, &short_first}) one->step(1e-3);
    run.step(1e-2);
    short_first.step(1e-2);
    EXPECT_EQ(run.displacements(), short_first.displacements());
}

TEST(ElasticSteps, AStepThatFailsLeavesTheStateAndSaysWhere) {
    const auto deformer = neo_hookean_bar({{"max_newton", 2.0}, {"max_sub_steps", 2.0}});
    State state = deformer->rest_state();
    Workspace scratch = deformer->make_workspace();
    std::vector<Vec3> force(deformer->body().vertex_count(), Vec3{0.0, -1e4, 3e3});
    Loads loads;
    loads.force = force;
    ASSERT_EQ(deformer->step(state, {}, 0.01, scratch).trouble, Trouble::none);
    const State before = state;
    const StepReport report = deformer->step(state, loads, 0.1, scratch);
    EXPECT_TRUE(has(report.trouble, Trouble::not_converged)) << to_string(report.trouble);
    EXPECT_GE(report.where, 0);
    EXPECT_EQ(report.sub_steps, 2);
    EXPECT_TRUE(state == before);
}

TEST(ElasticSteps, AFailingStepIsTakenInParts) {
    // The same push, with more parts allowed: it arrives, and the clock has moved by the whole step.
    const auto deformer = neo_hookean_bar({{"max_newton", 4.0}, {"max_sub_steps", 1024.0}}, 0.02);
    State state = deformer->rest_state();
    Workspace scratch = deformer->make_workspace();
    std::vector<Vec3> force(deformer->body().vertex_count(), Vec3{0.0, -40.0, 10.0});
    Loads loads;
    loads.force = force;
    const StepReport report = deformer->step(state, loads, 0.2, scratch);
    EXPECT_FALSE(has(report.trouble, Trouble::not_converged));
    EXPECT_GT(report.sub_steps, 1);
    EXPECT_GT(report.linearisations, report.sub_steps);
    EXPECT_DOUBLE_EQ(state.time, 0.2);
    EXPECT_STRNE(report.solver, "");
}

TEST(ElasticSteps, OneLinearisationIsOffInProportionToTheStrain) {
    // Far below what max_newton 1 refuses: the error is looked at here.
    double distance[2];
    for (const int k : {0, 1}) {
        const double push = k == 0 ? 4e-4 : 8e-4;  // below, the linear solve is seen
        Vec3 tip[2];
        for (const int single : {0, 1}) {
            const auto deformer = neo_hookean_bar({{"max_newton", single == 1 ? 1.0 : 30.0},
                                                   {"scheme", std::string("backward_euler")},
                                                   {"linear_tolerance", 1e-10},
                                                   {"tolerance", 1e-12}});
            State state = deformer->rest_state();
            Workspace scratch = deformer->make_workspace();
            std::vector<Vec3> force(deformer->body().vertex_count(), Vec3{0.0, -push, 0.0}), u(force.size());
            Loads loads;
            loads.force = force;
            StepReport report;
            for (int i = 0; i < 5; ++i) report = deformer->step(state, loads, 0.1, scratch);
            if (single == 1) {
                EXPECT_EQ(report.linearisations, 1);
            }
            deformer->displacements(state, u);
            tip[single] = u.back();
        }
        distance[k] = norm(tip[1] - tip[0]) / norm(tip[0]);
        EXPECT_LT(distance[k], 1e-4);
    }
    EXPECT_NEAR(distance[1] / distance[0], 2.0, 0.3);
}

TEST(ElasticSteps, PartsOfAFirstStaticStepBringItsLoadsOnBitByBit) {
    // The whole load at once throws Newton's method out of reach of the answer; it was the whole load in every part,
    // too.
    const auto tip = [](int parts, int steps) {
        const auto deformer = neo_hookean_bar({{"scheme", std::string("quasi_static")},
                                               {"max_newton", 6.0},
                                               {"max_sub_steps", static_cast<double>(parts)}});
        State state = deformer->rest_state();
        Workspace scratch = deformer->make_workspace();
        Loads loads;
        StepReport report;
        for (int i = 1; i <= steps; ++i) {
            loads.gravity = {0.0, -5.0 * i / steps, 0.0};
            report = deformer->step(state, loads, 1.0, scratch);
            if (report.trouble != Trouble::none) return std::pair{report, 0.0};
        }
        std::vector<Vec3> u(deformer->body().vertex_count());
        deformer->displacements(state, u);
        return std::pair{report, u.back().y};
    };
    EXPECT_TRUE(has(tip(1, 1).first.trouble, Trouble::not_converged));
    const auto in_parts = tip(64, 1), by_hand = tip(1, 64);
    ASSERT_EQ(in_parts.first.trouble, Trouble::none);
    ASSERT_EQ(by_hand.first.trouble, Trouble::none);
    EXPECT_GT(in_parts.first.sub_steps, 1);
    EXPECT_NEAR(in_parts.second / by_hand.second, 1.0, 1e-6);
}

TEST(ElasticSteps, ATightToleranceIsNotMetByItsOwnSmallness) {
    // Rounding over the tolerance once counted as a force: the tighter it was, the sooner a step was called balanced.
    expect_error(Fault::bad_option, "/method/options/tolerance", [&] { neo_hookean_bar({{"tolerance", 1e-40}}); });
    for (const double tolerance : {1e-9, 1e-14}) {
        const auto deformer = neo_hookean_bar({{"scheme", std::string("quasi_static")}, {"tolerance", tolerance}});
        State state = deformer->rest_state();
        Workspace scratch = deformer->make_workspace();
        Loads loads;
        loads.gravity = {0.0, -0.5, 0.0};
        const StepReport report = deformer->step(state, loads, 1.0, scratch);
        ASSERT_EQ(report.trouble, Trouble::none);
        double mass = 0.0;
        for (const double m : vertex_masses(deformer->body())) mass += m;
        const Wrench held = deformer->reaction(state, {SupportRef::Kind::anchor, 0});
        EXPECT_NEAR(held.force.y / (0.5 * mass), 1.0, 1e-8) << tolerance;
        EXPECT_NEAR(held.force.x / (0.5 * mass), 0.0, 1e-8) << tolerance;
    }
}

TEST(ElasticSteps, OneLinearisationThatIsFarOffSaysSo) {
    // The linear solve is good to 1e-6 all the same: what is reported is the step's own residual.
    Progress silent;
    const auto body = hyper_body({.kind = CellKind::hex8, .cells = 4, .anchored = true});
    for (const char* method : {"corotational", "stvk", "neo_hookean"}) {
        const auto deformer = require_method(method).prepare(
            body, {{"max_newton", 1.0}, {"max_sub_steps", 1.0}, {"scheme", std::string("quasi_static")}}, silent);
        State state = deformer->rest_state();
        Workspace scratch = deformer->make_workspace();
        Loads loads;
        loads.gravity = {0.0, -3.0, 0.0};
        const StepReport report = deformer->step(state, loads, 0.1, scratch);
        EXPECT_TRUE(has(report.trouble, Trouble::not_converged)) << method;
        EXPECT_GT(report.residual, 1e-3) << method;
        loads.gravity = {0.0, -1e-4, 0.0};
        EXPECT_EQ(deformer->step(state, loads, 0.1, scratch).trouble, Trouble::none) << method;
    }
}

}  // namespace
}  // namespace limber
