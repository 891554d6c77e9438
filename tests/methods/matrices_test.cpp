// The exported matrices against what must hold of any of them: rigid motions, total mass, the definition of C, who owns
// what.
#include <limber/tools/matrices.hpp>

#include "expect_error.hpp"
#include "methods/linear_fem_fixtures.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

const Material kSoft{"soft", 1e4, 0.3, 1000.0, 0.7, 0.02};

std::vector<double> times(const SparseMatrix& a, const std::vector<double>& x) {
    std::vector<double> y(a.rows(), 0.0);
    for (std::size_t r = 0; r < a.rows(); ++r) {
        for (auto e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]); ++e)
            y[r] += a.values[e] * x[static_cast<std::size_t>(a.columns[e])];
    }
    return y;
}

double at(const SparseMatrix& a, std::size_t row, std::size_t column) {
    for (auto e = static_cast<std::size_t>(a.starts[row]); e < static_cast<std::size_t>(a.starts[row + 1]); ++e)
        if (static_cast<std::size_t>(a.columns[e]) == column) return a.values[e];
    return 0.0;
}

BodyMatrices matrices_of(const std::shared_ptr<const Body>& body, const OptionValues& options = {}) {
    Progress silent;
    return body_matrices(body, options, silent);
}

// The left half of a bar in `left`, the rest in `right`.
std::shared_ptr<const Body> two_materials(CellKind kind, const Material& left, const Material& right) {
    BodyDescription d;
    d.mesh = kind == CellKind::quad4 || kind == CellKind::tri3 ? make_grid(kind, 4, 2, {0, 0, 0}, {2, 1, 0})
                                                               : make_box(kind, 4, 2, 2, {0, 0, 0}, {2, 1, 1});
    const auto n = static_cast<std::size_t>(corners_of(kind));
    for (std::size_t c = 0; c < d.mesh.cell_count(); ++c) {
        double x = 0.0;
        for (std::size_t a = 0; a < n; ++a)
            x += d.mesh.vertices[static_cast<std::size_t>(d.mesh.cell(c)[a])].x / static_cast<double>(n);
        if (x < 1.0) d.mesh.cell_sets["left half"].push_back(static_cast<std::int32_t>(c));
    }
    d.materials = {{"left half", left}, {"", right}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    return Body::make(d);
}

TEST(BodyMatrices, RigidMotionsCostNothingAndMassIsComplete) {
    // Over all vertices: a row left out with the anchors would show as a force.
    for (const CellKind kind : {CellKind::tet4, CellKind::tet10, CellKind::hex8}) {
        const auto body = test::bar(kind, 2, kSoft);
        const BodyMatrices m = matrices_of(body);
        ASSERT_EQ(m.unknowns(), 3 * body->vertex_count());
        std::vector<double> turn, shift;
        for (const Vec3& p : body->mesh().vertices) {
            const Vec3 w = cross(Vec3{0.3, -0.2, 0.9}, p);
            turn.insert(turn.end(), {w.x, w.y, w.z});
            shift.insert(shift.end(), {0.0, 1.0, 0.0});
        }
        for (const double f : times(m.stiffness, turn)) EXPECT_NEAR(f, 0.0, 1e-9 * 1e4);
        double mass = 0.0;
        const std::vector<double> inertia = times(m.mass, shift);
        for (std::size_t v = 0; v < body->vertex_count(); ++v) {
            EXPECT_NEAR(inertia[3 * v + 1], m.weight[v], 1e-12 * 2000.0) << to_string(kind) << ", vertex " << v;
            mass += inertia[3 * v + 1];
        }
        EXPECT_NEAR(mass, 2000.0, 1e-9);
    }
}

TEST(BodyMatrices, BothHalvesAreTheSameBits) {
    const BodyMatrices m = matrices_of(two_materials(CellKind::tet4, kSoft, {"hard", 3e5, 0.45, 1200.0, 0.1, 0.3}));
    for (const SparseMatrix* a : {&m.stiffness, &m.mass, &m.damping}) {
        for (std::size_t r = 0; r < a->rows(); ++r) {
            for (auto e = static_cast<std::size_t>(a->starts[r]); e < static_cast<std::size_t>(a->starts[r + 1]); ++e)
                ASSERT_EQ(a->values[e], at(*a, static_cast<std::size_t>(a->columns[e]), r));
        }
    }
}

TEST(BodyMatrices, DampingIsTheSumOfEachMaterialsShare) {
    // Damping is linear in (alpha, beta) of each half: the mixed body's C is the sum of two bodies with one half
    // undamped each. The uniform body takes another path (C is never assembled) and must agree too.
    Material none = kSoft;
    none.rayleigh_alpha = none.rayleigh_beta = 0.0;
    for (const CellKind kind : {CellKind::quad4, CellKind::tet4, CellKind::tet10}) {
        for (const char* mass : {"consistent", "lumped"}) {
            for (const char* damping : {"rayleigh", "mass_only"}) {
                const OptionValues options{{"mass", std::string(mass)},
                                           {"damping", std::string(damping)},
                                           {"integration", std::string("bbar")}};
                const BodyMatrices both = matrices_of(two_materials(kind, kSoft, kSoft), options);
                const BodyMatrices left = matrices_of(two_materials(kind, kSoft, none), options);
                const BodyMatrices right = matrices_of(two_materials(kind, none, kSoft), options);
                std::vector<double> x(both.unknowns());
                for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i * i));
                const auto c = times(both.damping, x), l = times(left.damping, x), r = times(right.damping, x);
                const auto mx = times(both.mass, x), kx = times(both.stiffness, x);
                const double beta = std::string(damping) == "rayleigh" ? kSoft.rayleigh_beta : 0.0;
                for (std::size_t i = 0; i < x.size(); ++i) {
                    EXPECT_NEAR(c[i], kSoft.rayleigh_alpha * mx[i] + beta * kx[i], 1e-10);
                    EXPECT_NEAR(c[i], l[i] + r[i], 1e-9)
                        << to_string(kind) << " " << mass << " " << damping << " unknown " << i;
                }
            }
        }
    }
}

TEST(BodyMatrices, LumpedMassIsDiagonal) {
    const BodyMatrices m = matrices_of(test::bar(CellKind::tet10, 1, kSoft), {{"mass", std::string("lumped")}});
    ASSERT_EQ(m.mass.columns.size(), m.unknowns());
    for (std::size_t r = 0; r < m.unknowns(); ++r) {
        EXPECT_EQ(static_cast<std::size_t>(m.mass.columns[r]), r);
        EXPECT_EQ(m.mass.values[r], m.weight[r / 3]);
    }
}

TEST(BodyMatrices, EveryUnknownSaysWhoDecidesIt) {
    // Of the corner (0, 0) both anchors hold y: the first counts. The handle drives x alone. The spare vertex has no
    // cell.
    BodyDescription d;
    d.mesh = make_grid(CellKind::quad4, 2, 1, {0, 0, 0}, {2, 1, 0});
    d.mesh.vertices.push_back({5, 5, 0});
    d.materials = {{"", kSoft}};
    d.anchors = {{"a", d.mesh.vertex_sets.at("left"), {}},
                 {"floor", d.mesh.vertex_sets.at("bottom"), {false, true, true}}};
    d.handles = {{"grip", d.mesh.vertex_sets.at("right"), {true, false, false}, {2, 0.5, 0}}};
    const auto body = Body::make(d);
    const BodyMatrices m = matrices_of(body);
    ASSERT_EQ(m.dimension, 2);
    std::size_t free = 0;
    for (std::size_t i = 0; i < m.unknowns(); ++i) {
        const Vec3& p = body->mesh().vertices[i / 2];
        UnknownKind kind = UnknownKind::free;
        std::int32_t support = -1;
        if (p.x > 4)
            kind = UnknownKind::unused;
        else if (p.x == 0) {
            kind = UnknownKind::anchored;
            support = 0;
        } else if (p.y == 0 && i % 2 == 1) {
            kind = UnknownKind::anchored;
            support = 1;
        } else if (p.x == 2 && i % 2 == 0) {
            kind = UnknownKind::handled;
            support = 0;
        } else
            EXPECT_EQ(static_cast<std::size_t>(m.free[free++]), i);
        EXPECT_EQ(m.kind[i], kind) << i;
        EXPECT_EQ(m.support[i], support) << i;
    }
    EXPECT_EQ(free, m.free.size());
}

TEST(BodyMatrices, LoadsAreGravityOnWeightsPlusForces) {
    const auto body = test::bar(CellKind::hex8, 1, kSoft);
    const BodyMatrices m = matrices_of(body);
    std::vector<Vec3> force(body->vertex_count());
    force[2] = {0.0, 0.0, 7.0};
    Loads loads;
    loads.gravity = {0.0, -10.0, 0.0};
    loads.force = force;
    const std::vector<double> f = load_vector(m, loads);
    for (std::size_t v = 0; v < body->vertex_count(); ++v) {
        EXPECT_EQ(f[3 * v], 0.0);
        EXPECT_EQ(f[3 * v + 1], -10.0 * m.weight[v]);
        EXPECT_EQ(f[3 * v + 2], v == 2 ? 7.0 : 0.0);
    }
    force.pop_back();
    loads.force = force;
    expect_error(Fault::bad_usage, " vertex forces", [&] { load_vector(m, loads); });
}

TEST(BodyMatrices, MisspeltOptionsAreRefusedAndStepsAreNot) {
    const auto body = test::bar(CellKind::tet4, 1, kSoft, /*anchored=*/false);
    expect_error(Fault::bad_option, "/method/options", [&] { matrices_of(body, {{"mas", std::string("lumped")}}); });
    // A free body has no quasi-static answer, but it has matrices.
    EXPECT_NO_THROW(matrices_of(body, {{"scheme", std::string("quasi_static")}, {"step", 0.01}}));
}

}  // namespace
}  // namespace limber
