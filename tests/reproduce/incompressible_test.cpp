#include "reproduce/strain/incompressible.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace limber {
namespace {

/// Derivatives of a closed form by central differences: du_i/dx_j in the plane.
void gradient(const IncompressibleProblem& p, const Material& m, const Vec3& at, double (&g)[2][2]) {
    constexpr double h = 1e-5;
    for (int j = 0; j < 2; ++j) {
        Vec3 up = at, down = at;
        up[j] += h;
        down[j] -= h;
        const Vec3 d = (p.displacement(m, up) - p.displacement(m, down)) / (2 * h);
        for (int i = 0; i < 2; ++i) g[i][j] = d[i];
    }
}

/// Plane-strain stress (xx, yy, xy) of the closed form at a point.
Vec3 stress(const IncompressibleProblem& p, const Material& m, const Vec3& at) {
    double g[2][2];
    gradient(p, m, at, g);
    const double volume = m.lame_lambda() * (g[0][0] + g[1][1]);
    return {volume + 2 * m.shear() * g[0][0], volume + 2 * m.shear() * g[1][1], m.shear() * (g[0][1] + g[1][0])};
}

const IncompressibleProblem& problem(const std::string& name) {
    for (const IncompressibleProblem& p : incompressible_problems())
        if (p.name == name) return p;
    throw std::runtime_error("no such problem");
}

IncompressibleRow row(const std::string& name, CellKind kind, Treatment treatment, int cells, double nu) {
    Progress silent;
    return measure_incompressible(problem(name), kind, treatment, cells, nu, silent);
}

TEST(IncompressibleTruth, ClosedFormsBalanceAndCarryTheirLoads) {
    // Divergence of the stress by differences of differences, and the tractions on the loaded and on the free sides.
    for (const double nu : {0.3, 0.49}) {
        const Material m = incompressible_material(nu);
        for (const IncompressibleProblem& p : incompressible_problems()) {
            const Vec3 at = p.name == "cylinder" ? Vec3{1.1, 0.7, 0.0} : Vec3{1.3, 0.2, 0.0};
            constexpr double h = 1e-3;
            const Vec3 dx = (stress(p, m, at + Vec3{h, 0, 0}) - stress(p, m, at - Vec3{h, 0, 0})) / (2 * h);
            const Vec3 dy = (stress(p, m, at + Vec3{0, h, 0}) - stress(p, m, at - Vec3{0, h, 0})) / (2 * h);
            EXPECT_NEAR(dx.x + dy.z, 0.0, 2e-4) << p.name;  // [Pa/m], with stresses of 10 Pa
            EXPECT_NEAR(dx.z + dy.y, 0.0, 2e-4) << p.name;
        }
        EXPECT_NEAR(stress(problem("cylinder"), m, {1.0, 0.0, 0.0}).x, -10.0, 1e-4);
        EXPECT_NEAR(stress(problem("cylinder"), m, {0.0, 2.0, 0.0}).y, 0.0, 1e-4);
        EXPECT_NEAR(stress(problem("bending"), m, {4.0, 0.5, 0.0}).x, 5.0, 1e-4);
        EXPECT_NEAR(stress(problem("bending"), m, {2.0, 0.5, 0.0}).y, 0.0, 1e-4);
        EXPECT_NEAR(stress(problem("bending"), m, {4.0, 0.25, 0.0}).z, 0.0, 1e-4);
    }
}

TEST(IncompressibleTruth, AtOneHalfNoVolumeChanges) {
    for (const IncompressibleProblem& p : incompressible_problems()) {
        double g[2][2];
        gradient(p, incompressible_material(0.5), {1.2, 0.3, 0.0}, g);
        EXPECT_NEAR(g[0][0] + g[1][1], 0.0, 1e-9);
        EXPECT_GT(std::abs(g[0][0]), 1e-5);
        EXPECT_EQ(p.volume_strain(incompressible_material(0.5)), 0.0);
    }
}

TEST(IncompressibleTruth, CompressibilityAllowedIsWhereTheBendingModulusIsOff) {
    // Curvature goes as 1 - nu^2: (1 - nu^2)/0.75 = 1 + 2 d/3 for d = 1 - 2 nu; the sideways part adds a little.
    EXPECT_NEAR(compressibility_allowed(problem("bending"), 0.01), 0.015, 0.001);
    EXPECT_NEAR(compressibility_allowed(problem("bending"), 1e-3) / compressibility_allowed(problem("bending"), 1e-4),
                10.0, 0.05);
}

TEST(Incompressible, ErrorsFallAsTheSquareOfTheCellSize) {
    for (const char* name : {"cylinder", "bending"}) {
        for (const Treatment treatment : {Treatment::full, Treatment::bbar}) {
            const double coarse = row(name, CellKind::quad4, treatment, 8, 0.3).against_same,
                         fine = row(name, CellKind::quad4, treatment, 16, 0.3).against_same;
            EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1) << name << " " << to_string(treatment);
        }
    }
}

TEST(Incompressible, PlainCellsLockAndBbarDoesNot) {
    for (const char* name : {"cylinder", "bending"}) {
        for (const CellKind kind : {CellKind::quad4, CellKind::tri3}) {
            EXPECT_GT(row(name, kind, Treatment::full, 8, 0.4999).against_same, 0.3) << name << " " << to_string(kind);
            EXPECT_LT(row(name, kind, Treatment::bbar, 8, 0.4999).against_same, 0.05) << name << " " << to_string(kind);
        }
    }
    EXPECT_LT(row("cylinder", CellKind::quad4, Treatment::bbar, 8, 0.49999).against_same,
              1.5 * row("cylinder", CellKind::quad4, Treatment::bbar, 8, 0.3).against_same);
}

TEST(Incompressible, APenaltyWithTheShearModulusKeptIsTheTrueMaterial) {
    // Lame's lambda and G come out the same; on triangles the stiffness is then the same matrix, and it locks the same.
    const Material aim = incompressible_material(0.499);
    const TreatedMaterial g = treated(aim, Treatment::penalty_same_g);
    EXPECT_NEAR(g.material.shear(), aim.shear(), 1e-9);
    EXPECT_NEAR(g.material.lame_lambda() + *g.options.at("volume_penalty").number(), aim.lame_lambda(),
                1e-6 * aim.lame_lambda());
    EXPECT_NEAR(row("bending", CellKind::tri3, Treatment::penalty_same_g, 4, 0.499).against_same /
                    row("bending", CellKind::tri3, Treatment::full, 4, 0.499).against_same,
                1.0, 1e-6);
    EXPECT_LT(row("cylinder", CellKind::quad4, Treatment::penalty_same_g, 16, 0.4999).against_same, 0.005);
}

TEST(Incompressible, APenaltyWithYoungsModulusKeptStopsAtTheErrorOfItsShearModulus) {
    const double mesh = row("cylinder", CellKind::quad4, Treatment::penalty_same_g, 16, 0.49999).against_same;
    EXPECT_NEAR(row("cylinder", CellKind::quad4, Treatment::penalty_same_e, 16, 0.49999).against_same - mesh,
                1 - 1.45 / 1.49999, 1e-3);
    // Below its base there is nothing to add.
    EXPECT_EQ(treated(incompressible_material(0.3), Treatment::penalty_same_e).options.count("volume_penalty"), 0u);
}

TEST(Incompressible, VolumeChangeIsThatOfTheClosedForm) {
    for (const char* name : {"cylinder", "bending"}) {
        for (const double nu : {0.3, 0.499}) {
            const IncompressibleRow r = row(name, CellKind::quad4, Treatment::bbar, 16, nu);
            EXPECT_NEAR(r.volume_change / r.volume_expected, 1.0, 0.02) << name << " " << nu;
        }
    }
}

TEST(Incompressible, TheExplicitStepFallsAsTheRootOfCompressibility) {
    Progress silent;
    const IncompressibleCost a = measure_cost(Treatment::bbar, 4, 0.499, silent),
                             b = measure_cost(Treatment::bbar, 4, 0.4999, silent);
    EXPECT_NEAR(std::log10(a.critical_step / b.critical_step), 0.5, 0.02);
    EXPECT_GT(b.iterations, a.iterations);
}

}  // namespace
}  // namespace limber
