// The loops of float_block.hpp, once for all instruction sets: float_block.cpp and float_block_avx2.cpp compile them. Vectors are the
// compilers' own type; what the machine has not, they put together from smaller ones, lane by lane the same.
#pragma once

#include "kernels/float_block.hpp"

#ifndef LIMBER_INLINE
#define LIMBER_INLINE inline __attribute__((always_inline))
#endif

namespace limber::float_block {

// Readable at any address: scratch memory comes without a promise beyond 8 bytes.
using Four = float __attribute__((vector_size(16), aligned(4), may_alias));
using Eight = float __attribute__((vector_size(32), aligned(4), may_alias));

LIMBER_INLINE const Four& four(const float* p) { return *reinterpret_cast<const Four*>(p); }
LIMBER_INLINE Four& four(float* p) { return *reinterpret_cast<Four*>(p); }
LIMBER_INLINE const Eight& eight(const float* p) { return *reinterpret_cast<const Eight*>(p); }
LIMBER_INLINE Eight& eight(float* p) { return *reinterpret_cast<Eight*>(p); }

LIMBER_INLINE double product(const FloatRows& a, const float* x, float* y, std::size_t begin, std::size_t end) {
    double total = 0.0;
    for (std::size_t row = begin; row < end; ++row) {
        Four s0 = {}, s1 = {}, s2 = {};
        const std::size_t last = static_cast<std::size_t>(a.starts[row + 1]);
        for (std::size_t e = static_cast<std::size_t>(a.starts[row]); e < last; ++e) {
            const float* v = a.values + kBlock3 * e;
            const float* at = x + 4 * static_cast<std::size_t>(a.columns[e]);
            s0 += four(v) * at[0];
            s1 += four(v + 3) * at[1];
            s2 += four(v + 6) * at[2];
        }
        Four sum = (s0 + s1) + s2;
        sum[3] = 0.0f;      // the fourth lane saw the next column
        four(y + 4 * row) = sum;
        const Four d = sum * four(x + 4 * row);
        total += static_cast<double>((d[0] + d[1]) + d[2]);
    }
    return total;
}

LIMBER_INLINE void update(const FloatVectors& v, float alpha, std::size_t begin, std::size_t end, FloatSums& sums, float* resultant) {
    Four force = {}, torque = {};
    double rr = 0.0, rz = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
        four(v.x + 4 * i) += alpha * four(v.p + 4 * i);
        const Four r = four(v.r + 4 * i) - alpha * four(v.q + 4 * i);
        four(v.r + 4 * i) = r;
        const float* m = v.inverse + 12 * i;
        const Four z = (four(m) * r[0] + four(m + 4) * r[1]) + four(m + 8) * r[2];
        four(v.z + 4 * i) = z;
        const Four d = r * r, e = r * z;
        rr += static_cast<double>((d[0] + d[1]) + d[2]);
        rz += static_cast<double>((e[0] + e[1]) + e[2]);
        const Four arm = four(v.arm + 4 * i);
        force += arm[3] * r;
        torque += __builtin_shufflevector(arm, arm, 1, 2, 0, 3) * __builtin_shufflevector(r, r, 2, 0, 1, 3) -
                  __builtin_shufflevector(arm, arm, 2, 0, 1, 3) * __builtin_shufflevector(r, r, 1, 2, 0, 3);
    }
    sums.rr += rr;
    sums.rz += rz;
    for (std::size_t k = 0; k < 3; ++k) resultant[k] = force[k], resultant[k + 3] = torque[k];
    resultant[6] = resultant[7] = 0.0f;
}

LIMBER_INLINE void direction(const FloatVectors& v, float beta, const float* motion, std::size_t begin, std::size_t end) {
    const Four shift = {motion[0], motion[1], motion[2], 0.0f};
    const Four spin_a = {motion[4], motion[5], motion[3], 0.0f}, spin_b = {motion[5], motion[3], motion[4], 0.0f};     // (y z x), (z x y)
    for (std::size_t i = begin; i < end; ++i) {
        const Four arm = four(v.arm + 4 * i);
        const Four turn = spin_a * __builtin_shufflevector(arm, arm, 2, 0, 1, 3) - spin_b * __builtin_shufflevector(arm, arm, 1, 2, 0, 3);
        four(v.p + 4 * i) = ((four(v.z + 4 * i) + arm[3] * shift) + turn) + beta * four(v.p + 4 * i);
    }
}

LIMBER_INLINE void subtract6(float* c, const std::int32_t* c_at, const float* a, const float* b, std::size_t count) {
    for (std::size_t n = 0; n < count; ++n, a += kBlock6) {
        float* to = c + kBlock6 * static_cast<std::size_t>(c_at[n]);
        const Eight a0 = eight(a), a1 = eight(a + 8), a2 = eight(a + 16), a3 = eight(a + 24), a4 = eight(a + 32), a5 = eight(a + 40);
        for (std::size_t j = 0; j < 6; ++j)
            eight(to + 8 * j) -= ((a0 * b[j] + a1 * b[8 + j]) + (a2 * b[16 + j] + a3 * b[24 + j])) + (a4 * b[32 + j] + a5 * b[40 + j]);
    }
}

LIMBER_INLINE void times6(float* a, const float* b, std::size_t count) {
    for (std::size_t n = 0; n < count; ++n, a += kBlock6) {
        const Eight a0 = eight(a), a1 = eight(a + 8), a2 = eight(a + 16), a3 = eight(a + 24), a4 = eight(a + 32), a5 = eight(a + 40);
        for (std::size_t j = 0; j < 6; ++j)
            eight(a + 8 * j) = ((a0 * b[j] + a1 * b[8 + j]) + (a2 * b[16 + j] + a3 * b[24 + j])) + (a4 * b[32 + j] + a5 * b[40 + j]);
    }
}

LIMBER_INLINE void forward6(const float* a, const std::int32_t* rows, std::size_t count, const float* x, float* y) {
    for (std::size_t n = 0; n < count; ++n, a += kBlock6)
        eight(y + 8 * static_cast<std::size_t>(rows[n])) -= ((eight(a) * x[0] + eight(a + 8) * x[1]) + (eight(a + 16) * x[2] + eight(a + 24) * x[3])) +
                                                            (eight(a + 32) * x[4] + eight(a + 40) * x[5]);
}

LIMBER_INLINE void backward6(const float* a, const std::int32_t* rows, std::size_t count, const float* y, float* x) {
    Eight s[6] = {};
    for (std::size_t n = 0; n < count; ++n, a += kBlock6) {
        const Eight at = eight(y + 8 * static_cast<std::size_t>(rows[n]));
        for (std::size_t j = 0; j < 6; ++j) s[j] += eight(a + 8 * j) * at;
    }
    for (std::size_t j = 0; j < 6; ++j) x[j] -= ((s[j][0] + s[j][1]) + (s[j][2] + s[j][3])) + (s[j][4] + s[j][5]);
}

}  // namespace limber::float_block
