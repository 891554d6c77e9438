// What the corotated models share.
#pragma once

#include "core/parallel.hpp"
#include "fem/element.hpp"
#include "fem_large/laws.hpp"
#include "fem_large/model.hpp"
#include "fem_large/polar.hpp"
#include "kernels/corotated.hpp"

#include <limber/body.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace limber {

inline void rest_quaternions(double* warm, std::size_t count) noexcept {
    std::fill_n(warm, 4 * count, 0.0);
    for (std::size_t i = 0; i < count; ++i) warm[4 * i] = 1.0;
}

inline Quat quaternion_in(const double* warm, std::size_t i) {
    return {warm[4 * i], warm[4 * i + 1], warm[4 * i + 2], warm[4 * i + 3]};
}

/// Turns `count` quaternions until each is the rotation nearest to 1 + gradient_at(i). Four at a time, as the kernel
/// takes them; what it hands back is left to the eigenvectors.
template <int dim, class F>
void find_rotations(std::size_t count, double* warm, F&& gradient_at) noexcept {
    constexpr std::size_t kGroupsAtOnce = 64;
    const CorotatedKernels& kernels = corotated_kernels();
    parallel_blocks((count + 3) / 4, kGroupsAtOnce, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t group = begin; group < end; ++group) {
            double f[36] = {}, q[16] = {1, 1, 1, 1};
            Mat3 h[4];
            const std::size_t first = 4 * group, here = std::min<std::size_t>(4, count - first);
            for (std::size_t c = 0; c < here; ++c) {
                h[c] = gradient_at(first + c);
                for (int k = 0; k < 9; ++k) f[4 * static_cast<std::size_t>(k) + c] = h[c](k / 3, k % 3);
                for (std::size_t k = 0; k < 4; ++k) q[4 * k + c] = warm[4 * (first + c) + k];
            }
            const unsigned bad = dim == 3 ? kernels.rotate(f, q) : 15u;
            for (std::size_t c = 0; c < here; ++c) {
                Quat found{q[c], q[4 + c], q[8 + c], q[12 + c]};
                if ((bad >> c & 1u) != 0) {
                    found = dim == 3 ? nearest_rotation(deformation(h[c]), found)
                                     : nearest_rotation_in_plane(deformation(h[c]), found);
                }
                double* to = warm + 4 * (first + c);
                to[0] = found.w, to[1] = found.x, to[2] = found.y, to[3] = found.z;
            }
        }
    });
}

/// R - 1, without the digits that 1 would cost near rest.
constexpr Mat3 turn_of(const Quat& q) {
    Mat3 r = to_matrix(q);
    r(0, 0) = -2 * (q.y * q.y + q.z * q.z);
    r(1, 1) = -2 * (q.x * q.x + q.z * q.z);
    r(2, 2) = -2 * (q.x * q.x + q.y * q.y);
    return r;
}

/// S - 1 = R^T (H - (R - 1)), H = F - 1
constexpr Mat3 strain_of(const Mat3& h, const Quat& q) {
    const Mat3 r = turn_of(q), m = sum_of(h, scaled(r, -1.0));
    return sum_of(m, transpose(r) * m);
}

/// What averages around vertices leave to a cell: no bulk modulus, and this much of the rest.
inline LameModuli cell_share_of(const Material& m) {
    return {-2.0 / 3.0 * kCellShearShare * m.shear(), kCellShearShare * m.shear()};
}

/// Of each cell: beta over the body's largest (1 where there is none).
inline std::vector<double> viscosity_shares(const Body& body) {
    double beta = 0.0;
    for (const Material& m : body.materials()) beta = std::max(beta, m.rayleigh_beta);
    std::vector<double> share;
    for (std::size_t c = 0; c < body.mesh().cell_count(); ++c)
        share.push_back(beta > 0.0 ? body.material_of(c).rayleigh_beta / beta : 1.0);
    return share;
}

/// What the derivative of R adds to the tangent of a simplex: for a change dF with axial vector z of dF R^T - R dF^T it
/// is z . C z, from the left stretch U = F R^T. C = V (tr U - U)^-1 (mu (tr U - U - 2) + lambda tr(U - 1)): both
/// factors share their axes.
inline Mat3 turning_stiffness(const Mat3& stretch, double v_lambda, double v_mu, bool positive) noexcept {
    const double trace = trace_of(stretch);
    Mat3 t, b;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            t(i, j) = (i == j ? trace : 0.0) - 0.5 * (stretch(i, j) + stretch(j, i));
            b(i, j) = v_mu * t(i, j) + (i == j ? v_lambda * (trace - 3.0) - 2.0 * v_mu : 0.0);
        }
    }
    // Two stretches that cancel: the rotation is free to choose there, and this only has to stay finite.
    if (!(std::fabs(determinant(t)) > 1e-9))
        for (int i = 0; i < 3; ++i) t(i, i) += 1e-3;
    const Mat3 c = inverse(t) * b;
    Mat3 even;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) even(i, j) = 0.5 * (c(i, j) + c(j, i));
    return positive ? positive_part(even) : even;
}

/// Cauchy stress P F^T / J of mu |E|^2 + lambda/2 tr(E)^2 + bulk/2 (J - 1)^2, E = S - 1: `trace_pressure` lambda tr E,
/// `volume_pressure` bulk (J - 1).
inline SymMat3 turned_stress(const Mat3& r, const Mat3& strain, double trace_pressure, double volume_pressure,
                             double mu) noexcept {
    constexpr double kFlattest = 1e-9;  // of a cell without volume: its stress has no bound
    const double volume = 1.0 + volume_change(strain),
                 j = std::fabs(volume) > kFlattest ? volume : std::copysign(kFlattest, volume);
    const Mat3 inner = sum_of(scaled(strain, 2.0 * mu), scaled(Mat3::identity(), trace_pressure)) *
                       sum_of(strain, Mat3::identity());
    const Mat3 t = r * inner * transpose(r);
    return {t(0, 0) / j + volume_pressure, t(1, 1) / j + volume_pressure, t(2, 2) / j + volume_pressure,
            (t(0, 1) + t(1, 0)) / (2 * j), (t(1, 2) + t(2, 1)) / (2 * j), (t(2, 0) + t(0, 2)) / (2 * j)};
}

}  // namespace limber
