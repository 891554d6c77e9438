#include "sim/curve.hpp"

#include "core/assert.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

/// Second derivatives of the cubic spline through the keys that is at rest at both ends: a tridiagonal system,
/// diagonally dominant for any ascending times, so elimination needs no pivots.
template <class Values>
std::vector<Values> clamped_spline(const std::vector<double>& t, const std::vector<Values>& y) {
    const std::size_t n = t.size();
    std::vector<Values> bend(n, Values{});
    if (n < 2) return bend;
    const auto slope = [&](std::size_t k, std::size_t c) { return (y[k + 1][c] - y[k][c]) / (t[k + 1] - t[k]); };
    std::vector<double> pivot(n), above(n);
    for (std::size_t k = 0; k < n; ++k) {
        const double before = k > 0 ? t[k] - t[k - 1] : 0.0;
        const double after = k + 1 < n ? t[k + 1] - t[k] : 0.0;
        const double ratio = k > 0 ? before / pivot[k - 1] : 0.0;
        above[k] = after;
        pivot[k] = 2.0 * (before + after) - (k > 0 ? ratio * above[k - 1] : 0.0);
        for (std::size_t c = 0; c < y[k].size(); ++c) {
            const double right = k + 1 < n ? slope(k, c) : 0.0;
            const double left = k > 0 ? slope(k - 1, c) : 0.0;
            bend[k][c] = 6.0 * (right - left) - (k > 0 ? ratio * bend[k - 1][c] : 0.0);
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t c = 0; c < y[k].size(); ++c)
            bend[k][c] = (bend[k][c] - (k + 1 < n ? above[k] * bend[k + 1][c] : 0.0)) / pivot[k];
    }
    return bend;
}

}  // namespace

template <int Width>
Curve<Width>::Curve(std::vector<double> times, std::vector<Values> values, Interpolation interpolation)
    : times_(std::move(times)), values_(std::move(values)), interpolation_(interpolation) {
    LIMBER_ASSERT(times_.size() == values_.size());
    LIMBER_ASSERT(std::is_sorted(times_.begin(), times_.end()));
    if (interpolation_ == Interpolation::smooth) bend_ = clamped_spline(times_, values_);
}

template <int Width>
typename Curve<Width>::Sample Curve<Width>::at(double t, double snap) const noexcept {
    Sample s;
    if (times_.empty()) return s;
    const auto next = std::upper_bound(times_.begin(), times_.end(), t + snap);
    if (next == times_.begin() || next == times_.end() || interpolation_ == Interpolation::step) {
        s.value = next == times_.begin() ? values_.front()
                                         : values_[static_cast<std::size_t>(next - times_.begin()) - 1];
        return s;
    }
    const auto k = static_cast<std::size_t>(next - times_.begin()) - 1;
    const double span = times_[k + 1] - times_[k];
    const double into = t - times_[k] <= snap ? 0.0 : t - times_[k];
    for (std::size_t c = 0; c < values_[k].size(); ++c) {
        const double a = values_[k][c], slope = (values_[k + 1][c] - a) / span;
        if (interpolation_ == Interpolation::linear) {
            s.value[c] = a + slope * into;
            s.rate[c] = slope;
        } else {
            const double m0 = bend_[k][c], turn = (bend_[k + 1][c] - m0) / span;
            const double start = slope - span * (2.0 * m0 + bend_[k + 1][c]) / 6.0;
            s.value[c] = a + into * (start + into * (m0 / 2.0 + into * turn / 6.0));
            s.rate[c] = start + into * (m0 + into * turn / 2.0);
            s.acceleration[c] = m0 + into * turn;
        }
    }
    return s;
}

template class Curve<1>;
template class Curve<6>;

Spin spin_of(const Vec3& r, const Vec3& rate, const Vec3& acceleration) noexcept {
    // omega = r' + a (r x r') + b r x (r x r'), a = (1 - cos th)/th^2, b = (th - sin th)/th^3, th = |r|;
    // the acceleration is its derivative. da and db are (da/dth)/th and (db/dth)/th. Below 0.02 rad the quotients
    // lose digits, so their series take over (the next terms are below 1e-14 there).
    const double th2 = norm2(r), th = std::sqrt(th2);
    double a = 0.5 - th2 / 24.0 * (1.0 - th2 / 30.0);
    double b = 1.0 / 6.0 - th2 / 120.0 * (1.0 - th2 / 42.0);
    double da = -1.0 / 12.0 + th2 / 180.0 - th2 * th2 / 6720.0;
    double db = -1.0 / 60.0 + th2 / 1260.0 - th2 * th2 / 60480.0;
    if (th > 0.02) {
        const double c = std::cos(th), s = std::sin(th);
        a = (1.0 - c) / th2;
        b = (th - s) / (th2 * th);
        da = (th * s - 2.0 * (1.0 - c)) / (th2 * th2);
        db = (th * (1.0 - c) - 3.0 * (th - s)) / (th2 * th2 * th);
    }
    const double stretch = dot(r, rate);
    const Vec3 across = cross(r, rate), turned = cross(r, acceleration);
    Spin spin;
    spin.velocity = rate + a * across + b * cross(r, across);
    spin.acceleration = acceleration + (da * stretch) * across + a * turned + (db * stretch) * cross(r, across) +
                        b * (cross(rate, across) + cross(r, turned));
    return spin;
}

}  // namespace limber
