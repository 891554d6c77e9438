// Where a free body of the method bem is: the first numbers of its State::reals. For studies, which see states but no
// method.
#pragma once

#include <limber/vec3.hpp>

#include <span>

namespace limber {

struct FreeBodyState {
    Vec3 centre;    ///< centroid of the rigid motion [m]
    Quat rotation;  ///< since rest
    Vec3 velocity;  ///< of the centroid [m/s]
};

inline FreeBodyState free_body_state(std::span<const double> reals) {
    return {{reals[0], reals[1], reals[2]}, {reals[3], reals[4], reals[5], reals[6]}, {reals[7], reals[8], reals[9]}};
}

}  // namespace limber
