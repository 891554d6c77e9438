#include "expect_error.hpp"
#include "methods/linear_fem_fixtures.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace limber {
namespace {

using namespace test;

const Material kPudding{"pudding", 2e4, 0.3, 1000.0, 0.5, 0.002};

OptionValues clustered(const std::string& scheme,
                       std::initializer_list<std::pair<const std::string, OptionValue>> extra = {}) {
    OptionValues o{{"scheme", scheme}, {"tolerance", 1e-14}};
    for (const auto& [k, v] : extra) o[k] = v;
    return o;
}

double fact_of(const Deformer& d, const std::string& name) {
    for (const auto& [key, value] : d.facts())
        if (key == name) return value;
    return -1.0;
}

double most(const std::vector<Vec3>& u) { return distance(u, std::vector<Vec3>(u.size())); }

// Pushed unevenly, with the handle on its way, for a few steps.
std::vector<Vec3> short_run(Sim& sim, double dt, int steps) {
    const Body& body = sim.deformer->body();
    std::vector<Vec3> push(body.vertex_count());
    for (std::size_t i = 0; i < push.size(); ++i) {
        push[i] = {std::sin(1.0 * static_cast<double>(i)), std::cos(2.0 * static_cast<double>(i)),
                   body.mesh().dimension() == 3 ? 0.5 : 0.0};
    }
    std::vector<HandleTarget> handles(body.handles().size());
    Loads loads;
    loads.force = push;
    loads.gravity = {0, -2, 0};
    loads.handles = handles;
    for (int i = 1; i <= steps; ++i) {
        for (HandleTarget& h : handles) {
            h.translation.y = 0.01 * i;
            h.velocity.y = 0.01 / dt;
        }
        EXPECT_EQ(sim.deformer->step(sim.state, loads, dt, sim.scratch).trouble, Trouble::none);
    }
    return sim.u();
}

std::shared_ptr<const Body> plate(CellKind kind, const Material& m) {
    BodyDescription d;
    d.mesh = make_grid(kind, 5, 3, {0, 0, 0}, {2, 1, 0});
    d.materials = {{"", m}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    d.handles = {{"grip", d.mesh.vertex_sets.at("right"), {}, {2, 0.5, 0}}};
    return Body::make(d);
}

TEST(ClusteredFem, EqualsLinearFemOnEveryCellKindAndScheme) {
    // Another order of the same sums: nothing may be lost, also where volume change is averaged over wider
    // neighbourhoods (bbar on simplices).
    for (const CellKind kind : {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8}) {
        for (const char* integration : {"full", "bbar"}) {
            for (const char* scheme : {"newmark_implicit", "symplectic_euler", "backward_euler", "bdf2",
                                       "implicit_midpoint", "quasi_static"}) {
                const auto body = dimension_of(kind) == 2 ? plate(kind, kPudding) : bar(kind, 2, kPudding, true, true);
                const double dt = 0.01;
                Sim truth(body, {{"step", dt},
                                 {"mass", std::string("lumped")},
                                 {"scheme", std::string(scheme)},
                                 {"integration", std::string(integration)}});
                Sim rows(body, clustered(scheme, {{"integration", std::string(integration)}}), "clustered_fem");
                const std::vector<Vec3> expected = short_run(truth, dt, 5);
                EXPECT_LT(distance(short_run(rows, dt, 5), expected), 1e-12 * most(expected))
                    << to_string(kind) << " " << integration << " " << scheme;
            }
        }
    }
}

TEST(ClusteredFem, EqualsLinearFemWhereDampingDiffersAndMassIsConsistent) {
    // Then C is a matrix of its own, and M too: they are added beside the clusters.
    BodyDescription d = bar(CellKind::tet4, 2, kPudding, true, true)->description();
    std::vector<std::int32_t> half;
    for (std::int32_t c = 0; c < static_cast<std::int32_t>(d.mesh.cell_count() / 2); ++c) half.push_back(c);
    d.mesh.cell_sets["half"] = half;
    Material stiffer = kPudding;
    stiffer.young = 5e4;
    stiffer.rayleigh_alpha = 2.0;
    stiffer.rayleigh_beta = 0.004;
    d.materials = {{"", kPudding}, {"half", stiffer}};
    const auto body = Body::make(d);
    for (const char* mass : {"lumped", "consistent"}) {
        for (const char* scheme : {"newmark_implicit", "symplectic_euler", "newmark_explicit"}) {
            const double dt = 0.001;
            Sim truth(body, {{"step", dt}, {"mass", std::string(mass)}, {"scheme", std::string(scheme)}});
            Sim rows(body, clustered(scheme, {{"mass", std::string(mass)}}), "clustered_fem");
            const std::vector<Vec3> expected = short_run(truth, dt, 5);
            EXPECT_LT(distance(short_run(rows, dt, 5), expected), 1e-12 * most(expected)) << mass << " " << scheme;
        }
    }
}

TEST(ClusteredFem, VoxelsAndSingleElementsAreTheSameForces) {
    for (const CellKind kind : {CellKind::tri3, CellKind::tet4, CellKind::hex8}) {
        const auto body = dimension_of(kind) == 2 ? plate(kind, kPudding) : bar(kind, 2, kPudding, true, true);
        Sim rows(body, clustered("symplectic_euler"), "clustered_fem");
        const std::vector<Vec3> expected = short_run(rows, 0.01, 5);
        for (const double cells : {1.0, 6.0, 40.0}) {
            Sim voxels(body,
                       clustered("symplectic_euler", {{"clusters", std::string("voxels")}, {"voxel_cells", cells}}),
                       "clustered_fem");
            EXPECT_LT(distance(short_run(voxels, 0.01, 5), expected), 1e-12 * most(expected))
                << to_string(kind) << " " << cells;
        }
        Sim elements(body, clustered("symplectic_euler", {{"clusters", std::string("none")}}), "clustered_fem");
        EXPECT_LT(distance(short_run(elements, 0.01, 5), expected), 1e-12 * most(expected)) << to_string(kind);
    }
}

TEST(ClusteredFem, ExplicitSchemesChooseSubStepsThatAreStableAndSayHowMany) {
    // Too few blow up within a few hundred steps; far too many would mean that the bound is not the one of the highest
    // frequency.
    for (const char* scheme : {"symplectic_euler", "newmark_explicit"}) {
        Material lively = kPudding;
        lively.young = 1e6;
        lively.rayleigh_alpha = 0.0;
        lively.rayleigh_beta = 1e-5;
        Sim sim(bar(CellKind::tet4, 3, lively), clustered(scheme), "clustered_fem");
        const double critical = fact_of(*sim.deformer, "critical_step"), dt = 1.0 / 60;
        ASSERT_GT(critical, 0.0);
        const int expected = static_cast<int>(std::ceil(dt / (0.9 * critical)));
        ASSERT_GT(expected, 1) << "this body is too soft for the test";
        Loads loads;
        loads.gravity = {0, -1, 0};
        StepReport report;
        double deepest = 0.0;
        for (int i = 0; i < 300; ++i) {
            report = sim.deformer->step(sim.state, loads, dt, sim.scratch);
            ASSERT_EQ(report.trouble, Trouble::none) << i;
            deepest = std::max(deepest, most(sim.u()));
        }
        EXPECT_EQ(report.sub_steps, expected);
        EXPECT_LT(deepest, 2.2 * most(sim.u()));  // let go, a beam swings to twice where it ends
        const std::vector<std::string> remarks = sim.deformer->remarks();
        EXPECT_TRUE(std::any_of(remarks.begin(), remarks.end(), [&](const std::string& r) {
            return r.find("takes a sub-step for every " + std::to_string(0.9 * critical).substr(0, 6)) !=
                   std::string::npos;
        }));
    }
}

TEST(ClusteredFem, MoreSubStepsThanItMayTakeAreRefused) {
    Sim sim(bar(CellKind::tet4, 2, kPudding), clustered("symplectic_euler"), "clustered_fem");
    const State before = sim.state;
    const double much = 1e6 * fact_of(*sim.deformer, "critical_step");
    EXPECT_EQ(sim.deformer->step(sim.state, {}, much, sim.scratch).trouble, Trouble::wrong_step);
    EXPECT_EQ(sim.state, before);
}

TEST(ClusteredFem, StepsOfAnySizeConvergeAtTheSchemesOrder) {
    // Steps that change all the time: what a scheme remembers of the last one (BDF2's past) must not assume that it was
    // as long.
    const auto body = bar(CellKind::tet4, 1, kPudding, true, true);
    const auto end_of = [&](const char* scheme, int pieces) {
        Sim sim(body, clustered(scheme), "clustered_fem");
        EXPECT_EQ(sim.deformer->prepared_step(), 0.0);
        HandleTarget h;
        Loads loads;
        loads.handles = {&h, 1};
        double t = 0.0;
        for (int i = 0; i < pieces; ++i) {
            const double dt = 0.4 / pieces * (i % 2 == 0 ? 1.3 : 0.7);
            t += dt;
            const double s = std::sin(5 * t), c = std::cos(5 * t);
            h.translation.y = 0.1 * s * s * s;
            h.velocity.y = 1.5 * s * s * c;
            h.acceleration.y = 7.5 * s * (2 * c * c - s * s);
            EXPECT_EQ(sim.deformer->step(sim.state, loads, dt, sim.scratch).trouble, Trouble::none);
        }
        return sim.u();
    };
    for (const auto& [scheme, order] : {std::pair{"newmark_implicit", 2.0}, std::pair{"bdf2", 2.0},
                                        std::pair{"implicit_midpoint", 2.0}, std::pair{"backward_euler", 1.0}}) {
        const std::vector<Vec3> coarse = end_of(scheme, 80), middle = end_of(scheme, 160), fine = end_of(scheme, 320);
        EXPECT_NEAR(std::log2(distance(coarse, middle) / distance(middle, fine)), order, 0.3) << scheme;
    }
}

TEST(ClusteredFem, LiveConstraintsHoldWhileTheStepChanges) {
    // Their columns are of one step size: kept beyond it, the point would still be met, but by a body bent wrongly. In
    // the other run the constraint takes a new slot whenever the size changes, and with it new columns.
    Sim same(bar(CellKind::tet4, 2, kPudding), clustered("newmark_implicit"), "clustered_fem"),
        fresh(bar(CellKind::tet4, 2, kPudding), clustered("newmark_implicit"), "clustered_fem");
    const Body& body = same.deformer->body();
    const auto tip = static_cast<std::int32_t>(body.vertex_count() - 1);
    PointConstraint c;
    c.kind = PointConstraint::Kind::hard;
    c.vertex_count = 1;
    c.vertices[0] = tip;
    c.weights[0] = 1.0;
    c.target = body.mesh().vertices[static_cast<std::size_t>(tip)] + Vec3{0.0, 0.03, 0.01};
    std::size_t slot = 0;
    for (const double dt : {0.01, 0.003, 0.02, 0.005}) {
        Loads loads;
        loads.live = {&c, 1};
        ASSERT_EQ(same.deformer->step(same.state, loads, dt, same.scratch).trouble, Trouble::none);
        std::vector<PointConstraint> slots(slot + 1);
        slots[slot++] = c;
        loads.live = slots;
        ASSERT_EQ(fresh.deformer->step(fresh.state, loads, dt, fresh.scratch).trouble, Trouble::none);
        EXPECT_LT(norm(same.u()[static_cast<std::size_t>(tip)] - Vec3{0.0, 0.03, 0.01}), 1e-12) << dt;
        EXPECT_LT(distance(same.u(), fresh.u()), 1e-12) << dt;
    }
}

TEST(ClusteredFem, StiffnessOfSupportsIsTheStepsOwnAndGivenFromItsSecondOn) {
    const auto body = bar(CellKind::tet4, 2, kPudding, true, true);
    Sim sim(body, clustered("newmark_implicit"), "clustered_fem");
    const SupportRef grip{SupportRef::Kind::handle, 0};
    HandleTarget h;
    Loads loads;
    loads.handles = {&h, 1};
    for (const double dt : {0.01, 0.02}) {
        Sim truth(body, {{"step", dt}, {"mass", std::string("lumped")}});
        truth.step(loads);
        Mat3 expected, found;
        ASSERT_TRUE(truth.deformer->tangent_stiffness(truth.state, grip, expected));
        sim.deformer->step(sim.state, loads, dt, sim.scratch);
        EXPECT_FALSE(sim.deformer->tangent_stiffness(sim.state, grip, found));
        sim.deformer->step(sim.state, loads, dt, sim.scratch);
        ASSERT_TRUE(sim.deformer->tangent_stiffness(sim.state, grip, found));
        for (int i = 0; i < 9; ++i)
            EXPECT_NEAR(found(i / 3, i % 3), expected(i / 3, i % 3), 1e-10 * std::abs(expected(0, 0)));
    }
}

TEST(ClusteredFem, SinglePrecisionStatesItsErrorAndKeepsToIt) {
    const auto body = bar(CellKind::tet4, 4, kPudding, true, true);
    for (const char* scheme : {"symplectic_euler", "backward_euler"}) {
        Sim exact(body, clustered(scheme), "clustered_fem"),
            single(body, clustered(scheme, {{"precision", std::string("float")}}), "clustered_fem");
        const double stated = fact_of(*single.deformer, "product_error");
        EXPECT_GT(stated, 1e-9);
        EXPECT_LT(stated, 3e-7);
        EXPECT_EQ(fact_of(*exact.deformer, "product_error"), 0.0);
        EXPECT_FALSE(single.deformer->remarks().empty());
        const std::vector<Vec3> expected = short_run(exact, 0.01, 20);
        const double off = distance(short_run(single, 0.01, 20), expected) / most(expected);
        EXPECT_LT(off, 2e-5) << scheme;
        EXPECT_GT(off, 0.0) << "is this single precision?";
    }
}

TEST(ClusteredFem, RefusesWhatItsClustersCannotBe) {
    const auto refused = [](const OptionValues& options) {
        try {
            prepare(bar(CellKind::tet4, 1, kPudding), options, "clustered_fem");
        } catch (const Error& e) {
            return e.fault() == Fault::bad_option;
        }
        return false;
    };
    EXPECT_TRUE(refused({{"clusters", std::string("voxels")}, {"integration", std::string("bbar")}}));
    EXPECT_TRUE(refused({{"clusters", std::string("none")}, {"integration", std::string("bbar")}}));
    EXPECT_TRUE(refused({{"clusters", std::string("none")}, {"precision", std::string("float")}}));
}

TEST(ClusteredFem, ElasticEnergyIsNeverNegativeAndFloatIsRefusedWhereItMeansNothing) {
    // The energy by u . K u in single precision lost its sign long before the displacements did.
    for (const double nu : {0.3, 0.49, 0.4999, 0.49999, 0.499996, 0.4999999999}) {
        Material m = kPudding;
        m.poisson = nu;
        const auto body = bar(CellKind::tet4, 2, m, true, true);
        for (const char* precision : {"double", "float"}) {
            const OptionValues options{{"scheme", std::string("backward_euler")},
                                       {"precision", std::string(precision)}};
            if (precision == std::string("float") && nu > 0.499997) {
                Progress silent;
                SCOPED_TRACE(nu);
                expect_error(Fault::bad_option, "/method/options/precision",
                             [&] { require_method("clustered_fem").prepare(body, options, silent); });
                continue;
            }
            Sim sim(body, options, "clustered_fem");
            std::vector<HandleTarget> handles(body->handles().size());
            Loads loads;
            loads.gravity = {0, -2, 0};
            loads.handles = handles;
            for (int i = 1; i <= 5; ++i) {
                for (HandleTarget& h : handles) h.translation.y = 0.01 * i;
                sim.deformer->step(sim.state, loads, 0.01, sim.scratch);
                EXPECT_GT(sim.deformer->energies(sim.state, sim.scratch).elastic, 0.0) << precision << " nu " << nu;
            }
        }
    }
}

}  // namespace
}  // namespace limber
