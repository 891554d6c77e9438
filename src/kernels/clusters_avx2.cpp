// Row clusters with 256-bit vectors. Earned by bench/clustered_bench.cpp; same bits as clusters.cpp.
#include "kernels/clusters.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

// Function attributes instead of compiler flags: nothing inline from a shared header can be compiled for AVX2 here.
#define LIMBER_AVX2 __attribute__((target("avx2")))
#define LIMBER_AVX2_INLINE __attribute__((target("avx2"), always_inline)) inline

namespace limber {
namespace {

// Far enough ahead for memory, near enough not to be pushed out again: measured, and not sharp.
constexpr std::size_t kAhead = 1152;  // doubles

struct Vec3x4 {
    __m256d x, y, z;
};

// Four vertices' numbers, transposed.
LIMBER_AVX2_INLINE Vec3x4 gather4(const double* x, const std::int32_t* c) noexcept {
    const __m256d a = _mm256_load_pd(x + kGatherStride * static_cast<std::size_t>(c[0])),
                  b = _mm256_load_pd(x + kGatherStride * static_cast<std::size_t>(c[1]));
    const __m256d d = _mm256_load_pd(x + kGatherStride * static_cast<std::size_t>(c[2])),
                  e = _mm256_load_pd(x + kGatherStride * static_cast<std::size_t>(c[3]));
    const __m256d ab = _mm256_unpacklo_pd(a, b), de = _mm256_unpacklo_pd(d, e), ab_high = _mm256_unpackhi_pd(a, b),
                  de_high = _mm256_unpackhi_pd(d, e);
    return {_mm256_permute2f128_pd(ab, de, 0x20), _mm256_permute2f128_pd(ab_high, de_high, 0x20),
            _mm256_permute2f128_pd(ab, de, 0x31)};
}

// Entry row i of four blocks times their vectors; `v` points to entry (i, 0) of the first lane.
template <std::size_t B>
LIMBER_AVX2_INLINE __m256d times(const double* v, const Vec3x4& p) noexcept {
    __m256d sum = _mm256_add_pd(_mm256_mul_pd(_mm256_load_pd(v), p.x),
                                _mm256_mul_pd(_mm256_load_pd(v + kSliceRows), p.y));
    if constexpr (B == 3) sum = _mm256_add_pd(sum, _mm256_mul_pd(_mm256_load_pd(v + 2 * kSliceRows), p.z));
    return sum;
}

template <std::size_t B>
LIMBER_AVX2_INLINE void add_rows(const double* lanes, const std::int32_t* rows, std::size_t count, double* y) noexcept {
    for (std::size_t l = 0; l < count; ++l)
        for (std::size_t i = 0; i < B; ++i) y[B * static_cast<std::size_t>(rows[l]) + i] += lanes[4 * i + l];
}

LIMBER_AVX2_INLINE void add_row(double* y, __m128d low, __m128d high) noexcept {
    _mm_storeu_pd(y, _mm_add_pd(_mm_loadu_pd(y), low));
    _mm_store_sd(y + 2, _mm_add_sd(_mm_load_sd(y + 2), high));
}

// Sums of four rows into y; `count` of them exist.
template <std::size_t B>
LIMBER_AVX2_INLINE void add4(const __m256d* sum, const std::int32_t* rows, std::size_t count, double* y) noexcept {
    if (B == 3 && count >= 4) {
        const __m256d even = _mm256_unpacklo_pd(sum[0], sum[1]), odd = _mm256_unpackhi_pd(sum[0], sum[1]);
        const __m128d low = _mm256_castpd256_pd128(sum[2]), high = _mm256_extractf128_pd(sum[2], 1);
        add_row(y + 3 * static_cast<std::size_t>(rows[0]), _mm256_castpd256_pd128(even), low);
        add_row(y + 3 * static_cast<std::size_t>(rows[1]), _mm256_castpd256_pd128(odd), _mm_unpackhi_pd(low, low));
        add_row(y + 3 * static_cast<std::size_t>(rows[2]), _mm256_extractf128_pd(even, 1), high);
        add_row(y + 3 * static_cast<std::size_t>(rows[3]), _mm256_extractf128_pd(odd, 1), _mm_unpackhi_pd(high, high));
        return;
    }
    alignas(32) double lanes[12];
    for (std::size_t i = 0; i < B; ++i) _mm256_store_pd(lanes + 4 * i, sum[i]);
    add_rows<B>(lanes, rows, count < 4 ? count : 4, y);
}

template <std::size_t B>
LIMBER_AVX2_INLINE void product(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    for (std::size_t s = begin; s < end; ++s) {
        __m256d low[3], high[3];
        for (int i = 0; i < 3; ++i) low[i] = high[i] = _mm256_setzero_pd();
        for (auto slot = static_cast<std::size_t>(a.starts[s]); slot < static_cast<std::size_t>(a.starts[s + 1]);
             ++slot) {
            const std::int32_t* c = a.columns + kSliceRows * slot;
            const double* v = a.values + kSliceRows * B * B * slot;
            for (std::size_t line = 0; line < B * B; ++line)
                _mm_prefetch(reinterpret_cast<const char*>(v + kAhead + kSliceRows * line), _MM_HINT_T0);
            const Vec3x4 first = gather4(a.x, c);
            for (std::size_t i = 0; i < B; ++i) low[i] = _mm256_add_pd(low[i], times<B>(v + kSliceRows * B * i, first));
            const Vec3x4 second = gather4(a.x, c + 4);
            for (std::size_t i = 0; i < B; ++i)
                high[i] = _mm256_add_pd(high[i], times<B>(v + kSliceRows * B * i + 4, second));
        }
        const std::size_t left = a.row_count - kSliceRows * s;
        add4<B>(low, a.rows + kSliceRows * s, left, a.y);
        if (left > 4) add4<B>(high, a.rows + kSliceRows * s + 4, left - 4, a.y);
    }
}

LIMBER_AVX2_INLINE __m256 pair(const float* x, std::int32_t first, std::int32_t second) noexcept {
    return _mm256_insertf128_ps(
        _mm256_castps128_ps256(_mm_load_ps(x + kGatherStride * static_cast<std::size_t>(first))),
        _mm_load_ps(x + kGatherStride * static_cast<std::size_t>(second)), 1);
}

struct Vec3x8 {
    __m256 x, y, z;
};

LIMBER_AVX2_INLINE Vec3x8 gather8(const float* x, const std::int32_t* c) noexcept {
    const __m256 p04 = pair(x, c[0], c[4]), p15 = pair(x, c[1], c[5]), p26 = pair(x, c[2], c[6]),
                 p37 = pair(x, c[3], c[7]);
    const __m256d a = _mm256_castps_pd(_mm256_unpacklo_ps(p04, p15)),
                  b = _mm256_castps_pd(_mm256_unpacklo_ps(p26, p37));
    const __m256d c_high = _mm256_castps_pd(_mm256_unpackhi_ps(p04, p15)),
                  d_high = _mm256_castps_pd(_mm256_unpackhi_ps(p26, p37));
    return {_mm256_castpd_ps(_mm256_unpacklo_pd(a, b)), _mm256_castpd_ps(_mm256_unpackhi_pd(a, b)),
            _mm256_castpd_ps(_mm256_unpacklo_pd(c_high, d_high))};
}

template <std::size_t B>
LIMBER_AVX2_INLINE void product(const ClusterArgs<float>& a, std::size_t begin, std::size_t end) noexcept {
    for (std::size_t s = begin; s < end; ++s) {
        __m256 sum[3];
        for (int i = 0; i < 3; ++i) sum[i] = _mm256_setzero_ps();
        for (auto slot = static_cast<std::size_t>(a.starts[s]); slot < static_cast<std::size_t>(a.starts[s + 1]);
             ++slot) {
            const float* v = a.values + kSliceRows * B * B * slot;
            for (std::size_t line = 0; line < B * B; line += 2)
                _mm_prefetch(reinterpret_cast<const char*>(v + kAhead + kSliceRows * line), _MM_HINT_T0);
            const Vec3x8 p = gather8(a.x, a.columns + kSliceRows * slot);
            for (std::size_t i = 0; i < B; ++i) {
                const float* w = v + kSliceRows * B * i;
                __m256 part = _mm256_add_ps(_mm256_mul_ps(_mm256_load_ps(w), p.x),
                                            _mm256_mul_ps(_mm256_load_ps(w + kSliceRows), p.y));
                if constexpr (B == 3)
                    part = _mm256_add_ps(part, _mm256_mul_ps(_mm256_load_ps(w + 2 * kSliceRows), p.z));
                sum[i] = _mm256_add_ps(sum[i], part);
            }
        }
        __m256d low[3], high[3];
        for (int i = 0; i < 3; ++i) {
            low[i] = _mm256_cvtps_pd(_mm256_castps256_ps128(sum[i]));
            high[i] = _mm256_cvtps_pd(_mm256_extractf128_ps(sum[i], 1));
        }
        const std::size_t left = a.row_count - kSliceRows * s;
        add4<B>(low, a.rows + kSliceRows * s, left, a.y);
        if (left > 4) add4<B>(high, a.rows + kSliceRows * s + 4, left - 4, a.y);
    }
}

}  // namespace

LIMBER_AVX2 void cluster_product2_avx2(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    product<2>(a, begin, end);
}
LIMBER_AVX2 void cluster_product3_avx2(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    product<3>(a, begin, end);
}
LIMBER_AVX2 void cluster_product2_avx2(const ClusterArgs<float>& a, std::size_t begin, std::size_t end) noexcept {
    product<2>(a, begin, end);
}
LIMBER_AVX2 void cluster_product3_avx2(const ClusterArgs<float>& a, std::size_t begin, std::size_t end) noexcept {
    product<3>(a, begin, end);
}

}  // namespace limber

#else

namespace limber {
void cluster_product2_avx2(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    cluster_product2_baseline(a, begin, end);
}
void cluster_product3_avx2(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    cluster_product3_baseline(a, begin, end);
}
void cluster_product2_avx2(const ClusterArgs<float>& a, std::size_t begin, std::size_t end) noexcept {
    cluster_product2_baseline(a, begin, end);
}
void cluster_product3_avx2(const ClusterArgs<float>& a, std::size_t begin, std::size_t end) noexcept {
    cluster_product3_baseline(a, begin, end);
}
}  // namespace limber

#endif
