#include "sim/curve.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

using Line = Curve<1>;

Line curve(std::vector<double> t, const std::vector<double>& y, Interpolation how) {
    std::vector<std::array<double, 1>> values;
    for (const double v : y) values.push_back({v});
    return Line(std::move(t), std::move(values), how);
}

TEST(Curve, LinearVelocityAtAKeyIsThatOfTheFollowingSegment) {
    const Line line = curve({1.0, 2.0, 4.0}, {0.0, 3.0, 1.0}, Interpolation::linear);
    const auto rate = [&](double t) { return line.at(t, 1e-12).rate[0]; };
    EXPECT_EQ(rate(0.5), 0.0);
    EXPECT_EQ(rate(1.0), 3.0);
    EXPECT_EQ(rate(1.999), 3.0);
    EXPECT_EQ(rate(2.0), -1.0);
    EXPECT_EQ(rate(4.0), 0.0);
    EXPECT_EQ(rate(9.0), 0.0);
    EXPECT_EQ(line.at(0.5, 0.0).value[0], 0.0);
    EXPECT_EQ(line.at(9.0, 0.0).value[0], 1.0);
    EXPECT_EQ(line.at(3.0, 0.0).acceleration[0], 0.0);
}

TEST(Curve, AKeyWithinTheSnapCountsAsReachedFromBothSidesWithItsExactValue) {
    const Line line = curve({0.0, 2.0, 3.0}, {0.0, -0.16, 5.0}, Interpolation::linear);
    for (const double off : {-1e-12, 1e-12}) {
        EXPECT_EQ(line.at(2.0 + off, 1e-11).value[0], -0.16) << off;
        EXPECT_EQ(line.at(2.0 + off, 1e-11).rate[0], 5.16) << off;
    }
    EXPECT_NE(line.at(2.0 - 1e-10, 1e-11).rate[0], 5.16);
}

TEST(Curve, StepJumpsAtTheKeyAndNeverMoves) {
    const Line line = curve({0.0, 1.0}, {0.0, 1.0}, Interpolation::step);
    EXPECT_EQ(line.at(0.999, 1e-9).value[0], 0.0);
    EXPECT_EQ(line.at(1.0, 1e-9).value[0], 1.0);
    EXPECT_EQ(line.at(0.5, 1e-9).rate[0], 0.0);
}

TEST(Curve, SmoothIsTwiceContinuousThroughItsKeysAndAtRestAtBothEnds) {
    const std::vector<double> t{0.0, 0.5, 2.0, 2.1}, y{0.0, 2.0, -1.0, 0.5};
    const Line line = curve(t, y, Interpolation::smooth);
    for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(line.at(t[k], 0.0).value[0], y[k], 1e-14) << k;
    EXPECT_NEAR(line.at(t.front(), 0.0).rate[0], 0.0, 1e-13);
    EXPECT_NEAR(line.at(t.back() - 1e-12, 0.0).rate[0], 0.0, 1e-8);
    for (const std::size_t k : {1u, 2u}) {
        const auto before = line.at(t[k] - 1e-9, 0.0), after = line.at(t[k] + 1e-9, 0.0);
        EXPECT_NEAR(before.rate[0], after.rate[0], 1e-5) << k;
        EXPECT_NEAR(before.acceleration[0], after.acceleration[0], 1e-4 * std::abs(after.acceleration[0])) << k;
    }
}

TEST(Curve, SmoothRatesAreTheDerivativesOfItsValues) {
    const Line line = curve({0.0, 0.5, 2.0}, {0.0, 2.0, -1.0}, Interpolation::smooth);
    const double d = 1e-5;
    for (double t = 0.05; t < 1.95; t += 0.1) {
        const auto s = line.at(t, 0.0);
        EXPECT_NEAR(s.rate[0], (line.at(t + d, 0.0).value[0] - line.at(t - d, 0.0).value[0]) / (2 * d), 1e-7) << t;
        EXPECT_NEAR(s.acceleration[0], (line.at(t + d, 0.0).rate[0] - line.at(t - d, 0.0).rate[0]) / (2 * d), 1e-6)
            << t;
    }
}

TEST(Curve, OneKeyIsAConstantAndNoneIsZero) {
    for (const Interpolation how : {Interpolation::linear, Interpolation::smooth, Interpolation::step}) {
        EXPECT_EQ(curve({1.0}, {4.0}, how).at(0.0, 0.0).value[0], 4.0);
        EXPECT_EQ(curve({1.0}, {4.0}, how).at(2.0, 0.0).value[0], 4.0);
        EXPECT_EQ(curve({}, {}, how).at(2.0, 0.0).value[0], 0.0);
    }
}

/// Angular velocity by finite differences of the rotation itself: 2 dq/dt q*.
Vec3 measured_spin(const Vec3& r, const Vec3& rate, const Vec3& acceleration, double t) {
    const double d = 1e-5;
    const auto at = [&](double s) { return from_rotation_vector(r + rate * s + acceleration * (s * s / 2)); };
    const Quat a = at(t - d), b = at(t + d), q = at(t);
    const Quat dq{(b.w - a.w) / (2 * d), (b.x - a.x) / (2 * d), (b.y - a.y) / (2 * d), (b.z - a.z) / (2 * d)};
    const Quat w = dq * Quat{q.w, -q.x, -q.y, -q.z};
    return {2 * w.x, 2 * w.y, 2 * w.z};
}

TEST(Spin, IsTheAngularVelocityAndAccelerationOfTheRotationVector) {
    // Small angles run on series, large ones on quotients; both ends of the switch and more than a turn are tried.
    const Vec3 rate{0.3, -0.7, 0.5}, acceleration{-0.2, 0.4, 0.9};
    for (const double angle : {0.0, 1e-4, 0.019, 0.021, 0.5, 3.0, 7.0}) {
        const Vec3 r = Vec3{2.0 / 3.0, 1.0 / 3.0, -2.0 / 3.0} * angle;
        const Spin spin = spin_of(r, rate, acceleration);
        const double d = 1e-3;
        const Vec3 change = (measured_spin(r, rate, acceleration, d) - measured_spin(r, rate, acceleration, -d)) /
                            (2 * d);
        EXPECT_NEAR(norm(spin.velocity - measured_spin(r, rate, acceleration, 0.0)), 0.0, 1e-8) << angle;
        EXPECT_NEAR(norm(spin.acceleration - change), 0.0, 1e-5) << angle;
    }
}

}  // namespace
}  // namespace limber
