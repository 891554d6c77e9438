// Rotations out of matrices.
#pragma once

#include <limber/vec3.hpp>

namespace limber {

/// The rotation back.
constexpr Quat conjugate(const Quat& q) { return {q.w, -q.x, -q.y, -q.z}; }

/// Of a matrix that is a rotation to rounding; unit length.
Quat quat_of(const Mat3& rotation);

/// The rotation nearest to a matrix (its polar part); of a mirroring one, that of its negative. The matrix must not be
/// singular.
Quat rotation_in(const Mat3& matrix);

/// Root mean square of the lengths of its rows.
double scale_of(const Mat3& matrix);

/// Far enough from singular to be turned round: the scales are within 1e9 of each other, roughly.
bool invertible(const Mat3& matrix);

}  // namespace limber
