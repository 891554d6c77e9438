#include "rig/pose_curve.hpp"

#include "core/rotation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

/// Where a time falls among the keys: between `key` and key + 1 at the part `u`, or still at `key`.
struct KeySpan {
    std::size_t key = 0;
    bool moving = false;
    double u = 0.0;
    double span = 1.0;  ///< [s]
};

KeySpan key_span_at(const std::vector<double>& times, double t) {
    const auto after = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
    if (after == 0) return {0, false, 0.0, 1.0};
    const std::size_t last = times.size() - 1;
    if (after > last && (t > times[last] || last == 0)) return {last, false, 0.0, 1.0};
    const std::size_t key = std::min(after, last) - 1;
    const double span = times[key + 1] - times[key];
    return {key, true, (t - times[key]) / span, span};
}

/// The numbers of a key; of cubic curves the middle one of its three.
const double* value_of(const Channel& channel, std::size_t key, std::size_t width) {
    return channel.values.data() + (channel.curve == Channel::Curve::cubic ? (3 * key + 1) * width : key * width);
}

/// Hermite: tangents are stored beside the values and in units per second.
void sample_cubic(const Channel& channel, const KeySpan& at, std::span<double> value, std::span<double> rate) {
    const std::size_t width = value.size();
    const double u = at.u, u2 = u * u, u3 = u2 * u, h = at.span;
    const double* from = value_of(channel, at.key, width);
    const double* to = value_of(channel, at.key + 1, width);
    for (std::size_t i = 0; i < width; ++i) {
        const double out = from[width + i],
                     in = to[static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(width)];
        value[i] = (2 * u3 - 3 * u2 + 1) * from[i] + h * (u3 - 2 * u2 + u) * out + (3 * u2 - 2 * u3) * to[i] +
                   h * (u3 - u2) * in;
        rate[i] = (6 * u2 - 6 * u) / h * (from[i] - to[i]) + (3 * u2 - 4 * u + 1) * out + (3 * u2 - 2 * u) * in;
    }
}

void second_of_cubic(const Channel& channel, const KeySpan& at, std::span<double> second) {
    const std::size_t width = second.size();
    const double *from = value_of(channel, at.key, width), *to = value_of(channel, at.key + 1, width);
    for (std::size_t i = 0; i < width; ++i) {
        const double out = from[width + i],
                     in = to[static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(width)];
        second[i] = ((12 * at.u - 6) / at.span * (from[i] - to[i]) + (6 * at.u - 4) * out + (6 * at.u - 2) * in) /
                    at.span;
    }
}

Quat quat_at(const double* xyzw) { return {xyzw[3], xyzw[0], xyzw[1], xyzw[2]}; }

/// The rotation vector of a unit quaternion with w >= 0.
Vec3 rotation_vector(const Quat& q) {
    const Vec3 v{q.x, q.y, q.z};
    const double s = norm(v);
    return v * (s > 1e-12 ? 2 * std::atan2(s, q.w) / s : 2.0);
}

RotationSample slerp(const Quat& from, const Quat& to, const KeySpan& at) {
    const Quat a = normalized(from), b = normalized(to);
    Quat turn = b * conjugate(a);
    if (turn.w < 0) turn = {-turn.w, -turn.x, -turn.y, -turn.z};  // the shorter arc: q and -q are the same rotation
    const Vec3 arc = rotation_vector(turn);
    return {normalized(from_rotation_vector(arc * at.u) * a), arc / at.span};
}

/// A cubic quaternion is normalised after it is interpolated, so its rate loses what points along it.
RotationSample cubic_rotation(const Channel& channel, const KeySpan& at) {
    std::array<double, 4> p{}, dp{};
    sample_cubic(channel, at, p, dp);
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    if (!(length > 1e-12)) return {};
    const Quat q = normalized(quat_at(p.data()));
    const Quat d = quat_at(dp.data());
    const double along = q.w * d.w + q.x * d.x + q.y * d.y + q.z * d.z;
    const Quat rate{(d.w - along * q.w) / length, (d.x - along * q.x) / length, (d.y - along * q.y) / length,
                    (d.z - along * q.z) / length};
    const Quat spin = rate * conjugate(q);
    return {q, Vec3{spin.x, spin.y, spin.z} * 2.0};
}

}  // namespace

void sample_curve(const Channel& channel, double time, std::span<double> value, std::span<double> rate) {
    const KeySpan at = key_span_at(channel.times, time);
    const std::size_t width = value.size();
    // A step curve holds its key until the next one is reached, and has it at the very end.
    const bool step = channel.curve == Channel::Curve::step;
    if (!at.moving || step) {
        const double* still = value_of(channel, at.key + (at.moving && at.u >= 1.0 ? 1 : 0), width);
        std::copy(still, still + width, value.begin());
        std::fill(rate.begin(), rate.end(), 0.0);
    } else if (channel.curve == Channel::Curve::cubic) {
        sample_cubic(channel, at, value, rate);
    } else {
        const double *from = value_of(channel, at.key, width), *to = value_of(channel, at.key + 1, width);
        for (std::size_t i = 0; i < width; ++i) {
            value[i] = (1.0 - at.u) * from[i] + at.u * to[i];
            rate[i] = (to[i] - from[i]) / at.span;
        }
    }
}

RotationSample sample_rotation(const Channel& channel, double time) {
    const KeySpan at = key_span_at(channel.times, time);
    if (!at.moving || channel.curve == Channel::Curve::step)
        return {normalized(quat_at(value_of(channel, at.key + (at.moving && at.u >= 1.0 ? 1 : 0), 4))), {}};
    if (channel.curve == Channel::Curve::cubic) return cubic_rotation(channel, at);
    return slerp(quat_at(value_of(channel, at.key, 4)), quat_at(value_of(channel, at.key + 1, 4)), at);
}

void sample_second(const Channel& channel, double time, std::span<double> second) {
    const KeySpan at = key_span_at(channel.times, time);
    if (at.moving && channel.curve == Channel::Curve::cubic)
        second_of_cubic(channel, at, second);
    else
        std::fill(second.begin(), second.end(), 0.0);
}

// The spin is 2 p' p* / |p|^2 without its real part, p before it is normalised; p' p'* is real and drops out of its
// derivative.
Vec3 sample_spin_rate(const Channel& channel, double time) {
    const KeySpan at = key_span_at(channel.times, time);
    if (!at.moving || channel.curve != Channel::Curve::cubic) return {};
    std::array<double, 4> p{}, dp{}, ddp{};
    sample_cubic(channel, at, p, dp);
    second_of_cubic(channel, at, ddp);
    double length2 = 0.0, growth = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
        length2 += p[i] * p[i];
        growth += p[i] * dp[i];
    }
    if (!(length2 > 1e-24)) return {};
    const Quat back = conjugate(quat_at(p.data())), first = quat_at(dp.data()) * back,
               second = quat_at(ddp.data()) * back;
    const Vec3 spin = Vec3{first.x, first.y, first.z} * (2.0 / length2);
    return Vec3{second.x, second.y, second.z} * (2.0 / length2) - spin * (2.0 * growth / length2);
}

}  // namespace limber
