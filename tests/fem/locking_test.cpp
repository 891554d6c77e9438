// Near nu = 0.5 plain elements lock: they answer far too stiffly. These tests measure the cure for every kind.
#include "fem/fem_fixtures.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace test;

// Tip deflection of a short cantilever under an end load, nearly incompressible.
double tip_deflection(Mesh mesh, Integration integration, double poisson) {
    Progress silent;
    const auto body = unit_body(std::move(mesh), {"m", 1000.0, poisson, 1000.0, 0.0, 0.0});
    FemMatrices fem = assemble(*body, {integration, MassKind::consistent, DampingKind::rayleigh, 0.0}, silent);
    const int dim = body->mesh().dimension();
    System system;
    system.stiffness = std::move(fem.stiffness);
    system.lumped = std::move(fem.lumped);
    const IndexSet& left = body->mesh().vertex_sets.at("left");
    const IndexSet& right = body->mesh().vertex_sets.at("right");
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(body->vertex_count()); ++v) {
        if (!std::binary_search(left.begin(), left.end(), v))
            for (int i = 0; i < dim; ++i) system.free.push_back(v * dim + i);
    }
    std::vector<double> b(system.free.size(), 0.0), x(b.size(), 0.0);
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (system.free[i] % dim == 1 && std::binary_search(right.begin(), right.end(), system.free[i] / dim))
            b[i] = -1.0 / static_cast<double>(right.size());
    }
    const auto solver = make_solver(effective_matrix(system, 0.0, 0.0, 1.0), {}, silent);
    std::vector<double> room(solver->scratch_size());
    solver->solve(b.data(), x.data(), room.data());
    double sum = 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) sum += -b[i] * x[i];
    return -sum;
}

Mesh beam(CellKind kind, int n) {
    return dimension_of(kind) == 2 ? make_grid(kind, 4 * n, n, {0, 0, 0}, {4, 1, 0})
                                   : make_box(kind, 4 * n, n, n, {0, 0, 0}, {4, 1, 1});
}

TEST(Locking, PlainElementsLockAndTheCureDoesNot) {
    // Reference: tet10 (3D) or a fine B-bar grid (2D), both within a per cent of their limit.
    const double nu = 0.4999;
    const double flat = tip_deflection(beam(CellKind::quad4, 24), Integration::bbar, nu);
    const double solid = tip_deflection(beam(CellKind::tet10, 3), Integration::bbar, nu);
    struct Case {
        CellKind kind;
        int n;
        double full_below, bbar_within;
    };
    for (const Case& c : {Case{CellKind::quad4, 6, 0.5, 0.05}, Case{CellKind::tri3, 6, 0.2, 0.15},
                          Case{CellKind::hex8, 3, 0.5, 0.15}, Case{CellKind::tet4, 4, 0.2, 0.25}}) {
        const double reference = dimension_of(c.kind) == 2 ? flat : solid;
        const double full = tip_deflection(beam(c.kind, c.n), Integration::full, nu) / reference;
        const double cured = tip_deflection(beam(c.kind, c.n), Integration::bbar, nu) / reference;
        EXPECT_LT(full, c.full_below) << to_string(c.kind);
        EXPECT_NEAR(cured, 1.0, c.bbar_within) << to_string(c.kind);
    }
}

TEST(Locking, CuredElementsConvergeUnderRefinement) {
    const double nu = 0.4999;
    for (const CellKind kind : {CellKind::quad4, CellKind::tri3}) {
        const double reference = tip_deflection(beam(CellKind::quad4, 32), Integration::bbar, nu);
        const double coarse = std::abs(tip_deflection(beam(kind, 4), Integration::bbar, nu) / reference - 1);
        const double fine = std::abs(tip_deflection(beam(kind, 12), Integration::bbar, nu) / reference - 1);
        EXPECT_LT(fine, 0.5 * coarse) << to_string(kind);
    }
}

TEST(Locking, TheCureChangesLittleForCompressibleMaterials) {
    for (const CellKind kind : {CellKind::quad4, CellKind::hex8}) {
        const int n = dimension_of(kind) == 2 ? 12 : 4;
        const double full = tip_deflection(beam(kind, n), Integration::full, 0.2),
                     cured = tip_deflection(beam(kind, n), Integration::bbar, 0.2);
        EXPECT_NEAR(cured / full, 1.0, 0.03) << to_string(kind);
    }
}

}  // namespace
}  // namespace limber
