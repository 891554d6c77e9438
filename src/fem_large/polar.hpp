// The rotation in a deformation: polar decompositions that answer for every matrix, flat and inside-out ones included.
#pragma once

#include <limber/vec3.hpp>

namespace limber {

/// The rotation R with the largest trace of R^T F: the polar part of F where det F > 0, and beyond (flat, inside out)
/// what that goes on into. Where two directions are equally good (two stretches cancel) the one nearest to `guess`. Of
/// a matrix that is not finite: the guess. Always a unit quaternion.
Quat nearest_rotation(const Mat3& f, const Quat& guess);
/// The same in the plane: about z, from the upper left corner.
Quat nearest_rotation_in_plane(const Mat3& f, const Quat& guess);

}  // namespace limber
