// Three neighbouring numbers of a state vector as a vector.
#pragma once

#include <limber/vec3.hpp>

namespace limber {

inline Vec3 get3(const double* p) { return {p[0], p[1], p[2]}; }
inline void put3(double* p, const Vec3& v) {
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
}

}  // namespace limber
