// Second derivatives without their negative eigenvalues: tangents that lead downhill in any posture.
#include "fem_large/hyper_nodes.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

struct Eigen3 {
    Mat3 values, axes;  // S = axes diag(values) axes^T
};

Eigen3 eigen_of(const Mat3& symmetric) {
    // Jacobi's rotations: six sweeps are ample for 3x3.
    Mat3 s = symmetric, v = Mat3::identity();
    for (int sweep = 0; sweep < 6; ++sweep) {
        const double off = s(0, 1) * s(0, 1) + s(0, 2) * s(0, 2) + s(1, 2) * s(1, 2),
                     on = s(0, 0) * s(0, 0) + s(1, 1) * s(1, 1) + s(2, 2) * s(2, 2);
        if (off <= 1e-30 * on) break;
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                if (s(p, q) == 0.0) continue;
                const double tau = (s(q, q) - s(p, p)) / (2 * s(p, q));
                const double t = std::copysign(1.0, tau) / (std::fabs(tau) + std::sqrt(1 + tau * tau)),
                             c = 1 / std::sqrt(1 + t * t);
                Mat3 turn = Mat3::identity();
                turn(p, p) = turn(q, q) = c;
                turn(p, q) = t * c;
                turn(q, p) = -t * c;
                s = transpose(turn) * s * turn;
                v = v * turn;
            }
        }
    }
    return {s, v};
}

Vec3 column(const Mat3& m, int k) { return {m(0, k), m(1, k), m(2, k)}; }

/// F = left diag(stretch) right^T, both rotations; the smallest stretch has the sign of det F.
struct Stretches {
    explicit Stretches(const Mat3& f) {
        const Eigen3 e = eigen_of(transpose(f) * f);
        int order[3] = {0, 1, 2};
        std::sort(order, order + 3, [&](int a, int b) { return e.values(a, a) > e.values(b, b); });
        Vec3 v[3] = {column(e.axes, order[0]), column(e.axes, order[1]), {}};
        v[2] = cross(v[0], v[1]);
        Vec3 u[3];
        u[0] = unit(f * v[0], {1, 0, 0});
        const Vec3 second = f * v[1], across = second - dot(second, u[0]) * u[0];
        const Vec3 any = std::fabs(u[0].x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        u[1] = unit(across, unit(any - dot(any, u[0]) * u[0], any));
        u[2] = cross(u[0], u[1]);
        for (int k = 0; k < 3; ++k) {
            stretch[k] = dot(u[k], f * v[k]);
            for (int i = 0; i < 3; ++i) {
                left(i, k) = u[k][i];
                right(i, k) = v[k][i];
            }
        }
    }
    static Vec3 unit(const Vec3& a, const Vec3& otherwise) {
        const double length = norm(a);
        return length > 1e-100 ? a / length : otherwise;
    }
    Mat3 left, right;
    double stretch[3];
};

}  // namespace

Mat3 positive_part(const Mat3& symmetric) {
    const Eigen3 e = eigen_of(symmetric);
    Mat3 out;
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) out(i, j) += std::max(0.0, e.values(k, k)) * e.axes(i, k) * e.axes(j, k);
    }
    return out;
}

// In the axes of F's stretches s the nine directions fall apart: three stretches among themselves (a 3x3 matrix), and
// for each pair of axes shear (1, 1) and turn (1, -1) with p - q s and p + q s, s the third stretch.
void PointTangent::add_positive(const NeoHookeanPoint& p, double weight) {
    const Stretches f(p.f);
    const double* s = f.stretch;
    const double up = p.invariant + 1, plain = p.m * p.invariant / up, along = 2 * p.m / (up * up);
    Mat3 own;
    double shear[3], turn[3];
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int c = 0; c < 3; ++c) {
            const double cof_i = s[j] * s[k], cof_c = s[(c + 1) % 3] * s[(c + 2) % 3];
            own(i, c) = (i == c ? plain : p.q * s[3 - i - c]) + along * s[i] * s[c] + p.l * cof_i * cof_c;
        }
        shear[i] = std::max(0.0, plain - p.q * s[i]);
        turn[i] = std::max(0.0, plain + p.q * s[i]);
    }
    own = positive_part(own);
    const auto add = [&](int a, int b, int c, int d, double value) {
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 3; ++k) {
                const double first = weight * value * f.left(i, a) * f.right(k, b);
                for (int j = 0; j < 3; ++j)
                    for (int l = 0; l < 3; ++l) t_[at(i, k, j, l)] += first * f.left(j, c) * f.right(l, d);
            }
        }
    };
    for (int a = 0; a < 3; ++a) {
        for (int c = 0; c < 3; ++c) {
            add(a, a, c, c, own(a, c));
            if (a == c) continue;
            const int third = 3 - a - c;
            add(a, c, a, c, (shear[third] + turn[third]) / 2);
            add(a, c, c, a, (shear[third] - turn[third]) / 2);
        }
    }
}

}  // namespace limber
