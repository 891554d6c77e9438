#include "metrics/outlines.hpp"
#include "metrics/recordings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace limber::test {
namespace {

TEST(SurfaceError, OneVertexPushedInIsATriangleWhateverItsSize) {
    // The benchmark in small: three sides shared exactly, one vertex of the fourth differs. Area 1 x h x depth, down to
    // 1e-12 m.
    const int n = 20;
    const auto body = body_of(unit_grid(n));
    const auto needle = [](double depth) {
        return [depth](const Vec3& p, double t) {
            return p.x == 1.0 && std::abs(p.y - 0.5) < 1e-9 ? Vec3{-depth * t, 0, 0} : Vec3{};
        };
    };
    const Recording reference = record(body, needle(0.08));
    for (const double extra : {1e-2, 1e-6, 1e-9, 1e-12}) {
        const MetricSeries s = evaluate_metric("surface", reference, record(body, needle(0.08 + extra)));
        for (std::size_t i = 0; i < s.value.size(); ++i) {
            // What was recorded, not what was meant: displacements are rounded to double.
            const double area = 1 - 0.08 * s.t[i] / n, moved = (0.08 + extra) * s.t[i] - 0.08 * s.t[i];
            EXPECT_NEAR(s.value[i], moved / n / area, 1e-5 * extra / n) << extra << " at " << s.t[i];
        }
        EXPECT_EQ(s.stated_error, 0.0);
    }
}

TEST(SurfaceError, SlidingAlongTheOutlineIsNoSurfaceError) {
    // What tells surface from interior: points move, the shape does not.
    const auto body = body_of(unit_grid(8));
    const auto slide = [](const Vec3& p, double t) { return Vec3{0, 0.1 * t * std::sin(std::numbers::pi * p.y), 0}; };
    const Recording a = record(body, at_rest()), b = record(body, slide);
    EXPECT_NEAR(evaluate_metric("surface", a, b).value.back(), 0.0, 1e-16);
    EXPECT_GT(evaluate_metric("interior", a, b).value.back(), 0.01);
}

TEST(SurfaceError, DifferentMeshesOfOneMotionConverge) {
    // Every measure between two meshes vanishes with the mesh width, and the measure of a true difference settles.
    const Motion bend = [](const Vec3& p, double t) {
        return Vec3{0.1 * t * std::sin(2 * p.y), 0.1 * t * p.x * p.x, 0};
    };
    const Motion other = [&](const Vec3& p, double t) { return 1.2 * bend(p, t); };
    for (const char* name : {"relative_l2", "relative_energy", "surface", "interior", "max_distance"}) {
        double same[2], apart[2];
        for (int k = 0; k < 2; ++k) {
            const int n = k == 0 ? 6 : 12;
            const auto quads = body_of(unit_grid(n)), triangles = body_of(unit_grid(n + 3, CellKind::tri3));
            same[k] = evaluate_metric(name, record(quads, bend, 1, 1.0), record(triangles, bend, 1, 1.0)).value.back();
            apart[k] = evaluate_metric(name, record(quads, bend, 1, 1.0), record(triangles, other, 1, 1.0))
                           .value.back();
        }
        EXPECT_LT(same[1], 0.62 * same[0]) << name;  // first order for the energy norm, second for the rest
        EXPECT_GT(same[1], 0.0) << name;
        EXPECT_NEAR(apart[0], apart[1], 0.06 * apart[1]) << name;
        EXPECT_GT(apart[1], 5 * same[1]) << name;
    }
}

TEST(SurfaceError, SmallDifferencesOfSolidsAreTheSweptLayer) {
    // Growth by g in all directions: volume (1+g)^3 - 1. Below 1e-4 the first order is used, and its stated error
    // covers what it drops.
    const auto body = body_of(unit_box(3));
    for (const double g : {1e-9, 1e-6, 3e-5, 1e-3, 0.1}) {
        const auto grow = [g](const Vec3& p, double t) { return g * t * (p - Vec3{0.5, 0.5, 0.5}); };
        const MetricSeries s = evaluate_metric("surface", record(body, at_rest(), 1, 1.0), record(body, grow, 1, 1.0));
        const double exact = 3 * g + 3 * g * g + g * g * g;
        EXPECT_LE(std::abs(s.value.back() - exact), s.stated_error + 1e-15) << g;
        EXPECT_NEAR(s.value.back(), exact, 1e-4 * exact) << g;
    }
}

TEST(SurfaceError, FirstOrderAndRaysMeetAtTheSwitch) {
    // Either side of 1e-4 the same shape gives the same measure per unit of deformation.
    const auto body = body_of(make_ball(CellKind::tet4, 8, {0, 0, 0}, 1.0));
    const Recording rest = record(body, at_rest(), 1, 1.0);
    double per_size[2];
    for (int k = 0; k < 2; ++k) {
        const double g = k == 0 ? 3.2e-5 : 3.5e-5;
        const auto squeeze = [g](const Vec3& p, double t) { return g * t * Vec3{p.x, p.y, 1.1 * p.z}; };
        const MetricSeries s = evaluate_metric("surface", rest, record(body, squeeze, 1, 1.0));
        per_size[k] = s.value.back() / g;
        EXPECT_EQ(s.value.back() < 1e-4, k == 0);
        EXPECT_LT(s.stated_error, 0.02 * s.value.back());
    }
    EXPECT_NEAR(per_size[0], 3.1, 1e-9);
    EXPECT_NEAR(per_size[0], per_size[1], 0.01 * per_size[0]);
}

TEST(SurfaceError, SolidsMeshedDifferentlyAreComparedByShape) {
    // Two meshes of one box fill the same rest shape: first order applies. Two balls do not: only rays see the gap
    // between their facets.
    const Motion small = shift({1e-7, 0, 0});
    const MetricSeries boxes = evaluate_metric("surface", record(body_of(unit_box(2)), at_rest()),
                                               record(body_of(unit_box(3, CellKind::tet4)), small));
    EXPECT_NEAR(boxes.value.back(), 2e-7, 1e-12);
    const Mesh rough = make_ball(CellKind::tet4, 4, {0, 0, 0}, 1.0),
               fine = make_ball(CellKind::tet4, 8, {0, 0, 0}, 1.0);
    const MetricSeries balls = evaluate_metric("surface", record(body_of(rough), at_rest()),
                                               record(body_of(fine), at_rest()));
    const double gap = (measure_of(fine) - measure_of(rough)) / measure_of(rough);
    EXPECT_GT(balls.value.front(), 0.9 * gap);
    EXPECT_GT(balls.stated_error, 0.0);
}

TEST(SurfaceError, EqualVolumesInDifferentPlacesAreNotOneRestShape) {
    const Mesh here = unit_box(2), there = make_box(CellKind::hex8, 3, 2, 2, {0.5, 0, 0}, {1.5, 1, 1});
    EXPECT_NEAR(
        evaluate_metric("surface", record(body_of(here), at_rest()), record(body_of(there), at_rest())).value.back(),
        1.0, 1e-12);
}

TEST(SurfaceError, SweptLayersOverlapAtEdgesWithinTheStatedError) {
    // A cube shifted along its diagonal: sweeping counts the overlap at its edges twice, from either side alike.
    const auto body = body_of(unit_box(2));
    const double d = 1.5e-5;
    const MetricSeries s = evaluate_metric("surface", record(body, at_rest(), 1, 1.0),
                                           record(body, shift({d, d, d}), 1, 1.0));
    const double missed = std::abs(s.value.back() - 2 * (3 * d - 3 * d * d + d * d * d));
    EXPECT_GT(missed, 1e-10);
    EXPECT_LE(missed, s.stated_error);
}

TEST(SurfaceError, NeedsNoReferenceInMotion) {
    // Its scale is the body's own area, so a reference at rest still gives numbers.
    const auto body = body_of(unit_grid(4));
    const MetricSeries s = evaluate_metric("surface", record(body, at_rest()), record(body, shift({0.1, 0, 0})));
    EXPECT_EQ(s.left_out, 0u);
    EXPECT_NEAR(s.value.back(), 0.2, 1e-15);
}

}  // namespace
}  // namespace limber::test
