#include "fem_large/polar.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace limber {
namespace {

// q^T N q = tr(R(q)^T F): the rotation sought is N's eigenvector of the largest eigenvalue [Davenport 1968; Horn 1987].
struct Symmetric4 {
    double a[4][4];
    double v[4][4] = {
        {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};  // columns: eigenvectors, once diagonalised

    explicit Symmetric4(const Mat3& f) {
        const double trace = f(0, 0) + f(1, 1) + f(2, 2);
        a[0][0] = trace;
        a[0][1] = a[1][0] = f(2, 1) - f(1, 2);
        a[0][2] = a[2][0] = f(0, 2) - f(2, 0);
        a[0][3] = a[3][0] = f(1, 0) - f(0, 1);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) a[i + 1][j + 1] = f(i, j) + f(j, i) - (i == j ? trace : 0.0);
    }

    void turn(std::size_t p, std::size_t q) {
        if (a[p][q] == 0.0) return;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = std::copysign(1.0, theta) / (std::fabs(theta) + std::sqrt(theta * theta + 1)),
                     c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < 4; ++k) {
            const double x = a[k][p], y = a[k][q];
            a[k][p] = c * x - s * y;
            a[k][q] = s * x + c * y;
        }
        for (std::size_t k = 0; k < 4; ++k) {
            const double x = a[p][k], y = a[q][k];
            a[p][k] = c * x - s * y;
            a[q][k] = s * x + c * y;
        }
        for (std::size_t k = 0; k < 4; ++k) {
            const double x = v[k][p], y = v[k][q];
            v[k][p] = c * x - s * y;
            v[k][q] = s * x + c * y;
        }
    }

    void diagonalise() {
        for (int sweep = 0; sweep < 12; ++sweep) {
            for (std::size_t p = 0; p < 4; ++p)
                for (std::size_t q = p + 1; q < 4; ++q) turn(p, q);
        }
    }
};

}  // namespace

Quat nearest_rotation(const Mat3& f, const Quat& guess) {
    double largest = 0.0;
    for (const auto& row : f.m) {
        for (const double x : row) {
            if (!std::isfinite(x)) return guess;
            largest = std::max(largest, std::fabs(x));
        }
    }
    if (!(largest > 0.0)) return guess;
    Mat3 unit = f;  // overflow is for others
    for (auto& row : unit.m)
        for (double& x : row) x /= largest;
    Symmetric4 n(unit);
    n.diagonalise();
    const double top = std::max({n.a[0][0], n.a[1][1], n.a[2][2], n.a[3][3]});
    // The guess's part in all directions that are best to rounding.
    const double g[4] = {guess.w, guess.x, guess.y, guess.z};
    double sum[4] = {}, best[4] = {};
    for (std::size_t k = 0; k < 4; ++k) {
        if (n.a[k][k] < top - 1e-9) continue;
        double along = 0.0;
        for (std::size_t i = 0; i < 4; ++i) along += n.v[i][k] * g[i];
        for (std::size_t i = 0; i < 4; ++i) {
            sum[i] += along * n.v[i][k];
            best[i] = n.v[i][k];
        }
    }
    const double length = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3];
    const double* q = length > 1e-12 ? sum : best;
    return normalized({q[0], q[1], q[2], q[3]});
}

Quat nearest_rotation_in_plane(const Mat3& f, const Quat& guess) {
    const double c = f(0, 0) + f(1, 1), s = f(1, 0) - f(0, 1), length = std::hypot(c, s);
    if (!(length > 0.0) || !std::isfinite(length)) return guess;
    const double cosine = c / length, sine = s / length;
    // Half the angle, from the larger of its two numbers.
    if (cosine >= 0.0) {
        const double w = std::sqrt((1 + cosine) / 2);
        return {w, 0.0, 0.0, sine / (2 * w)};
    }
    const double z = std::copysign(std::sqrt((1 - cosine) / 2), sine);
    return {sine / (2 * z), 0.0, 0.0, z};
}

}  // namespace limber
