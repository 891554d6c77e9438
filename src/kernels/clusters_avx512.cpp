// Row clusters with 512-bit vectors: a slice's eight rows are one vector's lanes. Same bits as clusters.cpp (checked by emulation in
// tests/linalg/clusters_test.cpp); its speed has not been measured by us for want of such a processor.
#include "kernels/clusters.hpp"

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"     // g++ 12's own header: its "undefined" vector is initialised by itself
#endif
#include <immintrin.h>

#if !defined(LIMBER_AVX512)      // tests/linalg/clusters_test.cpp compiles this file with an emulation
#define LIMBER_AVX512 __attribute__((target("avx512f")))
#define LIMBER_AVX512_INLINE __attribute__((target("avx512f"), always_inline)) inline
#endif

namespace limber {
namespace {

LIMBER_AVX512_INLINE __m512d pair(const double* x, std::int32_t first, std::int32_t second) noexcept {
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(x + kPlace * static_cast<std::size_t>(first))),
                              _mm256_load_pd(x + kPlace * static_cast<std::size_t>(second)), 1);
}

template <std::size_t B>
LIMBER_AVX512_INLINE void product(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    const __m512i outer = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), inner = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    for (std::size_t s = begin; s < end; ++s) {
        __m512d sum[3];
        for (int i = 0; i < 3; ++i) sum[i] = _mm512_setzero_pd();
        for (auto slot = static_cast<std::size_t>(a.starts[s]); slot < static_cast<std::size_t>(a.starts[s + 1]); ++slot) {
            const std::int32_t* c = a.columns + kSliceRows * slot;
            const double* v = a.values + kSliceRows * B * B * slot;
            const __m512d p04 = pair(a.x, c[0], c[4]), p15 = pair(a.x, c[1], c[5]), p26 = pair(a.x, c[2], c[6]), p37 = pair(a.x, c[3], c[7]);
            const __m512d even = _mm512_unpacklo_pd(p04, p15), odd = _mm512_unpacklo_pd(p26, p37);
            const __m512d x = _mm512_permutex2var_pd(even, outer, odd);
            const __m512d y = _mm512_permutex2var_pd(_mm512_unpackhi_pd(p04, p15), outer, _mm512_unpackhi_pd(p26, p37));
            const __m512d z = _mm512_permutex2var_pd(even, inner, odd);
            for (std::size_t i = 0; i < B; ++i) {
                const double* w = v + kSliceRows * B * i;
                __m512d part = _mm512_add_pd(_mm512_mul_pd(_mm512_load_pd(w), x), _mm512_mul_pd(_mm512_load_pd(w + kSliceRows), y));
                if constexpr (B == 3) part = _mm512_add_pd(part, _mm512_mul_pd(_mm512_load_pd(w + 2 * kSliceRows), z));
                sum[i] = _mm512_add_pd(sum[i], part);
            }
        }
        alignas(64) double lanes[3][kSliceRows];
        for (std::size_t i = 0; i < B; ++i) _mm512_store_pd(lanes[i], sum[i]);
        for (std::size_t l = 0; l < kSliceRows && kSliceRows * s + l < a.row_count; ++l)
            for (std::size_t i = 0; i < B; ++i) a.y[B * static_cast<std::size_t>(a.rows[kSliceRows * s + l]) + i] += lanes[i][l];
    }
}

}  // namespace

LIMBER_AVX512 void cluster_product2_avx512(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept { product<2>(a, begin, end); }
LIMBER_AVX512 void cluster_product3_avx512(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept { product<3>(a, begin, end); }

}  // namespace limber

#else

namespace limber {
void cluster_product2_avx512(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept { cluster_product2_baseline(a, begin, end); }
void cluster_product3_avx512(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept { cluster_product3_baseline(a, begin, end); }
}  // namespace limber

#endif
