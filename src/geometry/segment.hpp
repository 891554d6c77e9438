// Points and segments.
#pragma once

#include <limber/vec3.hpp>

#include <algorithm>

namespace limber {

/// Where on the way from a (0) to b (1) the segment is nearest to x.
inline double share_along(const Vec3& x, const Vec3& a, const Vec3& b) {
    const Vec3 along = b - a;
    const double length2 = norm2(along);
    return length2 > 0.0 ? std::clamp(dot(x - a, along) / length2, 0.0, 1.0) : 0.0;
}

inline double distance_to_segment(const Vec3& x, const Vec3& a, const Vec3& b) {
    return norm(x - (a + (b - a) * share_along(x, a, b)));
}

}  // namespace limber
