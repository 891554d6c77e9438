// The same arithmetic for eight cells at once. Earned by bench/corotational/corotational_steps.cpp.
#include "kernels/corotated_body.hpp"

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

#ifndef LIMBER_COROTATED_AVX512
#define LIMBER_COROTATED_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#endif
#ifndef LIMBER_COROTATED_AVX512_INLINE
#define LIMBER_COROTATED_AVX512_INLINE \
    inline __attribute__((always_inline, target("avx512f,avx512dq,avx512vl,avx2,fma")))
#endif

namespace limber {
namespace {

using corotated::Oct;
using corotated::Quad;

// Three numbers each of eight vertices, component by component. The mask keeps from reading behind the last vertex.
LIMBER_COROTATED_AVX512_INLINE void corner_values(const std::int32_t* corners, const double* u, Oct* out) {
    __m512d v[4];
    for (std::size_t c = 0; c < 4; ++c) {
        const double *low = u + 3 * static_cast<std::size_t>(corners[c]),
                     *high = u + 3 * static_cast<std::size_t>(corners[c + 4]);
        v[c] = _mm512_mask_loadu_pd(_mm512_castpd256_pd512(_mm256_maskz_loadu_pd(0x7, low)), 0x70, high - 4);
    }
    const __m512d x0 = _mm512_unpacklo_pd(v[0], v[1]), x2 = _mm512_unpacklo_pd(v[2], v[3]),
                  y0 = _mm512_unpackhi_pd(v[0], v[1]), y2 = _mm512_unpackhi_pd(v[2], v[3]);
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13),
                  second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    out[0] = _mm512_permutex2var_pd(x0, first, x2);
    out[1] = _mm512_permutex2var_pd(y0, first, y2);
    out[2] = _mm512_permutex2var_pd(x0, second, x2);
}

// Column c of the rows v to `to` + c stride.
LIMBER_COROTATED_AVX512_INLINE void transpose_store(const __m512d* v, double* to, std::size_t stride) {
    __m512d two[8], four[8];
    for (int i = 0; i < 8; i += 2) {
        two[i] = _mm512_unpacklo_pd(v[i], v[i + 1]);
        two[i + 1] = _mm512_unpackhi_pd(v[i], v[i + 1]);
    }
    const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13),
                  odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    for (int i = 0; i < 8; i += 4)  // columns c and c + 4 of four rows
    {
        for (int j = 0; j < 2; ++j) {
            four[i + j] = _mm512_permutex2var_pd(two[i + j], even, two[i + j + 2]);
            four[i + j + 2] = _mm512_permutex2var_pd(two[i + j], odd, two[i + j + 2]);
        }
    }
    for (std::size_t c = 0; c < 4; ++c) {
        _mm512_storeu_pd(to + c * stride, _mm512_shuffle_f64x2(four[c], four[c + 4], 0x44));
        _mm512_storeu_pd(to + (c + 4) * stride, _mm512_shuffle_f64x2(four[c], four[c + 4], 0xEE));
    }
}

LIMBER_COROTATED_AVX512 void gradient_tets_avx512(const TetBatch& batch, const double* u, double* f) noexcept {
    Oct first[3], sum[9] = {};
    corner_values(batch.corners, u, first);
    for (std::size_t a = 0; a < 3; ++a) {
        Oct value[3];
        corner_values(batch.corners + 8 * (a + 1), u, value);
        for (std::size_t i = 0; i < 3; ++i) {
            value[i] -= first[i];
            for (std::size_t j = 0; j < 3; ++j)
                sum[3 * i + j] += value[i] * static_cast<Oct>(_mm512_loadu_pd(batch.gradients + 8 * (3 * a + j)));
        }
    }
    for (std::size_t k = 0; k < 9; ++k) put(f + 8 * k, sum[k]);
}
LIMBER_COROTATED_AVX512 unsigned rotate_tets_avx512(const double* f, double* q) noexcept {
    Quad turned[4], length;
    corotated::MaskOf<Quad> done;
    corotated::find_turn<Quad, 4>(f, q, turned, length, done);
    return corotated::keep_turn<Quad, 4>(turned, _mm256_sqrt_pd(length), done, q);
}
LIMBER_COROTATED_AVX512 unsigned rotate_batch_tets_avx512(const double* f, double* q) noexcept {
    Oct turned[4], length;
    corotated::MaskOf<Oct> done;
    corotated::find_turn<Oct, kTetBatch>(f, q, turned, length, done);
    return corotated::keep_turn<Oct, kTetBatch>(turned, _mm512_sqrt_pd(length), done, q);
}
LIMBER_COROTATED_AVX512 void respond_tets_avx512(const TetBatch& batch, const double* f, const double* q, double* force,
                                                 double* energy, double* turned) noexcept {
    corotated::respond<Oct, kTetBatch>(batch, f, q, force, energy, turned);
}
LIMBER_COROTATED_AVX512 void respond_volume_tets_avx512(const TetBatch& batch, const double* f, const double* q,
                                                        double* force, double* energy, double* turned,
                                                        double* pushed) noexcept {
    corotated::respond_volume<Oct, kTetBatch>(batch, f, q, force, energy, turned, pushed);
}
LIMBER_COROTATED_AVX512 void damp_tets_avx512(const TetBatch& batch, const double* f, const double* dv, const double* q,
                                              double* force) noexcept {
    corotated::damp<false, Oct, kTetBatch>(batch, f, dv, q, force);
}
LIMBER_COROTATED_AVX512 void damp_volume_tets_avx512(const TetBatch& batch, const double* f, const double* dv,
                                                     const double* q, double* force) noexcept {
    corotated::damp<true, Oct, kTetBatch>(batch, f, dv, q, force);
}
LIMBER_COROTATED_AVX512 void spread_tets_avx512(const double* turned, const double* pushed, double* corners) noexcept {
    for (std::size_t a = 0; a < 4; ++a) {
        __m512d v[8];
        for (std::size_t i = 0; i < 8; ++i) {
            const double* from = (i < 4 ? turned : pushed) + 8 * (i % 4);
            if (i % 4 == 3)
                v[i] = _mm512_setzero_pd();
            else if (a > 0)
                v[i] = _mm512_loadu_pd(from + 24 * (a - 1));
            else
                v[i] = -(_mm512_loadu_pd(from) + _mm512_loadu_pd(from + 24) + _mm512_loadu_pd(from + 48));
        }
        transpose_store(v, corners + kTetCorner * a, 4 * kTetCorner);
    }
}
LIMBER_COROTATED_AVX512 void block_tets_avx512(const TetPair* pairs, std::size_t count, const double* corners,
                                               const double* lame, double* block) noexcept {
    __m512d row[3] = {_mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd()}, along = _mm512_setzero_pd();
    const __m512i which = _mm512_setr_epi64(1, 1, 1, 1, 0, 0, 0, 0);
    for (std::size_t k = 0; k < count; ++k) {
        const __m512d a = _mm512_loadu_pd(corners + kTetCorner * static_cast<std::size_t>(pairs[k].a)),
                      b = _mm512_loadu_pd(corners + kTetCorner * static_cast<std::size_t>(pairs[k].b));
        const __m512d l = _mm512_permutexvar_pd(
            which, _mm512_castpd128_pd512(_mm_loadu_pd(lame + 2 * static_cast<std::size_t>(pairs[k].a >> 2))));
        const __m512d from = _mm512_mask_blend_pd(0xf0, a, b) * l,
                      to = _mm512_mask_blend_pd(0xf0, b, a);  // (mu h_a, lambda c_b), (h_b, c_a)
        row[0] += from * _mm512_permutex_pd(to, 0x00);
        row[1] += from * _mm512_permutex_pd(to, 0x55);
        row[2] += from * _mm512_permutex_pd(to, 0xAA);
        along += from * to;
    }
    const double diagonal = (along[0] + along[1]) + along[2];
    for (std::size_t i = 0; i < 3; ++i) {
        Quad sum = _mm512_castpd512_pd256(row[i]) + _mm512_extractf64x4_pd(row[i], 1);
        sum[i] += diagonal;
        _mm256_mask_storeu_pd(block + 3 * i, 0x7, sum);
    }
}

}  // namespace

const CorotatedKernels& corotated_kernels_avx512() noexcept {
    static constexpr CorotatedKernels kernels{
        gradient_tets_avx512,    rotate_tets_avx512,         rotate_batch_tets_avx512,
        respond_tets_avx512,     respond_volume_tets_avx512, damp_tets_avx512,
        damp_volume_tets_avx512, spread_tets_avx512,         block_tets_avx512};
    return kernels;
}

}  // namespace limber

#else

namespace limber {
const CorotatedKernels& corotated_kernels_avx512() noexcept { return corotated_kernels_avx2(); }
}  // namespace limber

#endif
