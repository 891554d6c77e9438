#include "metrics/recordings.hpp"

#include "expect_error.hpp"
#include "metrics/measure.hpp"
#include "metrics/summary.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace limber::test {
namespace {

// Relative to the reference's motion: without motion they do not exist.
bool is_relative(const std::string& name) { return name == "relative_l2" || name == "relative_energy"; }

TEST(Metrics, ARecordingDiffersFromItselfByExactlyZero) {
    for (const MetricSpec& spec : metric_specs()) {
        for (const bool solid : {false, true}) {
            const Recording r = record(body_of(solid ? unit_box(3) : unit_grid(5)), bulge(0.1));
            const MetricSeries s = evaluate_metric(spec.name, r, r);
            ASSERT_EQ(s.value.size(), 5u) << spec.name;
            EXPECT_EQ(s.left_out, 0u) << spec.name;
            for (const double v : s.value) EXPECT_EQ(v, 0.0) << spec.name;
            EXPECT_EQ(s.stated_error, 0.0) << spec.name;
        }
    }
}

TEST(Metrics, SymmetricOnesGiveTheSameBitsSwapped) {
    for (const MetricSpec& spec : metric_specs()) {
        if (!spec.symmetric) continue;
        for (const CellKind kind : {CellKind::quad4, CellKind::tri3, CellKind::hex8, CellKind::tet10}) {
            const auto body = body_of(dimension_of(kind) == 2 ? unit_grid(6, kind) : unit_box(2, kind));
            const Recording a = record(body, bulge(0.1)), b = record(body, bulge(0.37));
            const MetricSeries ab = evaluate_metric(spec.name, a, b), ba = evaluate_metric(spec.name, b, a);
            ASSERT_EQ(ab.value.size(), ba.value.size());
            for (std::size_t i = 0; i < ab.value.size(); ++i) {
                EXPECT_EQ(std::bit_cast<std::uint64_t>(ab.value[i]), std::bit_cast<std::uint64_t>(ba.value[i]))
                    << spec.name;
            }
            EXPECT_GT(ab.value.back(), 0.0);
        }
    }
}

TEST(Metrics, TriangleInequalityHoldsWherePromised) {
    const auto body = body_of(unit_grid(6));
    const Recording a = record(body, bulge(0.1)), b = record(body, shift({0.02, -0.3, 0})),
                    c = record(body, bulge(-0.2));
    for (const char* name : {"max_distance", "interior", "interior_mean"}) {
        const MetricSeries ab = evaluate_metric(name, a, b), bc = evaluate_metric(name, b, c),
                           ac = evaluate_metric(name, a, c);
        for (std::size_t i = 0; i < ac.value.size(); ++i)
            EXPECT_LE(ac.value[i], (ab.value[i] + bc.value[i]) * (1 + 1e-15)) << name;
    }
}

TEST(Metrics, ShiftHasTheClosedFormOfEachMeasure) {
    // A block of 2 x 0.5 carried by (0.03, 0.04) beyond a reference that already moved by (0.1, 0): distance 0.05
    // everywhere.
    const auto body = body_of(make_grid(CellKind::quad4, 8, 3, {0, 0, 0}, {2, 0.5, 0}));
    const Recording a = record(body, shift({0.1, 0, 0})), b = record(body, shift({0.13, 0.04, 0}));
    EXPECT_NEAR(evaluate_metric("relative_l2", a, b).value.back(), 0.5, 1e-14);
    EXPECT_NEAR(evaluate_metric("max_distance", a, b).value.back(), 0.05, 1e-16);
    EXPECT_NEAR(evaluate_metric("interior", a, b).value.back(), 0.05, 1e-15);  // area 1: divided by 1 m
    EXPECT_NEAR(evaluate_metric("interior_mean", a, b).value.back(), 0.05, 1e-15);
    EXPECT_NEAR(evaluate_metric("surface", a, b).value.back(), 2 * (1 - (2 - 0.03) * (0.5 - 0.04)), 1e-14);
    EXPECT_NEAR(evaluate_metric("volume_drift", a, b).value.back(), 0.0, 1e-14);
    EXPECT_NEAR(evaluate_metric("momentum_drift", a, b).value.back(), 0.5, 1e-14);
}

TEST(Metrics, InteriorHasItsUnits) {
    // Twice the size: E_i grows by 4 in the plane and 8 in space, the dimensionless mean not at all. Needs sizes other
    // than 1.
    for (const bool solid : {false, true}) {
        const double edge = 2.0;
        const Vec3 high{edge, edge, solid ? edge : 0.0};
        const auto body = body_of(solid ? make_box(CellKind::tet10, 2, 2, 2, {0, 0, 0}, high)
                                        : make_grid(CellKind::tri3, 3, 3, {0, 0, 0}, high));
        const Recording a = record(body, at_rest()), b = record(body, shift({0, 0.1, 0}));
        EXPECT_NEAR(evaluate_metric("interior", a, b).value.back(), 0.1 * std::pow(edge, solid ? 3 : 2) / edge, 1e-14);
        EXPECT_NEAR(evaluate_metric("interior_mean", a, b).value.back(), 0.1 / edge, 1e-15);
    }
}

TEST(Metrics, InteriorWeighsVerticesByTheirShareOfTheBody) {
    // Distance x over a unit square: the integral is 1/2 whatever the mesh; a plain mean over vertices of a graded mesh
    // is not.
    Mesh graded = unit_grid(6);
    for (Vec3& p : graded.vertices) p.x = p.x * p.x;
    const auto body = body_of(graded);
    const Recording a = record(body, at_rest()), b = record(body, [](const Vec3&p, double t) {
                                                     return Vec3{0, p.x * t, 0};
                                                 });
    EXPECT_NEAR(evaluate_metric("interior", a, b).value.back(), 0.5, 1e-14);
}

TEST(Metrics, Tet10VerticesHavePositiveShares) {
    // The integrals of quadratic shape functions are negative at corners: one bad corner would make E_i smaller.
    const Mesh mesh = to_tet10(
        Mesh{CellKind::tet4, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 6}}, {0, 1, 2, 3}, {}, {}});
    const std::vector<double> w = positive_weights(mesh);
    ASSERT_EQ(w.size(), 10u);
    for (std::size_t i = 0; i < w.size(); ++i) EXPECT_NEAR(w[i], i < 4 ? 1.0 / 32 : 7.0 / 48, 1e-15);
}

TEST(Metrics, MaxDistanceFindsAPeakThatOnlyOneMeshHas) {
    const Motion peak = [](const Vec3& p, double t) {
        return std::abs(p.x - 0.25) + std::abs(p.y - 0.25) < 1e-9 ? Vec3{0.3 * t, 0, 0} : Vec3{};
    };
    const Recording coarse = record(body_of(unit_grid(2)), peak), fine = record(body_of(unit_grid(4)), peak);
    EXPECT_NEAR(evaluate_metric("max_distance", coarse, fine).value.back(), 0.3, 1e-15);
    EXPECT_NEAR(evaluate_metric("max_distance", fine, coarse).value.back(), 0.3, 1e-15);
}

TEST(Metrics, EnergyNormOfAStretchIsItsRelativeStrain) {
    // u = (s x, 0) against (1.1 s x, 0): a tenth, on any mesh; and a rigid shift of the candidate costs no energy.
    const auto stretch = [](double s, double away) {
        return [=](const Vec3& p, double t) { return Vec3{s * p.x * t + away * t, 0, 0}; };
    };
    for (const CellKind kind : {CellKind::quad4, CellKind::tri3, CellKind::tet4, CellKind::tet10, CellKind::hex8}) {
        const auto body = body_of(dimension_of(kind) == 2 ? unit_grid(3, kind) : unit_box(2, kind));
        const Recording a = record(body, stretch(0.01, 0)), b = record(body, stretch(0.011, 0.5));
        EXPECT_NEAR(evaluate_metric("relative_energy", a, b).value.back(), 0.1, 1e-9) << to_string(kind);
        EXPECT_GT(evaluate_metric("relative_l2", a, b).value.back(), 10.0);
    }
}

TEST(Metrics, BothAtRestIsZeroAndOnlyTheReferenceAtRestIsLeftOut) {
    // At t = 0 both rest: 0. Later the reference still does: no relative error exists, and infinity must not reach a
    // plot.
    for (const MetricSpec& spec : metric_specs()) {
        const auto body = body_of(unit_grid(4));
        const Recording rest = record(body, at_rest()), moving = record(body, bulge(0.1));
        const MetricSeries s = evaluate_metric(spec.name, rest, moving);
        EXPECT_EQ(s.value.size() + s.left_out, 5u) << spec.name;
        if (is_relative(spec.name)) {
            EXPECT_EQ(s.value.size(), 1u) << spec.name;
            EXPECT_EQ(s.value.front(), 0.0);
            EXPECT_EQ(s.t.front(), 0.0);
            EXPECT_EQ(s.left_out, 4u);
        }
        for (const double v : s.value) EXPECT_TRUE(std::isfinite(v));
        if (std::string(spec.name) == "momentum_drift") {
            EXPECT_EQ(s.left_out, 5u);  // a reference that never moves gives no scale
        } else if (!is_relative(spec.name)) {
            EXPECT_EQ(s.left_out, 0u) << spec.name;
        }
    }
}

TEST(Metrics, RoundingOfABodyAtRestIsNoMotion) {
    const auto body = body_of(unit_grid(4));
    Recording a = record(body, bulge(0.1)), b = record(body, bulge(0.1));
    for (std::size_t v = 0; v < body->vertex_count(); ++v) {
        a.frames[0].displacement[v] = {v % 2 == 0 ? 3e-17 : -1e-17, 0.0, 0.0};
        b.frames[0].displacement[v] = {0.0, 2e-17, 0.0};
    }
    for (const auto& [reference, candidate] : {std::pair{&a, &b}, {&b, &a}}) {
        const MetricSeries s = evaluate_metric("relative_l2", *reference, *candidate);
        ASSERT_EQ(s.value.size(), 5u);
        for (const double v : s.value) EXPECT_EQ(v, 0.0);
    }
    for (Vec3& u : b.frames[0].displacement) u.x = 0.1;
    EXPECT_EQ(evaluate_metric("relative_l2", a, b).left_out, 1u);
}

TEST(Metrics, ABlownUpRunGivesNoInfinityAndNoNotANumber) {
    // Explicit runs diverge through 1e100 and 1e200 to the end of the range: squares and cubes of it overflow.
    for (const bool solid : {false, true}) {
        for (const MetricSpec& spec : metric_specs()) {
            const auto body = body_of(solid ? unit_box(2) : unit_grid(4));
            Recording good = record(body, bulge(0.1)), bad = record(body, bulge(0.1));
            for (std::size_t f = 1; f < bad.frames.size(); ++f) {
                for (std::size_t i = 0; i < body->vertex_count(); i += 2) {
                    bad.frames[f].displacement[i].y = (i % 4 == 0 ? 1 : -1) *
                                                      std::pow(10.0, 77.0 * static_cast<double>(f));
                    bad.frames[f].velocity[i].y = 1e308;
                }
            }
            bad.frames[2].energies.elastic = std::numeric_limits<double>::infinity();
            bad.frames[3].displacement[1].x = std::numeric_limits<double>::quiet_NaN();
            for (const auto& [a, b] : {std::pair{&good, &bad}, std::pair{&bad, &good}}) {
                const MetricSeries s = evaluate_metric(spec.name, *a, *b);
                EXPECT_EQ(s.value.size() + s.left_out, 5u) << spec.name;
                for (const double v : s.value) EXPECT_TRUE(std::isfinite(v)) << spec.name;
                EXPECT_TRUE(std::isfinite(s.stated_error));
                EXPECT_GE(s.left_out, 1u);
            }
        }
    }
}

TEST(Metrics, AnErrorTooLargeForANumberIsNotLeftOutOfTheLargest) {
    // One frame blows up and the next ones are exact: without it, the largest error of the run would read 0.
    for (const bool solid : {false, true}) {
        for (const char* name : {"relative_l2", "relative_energy", "surface", "volume_drift"}) {
            const auto body = body_of(solid ? unit_box(2) : unit_grid(4));
            const Recording good = record(body, bulge(1e-3));
            Recording bad = good;
            for (std::size_t i = 0; i < body->vertex_count(); ++i) {
                const double x = static_cast<double>(i);
                bad.frames[2].displacement[i] = {1e308 * std::sin(x), 1e308 * std::cos(3.0 * x),
                                                 solid ? 1e308 * std::sin(5.0 * x) : 0.0};
            }
            const MetricSeries s = evaluate_metric(name, good, bad);
            ASSERT_EQ(s.overflowed.size(), 1u) << name;
            EXPECT_EQ(s.overflowed[0], bad.frames[2].time) << name;
            EXPECT_EQ(s.left_out, 1u) << name;
            const MetricSummary sum = summarize(s);
            EXPECT_TRUE(std::isinf(sum.maximum) && std::isinf(sum.mean)) << name;
            EXPECT_EQ(sum.time_of_maximum, bad.frames[2].time) << name;
            EXPECT_EQ(sum.final_value, 0.0) << name;
        }
    }
}

TEST(Metrics, WhatFitsANumberIsGivenThoughItsSquareDoesNot) {
    const auto body = body_of(unit_grid(4));
    const Recording good = record(body, bulge(1e-3));
    for (const double size : {1e100, 1e160, 1e250, 1e300}) {
        Recording bad = good;
        for (std::size_t f = 1; f < bad.frames.size(); ++f)
            for (Vec3& u : bad.frames[f].displacement) u = {size, 0.0, 0.0};
        for (const char* name : {"relative_l2", "max_distance", "interior", "interior_mean"}) {
            const MetricSeries s = evaluate_metric(name, good, bad);
            ASSERT_EQ(s.left_out, 0u) << name << " " << size;
            EXPECT_GE(s.value.back(), 0.99 * size) << name;
        }
        EXPECT_NEAR(evaluate_metric("interior_mean", good, bad).value.back() / size, 1.0, 1e-12);
    }
}

TEST(Metrics, RelativeL2OfHugeAndTinyValuesKeepsItsDigits) {
    const auto body = body_of(unit_grid(2));
    for (const double size : {1e-300, 1e-160, 1.0, 1e160, 1e300}) {
        const Recording a = record(body, shift({size, 0, 0})), b = record(body, shift({1.25 * size, 0, 0}));
        EXPECT_NEAR(evaluate_metric("relative_l2", a, b).value.back(), 0.25, 1e-15) << size;
    }
}

TEST(Metrics, FramesAreMatchedByTime) {
    // A candidate of half the step, whose times were summed up and so are off by rounding.
    const auto body = body_of(unit_grid(3));
    Recording coarse = record(body, bulge(0.1), 10, 0.1);
    Recording fine = record(body, bulge(0.1), 20, 0.05);
    double t = 0;
    for (Frame& f : fine.frames) {
        f.time = t;
        t += 0.05;
    }
    for (const auto& [a, b] : {std::pair{&coarse, &fine}, std::pair{&fine, &coarse}}) {
        const MetricSeries s = evaluate_metric("max_distance", *a, *b);
        ASSERT_EQ(s.t.size(), 11u);
        for (std::size_t i = 0; i < s.t.size(); ++i) {
            EXPECT_NEAR(s.t[i], 0.1 * static_cast<double>(i), 1e-14);
            EXPECT_LT(s.value[i], 1e-15);
        }
    }
}

TEST(Metrics, TimesFurtherApartThanTheToleranceDoNotMatch) {
    const auto body = body_of(unit_grid(3));
    const Recording a = record(body, bulge(0.1), 4, 0.25);
    Recording b = a;
    for (Frame& f : b.frames) f.time += 2e-9 * 0.25;
    expect_error(Fault::bad_usage, "by hand", [&] { evaluate_metric("interior", a, b); });
    for (Frame& f : b.frames) f.time -= 1.5e-9 * 0.25;
    EXPECT_EQ(evaluate_metric("interior", a, b).value.size(), 5u);
}

Fault fault_of(const std::string& name, const Recording& a, const Recording& b) {
    try {
        evaluate_metric(name, a, b);
    } catch (const Error& e) {
        EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
        return e.fault();
    }
    ADD_FAILURE() << "nothing was thrown";
    return Fault::interrupted;
}

TEST(Metrics, WhatCannotBeComparedSaysWhy) {
    const Recording plane = record(body_of(unit_grid(2)), bulge(0.1)), space = record(body_of(unit_box(2)), bulge(0.1));
    EXPECT_EQ(fault_of("surfaces", plane, plane), Fault::bad_usage);
    EXPECT_EQ(fault_of("interior", plane, space), Fault::unsupported);
    Recording none = plane;
    none.frames.clear();
    EXPECT_EQ(fault_of("interior", plane, none), Fault::bad_usage);
    EXPECT_EQ(fault_of("interior", none, plane), Fault::bad_usage);
    Recording damaged = plane;
    damaged.frames[1].displacement.pop_back();
    EXPECT_EQ(fault_of("interior", plane, damaged), Fault::bad_data);
    Recording still = plane;
    still.frames[2].velocity.clear();
    EXPECT_EQ(fault_of("momentum_drift", plane, still), Fault::unsupported);
    EXPECT_EQ(evaluate_metric("interior", plane, still).value.size(), 5u);  // the others need no velocities
    still.body.reset();
    EXPECT_EQ(fault_of("interior", still, plane), Fault::unsupported);
}

TEST(Summary, NamesTheLargestItsTimeTheMeanAndTheEnd) {
    const MetricSeries s{"volume_drift", {0, 1, 2, 3}, {0.5, -2, 2, 0.1}, 0, 0};
    const MetricSummary m = summarize(s);
    EXPECT_EQ(m.maximum, -2);  // the largest magnitude keeps its sign; the first of two equal ones wins
    EXPECT_EQ(m.time_of_maximum, 1);
    EXPECT_NEAR(m.mean, 0.15, 1e-15);
    EXPECT_EQ(m.final_value, 0.1);
    EXPECT_EQ(m.frames, 4u);
    EXPECT_EQ(summarize({}).frames, 0u);
}

}  // namespace
}  // namespace limber::test
