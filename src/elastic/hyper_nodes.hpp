// The strain averaged around a vertex as a point of its own: what a law's tangent there gives for any two vertices of the patch.
#pragma once

#include "elastic/laws.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

/// How much of each matrix a point gives, times its volume.
struct BlockWeights {
    double stiffness, viscosity;
    bool positive;
};

/// Second derivatives by the displacements of two vertices with gradients a and b:
///   forward (F a)(F b)^T + crossed (F b)(F a)^T + swelling (C a)(C b)^T + (a . b) even + (a . spin b) 1 - [turn (a x b)]_x
struct PointTangent {
    PointTangent(const StvkPoint& at, LameModuli m, const BlockWeights& w) : f(at.f), spin(scaled(w.positive ? positive_part(at.s) : at.s, w.stiffness)) {
        add_material(m, w.stiffness + w.viscosity);
    }
    PointTangent(const NeoHookeanPoint& at, LameModuli m, const BlockWeights& w) : f(at.f), cof(at.cof), turn(scaled(at.f, w.stiffness * at.q)) {
        add_material(m, w.viscosity);
        const double up = at.invariant + 1;
        double plain = at.m * at.invariant / up;
        if (w.positive) plain = std::max(plain, std::fabs(at.q) * std::sqrt(4.0 / 3.0 * at.invariant));     // as for cells, hyperelastic.cpp
        for (int i = 0; i < 3; ++i) even(i, i) += w.stiffness * plain;
        forward += w.stiffness * 2 * at.m / (up * up);
        swelling = w.stiffness * at.l;
    }

    /// block (dim x dim, row by row) += the derivative
    template <int dim>
    void add(const double* a, const double* b, double* block) const noexcept {
        double fa[dim], fb[dim], ca[dim], cb[dim], along = 0.0, turning = 0.0;
        for (int i = 0; i < dim; ++i) {
            fa[i] = fb[i] = ca[i] = cb[i] = 0.0;
            double s = 0.0;
            for (int j = 0; j < dim; ++j) {
                fa[i] += f(i, j) * a[j], fb[i] += f(i, j) * b[j];
                ca[i] += cof(i, j) * a[j], cb[i] += cof(i, j) * b[j];
                s += spin(i, j) * b[j];
            }
            along += a[i] * b[i], turning += a[i] * s;
        }
        for (int i = 0; i < dim; ++i) {
            for (int j = 0; j < dim; ++j) block[i * dim + j] += forward * fa[i] * fb[j] + crossed * fb[i] * fa[j] + swelling * ca[i] * cb[j] + along * even(i, j);
            block[i * dim + i] += turning;
        }
        Vec3 va, vb;
        for (int i = 0; i < dim; ++i) va[i] = a[i], vb[i] = b[i];
        const Vec3 t = turn * cross(va, vb);
        block[1] += t.z, block[dim] -= t.z;
        if constexpr (dim == 3) block[2] -= t.y, block[5] += t.x, block[6] += t.y, block[7] -= t.x;
    }

private:
    void add_material(LameModuli m, double weight) {
        forward = weight * m.lambda, crossed = weight * m.mu;
        even = scaled(f * transpose(f), weight * m.mu);
    }
    Mat3 f, cof, even, spin, turn;
    double forward = 0.0, crossed = 0.0, swelling = 0.0;
};

/// P of the damping that both laws share: 2 mu E' + lambda tr E' in the axes of rest, brought forward.
inline Mat3 viscous_piola(const Mat3& f, const Mat3& rate, LameModuli m) {
    const Mat3 turned = transpose(f) * rate;
    Mat3 s = scaled(sum_of(turned, transpose(turned)), m.mu);
    for (int i = 0; i < 3; ++i) s(i, i) += m.lambda * trace_of(turned);
    return f * s;
}

}  // namespace limber
