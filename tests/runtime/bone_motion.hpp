// Bones that move in a known way, what they push (docs/dyrt_format.md, from their derivatives in double), and the
// answer of oscillators to it.
#pragma once

#include "dyrt_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace limber::runtime_tests {

using Vec = std::array<double, 3>;
using Quat = std::array<double, 4>;  ///< x y z w

inline Vec cross(const Vec& a, const Vec& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Quat times(const Quat& a, const Quat& b) {
    return {
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

inline Quat conj(const Quat& q) { return {-q[0], -q[1], -q[2], q[3]}; }
inline Quat about(const Vec& axis, double angle) {
    const double s = std::sin(0.5 * angle);
    return {s * axis[0], s * axis[1], s * axis[2], std::cos(0.5 * angle)};
}
inline Vec turned(const Quat& q, const Vec& v) {
    const Quat r = times(times(q, {v[0], v[1], v[2], 0.0}), conj(q));
    return {r[0], r[1], r[2]};
}

/// Where the bone is and how it is turned since the bind pose, at any time.
struct Motion {
    std::function<Vec(double)> position = [](double) { return Vec{}; };
    std::function<Quat(double)> turn = [](double) { return Quat{0, 0, 0, 1}; };
};

inline constexpr double kEps = 1e-3;  ///< of differences of fourth order: about 1e-9 for motions of some Hz

inline Vec velocity(const Motion& m, double t) {
    const Vec a = m.position(t - 2 * kEps), b = m.position(t - kEps), c = m.position(t + kEps),
              d = m.position(t + 2 * kEps);
    Vec out;
    for (std::size_t i = 0; i < 3; ++i) out[i] = (a[i] - 8 * b[i] + 8 * c[i] - d[i]) / (12 * kEps);
    return out;
}

inline Vec acceleration(const Motion& m, double t) {
    const Vec a = m.position(t - 2 * kEps), b = m.position(t - kEps), o = m.position(t), c = m.position(t + kEps),
              d = m.position(t + 2 * kEps);
    Vec out;
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = (-a[i] + 16 * b[i] - 30 * o[i] + 16 * c[i] - d[i]) / (12 * kEps * kEps);
    return out;
}

/// Angular velocity in bone axes: 2 conj(q) q'.
inline Vec spin(const Motion& m, double t) {
    const Quat a = m.turn(t - 2 * kEps), b = m.turn(t - kEps), c = m.turn(t + kEps), d = m.turn(t + 2 * kEps);
    Quat rate;
    for (std::size_t i = 0; i < 4; ++i) rate[i] = (a[i] - 8 * b[i] + 8 * c[i] - d[i]) / (12 * kEps);
    const Quat w = times(conj(m.turn(t)), rate);
    return {2 * w[0], 2 * w[1], 2 * w[2]};
}

/// The twelve numbers of the format.
inline std::array<double, 12> pushes(const Motion& m, const Vec& g, double t) {
    const Vec a = acceleration(m, t), w = spin(m, t), before = spin(m, t - kEps), after = spin(m, t + kEps);
    const Vec seen = turned(conj(m.turn(t)), {a[0] - g[0], a[1] - g[1], a[2] - g[2]});
    std::array<double, 12> d{};
    for (std::size_t i = 0; i < 3; ++i) {
        d[i] = seen[i] + g[i];
        d[3 + i] = (after[i] - before[i]) / (2 * kEps);
        d[6 + i] = w[i] * w[i];
    }
    d[9] = w[0] * w[1];
    d[10] = w[1] * w[2];
    d[11] = w[2] * w[0];
    return d;
}

/// Runge-Kutta of fourth order in short steps, from rest at time 0; amplitudes of all oscillators at `times`, which
/// ascend.
inline std::vector<std::vector<double>> exact_answer(const PartText& part, const Motion& m, const Vec& g,
                                                     const std::vector<double>& moments, bool coriolis = false) {
    const std::size_t n = part.oscillators.size();
    std::vector<double> x(2 * n, 0.0);
    const auto rate = [&](const std::array<double, 12>& d, const Vec& w, const std::vector<double>& y) {
        std::vector<double> out(2 * n);
        for (std::size_t k = 0; k < n; ++k) {
            const Oscillator& o = part.oscillators[k];
            double force = 0.0;
            for (std::size_t i = 0; i < 12; ++i) force += static_cast<double>(o.transfer[i]) * d[i];
            for (std::size_t a = 0; coriolis && a < 3; ++a) {
                for (std::size_t j = 0; j < n; ++j)
                    force += static_cast<double>(part.coriolis[(a * n + k) * n + j]) * w[a] * y[n + j];
            }
            out[k] = y[n + k];
            out[n + k] = force - 2.0 * static_cast<double>(o.decay) * y[n + k] -
                         static_cast<double>(o.omega) * static_cast<double>(o.omega) * y[k];
        }
        return out;
    };
    const auto moved = [](const std::vector<double>& y, const std::vector<double>& by, double h) {
        std::vector<double> out(y);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] += h * by[i];
        return out;
    };
    std::vector<std::vector<double>> out;
    double t = 0.0;
    for (const double end : moments) {
        const int steps = std::max(1, static_cast<int>(std::ceil((end - t) / 8e-4)));
        const double h = (end - t) / steps;
        for (int i = 0; i < steps && h > 0.0; ++i, t += h) {
            const auto d0 = pushes(m, g, t), d1 = pushes(m, g, t + h / 2), d2 = pushes(m, g, t + h);
            const Vec w0 = spin(m, t), w1 = spin(m, t + h / 2), w2 = spin(m, t + h);
            const auto k1 = rate(d0, w0, x), k2 = rate(d1, w1, moved(x, k1, h / 2)),
                       k3 = rate(d1, w1, moved(x, k2, h / 2)), k4 = rate(d2, w2, moved(x, k3, h));
            for (std::size_t j = 0; j < 2 * n; ++j) x[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
        }
        t = end;
        out.emplace_back(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
    }
    return out;
}

inline limber_dyrt_bone bone_at(const Motion& m, const PartText& part, double t) {
    const Vec p = m.position(t);
    const auto& b = part.bind_rotation;
    const Quat q = times(m.turn(t), {b[0], b[1], b[2], b[3]});
    limber_dyrt_bone out;
    for (std::size_t i = 0; i < 3; ++i) out.position[i] = static_cast<float>(p[i]);
    for (std::size_t i = 0; i < 4; ++i) out.rotation[i] = static_cast<float>(q[i]);
    return out;
}

inline limber_dyrt_motion motion_at(const Motion& m, double t) {
    const Vec v = velocity(m, t), w = turned(m.turn(t), spin(m, t));
    limber_dyrt_motion out;
    for (std::size_t i = 0; i < 3; ++i) {
        out.velocity[i] = static_cast<float>(v[i]);
        out.angular_velocity[i] = static_cast<float>(w[i]);
    }
    return out;
}

/// Amplitudes that the library gives at `moments` (the first is where the bone is taken in).
inline std::vector<std::vector<float>> live_answer(const PartText& part, const limber_dyrt_settings& settings,
                                                   const Asset& asset, const Motion& m,
                                                   const std::vector<double>& moments) {
    const Crowd crowd = make_crowd(asset, 1, settings);
    std::vector<std::vector<float>> out;
    for (std::size_t i = 0; i < moments.size(); ++i) {
        const limber_dyrt_bone bone = bone_at(m, part, moments[i]);
        const limber_dyrt_motion motion = motion_at(m, moments[i]);
        const double dt = i > 0 ? moments[i] - moments[i - 1] : moments[1] - moments[0];
        limber_dyrt_step(crowd.get(), static_cast<float>(dt), &bone,
                         settings.drive == LIMBER_DYRT_VELOCITIES ? &motion : nullptr);
        std::vector<float> q(part.oscillators.size());
        limber_dyrt_amplitudes(crowd.get(), 0, 0, q.data());
        out.push_back(q);
    }
    return out;
}

/// Root mean square of the difference over that of the exact answer, of one oscillator; from `skip` on.
inline double relative_error(const std::vector<std::vector<float>>& live, const std::vector<std::vector<double>>& exact,
                             std::size_t mode, std::size_t skip = 0) {
    double difference = 0.0, size = 0.0;
    for (std::size_t i = skip; i < exact.size(); ++i) {
        difference += std::pow(static_cast<double>(live[i][mode]) - exact[i][mode], 2);
        size += std::pow(exact[i][mode], 2);
    }
    return std::sqrt(difference / size);
}

/// From 0 to 1 in `time`, with two continuous derivatives: motions that begin at rest.
inline double ramp(double t, double time) {
    const double x = std::clamp(t / time, 0.0, 1.0);
    return x * x * x * (10.0 - 15.0 * x + 6.0 * x * x);
}

inline std::vector<double> even_moments(double end, double rate) {
    std::vector<double> out;
    for (int i = 0; i <= static_cast<int>(std::lround(end * rate)); ++i) out.push_back(i / rate);
    return out;
}

}  // namespace limber::runtime_tests
