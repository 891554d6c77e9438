// The loops of corotated.hpp, once for all instruction sets: corotated.cpp, corotated_avx2.cpp and corotated_avx512.cpp
// compile them. V: a vector of as many cells as go at once; S: from one number of a cell to its next.
#pragma once

#include "kernels/corotated.hpp"
#include "kernels/unaligned.hpp"

#include <cmath>

namespace limber::corotated {

using Quad = double __attribute__((vector_size(32)));  // four cells
using Oct = double __attribute__((vector_size(64)));   // eight

template <class V>
struct MaskType;
template <>
struct MaskType<Quad> {
    using Mask = long long __attribute__((vector_size(32)));
};
template <>
struct MaskType<Oct> {
    using Mask = long long __attribute__((vector_size(64)));
};
template <class V>
using MaskOf = typename MaskType<V>::Mask;
template <class V>
constexpr std::size_t kLanes = sizeof(V) / sizeof(double);

// At any address: scratch memory promises no more.
template <class V>
LIMBER_INLINE V at(const double* p) {
    return taken<V>(p);
}

LIMBER_INLINE bool any(const MaskOf<Quad>& m) {
    const MaskOf<Quad> half = m | __builtin_shufflevector(m, m, 2, 3, 0, 1);
    return (half[0] | half[1]) != 0;
}
LIMBER_INLINE bool any(const MaskOf<Oct>& m) {
    const MaskOf<Quad> half = __builtin_shufflevector(m, m, 0, 1, 2, 3) | __builtin_shufflevector(m, m, 4, 5, 6, 7);
    return any(half);
}

// R - 1 of a quaternion of any length but zero. Everything below is written in R - 1 and F - 1: near rest nothing
// cancels then.
template <class V>
LIMBER_INLINE void turn_of(const V* q, V* r) {
    const V s = 2.0 / (q[0] * q[0] + q[1] * q[1] + (q[2] * q[2] + q[3] * q[3]));
    const V xs = q[1] * s, ys = q[2] * s, zs = q[3] * s;
    const V wx = q[0] * xs, wy = q[0] * ys, wz = q[0] * zs, xx = q[1] * xs, xy = q[1] * ys, xz = q[1] * zs,
            yy = q[2] * ys, yz = q[2] * zs, zz = q[3] * zs;
    r[0] = -(yy + zz);
    r[1] = xy - wz;
    r[2] = xz + wy;
    r[3] = xy + wz;
    r[4] = -(xx + zz);
    r[5] = yz - wx;
    r[6] = xz - wy;
    r[7] = yz + wx;
    r[8] = -(xx + yy);
}

// out = R^T m, r = R - 1
template <class V>
LIMBER_INLINE void turn_back(const V* r, const V* m, V* out) {
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            out[3 * i + j] = m[3 * i + j] + (r[i] * m[j] + r[3 + i] * m[3 + j] + r[6 + i] * m[6 + j]);
    }
}

// out = R m
template <class V>
LIMBER_INLINE void turn_on(const V* r, const V* m, V* out) {
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            out[3 * i + j] = m[3 * i + j] + (r[3 * i] * m[j] + r[3 * i + 1] * m[3 + j] + r[3 * i + 2] * m[6 + j]);
    }
}

template <class V, std::size_t S>
LIMBER_INLINE void gradient(const TetBatch& batch, const double* u, double* f) {
    V first[3], sum[9] = {};
    for (int i = 0; i < 3; ++i) {
        for (std::size_t c = 0; c < kLanes<V>; ++c)
            first[i][c] = u[3 * static_cast<std::size_t>(batch.corners[c]) + static_cast<std::size_t>(i)];
    }
    for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t i = 0; i < 3; ++i) {
            V value;
            for (std::size_t c = 0; c < kLanes<V>; ++c)
                value[c] = u[3 * static_cast<std::size_t>(batch.corners[S * (a + 1) + c]) + i];
            value -= first[i];
            for (std::size_t j = 0; j < 3; ++j) sum[3 * i + j] += value * at<V>(batch.gradients + S * (3 * a + j));
        }
    }
    for (std::size_t k = 0; k < 9; ++k) put(f + S * k, sum[k]);
}

// Newton's method on the rotations for the largest trace of B = R^T F: every turn w changes it by a . w - w^T H w / 2
// with a the axial vector of B - B^T and H = tr(B) 1 - sym(B). It has one maximum only, and is there where a = 0 and H
// is positive definite; so a run that ends with H positive definite has found it, and the others are handed back. `q`
// turned, `length` its square, `done` where it has arrived.
template <class V, std::size_t S>
LIMBER_INLINE void find_turn(const double* f, const double* quaternion, V* q, V& length, MaskOf<V>& done) {
    V m[9];
    for (std::size_t k = 0; k < 9; ++k) m[k] = at<V>(f + S * k);
    for (std::size_t k = 0; k < 4; ++k) q[k] = at<V>(quaternion + S * k);
    MaskOf<V> good = {};
    done = MaskOf<V>{};
    for (int round = 0; round < 8; ++round) {
        V r[9], b[9];
        turn_of(q, r);
        turn_back(r, m, b);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) b[3 * i + j] += r[3 * j + i];  // B - 1
        const V a0 = b[7] - b[5], a1 = b[2] - b[6], a2 = b[3] - b[1];
        const V h00 = 2.0 + (b[4] + b[8]), h11 = 2.0 + (b[0] + b[8]), h22 = 2.0 + (b[0] + b[4]);
        const V h01 = -0.5 * (b[1] + b[3]), h02 = -0.5 * (b[2] + b[6]), h12 = -0.5 * (b[5] + b[7]);
        const V c00 = h11 * h22 - h12 * h12, c01 = h02 * h12 - h01 * h22, c02 = h01 * h12 - h02 * h11;
        const V c11 = h00 * h22 - h02 * h02, c12 = h01 * h02 - h00 * h12, c22 = h00 * h11 - h01 * h01;
        const V det = h00 * c00 + h01 * c01 + h02 * c02;
        const V size = h00 + h11 + h22;
        good = (h00 > 0.0) & (c22 > 1e-8 * (size * size)) & (det > 1e-10 * (size * size * size));
        const V s = 0.5 / det;  // half the turn: what a quaternion wants
        const V w0 = (c00 * a0 + c01 * a1 + c02 * a2) * s, w1 = (c01 * a0 + c11 * a1 + c12 * a2) * s,
                w2 = (c02 * a0 + c12 * a1 + c22 * a2) * s;
        const V far = w0 * w0 + w1 * w1 + w2 * w2;
        good &= far < 0.25;
        const V n0 = q[0] - (q[1] * w0 + q[2] * w1 + q[3] * w2);
        const V n1 = q[1] + (q[0] * w0 + q[2] * w2 - q[3] * w1);
        const V n2 = q[2] + (q[0] * w1 + q[3] * w0 - q[1] * w2);
        const V n3 = q[3] + (q[0] * w2 + q[1] * w1 - q[2] * w0);
        const MaskOf<V> go = good & ~done;
        q[0] = go ? n0 : q[0];
        q[1] = go ? n1 : q[1];
        q[2] = go ? n2 : q[2];
        q[3] = go ? n3 : q[3];
        const MaskOf<V> there = good & (far < 1e-14);  // the next turn would be its square
        done |= there;
        if (!any(good & ~done)) break;
    }
    length = q[0] * q[0] + q[1] * q[1] + (q[2] * q[2] + q[3] * q[3]);
}

// What has arrived, at length one (`root`: of its square); a bit for each of the others, which stay as they were.
template <class V, std::size_t S>
LIMBER_INLINE unsigned keep_turn(const V* q, const V& root, const MaskOf<V>& done, double* quaternion) {
    const V scale = 1.0 / root;
    for (std::size_t k = 0; k < 4; ++k) put(quaternion + S * k, done ? q[k] * scale : V(at<V>(quaternion + S * k)));
    if (!any(~done)) return 0;
    unsigned bad = 0;
    for (std::size_t c = 0; c < kLanes<V>; ++c) bad |= done[c] == 0 ? 1u << c : 0u;
    return bad;
}

// Rows of `p` times the three gradients.
template <class V, std::size_t S>
LIMBER_INLINE void corner_forces(const TetBatch& batch, const V* p, double* force) {
    for (std::size_t a = 0; a < 3; ++a) {
        const V g0 = at<V>(batch.gradients + S * 3 * a), g1 = at<V>(batch.gradients + S * (3 * a + 1)),
                g2 = at<V>(batch.gradients + S * (3 * a + 2));
        for (std::size_t i = 0; i < 3; ++i)
            put(force + S * (3 * a + i), p[3 * i] * g0 + p[3 * i + 1] * g1 + p[3 * i + 2] * g2);
    }
}

// R g of the last three corners.
template <class V, std::size_t S>
LIMBER_INLINE void turn_gradients(const TetBatch& batch, const V* r, double* turned) {
    for (std::size_t a = 0; a < 3; ++a) {
        const V g0 = at<V>(batch.gradients + S * 3 * a), g1 = at<V>(batch.gradients + S * (3 * a + 1)),
                g2 = at<V>(batch.gradients + S * (3 * a + 2));
        const V g[3] = {g0, g1, g2};
        for (std::size_t i = 0; i < 3; ++i)
            put(turned + S * (3 * a + i), g[i] + (r[3 * i] * g0 + r[3 * i + 1] * g1 + r[3 * i + 2] * g2));
    }
}

template <class V, std::size_t S>
LIMBER_INLINE void respond(const TetBatch& batch, const double* f, const double* quaternion, double* force,
                           double* energy, double* turned) {
    V q[4], r[9], m[9], b[9], p[9];
    for (std::size_t k = 0; k < 4; ++k) q[k] = at<V>(quaternion + S * k);
    turn_of(q, r);
    for (std::size_t k = 0; k < 9; ++k)
        m[k] = at<V>(f + S * k) - r[k];  // F - R = R (S - 1): the strain as it has turned
    turn_back(r, m, b);
    const V lambda = at<V>(batch.lame), mu = at<V>(batch.lame + S), trace = b[0] + b[4] + b[8];
    V square = {};
    for (std::size_t k = 0; k < 9; ++k) {
        square += m[k] * m[k];
        p[k] = 2.0 * mu * m[k] + lambda * trace * r[k];
    }
    for (int k = 0; k < 3; ++k) p[4 * k] += lambda * trace;
    put(energy, mu * square + 0.5 * lambda * (trace * trace));
    corner_forces<V, S>(batch, p, force);
    turn_gradients<V, S>(batch, r, turned);
}

// det(1 + e) - 1 of a matrix that may be small: nothing cancels.
template <class V>
LIMBER_INLINE void volume_change(const V* e, V& change) {
    const V c0 = e[4] * e[8] - e[5] * e[7], c1 = e[5] * e[6] - e[3] * e[8], c2 = e[3] * e[7] - e[4] * e[6];
    const V minors = c0 + (e[0] * e[8] - e[2] * e[6]) + (e[0] * e[4] - e[1] * e[3]);
    change = (e[0] + e[4] + e[8]) + (minors + (e[0] * c0 + e[1] * c1 + e[2] * c2));
}

// d det(a) / da
template <class V>
LIMBER_INLINE void cofactors(const V* a, V* out) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const int i1 = 3 * ((i + 1) % 3), i2 = 3 * ((i + 2) % 3), j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            out[3 * i + j] = a[i1 + j1] * a[i2 + j2] - a[i1 + j2] * a[i2 + j1];
        }
    }
}

template <class V, std::size_t S>
LIMBER_INLINE void respond_volume(const TetBatch& batch, const double* f, const double* quaternion, double* force,
                                  double* energy, double* turned, double* pushed) {
    V q[4], r[9], m[9], b[9], p[9], d[9], cofactor[9];
    for (std::size_t k = 0; k < 4; ++k) q[k] = at<V>(quaternion + S * k);
    turn_of(q, r);
    for (std::size_t k = 0; k < 9; ++k) {
        d[k] = at<V>(f + S * k);
        m[k] = d[k] - r[k];
    }
    turn_back(r, m, b);
    const V lambda = at<V>(batch.lame), mu = at<V>(batch.lame + S);
    V change;
    volume_change(b, change);  // det S = det F
    for (int k = 0; k < 3; ++k) d[4 * k] += 1.0;
    cofactors(d, cofactor);
    V square = {};
    const V pressure = lambda * change;
    for (std::size_t k = 0; k < 9; ++k) {
        square += m[k] * m[k];
        p[k] = 2.0 * mu * m[k] + pressure * cofactor[k];
    }
    put(energy, mu * square + 0.5 * pressure * change);
    corner_forces<V, S>(batch, p, force);
    turn_gradients<V, S>(batch, r, turned);
    corner_forces<V, S>(batch, cofactor, pushed);  // the same product: rows times gradients
}

// The rate of the stretch: S' = B - [w]_x S, B = R^T F', with w = T^-1 z the speed at which R turns, T = tr(S) - S, z
// the axial vector of B - B^T. Its stress s does work on w too: forces are those of R (s + [n]_x), n = T^-1 (axial
// vector of S s - s S). s = 2 mu S' + lambda (Q : S') Q, Q = 1, or where volume is measured by the determinant cof S,
// so that Q : S' is its rate.
template <bool Volume, class V, std::size_t S>
LIMBER_INLINE void damp(const TetBatch& batch, const double* f, const double* dv, const double* quaternion,
                        double* force) {
    V q[4], r[9], m[9], b[9], e[9], rate[9], s[9], p[9];
    for (std::size_t k = 0; k < 4; ++k) q[k] = at<V>(quaternion + S * k);
    turn_of(q, r);
    for (std::size_t k = 0; k < 9; ++k) m[k] = at<V>(f + S * k) - r[k];
    turn_back(r, m, e);  // S - 1
    for (std::size_t k = 0; k < 9; ++k) m[k] = at<V>(dv + S * k);
    turn_back(r, m, b);
    const V t00 = 2.0 + (e[4] + e[8]), t11 = 2.0 + (e[0] + e[8]), t22 = 2.0 + (e[0] + e[4]);
    const V t01 = -0.5 * (e[1] + e[3]), t02 = -0.5 * (e[2] + e[6]), t12 = -0.5 * (e[5] + e[7]);
    const V c00 = t11 * t22 - t12 * t12, c01 = t02 * t12 - t01 * t22, c02 = t01 * t12 - t02 * t11;
    const V c11 = t00 * t22 - t02 * t02, c12 = t01 * t02 - t00 * t12, c22 = t00 * t11 - t01 * t01;
    const V det = t00 * c00 + t01 * c01 + t02 * c02;
    const V over = det > 1e-3 ? 1.0 / det : V{};  // nearly flat or inside out: the rotation may choose, and is left out
    const auto solve = [&](const V* axis, V* out) {
        out[0] = (c00 * axis[0] + c01 * axis[1] + c02 * axis[2]) * over;
        out[1] = (c01 * axis[0] + c11 * axis[1] + c12 * axis[2]) * over;
        out[2] = (c02 * axis[0] + c12 * axis[1] + c22 * axis[2]) * over;
    };
    const V z[3] = {b[7] - b[5], b[2] - b[6], b[3] - b[1]};
    V w[3], n[3], stretch[9], half[9];
    solve(z, w);
    for (std::size_t k = 0; k < 9; ++k) stretch[k] = e[k];
    for (int k = 0; k < 3; ++k) stretch[4 * k] += 1.0;
    for (int j = 0; j < 3; ++j) {
        half[j] = b[j] - (w[1] * stretch[6 + j] - w[2] * stretch[3 + j]);
        half[3 + j] = b[3 + j] - (w[2] * stretch[j] - w[0] * stretch[6 + j]);
        half[6 + j] = b[6 + j] - (w[0] * stretch[3 + j] - w[1] * stretch[j]);
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) rate[3 * i + j] = 0.5 * (half[3 * i + j] + half[3 * j + i]);
    const V lambda = at<V>(batch.lame), mu = at<V>(batch.lame + S);
    for (std::size_t k = 0; k < 9; ++k) s[k] = 2.0 * mu * rate[k];
    if constexpr (Volume) {
        V cofactor[9], swelling = {};
        cofactors(stretch, cofactor);
        for (std::size_t k = 0; k < 9; ++k) swelling += cofactor[k] * rate[k];
        for (std::size_t k = 0; k < 9; ++k) s[k] += lambda * swelling * cofactor[k];
    } else {
        for (int k = 0; k < 3; ++k) s[4 * k] += lambda * (rate[0] + rate[4] + rate[8]);
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            half[3 * i + j] = stretch[3 * i] * s[j] + stretch[3 * i + 1] * s[3 + j] + stretch[3 * i + 2] * s[6 + j];
    }
    const V work[3] = {half[7] - half[5], half[2] - half[6], half[3] - half[1]};
    solve(work, n);
    s[1] -= n[2];
    s[2] += n[1];
    s[3] += n[2];
    s[5] -= n[0];
    s[6] -= n[1];
    s[7] += n[0];
    turn_on(r, s, p);
    corner_forces<V, S>(batch, p, force);
}

LIMBER_INLINE void spread(const double* turned, const double* pushed, double* corners) {
    for (std::size_t c = 0; c < kTetBatch; ++c, corners += 4 * kTetCorner) {
        for (std::size_t i = 0; i < 8; ++i) {
            const double* from = i % 4 == 3 ? nullptr : (i < 4 ? turned : pushed) + kTetBatch * (i % 4) + c;
            const double v1 = from ? from[0] : 0.0, v2 = from ? from[3 * kTetBatch] : 0.0,
                         v3 = from ? from[6 * kTetBatch] : 0.0;
            corners[i] = -(v1 + v2 + v3);
            corners[kTetCorner + i] = v1;
            corners[2 * kTetCorner + i] = v2;
            corners[3 * kTetCorner + i] = v3;
        }
    }
}

// One half each for lambda's and mu's part of a row, joined at the end.
LIMBER_INLINE void block(const TetPair* pairs, std::size_t count, const double* corners, const double* lame,
                         double* out) {
    Quad pushed[3] = {}, turned[3] = {}, along = {};
    for (std::size_t k = 0; k < count; ++k) {
        const double *a = corners + kTetCorner * static_cast<std::size_t>(pairs[k].a),
                     *b = corners + kTetCorner * static_cast<std::size_t>(pairs[k].b);
        const double* l = lame + 2 * static_cast<std::size_t>(pairs[k].a >> 2);
        const Quad va = at<Quad>(a) * l[1], vb = at<Quad>(b + 4) * l[0];  // mu h_a, lambda c_b
        for (int i = 0; i < 3; ++i) {
            turned[i] += va * b[i];
            pushed[i] += vb * a[4 + i];
        }
        along += va * at<Quad>(b);
    }
    const double diagonal = (along[0] + along[1]) + along[2];
    for (std::size_t i = 0; i < 3; ++i) {
        Quad row = turned[i] + pushed[i];
        row[i] += diagonal;
        for (std::size_t j = 0; j < 3; ++j) out[3 * i + j] = row[j];
    }
}

// A batch as two halves of four.
LIMBER_INLINE TetBatch half(const TetBatch& batch, std::size_t h) {
    return {batch.corners + 4 * h, batch.gradients + 4 * h, batch.lame + 4 * h};
}

}  // namespace limber::corotated
