#include "expect_error.hpp"
#include "methods/linear_fem_fixtures.hpp"

#include <limber/tools/modes.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace limber {
namespace {

using namespace test;

const Material kRubber{"rubber", 2e4, 0.3, 1000.0, 0.5, 0.002};

OptionValues with(std::initializer_list<std::pair<const std::string, OptionValue>> extra) {
    OptionValues o{{"step", 0.01}};
    for (const auto& [k, v] : extra) o[k] = v;
    return o;
}

TEST(Block, AgreesWithAnIndependentImplementation) {
    // Centre displacement of the accuracy paper's block at t = 2 s and 10 s; numbers from tests/reference (numpy,
    // written apart from this code). Dropping C_fp v_p, a wrong a_0 or a shifted needle moves them in the second digit.
    struct Case {
        int n;
        Plane plane;
        const char* integration;
        double young, poisson, density, at2, at10;
    };
    const Case cases[] = {
        {20, Plane::strain, "full", 200, 0.47, 2000, -0.009716525169642396, -0.018773736981362126},
        {10, Plane::strain, "full", 200, 0.47, 2000, -0.015559478959299697, -0.026204483973434275},
        {10, Plane::strain, "bbar", 200, 0.47, 2000, -0.008290736268379362, -0.016352755797693557},
        {10, Plane::strain, "bbar", 60000, 0.495, 1140, -0.006853988719623882, -0.0068953185946338345},
        {10, Plane::stress, "full", 200, 0.47, 2000, -0.005297955242616704, -0.027382543342212896},
    };
    for (const Case& c : cases) {
        BodyDescription d;
        d.mesh = make_grid(CellKind::quad4, c.n, c.n, {0, 0, 0}, {1, 1, 0});
        d.plane = c.plane;
        d.materials = {{"", {"m", c.young, c.poisson, c.density, 1.0, 0.1}}};
        for (const char* side : {"left", "top", "bottom"}) d.anchors.push_back({side, d.mesh.vertex_sets.at(side), {}});
        d.handles = {{"needle", {c.n / 2 * (c.n + 1) + c.n}, {}, {1, 0.5, 0}}};
        Sim sim(Body::make(d), {{"step", 1.0 / 30}, {"integration", std::string(c.integration)}});
        const auto at = [](int i) {
            HandleTarget h;
            h.translation.x = -0.08 * std::min(i / 30.0, 2.0);
            h.velocity.x = i < 60 ? -0.08 : 0.0;
            return h;
        };
        HandleTarget h = at(0);
        Loads loads;
        loads.handles = {&h, 1};
        sim.deformer->start(sim.state, loads, sim.scratch);
        for (int i = 1; i <= 300; ++i) {
            h = at(i);
            ASSERT_EQ(sim.step(loads).trouble, Trouble::none);
            const double centre = sim.u()[static_cast<std::size_t>(c.n / 2 * (c.n + 1) + c.n / 2)].x;
            const double expected = i == 60 ? c.at2 : c.at10;
            if (i == 60 || i == 300) {
                EXPECT_NEAR(centre, expected, 1e-9 * std::abs(expected)) << c.n << c.integration;
            }
        }
    }
}

TEST(Solvers, IterativeOnesGiveTheFactoredAnswer) {
    const auto body = bar(CellKind::hex8, 2, kRubber);
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    std::vector<std::vector<Vec3>> answers;
    for (const char* solver : {"cholesky", "cholesky_float", "pcg", "gauss_seidel"}) {
        Sim sim(body, with({{"solver", std::string(solver)}, {"tolerance", 1e-12}}));
        EXPECT_EQ(sim.step(loads, 20).trouble, Trouble::none) << solver;
        EXPECT_EQ(sim.last.iterations > 0, std::string(solver) != "cholesky");
        EXPECT_STREQ(sim.last.solver, solver);
        EXPECT_EQ(sim.last.residual > 0.0, std::string(solver) != "cholesky");
        answers.push_back(sim.u());
    }
    for (std::size_t k = 1; k < answers.size(); ++k) EXPECT_LT(distance(answers[0], answers[k]), 1e-10) << k;
}

TEST(Steps, AMultipleOfThePreparedStepIsSeveralSteps) {
    const auto body = bar(CellKind::tet4, 2, kRubber);
    Loads loads;
    loads.gravity = {0, -1, 0};
    Sim one(body, with({})), many(body, with({}));
    one.step(loads, 6);
    const StepReport report = many.deformer->step(many.state, loads, 0.06, many.scratch);
    EXPECT_EQ(report.sub_steps, 6);
    EXPECT_EQ(distance(one.u(), many.u()), 0.0);
    EXPECT_TRUE(has(many.deformer->step(many.state, loads, 0.0137, many.scratch).trouble, Trouble::wrong_step));
}

TEST(State, OneOfAnotherDeformerIsRefused) {
    Sim sim(bar(CellKind::tet4, 1, kRubber), with({}));
    State empty;
    EXPECT_TRUE(has(sim.deformer->step(empty, {}, 0.01, sim.scratch).trouble, Trouble::bad_state));
    Workspace none;
    EXPECT_TRUE(has(sim.deformer->step(sim.state, {}, 0.01, none).trouble, Trouble::bad_state));
}

TEST(Start, ReactionsDoNotDependOnTheWorkspace) {
    const auto body = bar(CellKind::hex8, 1, kRubber);
    Loads loads;
    loads.gravity = {0, -10, 0};
    for (const char* scheme : {"newmark_implicit", "implicit_midpoint", "backward_euler"}) {
        Sim sim(body, with({{"scheme", std::string(scheme)}}));
        for (double& x : sim.scratch.reals) x = std::nan("");
        sim.deformer->start(sim.state, loads, sim.scratch);
        const double f = sim.deformer->reaction(sim.state, {SupportRef::Kind::anchor, 0}).force.y;
        EXPECT_GT(f, 0.0) << scheme;
    }
}

TEST(Symplectic, SubStepsByItselfAndMeetsTheImplicitAnswer) {
    const auto body = bar(CellKind::hex8, 2, {"m", 2e6, 0.3, 1000.0, 0.5, 0.0});
    Loads loads;
    loads.gravity = {0, -1, 0};
    Sim implicit(body, with({{"step", 0.002}, {"mass", std::string("lumped")}}));
    Sim symplectic(
        body, with({{"step", 0.02}, {"scheme", std::string("symplectic_euler")}, {"mass", std::string("lumped")}}));
    implicit.step(loads, 200);
    symplectic.step(loads, 20);
    EXPECT_GT(symplectic.last.sub_steps, 1);
    EXPECT_EQ(symplectic.last.trouble, Trouble::none);
    double size = 0.0;
    for (const Vec3& x : implicit.u()) size = std::max(size, norm(x));
    EXPECT_LT(distance(implicit.u(), symplectic.u()), 0.05 * size);
}

TEST(Explicit, ASmallerStepIsStableAndALargerOneReportsNonFinite) {
    const auto body = bar(CellKind::hex8, 2, kRubber);
    Loads loads;
    loads.gravity = {0, -1, 0};
    const auto probe = prepare(body, with({{"scheme", std::string("newmark_explicit")}}));
    double limit = 0.0;
    for (const auto& [name, value] : probe->facts())
        if (name == "critical_step") limit = value;
    ASSERT_GT(limit, 0.0);
    Sim good(body, with({{"scheme", std::string("newmark_explicit")}, {"step", 0.9 * limit}}));
    EXPECT_EQ(good.step(loads, 2000).trouble, Trouble::none);
    Sim bad(body, with({{"scheme", std::string("newmark_explicit")}, {"step", 1.3 * limit}}));
    Trouble seen = Trouble::none;
    for (int i = 0; i < 200000 && seen == Trouble::none; ++i) seen = bad.step(loads).trouble;
    EXPECT_TRUE(has(seen, Trouble::non_finite));
}

TEST(Tension, AUniformPullGivesTheTextbookStretchAndStress) {
    // Pull on the free end with E A / L known; nu = 0 so that the clamped end does not disturb.
    const Material m{"m", 1e4, 0.0, 1000.0, 0.0, 0.0};
    const auto body = bar(CellKind::hex8, 2, m);
    Sim sim(body, with({{"scheme", std::string("quasi_static")}}));
    std::vector<Vec3> force(body->vertex_count());
    const Mesh& mesh = body->mesh();
    for (const std::int32_t v : mesh.vertex_sets.at("right")) {
        const Vec3& x = mesh.vertices[static_cast<std::size_t>(v)];
        const auto share = [](double c) { return c < 1e-9 || c > 1 - 1e-9 ? 0.25 : 0.5; };
        force[static_cast<std::size_t>(v)].x = 50.0 * share(x.y) * share(x.z);
    }
    Loads loads;
    loads.force = force;
    sim.step(loads);
    for (const std::int32_t v : mesh.vertex_sets.at("right"))
        EXPECT_NEAR(sim.u()[static_cast<std::size_t>(v)].x, 50.0 * 2.0 / 1e4, 1e-12);
    std::vector<SymMat3> stress(mesh.cell_count());
    ASSERT_TRUE(sim.deformer->cell_stress(sim.state, stress));
    for (const SymMat3& s : stress) EXPECT_NEAR(s.xx, 50.0, 1e-9);
    const Wrench r = sim.deformer->reaction(sim.state, {SupportRef::Kind::anchor, 0});
    EXPECT_NEAR(r.force.x, -50.0, 1e-10);
}

TEST(Bending, ASlenderBeamMeetsTimoshenko) {
    // nu = 0: the clamped face then restrains nothing that beam theory leaves free.
    const Material m{"m", 1e6, 0.0, 1000.0, 0.0, 0.0};
    BodyDescription d;
    d.mesh = make_box(CellKind::tet10, 20, 2, 2, {0, 0, 0}, {10, 1, 1});
    d.materials = {{"", m}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    const auto body = Body::make(d);
    Sim sim(body, with({{"scheme", std::string("quasi_static")}, {"integration", std::string("full")}}));
    Loads loads;
    loads.gravity = {0, -0.01, 0};
    sim.step(loads);
    double tip = 0.0;
    for (const std::int32_t v : d.mesh.vertex_sets.at("right"))
        tip = std::min(tip, sim.u()[static_cast<std::size_t>(v)].y);
    const double q = 1000.0 * 0.01, inertia = 1.0 / 12,
                 shear = m.shear() * 10.0 * (1 + m.poisson) / (12 + 11 * m.poisson);
    const double expected = q * 1e4 / (8 * m.young * inertia) + q * 100 / (2 * shear);
    EXPECT_NEAR(-tip / expected, 1.0, 0.005);
}

TEST(VolumePenalty, AddsBulkStiffnessAndNothingElse) {
    // Uniform compression of a fully boxed-in sliver: p = (kappa + penalty + 4G/3) strain in a confined direction.
    const Material m{"m", 1e4, 0.2, 1000.0, 0.0, 0.0};
    for (const double penalty : {0.0, 5e4}) {
        BodyDescription d;
        d.mesh = make_box(CellKind::tet4, 3, 1, 1, {0, 0, 0}, {3, 1, 1});
        d.materials = {{"", m}};
        d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
        IndexSet all(d.mesh.vertices.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
        d.anchors.push_back({"sides", all, {false, true, true}});
        d.handles = {{"piston", d.mesh.vertex_sets.at("right"), {true, false, false}, {}}};
        Sim sim(Body::make(d), with({{"scheme", std::string("quasi_static")},
                                     {"volume_penalty", penalty},
                                     {"integration", std::string("full")}}));
        HandleTarget h;
        h.translation.x = -0.03;
        Loads loads;
        loads.handles = {&h, 1};
        sim.step(loads);
        EXPECT_NEAR(sim.deformer->reaction(sim.state, {SupportRef::Kind::handle, 0}).force.x,
                    -0.01 * (m.bulk() + penalty + 4 * m.shear() / 3), 1e-9);
    }
}

TEST(Modes, AxialBarMeetsTheClosedForm) {
    // nu = 0 and sides free: axial modes at (2k-1) pi/(2L) sqrt(E/rho), effective mass 8/(pi (2k-1))^2 of the whole.
    const Material m{"m", 1e4, 0.0, 1000.0, 0.0, 0.0};
    BodyDescription d;
    d.mesh = make_box(CellKind::hex8, 40, 1, 1, {0, 0, 0}, {1, 0.1, 0.1});
    d.materials = {{"", m}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    IndexSet all(d.mesh.vertices.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
    d.anchors.push_back({"rail", all, {false, true, true}});
    Progress silent;
    const ModeList modes = body_modes(Body::make(d), {}, 3, silent);
    for (int k = 0; k < 3; ++k) {
        const double omega = (2 * k + 1) * std::numbers::pi / 2 * std::sqrt(10.0);
        EXPECT_NEAR(modes.omega[static_cast<std::size_t>(k)] / omega, 1.0, 2e-3);
        const double share = 8 / std::pow(std::numbers::pi * (2 * k + 1), 2);
        EXPECT_NEAR(modes.effective_mass[static_cast<std::size_t>(k)].x / modes.total_mass, share, 2e-3);
    }
    EXPECT_NEAR(modes.total_mass, 10.0, 1e-9);
    EXPECT_EQ(modes.rigid, 0);
}

TEST(Options, ContradictionsAreExplained) {
    const auto held = bar(CellKind::hex8, 1, kRubber);
    expect_error(Fault::bad_option, "/method/options/newmark_beta", [&] {
        prepare(held, with({{"newmark_beta", 0.0}}));
    });
    expect_error(Fault::bad_option, "/method/options/scheme", [&] {
        prepare(bar(CellKind::hex8, 1, kRubber, false), with({{"scheme", std::string("quasi_static")}}));
    });
    BodyDescription d;
    d.mesh = make_grid(CellKind::quad4, 2, 2, {0, 0, 0}, {1, 1, 0});
    d.plane = Plane::stress;
    d.materials = {{"", kRubber}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    expect_error(Fault::bad_option, "/method/options/integration", [&] {
        prepare(Body::make(d), with({{"integration", std::string("bbar")}}));
    });
}

}  // namespace
}  // namespace limber
