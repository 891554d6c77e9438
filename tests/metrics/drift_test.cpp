#include "metrics/recordings.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace limber::test {
namespace {

TEST(VolumeDrift, IsTheDifferenceOfTheTwoOwnChanges) {
    // Each against its own rest mesh: meshes of different size and kind must not leak into it.
    const auto stretch = [](double s) { return [s](const Vec3& p, double t) { return Vec3{s * t * p.x, 0, 0}; }; };
    const auto small = body_of(unit_box(2)), large = body_of(make_box(CellKind::tet10, 1, 2, 1, {0, 0, 0}, {1, 4, 1}));
    const MetricSeries s = evaluate_metric("volume_drift", record(small, stretch(0.1)), record(large, stretch(0.25)));
    for (std::size_t i = 0; i < s.t.size(); ++i) EXPECT_NEAR(s.value[i], 0.15 * s.t[i], 1e-14);
    EXPECT_NEAR(evaluate_metric("volume_drift", record(large, stretch(0.25)), record(small, stretch(0.1))).value.back(),
                -0.15, 1e-14);
}

TEST(EnergyDrift, IsScaledByTheReferencesPeak) {
    // Not by its energy at the same time: a reference that has come to rest would turn any remainder into infinity.
    const auto body = body_of(unit_grid(2));
    Recording a = record(body, at_rest()), b = a;
    const double energy[5] = {0, 8, 4, 2, 0};
    for (std::size_t i = 0; i < 5; ++i) {
        a.frames[i].energies = {energy[i], 0.0};
        b.frames[i].energies = {0.5 * energy[i], 0.5 * energy[i] + 1.0};
    }
    const MetricSeries s = evaluate_metric("energy_drift", a, b);
    ASSERT_EQ(s.value.size(), 5u);
    for (const double v : s.value) EXPECT_DOUBLE_EQ(v, 0.125);
    EXPECT_DOUBLE_EQ(evaluate_metric("energy_drift", b, a).value.back(), -1.0 / 9);
}

TEST(MomentumDrift, CountsDensityThicknessAndCellsNotVertices) {
    // A graded mesh moving as v = x: momentum is the integral rho x, whatever the vertices; a factor of density shows
    // in full.
    Mesh graded = unit_grid(5);
    for (Vec3& p : graded.vertices) p.x = p.x * p.x;
    const Motion drag = [](const Vec3& p, double t) { return Vec3{p.x * t, 0, 0}; };
    const Recording a = record(body_of(graded, 1000.0, 0.5), drag),
                    heavier = record(body_of(unit_grid(4), 1500.0, 0.5), drag);
    EXPECT_NEAR(evaluate_metric("momentum_drift", a, heavier).value.back(), 0.5, 1e-13);
    const Recording thicker = record(body_of(unit_grid(4), 1000.0, 0.75), drag);
    EXPECT_NEAR(evaluate_metric("momentum_drift", a, thicker).value.back(), 0.5, 1e-13);
    EXPECT_NEAR(evaluate_metric("momentum_drift", a, record(body_of(unit_grid(7), 1000.0, 0.5), drag)).value.back(),
                0.0, 1e-13);
}

TEST(MomentumDrift, PiecesOfDifferentDensityWeighDifferently) {
    BodyDescription d;
    d.mesh = unit_box(2, CellKind::tet10);
    IndexSet left;
    for (std::size_t c = 0; c < d.mesh.cell_count(); ++c) {
        double x = 0;
        for (int k = 0; k < 4; ++k) x += d.mesh.vertices[static_cast<std::size_t>(d.mesh.cell(c)[k])].x / 4;
        if (x < 0.5) left.push_back(static_cast<std::int32_t>(c));
    }
    d.mesh.cell_sets["heavy"] = left;
    Material light, heavy;
    light.density = 1000;
    heavy.density = 3000;
    d.materials = {{"", light}, {"heavy", heavy}};
    const Recording mixed = record(Body::make(std::move(d)), shift({0, 1, 0}));
    const Recording even = record(body_of(unit_box(3), 1000.0), shift({0, 1, 0}));
    EXPECT_NEAR(evaluate_metric("momentum_drift", even, mixed).value.back(), 1.0,
                1e-13);  // 2000 against 1000 on average
}

TEST(MomentumDrift, SpinningReferenceStillGivesAScale) {
    // Its own momentum is zero at all times; dividing by that would leave every frame out.
    const auto body = body_of(make_grid(CellKind::quad4, 4, 4, {-1, -1, 0}, {1, 1, 0}));
    const Motion spin = [](const Vec3& p, double t) { return Vec3{-p.y * t, p.x * t, 0}; };
    const Motion astray = [&](const Vec3& p, double t) { return spin(p, t) + Vec3{0.1 * t, 0, 0}; };
    const MetricSeries s = evaluate_metric("momentum_drift", record(body, spin), record(body, astray));
    EXPECT_EQ(s.left_out, 0u);
    EXPECT_GT(s.value.back(), 0.1);
    EXPECT_LT(s.value.back(), 0.15);  // 0.1 over the mean radius, about 0.765 on a fine mesh
}

}  // namespace
}  // namespace limber::test
