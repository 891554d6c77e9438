// The same sums with 512-bit vectors: five rows of 3x3 blocks, four vertices or two columns of a 6x6 block at once, and
// fused multiply-adds. Earned by bench/corotational/corotational_steps.cpp.
#include "kernels/float_block_body.hpp"

#if defined(__x86_64__)
#if !defined(__clang__)  // GCC 12 takes its own undefined vectors for mistakes (GCC bug 105593)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#ifndef LIMBER_FLOAT_AVX512
#define LIMBER_FLOAT_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#endif
#ifndef LIMBER_FLOAT_AVX512_INLINE
#define LIMBER_FLOAT_AVX512_INLINE inline __attribute__((always_inline, target("avx512f,avx512dq,avx512vl,avx2,fma")))
#endif

namespace limber {
namespace {

// Shuffles within a vertex: (y z x 1) and (z x y 1).
constexpr int kNext = 0xC9, kLast = 0xD2;

LIMBER_FLOAT_AVX512_INLINE __m128 fold(__m512 v) {
    const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
    return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}
LIMBER_FLOAT_AVX512_INLINE __m256 fold_pair(__m512 v) {
    return _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
}
LIMBER_FLOAT_AVX512_INLINE double three(__m128 v) { return static_cast<double>((v[0] + v[1]) + v[2]); }
LIMBER_FLOAT_AVX512_INLINE __mmask16 vertices_left(std::size_t count) {
    return count >= 4 ? static_cast<__mmask16>(0xffff) : static_cast<__mmask16>((1u << 4 * count) - 1u);
}
LIMBER_FLOAT_AVX512_INLINE __m512 same8(const float* p) { return _mm512_broadcast_f32x8(_mm256_loadu_ps(p)); }

LIMBER_FLOAT_AVX512 void narrow_avx512(const double* values, const std::int32_t* entries, std::size_t count,
                                       double scale, float* to) noexcept {
    float_block::narrow(values, entries, count, scale, to);
}

// Fifteen lanes: five rows of three.
LIMBER_FLOAT_AVX512 double product_avx512(const FloatRows& a, const float* x, float* y, std::size_t begin,
                                          std::size_t end) noexcept {
    const __m512i which0 = _mm512_setr_epi32(0, 0, 0, 4, 4, 4, 8, 8, 8, 12, 12, 12, 16, 16, 16, 19),
                  one = _mm512_set1_epi32(1);
    const __m512i which1 = _mm512_add_epi32(which0, one),
                  which2 = _mm512_add_epi32(which1, one);  // the last lane means nothing and is masked at the end
    const __m512i apart = _mm512_setr_epi32(0, 1, 2, 15, 3, 4, 5, 15, 6, 7, 8, 15, 9, 10, 11, 15);
    __m512d total = _mm512_setzero_pd();
    const float* v = a.values + kFloatSlot * static_cast<std::size_t>(a.starts[begin]);
    const std::int32_t* columns = a.columns + kFloatRows * static_cast<std::size_t>(a.starts[begin]);
    for (std::size_t slice = begin; slice < end; ++slice) {
        __m512 s0 = _mm512_setzero_ps(), s1 = s0, s2 = s0;
        for (std::int32_t slot = a.starts[slice]; slot < a.starts[slice + 1];
             ++slot, v += kFloatSlot, columns += kFloatRows) {
            __m512 four = _mm512_castps128_ps512(_mm_loadu_ps(x + 4 * static_cast<std::size_t>(columns[0])));
            four = _mm512_insertf32x4(four, _mm_loadu_ps(x + 4 * static_cast<std::size_t>(columns[1])), 1);
            four = _mm512_insertf32x4(four, _mm_loadu_ps(x + 4 * static_cast<std::size_t>(columns[2])), 2);
            four = _mm512_insertf32x4(four, _mm_loadu_ps(x + 4 * static_cast<std::size_t>(columns[3])), 3);
            const __m512 fifth = _mm512_zextps128_ps512(_mm_loadu_ps(x + 4 * static_cast<std::size_t>(columns[4])));
            s0 = _mm512_fmadd_ps(_mm512_loadu_ps(v), _mm512_permutex2var_ps(four, which0, fifth), s0);
            s1 = _mm512_fmadd_ps(_mm512_loadu_ps(v + kFloatColumn), _mm512_permutex2var_ps(four, which1, fifth), s1);
            s2 = _mm512_fmadd_ps(_mm512_loadu_ps(v + 2 * kFloatColumn), _mm512_permutex2var_ps(four, which2, fifth),
                                 s2);
        }
        const __m512 sum = _mm512_maskz_add_ps(0x7fff, _mm512_add_ps(s0, s1), s2);
        const __m512i bits = _mm512_castps_si512(sum);
        const __m512 most = _mm512_permutexvar_ps(apart, sum);
        const __m128 last = _mm512_castps512_ps128(_mm512_castsi512_ps(_mm512_alignr_epi32(bits, bits, 12)));
        const auto first = static_cast<std::size_t>(a.rows[slice]),
                   rows = static_cast<std::size_t>(a.rows[slice + 1]) - first;
        const __mmask16 m = vertices_left(rows);
        const __m512 dot = _mm512_mul_ps(most, _mm512_maskz_loadu_ps(m, x + 4 * first));
        _mm512_mask_storeu_ps(y + 4 * first, m, most);
        total = _mm512_add_pd(total, _mm512_cvtps_pd(_mm512_castps512_ps256(dot)));
        total = _mm512_add_pd(total, _mm512_cvtps_pd(_mm512_extractf32x8_ps(dot, 1)));
        if (rows < kFloatRows) continue;
        const __m128 own = _mm_mul_ps(last, _mm_loadu_ps(x + 4 * (first + 4)));
        _mm_storeu_ps(y + 4 * (first + 4), last);
        total = _mm512_add_pd(total, _mm512_zextpd256_pd512(_mm256_cvtps_pd(own)));
    }
    return ((total[0] + total[4]) + (total[1] + total[5])) + (total[2] + total[6]);
}

LIMBER_FLOAT_AVX512 void update_avx512(const FloatVectors& v, float alpha, std::size_t begin, std::size_t end,
                                       FloatSums& sums, float* resultant) noexcept {
    const __m512 step = _mm512_set1_ps(alpha);
    __m512 force = _mm512_setzero_ps(), torque = force, rr = force, rz = force;
    for (std::size_t i = begin; i < end; i += 4) {
        const __mmask16 m = vertices_left(end - i);
        const auto load = [&](const float* from)
            __attribute__((always_inline, target("avx512f,avx512dq,avx512vl,avx2,fma"))) {
            return _mm512_maskz_loadu_ps(m, from + 4 * i);
        };
        _mm512_mask_storeu_ps(v.x + 4 * i, m, _mm512_fmadd_ps(step, load(v.p), load(v.x)));
        const __m512 r = _mm512_fnmadd_ps(step, load(v.q), load(v.r));
        _mm512_mask_storeu_ps(v.r + 4 * i, m, r);
        const __m512 z01 = _mm512_fmadd_ps(load(v.inverse), _mm512_permute_ps(r, 0x00),
                                           _mm512_mul_ps(load(v.inverse + v.plane), _mm512_permute_ps(r, 0x55)));
        const __m512 z = _mm512_fmadd_ps(load(v.inverse + 2 * v.plane), _mm512_permute_ps(r, 0xAA), z01);
        _mm512_mask_storeu_ps(v.z + 4 * i, m, z);
        rr = _mm512_fmadd_ps(r, r, rr);
        rz = _mm512_fmadd_ps(r, z, rz);
        const __m512 arm = load(v.arm);
        force = _mm512_fmadd_ps(_mm512_permute_ps(arm, 0xFF), r, force);
        torque = _mm512_fmadd_ps(_mm512_permute_ps(arm, kNext), _mm512_permute_ps(r, kLast), torque);
        torque = _mm512_fnmadd_ps(_mm512_permute_ps(arm, kLast), _mm512_permute_ps(r, kNext), torque);
    }
    sums.rr += three(fold(rr));
    sums.rz += three(fold(rz));
    const __m128 f = fold(force), t = fold(torque);
    for (std::size_t k = 0; k < 3; ++k) {
        resultant[k] = f[k];
        resultant[k + 3] = t[k];
    }
    resultant[6] = resultant[7] = 0.0f;
}

LIMBER_FLOAT_AVX512 void direction_avx512(const FloatVectors& v, float beta, const float* motion, std::size_t begin,
                                          std::size_t end) noexcept {
    const __m512 keep = _mm512_set1_ps(beta);
    const __m512 shift = _mm512_broadcast_f32x4(_mm_setr_ps(motion[0], motion[1], motion[2], 0.0f));
    const __m512 spin_a = _mm512_broadcast_f32x4(_mm_setr_ps(motion[4], motion[5], motion[3], 0.0f)),
                 spin_b = _mm512_broadcast_f32x4(_mm_setr_ps(motion[5], motion[3], motion[4], 0.0f));
    for (std::size_t i = begin; i < end; i += 4) {
        const __mmask16 m = vertices_left(end - i);
        const __m512 arm = _mm512_maskz_loadu_ps(m, v.arm + 4 * i);
        const __m512 old = _mm512_fmadd_ps(keep, _mm512_maskz_loadu_ps(m, v.p + 4 * i),
                                           _mm512_maskz_loadu_ps(m, v.z + 4 * i));
        const __m512 moved = _mm512_fmadd_ps(_mm512_permute_ps(arm, 0xFF), shift, old);
        const __m512 turned = _mm512_fmadd_ps(spin_a, _mm512_permute_ps(arm, kLast), moved);
        _mm512_mask_storeu_ps(v.p + 4 * i, m, _mm512_fnmadd_ps(spin_b, _mm512_permute_ps(arm, kNext), turned));
    }
}

// Three columns at once, four lanes each: forces and torques `force` and `torque` to columns of six.
LIMBER_FLOAT_AVX512_INLINE void add_columns(__m512 force, __m512 torque, float* two, float* one) {
    const __m512i first = _mm512_setr_epi32(0, 1, 2, 16, 17, 18, 0, 0, 4, 5, 6, 20, 21, 22, 0, 0),
                  third = _mm512_setr_epi32(8, 9, 10, 24, 25, 26, 0, 0, 8, 9, 10, 24, 25, 26, 0, 0);
    _mm512_storeu_ps(two,
                     _mm512_add_ps(_mm512_loadu_ps(two), _mm512_maskz_permutex2var_ps(0x3f3f, force, first, torque)));
    const __m256 last = _mm512_castps512_ps256(_mm512_maskz_permutex2var_ps(0x3f, force, third, torque));
    _mm256_storeu_ps(one, _mm256_add_ps(_mm256_loadu_ps(one), last));
}
LIMBER_FLOAT_AVX512 void reduce_avx512(const float* values, const std::int32_t* columns, std::size_t count,
                                       const float* arms, const float* own, float* block) noexcept {
    const __m512i weight = _mm512_set1_epi32(3),
                  next_of = _mm512_setr_epi32(1, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0, 3, 3, 3, 3),
                  last_of = _mm512_setr_epi32(2, 2, 2, 2, 0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3);
    __m512 shift = _mm512_setzero_ps(), spin = shift;
    for (std::size_t e = 0; e < count; ++e, values += kFloatSlot) {
        __m512 b = _mm512_zextps128_ps512(_mm_loadu_ps(values));
        b = _mm512_insertf32x4(b, _mm_loadu_ps(values + kFloatColumn), 1);
        b = _mm512_insertf32x4(b, _mm_loadu_ps(values + 2 * kFloatColumn), 2);
        const __m512 arm = _mm512_zextps128_ps512(_mm_loadu_ps(arms + 4 * static_cast<std::size_t>(columns[e])));
        shift = _mm512_fmadd_ps(_mm512_permutexvar_ps(weight, arm), b, shift);
        spin = _mm512_fmadd_ps(_mm512_permutexvar_ps(next_of, arm), _mm512_shuffle_f32x4(b, b, kLast), spin);
        spin = _mm512_fnmadd_ps(_mm512_permutexvar_ps(last_of, arm), _mm512_shuffle_f32x4(b, b, kNext), spin);
    }
    const __m512 arm = _mm512_broadcast_f32x4(_mm_loadu_ps(own)), next = _mm512_permute_ps(arm, kNext),
                 last = _mm512_permute_ps(arm, kLast), all = _mm512_permute_ps(arm, 0xFF);
    const __m512 shift_torque = _mm512_fnmadd_ps(last, _mm512_permute_ps(shift, kNext),
                                                 _mm512_mul_ps(next, _mm512_permute_ps(shift, kLast)));
    const __m512 spin_torque = _mm512_fnmadd_ps(last, _mm512_permute_ps(spin, kNext),
                                                _mm512_mul_ps(next, _mm512_permute_ps(spin, kLast)));
    add_columns(_mm512_mul_ps(all, shift), shift_torque, block, block + 16);
    const __m512 spin_force = _mm512_mul_ps(all, spin);
    add_columns(_mm512_shuffle_f32x4(spin_force, spin_force, 0xC9),
                _mm512_shuffle_f32x4(spin_torque, spin_torque, 0xC9), block + 32, block + 24);
}

// Rows of b^T as they meet two columns of a product: b[8 k + j] eight times, then its right neighbour.
struct Columns6 {
    __m512 at[6][3];
};
LIMBER_FLOAT_AVX512_INLINE Columns6 columns_of(const float* b) {
    Columns6 out;
    const __m512i one = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1), two = _mm512_set1_epi32(2);
    for (std::size_t k = 0; k < 6; ++k) {
        const __m512 row = _mm512_castps256_ps512(_mm256_loadu_ps(b + 8 * k));
        __m512i which = one;
        for (int j = 0; j < 3; ++j, which = _mm512_add_epi32(which, two))
            out.at[k][j] = _mm512_permutexvar_ps(which, row);
    }
    return out;
}
LIMBER_FLOAT_AVX512_INLINE void times_columns(const float* a, const Columns6& b, __m512* sum) {
    const __m512 a0 = same8(a), a1 = same8(a + 8), a2 = same8(a + 16), a3 = same8(a + 24), a4 = same8(a + 32),
                 a5 = same8(a + 40);
    for (int j = 0; j < 3; ++j) {
        const __m512 left = _mm512_fmadd_ps(a4, b.at[4][j],
                                            _mm512_fmadd_ps(a2, b.at[2][j], _mm512_mul_ps(a0, b.at[0][j])));
        const __m512 right = _mm512_fmadd_ps(a5, b.at[5][j],
                                             _mm512_fmadd_ps(a3, b.at[3][j], _mm512_mul_ps(a1, b.at[1][j])));
        sum[j] = _mm512_add_ps(left, right);
    }
}

LIMBER_FLOAT_AVX512 void subtract6_avx512(float* c, const std::int32_t* c_at, const float* a, const float* b,
                                          std::size_t count) noexcept {
    const Columns6 columns = columns_of(b);
    for (std::size_t n = 0; n < count; ++n, a += kBlock6) {
        float* to = c + kBlock6 * static_cast<std::size_t>(c_at[n]);
        __m512 sum[3];
        times_columns(a, columns, sum);
        for (std::size_t j = 0; j < 3; ++j)
            _mm512_storeu_ps(to + 16 * j, _mm512_sub_ps(_mm512_loadu_ps(to + 16 * j), sum[j]));
    }
}
LIMBER_FLOAT_AVX512 void times6_avx512(float* a, const float* b, std::size_t count) noexcept {
    const Columns6 columns = columns_of(b);
    for (std::size_t n = 0; n < count; ++n, a += kBlock6) {
        __m512 sum[3];
        times_columns(a, columns, sum);
        for (std::size_t j = 0; j < 3; ++j) _mm512_storeu_ps(a + 16 * j, sum[j]);
    }
}

// Six numbers as they meet the columns of a block, two at a time.
struct Pairs6 {
    __m512 at[3];
};
LIMBER_FLOAT_AVX512_INLINE Pairs6 pairs_of(__m256 x) {
    const __m512 all = _mm512_castps256_ps512(x);
    return {{_mm512_permutexvar_ps(_mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1), all),
             _mm512_permutexvar_ps(_mm512_setr_epi32(2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3), all),
             _mm512_permutexvar_ps(_mm512_setr_epi32(4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5), all)}};
}
LIMBER_FLOAT_AVX512_INLINE __m256 times_pairs(const float* a, const Pairs6& x) {
    const __m512 sum = _mm512_fmadd_ps(_mm512_loadu_ps(a), x.at[0], _mm512_mul_ps(_mm512_loadu_ps(a + 16), x.at[1]));
    return fold_pair(_mm512_fmadd_ps(_mm512_loadu_ps(a + 32), x.at[2], sum));
}

LIMBER_FLOAT_AVX512 void forward6_avx512(const float* d, const float* a, const std::int32_t* rows, std::size_t count,
                                         float* x, float* y) noexcept {
    const __m256 own = times_pairs(d, pairs_of(_mm256_loadu_ps(x)));
    _mm256_storeu_ps(x, own);
    const Pairs6 pairs = pairs_of(own);
    for (std::size_t n = 0; n < count; ++n, a += kBlock6) {
        float* to = y + 8 * static_cast<std::size_t>(rows[n]);
        _mm256_storeu_ps(to, _mm256_sub_ps(_mm256_loadu_ps(to), times_pairs(a, pairs)));
    }
}

// The eight lanes of either half become one, which all eight then hold.
LIMBER_FLOAT_AVX512_INLINE __m512 total_of_halves(__m512 v) {
    v = _mm512_add_ps(v, _mm512_shuffle_f32x4(v, v, 0xB1));
    v = _mm512_add_ps(v, _mm512_permute_ps(v, 0x4E));
    return _mm512_add_ps(v, _mm512_permute_ps(v, 0xB1));
}
LIMBER_FLOAT_AVX512 void backward6_avx512(const float* d, const float* a, const std::int32_t* rows, std::size_t count,
                                          const float* y, float* x) noexcept {
    __m512 s0 = _mm512_setzero_ps(), s1 = s0, s2 = s0;
    for (std::size_t n = 0; n < count; ++n, a += kBlock6) {
        const __m512 at = same8(y + 8 * static_cast<std::size_t>(rows[n]));
        s0 = _mm512_fmadd_ps(_mm512_loadu_ps(a), at, s0);
        s1 = _mm512_fmadd_ps(_mm512_loadu_ps(a + 16), at, s1);
        s2 = _mm512_fmadd_ps(_mm512_loadu_ps(a + 32), at, s2);
    }
    Pairs6 pairs = pairs_of(_mm256_loadu_ps(x));
    pairs.at[0] = _mm512_sub_ps(pairs.at[0], total_of_halves(s0));  // as they meet the columns of d
    pairs.at[1] = _mm512_sub_ps(pairs.at[1], total_of_halves(s1));
    pairs.at[2] = _mm512_sub_ps(pairs.at[2], total_of_halves(s2));
    _mm256_storeu_ps(x, times_pairs(d, pairs));
}

}  // namespace

const FloatKernels& float_kernels_avx512() noexcept {
    static constexpr FloatKernels kernels{narrow_avx512,    product_avx512,  update_avx512,
                                          direction_avx512, reduce_avx512,   subtract6_avx512,
                                          times6_avx512,    forward6_avx512, backward6_avx512};
    return kernels;
}

}  // namespace limber

#else

namespace limber {
const FloatKernels& float_kernels_avx512() noexcept { return float_kernels_avx2(); }
}  // namespace limber

#endif
