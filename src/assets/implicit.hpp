// Implicit solids: functions that are negative inside, about the distance to the surface outside, and joined smoothly.
#pragma once

#include <limber/vec3.hpp>

#include <algorithm>
#include <cmath>

namespace limber::implicit {

/// Every point is asked for by value; distances in metres.
inline double ball(const Vec3& p, const Vec3& centre, double radius) { return norm(p - centre) - radius; }

/// Radii along the axes. Exact on the surface, roughly the distance elsewhere.
inline double ellipsoid(const Vec3& p, const Vec3& centre, const Vec3& radii) {
    const Vec3 d = p - centre;
    const Vec3 one{d.x / radii.x, d.y / radii.y, d.z / radii.z}, two{one.x / radii.x, one.y / radii.y, one.z / radii.z};
    const double k = norm(one), slope = norm(two);
    return slope > 1e-12 ? k * (k - 1.0) / slope : -std::min({radii.x, radii.y, radii.z});
}

/// A rod with round ends; its radius goes from `ra` at `a` to `rb` at `b`.
inline double rod(const Vec3& p, const Vec3& a, const Vec3& b, double ra, double rb) {
    const Vec3 along = b - a;
    const double t = std::clamp(dot(p - a, along) / norm2(along), 0.0, 1.0);
    return norm(p - a - t * along) - (ra + t * (rb - ra));
}

/// A box of half sizes `half` in all, edges rounded with `radius`.
inline double round_box(const Vec3& p, const Vec3& centre, const Vec3& half, double radius) {
    Vec3 q;
    for (int k = 0; k < 3; ++k) q[k] = std::abs(p[k] - centre[k]) - (half[k] - radius);
    const Vec3 out{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
    return norm(out) + std::min(std::max({q.x, q.y, q.z}), 0.0) - radius;
}

/// The union, with a fillet about `width` wide where the two meet.
inline double blend(double a, double b, double width) {
    const double h = std::max(width - std::abs(a - b), 0.0) / width;
    return std::min(a, b) - 0.25 * h * h * width;
}
/// The first without the second, the edge rounded.
inline double carve(double a, double b, double width) { return -blend(-a, b, width); }
/// What both hold, the edge rounded.
inline double overlap(double a, double b, double width) { return -blend(-a, -b, width); }

/// From 0 below `low` to 1 above `high`, without a kink.
inline double ramp(double x, double low, double high) {
    const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/// Turned about an axis by an angle [rad], the point `about` kept.
inline Vec3 turned(const Vec3& p, const Vec3& about, const Vec3& axis_times_angle) {
    return about + to_matrix(from_rotation_vector(axis_times_angle)) * (p - about);
}

}  // namespace limber::implicit
