#include "core/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

// The largest of the four components first: it never divides by something small.
Quat quat_of(const Mat3& r) {
    const double trace = r(0, 0) + r(1, 1) + r(2, 2);
    if (trace > 0.0) {
        const double s = 2.0 * std::sqrt(trace + 1.0);
        return normalized({s / 4, (r(2, 1) - r(1, 2)) / s, (r(0, 2) - r(2, 0)) / s, (r(1, 0) - r(0, 1)) / s});
    }
    const int i = r(0, 0) >= r(1, 1) && r(0, 0) >= r(2, 2) ? 0 : (r(1, 1) >= r(2, 2) ? 1 : 2);
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double s = 2.0 * std::sqrt(std::max(1.0 + r(i, i) - r(j, j) - r(k, k), 1e-30));
    Vec3 v;
    v[i] = s / 4;
    v[j] = (r(j, i) + r(i, j)) / s;
    v[k] = (r(k, i) + r(i, k)) / s;
    return normalized({(r(k, j) - r(j, k)) / s, v.x, v.y, v.z});
}

double scale_of(const Mat3& matrix) {
    double sum = 0.0;
    for (const auto& row : matrix.m)
        for (const double v : row) sum += v * v;
    return std::sqrt(sum / 3.0);
}

bool invertible(const Mat3& matrix) {
    const double s = scale_of(matrix);
    return std::isfinite(s) && std::abs(determinant(matrix)) > 1e-9 * s * s * s;
}

// Newton's iteration: the mean with the inverse transpose, which doubles the digits each time.
Quat rotation_in(const Mat3& matrix) {
    Mat3 x = matrix;
    const double scale = (determinant(matrix) < 0.0 ? -1.0 : 1.0) / scale_of(matrix);
    for (auto& row : x.m)
        for (double& v : row) v *= scale;
    for (int round = 0; round < 50; ++round) {
        const Mat3 other = transpose(inverse(x));
        double change = 0.0;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                change = std::max(change, std::abs(other(i, j) - x(i, j)));
                x(i, j) = 0.5 * (x(i, j) + other(i, j));
            }
        }
        if (change < 1e-15) break;
    }
    return quat_of(x);
}

}  // namespace limber
