#include "dyrt/oscillator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

using Quad = long double;
using Matrix = std::array<std::array<Quad, 4>, 4>;

Matrix times(const Matrix& a, const Matrix& b) {
    Matrix c{};
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 4; ++j)
            for (std::size_t k = 0; k < 4; ++k) c[i][j] += a[i][k] * b[k][j];
    }
    return c;
}

// exp of the 4x4 system (q, v, force, slope): Taylor over a short time, then squared. Long double, and no formula in
// common.
Matrix exponential(double omega, double decay, double time) {
    int halvings = 0;
    Quad t = time;
    while (std::max(omega, decay) * static_cast<double>(t) > 0.25) {
        t /= 2;
        ++halvings;
    }
    const Matrix a{{{0, t, 0, 0}, {-Quad(omega) * omega * t, -2 * Quad(decay) * t, t, 0}, {0, 0, 0, t}, {0, 0, 0, 0}}};
    Matrix sum{}, term{};
    for (std::size_t i = 0; i < 4; ++i) sum[i][i] = term[i][i] = 1;
    for (int k = 1; k < 40; ++k) {
        term = times(term, a);
        for (auto& row : term)
            for (Quad& v : row) v /= k;
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j) sum[i][j] += term[i][j];
    }
    for (; halvings > 0; --halvings) sum = times(sum, sum);
    return sum;
}

// Every branch and the places where they meet: short times, critical damping from both sides, strong damping, many
// turns.
TEST(Oscillator, EqualsTheMatrixExponentialForAnyDampingAndTime) {
    const double time = 1.0 / 60.0;
    for (const double turn : {1e-4, 1e-3, 0.02, 0.3, 0.9, 1.1, 1.9, 2.1, 5.0, 10.0}) {
        for (const double ratio : {0.0, 1e-3, 0.1, 0.5, 0.99, 1.0 - 1e-9, 1.0, 1.0 + 1e-9, 1.01, 1.4, 2.0, 5.0}) {
            const double omega = turn / time, decay = ratio * omega;
            limber_oscillator_step s;
            limber_oscillator_prepare(omega, decay, time, &s);
            const Matrix e = exponential(omega, decay, time);
            const double scale = std::min(time, 1.0 / omega);
            const auto near = [&](double mine, Quad exact, double unit, const char* what) {
                EXPECT_NEAR(mine, static_cast<double>(exact), 1e-12 * unit)
                    << what << ", omega dt " << turn << ", ratio " << ratio;
            };
            near(s.qq, e[0][0], 1.0, "qq");
            near(s.qv, e[0][1], scale, "qv");
            near(s.vq, e[1][0], 1.0 / scale, "vq");
            near(s.vv, e[1][1], 1.0, "vv");
            near(s.f1, e[0][2], std::abs(static_cast<double>(e[0][2])), "f1");
            near(s.f2, e[0][3], std::abs(static_cast<double>(e[0][3])), "f2");
        }
    }
}

TEST(Oscillator, WithoutStiffnessFliesFree) {
    limber_oscillator_step s;
    limber_oscillator_prepare(0.0, 0.0, 2.0, &s);
    EXPECT_EQ(s.qq, 1.0);
    EXPECT_DOUBLE_EQ(s.qv, 2.0);
    EXPECT_DOUBLE_EQ(s.f1, 2.0);
    EXPECT_DOUBLE_EQ(s.f2, 8.0 / 6.0);
    limber_oscillator_prepare(0.0, 50.0, 2.0, &s);  // only drag: v' = -100 v
    EXPECT_NEAR(s.qv, 0.01, 1e-15);
    EXPECT_NEAR(s.f1, 2.0 / 100.0 - 1e-4, 1e-15);
}

}  // namespace
}  // namespace limber
