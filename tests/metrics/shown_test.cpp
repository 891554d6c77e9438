// Measures on the surface that is shown.
#include "metrics/recordings.hpp"

#include <limber/error.hpp>
#include <limber/tools/painted_surface.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace limber::test {
namespace {

constexpr double kDegrees = 180.0 / 3.14159265358979323846;

/// Rectangles of z = 0.5 that face +z, given by x0, x1 with y from 0.1 to 0.9.
std::shared_ptr<const PaintedSurface> strips(std::initializer_list<std::array<double, 2>> along_x) {
    auto p = std::make_shared<PaintedSurface>();
    for (const auto& [x0, x1] : along_x) {
        const auto first = static_cast<std::int32_t>(p->surface.vertices.size());
        for (const Vec3& v : {Vec3{x0, 0.1, 0.5}, Vec3{x1, 0.1, 0.5}, Vec3{x1, 0.9, 0.5}, Vec3{x0, 0.9, 0.5}})
            p->surface.vertices.push_back(v);
        for (std::int32_t k = 0; k < 4; ++k) p->surface.faces.push_back(first + k);
        p->surface.face_starts.push_back(static_cast<std::int32_t>(p->surface.faces.size()));
    }
    p->surface.vertices.push_back({5, 5, 5});  // of no face: must not count
    return p;
}

Recording shown_record(const Motion& motion, std::shared_ptr<const PaintedSurface> shown, int cells = 4,
                       CellKind kind = CellKind::hex8) {
    Recording r = record(body_of(unit_box(cells, kind)), motion);
    r.shown = std::move(shown);
    return r;
}

TEST(ShownMetrics, ShiftsGiveTheirOwnLengthAlsoBetweenMeshes) {
    const auto surface = strips({{0.1, 0.9}});
    const Recording a = shown_record(shift({0.3, 0, 0}), surface),
                    b = shown_record(shift({0.3, 0.04, 0}), nullptr, 3, CellKind::tet4);
    for (std::size_t f = 0; f < 5; ++f) {
        const double t = 0.25 * static_cast<double>(f);
        EXPECT_NEAR(evaluate_metric("shown_mean", a, b).value[f], 0.04 * t, 1e-14);
        EXPECT_NEAR(evaluate_metric("shown_max", a, b).value[f], 0.04 * t, 1e-14);
        EXPECT_NEAR(evaluate_metric("shown_l2", a, b).value[f], f == 0 ? 0.0 : 0.04 / 0.3, 1e-12);
        EXPECT_NEAR(evaluate_metric("shown_normal", a, b).value[f], 0.0, 1e-9);
    }
}

TEST(ShownMetrics, PointsCountByTheAreaAroundThem) {
    // Of two strips with four vertices each, the wide one (x below 0.7) stays and the narrow one moves: a mean over
    // vertices would be one half.
    const auto surface = strips({{0.0, 0.6}, {0.75, 0.95}});
    const Motion right_half = [](const Vec3& p, double t) { return Vec3{0, 0, p.x > 0.7 ? 0.1 * t : 0.0}; };
    const Recording a = shown_record(at_rest(), surface, 20), b = shown_record(right_half, surface, 20);
    EXPECT_NEAR(evaluate_metric("shown_mean", a, b).value.back(), 0.1 * 0.2 / 0.8, 1e-12);
    EXPECT_NEAR(evaluate_metric("shown_max", a, b).value.back(), 0.1, 1e-12);
    // Against a reference at rest the relative measure has no value but at the start.
    const MetricSeries relative = evaluate_metric("shown_l2", a, b);
    EXPECT_EQ(relative.value.size(), 1u);
    EXPECT_EQ(relative.left_out, 4u);
}

TEST(ShownMetrics, ATurnedSurfaceIsOffByTheAngle) {
    const Motion turn = [](const Vec3& p, double t) {
        const double angle = 0.4 * t, y = p.y - 0.5, z = p.z - 0.5;
        return Vec3{0, std::cos(angle) * y - std::sin(angle) * z - y, std::sin(angle) * y + std::cos(angle) * z - z};
    };
    const auto surface = strips({{0.1, 0.4}, {0.5, 0.9}});
    const Recording a = shown_record(at_rest(), surface), b = shown_record(turn, surface);
    const MetricSeries angle = evaluate_metric("shown_normal", a, b), back = evaluate_metric("shown_normal", b, a);
    for (std::size_t f = 0; f < 5; ++f) EXPECT_NEAR(angle.value[f], 0.1 * static_cast<double>(f) * kDegrees, 1e-10);
    EXPECT_EQ(angle.value, back.value);
}

TEST(ShownMetrics, WithoutASurfaceTheyAreUnsupportedAndNotListed) {
    const Recording plain = shown_record(shift({1, 0, 0}), nullptr);
    EXPECT_EQ(metric_specs_for(plain).size(), metric_specs().size());
    EXPECT_EQ(metric_specs_for(shown_record(shift({1, 0, 0}), strips({{0, 1}}))).size(),
              metric_specs().size() + shown_metric_specs().size());
    for (const MetricSpec& spec : shown_metric_specs()) {
        try {
            evaluate_metric(spec.name, plain, plain);
            FAIL() << spec.name;
        } catch (const Error& error) {
            EXPECT_EQ(error.fault(), Fault::unsupported);
        }
    }
}

}  // namespace
}  // namespace limber::test
