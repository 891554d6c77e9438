// Points, 3x3 matrices and rotations: the small fixed-size algebra of the public interface.
#pragma once

#include <array>
#include <cmath>

namespace limber {

/// A point, displacement, velocity or force. Planar bodies keep z = 0.
struct Vec3 {
    double x = 0.0, y = 0.0, z = 0.0;

    constexpr double& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
    constexpr double operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
    constexpr Vec3& operator+=(const Vec3& b) {
        x += b.x;
        y += b.y;
        z += b.z;
        return *this;
    }
    constexpr Vec3& operator-=(const Vec3& b) {
        x -= b.x;
        y -= b.y;
        z -= b.z;
        return *this;
    }
    constexpr Vec3& operator*=(double s) {
        x *= s;
        y *= s;
        z *= s;
        return *this;
    }
    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

constexpr Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
constexpr Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3 operator*(Vec3 a, double s) { return a *= s; }
constexpr Vec3 operator*(double s, Vec3 a) { return a *= s; }
constexpr Vec3 operator/(Vec3 a, double s) { return {a.x / s, a.y / s, a.z / s}; }
constexpr double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr double norm2(const Vec3& a) { return dot(a, a); }
inline double norm(const Vec3& a) { return std::sqrt(norm2(a)); }
inline bool is_finite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

/// A 3x3 matrix, row by row.
struct Mat3 {
    std::array<std::array<double, 3>, 3> m{};

    constexpr double& operator()(int i, int j) { return m[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]; }
    constexpr double operator()(int i, int j) const {
        return m[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
    static constexpr Mat3 identity() {
        Mat3 a;
        a(0, 0) = a(1, 1) = a(2, 2) = 1.0;
        return a;
    }
    friend constexpr bool operator==(const Mat3&, const Mat3&) = default;
};

constexpr Vec3 operator*(const Mat3& a, const Vec3& v) {
    return {a(0, 0) * v.x + a(0, 1) * v.y + a(0, 2) * v.z, a(1, 0) * v.x + a(1, 1) * v.y + a(1, 2) * v.z,
            a(2, 0) * v.x + a(2, 1) * v.y + a(2, 2) * v.z};
}
constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
    Mat3 c;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) c(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
    return c;
}
constexpr Mat3 transpose(const Mat3& a) {
    Mat3 t;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) t(i, j) = a(j, i);
    return t;
}
constexpr double determinant(const Mat3& a) {
    return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) - a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
           a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
}
/// The inverse; the caller makes sure that the determinant is not zero.
constexpr Mat3 inverse(const Mat3& a) {
    const double d = determinant(a);
    Mat3 r;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const int p = (j + 1) % 3, q = (j + 2) % 3, s = (i + 1) % 3, t = (i + 2) % 3;
            r(i, j) = (a(p, s) * a(q, t) - a(p, t) * a(q, s)) / d;
        }
    }
    return r;
}

/// A symmetric tensor (stress, strain): xx, yy, zz, xy, yz, zx; shear entries are tensor components (not doubled).
struct SymMat3 {
    double xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, yz = 0.0, zx = 0.0;
    friend constexpr bool operator==(const SymMat3&, const SymMat3&) = default;
};

/// A unit quaternion: a rotation. (w, x, y, z)
struct Quat {
    double w = 1.0, x = 0.0, y = 0.0, z = 0.0;
    friend constexpr bool operator==(const Quat&, const Quat&) = default;
};

constexpr Quat operator*(const Quat& a, const Quat& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quat normalized(const Quat& q) {
    const double n = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return n > 0.0 ? Quat{q.w / n, q.x / n, q.y / n, q.z / n} : Quat{};
}
constexpr Mat3 to_matrix(const Quat& q) {
    Mat3 r;
    r(0, 0) = 1 - 2 * (q.y * q.y + q.z * q.z);
    r(0, 1) = 2 * (q.x * q.y - q.w * q.z);
    r(0, 2) = 2 * (q.x * q.z + q.w * q.y);
    r(1, 0) = 2 * (q.x * q.y + q.w * q.z);
    r(1, 1) = 1 - 2 * (q.x * q.x + q.z * q.z);
    r(1, 2) = 2 * (q.y * q.z - q.w * q.x);
    r(2, 0) = 2 * (q.x * q.z - q.w * q.y);
    r(2, 1) = 2 * (q.y * q.z + q.w * q.x);
    r(2, 2) = 1 - 2 * (q.x * q.x + q.y * q.y);
    return r;
}
/// The rotation by |v| radians about v.
inline Quat from_rotation_vector(const Vec3& v) {
    const double angle = norm(v);
    const double s = angle > 1e-8 ? std::sin(angle / 2) / angle : 0.5 - angle * angle / 48.0;
    return {std::cos(angle / 2), s * v.x, s * v.y, s * v.z};
}

}  // namespace limber
