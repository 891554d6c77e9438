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

/// A tensor in axes that the rotation turns: R s R^T.
constexpr SymMat3 turned(const Mat3& rotation, const SymMat3& s) {
    Mat3 full;
    full(0, 0) = s.xx;
    full(1, 1) = s.yy;
    full(2, 2) = s.zz;
    full(0, 1) = full(1, 0) = s.xy;
    full(1, 2) = full(2, 1) = s.yz;
    full(2, 0) = full(0, 2) = s.zx;
    const Mat3 t = rotation * full * transpose(rotation);
    return {t(0, 0), t(1, 1), t(2, 2), t(0, 1), t(1, 2), t(2, 0)};
}

/// Root mean square of the lengths of its rows.
double scale_of(const Mat3& matrix);

/// Far enough from singular to be turned round: the scales are within 1e9 of each other, roughly.
bool invertible(const Mat3& matrix);

}  // namespace limber
