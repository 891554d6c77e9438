#include "bem/plane_edge.hpp"

#include <numbers>
#include <span>

namespace limber {

namespace {

constexpr Complex kI{0.0, 1.0};

struct GaussPoint {
    double at, weight;  ///< on (0, 1)
};
// Errors fall as rho^(-2n), rho = z + sqrt(z^2 - 1) with z the source's distance from the middle in half lengths: 10
// points from z = 3 and 6 points from z = 9 leave 1e-15 of the integral.
constexpr std::array<double, 5> kTenAt{0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845,
                                       0.9739065285171717};
constexpr std::array<double, 5> kTenWeight{0.2955242247147529, 0.2692667193099964, 0.2190863625159820,
                                           0.1494513491505806, 0.0666713443086881};
constexpr std::array<double, 3> kSixAt{0.2386191860831969, 0.6612093864662645, 0.9324695142031521};
constexpr std::array<double, 3> kSixWeight{0.4679139345726910, 0.3607615730481386, 0.1713244923791704};
constexpr double kGaussFrom = 1.5, kSixFrom = 4.5;  // lengths from the middle

template <std::size_t N>
constexpr std::array<GaussPoint, 2 * N> on_unit(const std::array<double, N>& at, const std::array<double, N>& weight) {
    std::array<GaussPoint, 2 * N> out{};
    for (std::size_t i = 0; i < N; ++i) {
        out[2 * i] = {0.5 * (1 - at[i]), 0.5 * weight[i]};
        out[2 * i + 1] = {0.5 * (1 + at[i]), 0.5 * weight[i]};
    }
    return out;
}
constexpr auto kTen = on_unit(kTenAt, kTenWeight);
constexpr auto kSix = on_unit(kSixAt, kSixWeight);

void by_gauss(EdgeIntegrals& q, const Complex& first, double length, std::span<const GaussPoint> rule, int powers,
              int orders) {
    for (const GaussPoint& point : rule) {
        const Complex zeta = first + length * point.at;
        const double r2 = std::norm(zeta);
        const Complex one_over{zeta.real() / r2, -zeta.imag() / r2};
        double weight = length * point.weight;
        const double log = 0.5 * std::log(r2);
        for (std::size_t m = 0; m < static_cast<std::size_t>(powers); ++m, weight *= point.at) {
            q.log[m] += weight * log;
            Complex power = weight * one_over;
            for (std::size_t k = 1; k <= static_cast<std::size_t>(orders); ++k, power *= one_over)
                q.inverse[k][m] += power;
        }
    }
}

/// xi^m zeta^-k = (xi^(m-1) zeta^-(k-1) - first xi^(m-1) zeta^-k) / length, and logarithms by parts.
void in_closed_form(EdgeIntegrals& q, const Complex& first, double length, EdgeSource where, int powers, int orders) {
    const Complex last = first + length;
    // Finite parts: what diverges at the source is dropped; callers only combine these with factors that vanish there.
    const double log_first = where == EdgeSource::at_start ? 0.0 : std::log(std::abs(first));
    const double log_last = where == EdgeSource::at_end ? 0.0 : std::log(std::abs(last));
    const double angle = where == EdgeSource::apart ? std::arg(last * std::conj(first)) : 0.0;
    const Complex over_first = where == EdgeSource::at_start ? 0.0 : 1.0 / first;
    const Complex over_last = where == EdgeSource::at_end ? 0.0 : 1.0 / last;
    q.inverse[1][0] = {log_last - log_first, angle};
    if (orders >= 2) q.inverse[2][0] = over_first - over_last;
    if (orders >= 3) q.inverse[3][0] = 0.5 * (over_first * over_first - over_last * over_last);
    const auto up_to = static_cast<std::size_t>(powers);
    std::array<Complex, EdgeIntegrals::kPowers + 1> inverse1{};
    inverse1[0] = q.inverse[1][0];
    for (std::size_t m = 1; m <= up_to; ++m)
        inverse1[m] = 1.0 / static_cast<double>(m) - first / length * inverse1[m - 1];
    for (std::size_t m = 0; m < up_to; ++m) {
        q.log[m] = length * (log_last - inverse1[m + 1].real()) / static_cast<double>(m + 1);
        q.inverse[1][m] = inverse1[m];
    }
    for (std::size_t k = 2; k <= static_cast<std::size_t>(orders); ++k) {
        for (std::size_t m = 1; m < up_to; ++m)
            q.inverse[k][m] = (q.inverse[k - 1][m - 1] - first * q.inverse[k][m - 1]) / length;
    }
}

}  // namespace

EdgeIntegrals integrate_edge(const PlaneEdge& edge, const Complex& source, EdgeSource where, int powers, int orders) {
    EdgeIntegrals q;
    Complex first = std::conj(edge.direction) * (edge.start - source);
    // The source is on the edge's line here; rounding must not push it to one side.
    if (where == EdgeSource::at_start) first = 0.0;
    if (where == EdgeSource::at_end) first = -edge.length;
    if (where == EdgeSource::within) first = first.real();
    q.d = -first.imag();
    for (std::size_t m = 0; m < EdgeIntegrals::kPowers; ++m) q.inverse[0][m] = edge.length / static_cast<double>(m + 1);
    const double away = std::abs(first + 0.5 * edge.length) / edge.length;
    if (away > kSixFrom)
        by_gauss(q, first, edge.length, kSix, powers, orders);
    else if (away > kGaussFrom)
        by_gauss(q, first, edge.length, kTen, powers, orders);
    else
        in_closed_form(q, first, edge.length, where, powers, orders);
    return q;
}

PlaneConstants::PlaneConstants(double nu)
    : poisson(nu),
      kappa(3 - 4 * nu),
      single(1.0 / (16 * std::numbers::pi * (1 - nu))),
      twice(1.0 / (4 * std::numbers::pi * (1 - nu))) {}

PlaneMap single_layer(const PlaneConstants& c, const PlaneEdge& edge, const EdgeIntegrals& q, int power) {
    // w = C (-2 kappa ln|zeta| t + t + zeta / conj(zeta) conj(t)), zeta / conj(zeta) = 1 - 2 i d / conj(zeta)
    const auto m = static_cast<std::size_t>(power);
    const Complex plain = c.single * (q.inverse[0][m] - 2 * c.kappa * q.log[m]);
    const Complex mirrored = c.single * (q.inverse[0][m] - 2.0 * kI * q.d * std::conj(q.inverse[1][m]));
    return {plain, mirrored * edge.direction * edge.direction};
}

PlaneMap double_layer(const PlaneConstants& c, const PlaneEdge& edge, const EdgeIntegrals& q, int power) {
    // T u = -D (-i kappa/2 u / zeta + i/2 u / conj(zeta) + d conj(u) / conj(zeta)^2)
    const auto m = static_cast<std::size_t>(power);
    const Complex plain = 0.5 * c.twice * kI * (c.kappa * q.inverse[1][m] - std::conj(q.inverse[1][m]));
    const Complex mirrored = -c.twice * q.d * std::conj(q.inverse[2][m]);
    return {plain, mirrored * edge.direction * edge.direction};
}

// Stresses follow from the displacement w at the source: sigma_xx + sigma_yy = 4 / (1 - 2 nu) Re dw/dz, the difference
// 4 dw/dconj(z). kappa - 1 = 2 (1 - 2 nu) takes the denominator away before it can hurt nearly incompressible bodies.
PlaneStressMap stress_of_single_layer(const PlaneConstants& c, const PlaneEdge& edge, const EdgeIntegrals& q,
                                      int power) {
    const auto m = static_cast<std::size_t>(power);
    const Complex e = edge.direction;
    const Complex inverse = std::conj(q.inverse[1][m]);
    const Complex ratio = inverse - 2.0 * kI * q.d * std::conj(q.inverse[2][m]);  // zeta / conj(zeta)^2
    PlaneStressMap out;
    out.sum = 8 * c.single * q.inverse[1][m] * std::conj(e);
    out.difference.plain = 4 * c.single * c.kappa * inverse * e;
    out.difference.mirrored = 4 * c.single * ratio * e * e * e;
    return out;
}

PlaneStressMap stress_of_double_layer(const PlaneConstants& c, const PlaneEdge& edge, const EdgeIntegrals& q,
                                      int power) {
    const auto m = static_cast<std::size_t>(power);
    const Complex e = edge.direction;
    const Complex square = std::conj(q.inverse[2][m]);
    PlaneStressMap out;
    out.sum = 4 * c.twice * kI * q.inverse[2][m] * std::conj(e);  // -Im(x) = Re(i x)
    out.difference.plain = -2 * c.twice * kI * square * e;
    out.difference.mirrored = -c.twice * (2.0 * kI * square + 8 * q.d * std::conj(q.inverse[3][m])) * e * e * e;
    return out;
}

}  // namespace limber
