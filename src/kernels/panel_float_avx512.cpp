// The same with 512-bit vectors, same bits. Earned by bench/cholmod (solve_float).
#include "kernels/panel_float.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#define LIMBER_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define LIMBER_AVX512_INLINE __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"), always_inline)) inline

namespace limber {
namespace {

// Numbers asked for ahead of their use: the processor's own prefetching stops at every page.
constexpr std::ptrdiff_t kAhead = 512;
// GCC 12 warns of what its own headers leave undefined in the plain forms of some instructions; with a mask of all
// lanes it does not.
constexpr __mmask16 kAll = 0xffff;

LIMBER_AVX512_INLINE __mmask16 first_lanes(std::size_t count) noexcept {
    return static_cast<__mmask16>(count < 16 ? (1u << count) - 1u : 0xffffu);
}

template <int K>
LIMBER_AVX512_INLINE __m128 spread(__m128 v) noexcept {
    return _mm_permute_ps(v, 85 * K);
}

// Where four rows of the triangle begin.
LIMBER_AVX512_INLINE std::size_t rows_at(std::size_t first) noexcept { return first * (first + 4) / 2; }

// As in panel_avx512.cpp: four unknowns, once known, are taken out of all rows below them at once.
LIMBER_AVX512_INLINE void solve_triangle(const float* a, std::size_t width, float* y) noexcept {
    for (std::size_t first = 0; first < width; first += 4) {
        const std::size_t here = width - first < 4 ? width - first : 4;
        const float* tile = a + rows_at(first) + 4 * first;
        const __m128 b = _mm_load_ps(y + first);
        __m128 out = _mm_add_ps(_mm_setzero_ps(), _mm_mul_ps(_mm_load_ps(tile), spread<0>(b)));
        if (here > 1) out = _mm_add_ps(out, _mm_mul_ps(_mm_load_ps(tile + 4), spread<1>(b)));
        if (here > 2) out = _mm_add_ps(out, _mm_mul_ps(_mm_load_ps(tile + 8), spread<2>(b)));
        if (here > 3) out = _mm_add_ps(out, _mm_mul_ps(_mm_load_ps(tile + 12), spread<3>(b)));
        _mm_store_ps(y + first, out);
        const __m128 y0 = spread<0>(out), y1 = spread<1>(out), y2 = spread<2>(out), y3 = spread<3>(out);
        for (std::size_t row = first + 4; row < width; row += 4) {
            const float* c = a + rows_at(row) + 4 * first;
            __m128 acc = _mm_sub_ps(_mm_load_ps(y + row), _mm_mul_ps(_mm_load_ps(c), y0));
            acc = _mm_sub_ps(acc, _mm_mul_ps(_mm_load_ps(c + 4), y1));
            acc = _mm_sub_ps(acc, _mm_mul_ps(_mm_load_ps(c + 8), y2));
            _mm_store_ps(y + row, _mm_sub_ps(acc, _mm_mul_ps(_mm_load_ps(c + 12), y3)));
        }
    }
}

LIMBER_AVX512_INLINE void scatter(__m512 sum, const std::int32_t* index, std::size_t count, float* x) noexcept {
    alignas(64) float out[16];
    _mm512_store_ps(out, sum);
    for (std::size_t l = 0; l < count; ++l) x[index[l]] -= out[l];
}

// N tiles of sixteen rows side by side: one alone would wait for its sums.
template <std::size_t N>
LIMBER_AVX512_INLINE void tiles_forward(const float* a, std::size_t width, const float* y, const std::int32_t* index,
                                        std::size_t count, float* x) noexcept {
    __m512 sum[N];
    for (std::size_t n = 0; n < N; ++n) sum[n] = _mm512_setzero_ps();
    for (std::size_t j = 0; j < width; ++j) {
        for (std::size_t n = 0; n < N; ++n) {
            const float* at = a + 16 * (n * width + j);
            __builtin_prefetch(a + 16 * (N * j + n) + kAhead + 16 * (N - 1) * width);
            sum[n] = _mm512_add_ps(sum[n], _mm512_mul_ps(_mm512_loadu_ps(at), _mm512_set1_ps(y[j])));
        }
    }
    for (std::size_t n = 0; n < N; ++n) scatter(sum[n], index + 16 * n, n + 1 < N ? 16 : count - 16 * n, x);
}

LIMBER_AVX512_INLINE void half_tile_forward(const float* a, std::size_t width, const float* y,
                                            const std::int32_t* index, std::size_t count, float* x) noexcept {
    __m256 sum = _mm256_setzero_ps();
    for (std::size_t j = 0; j < width; ++j)
        sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_loadu_ps(a + 8 * j), _mm256_set1_ps(y[j])));
    alignas(32) float out[8];
    _mm256_store_ps(out, sum);
    for (std::size_t l = 0; l < count; ++l) x[index[l]] -= out[l];
}

// Two columns at a time: both columns' upper eight rows side by side, and their lower eight.
LIMBER_AVX512_INLINE void tile_backward(const float* a, std::size_t width, const std::int32_t* index, std::size_t count,
                                        const float* x, float* acc) noexcept {
    alignas(64) float gathered[16] = {};
    for (std::size_t l = 0; l < count; ++l) gathered[l] = x[index[l]];
    const __m512 r = _mm512_load_ps(gathered);
    // From the last column to the first: the whole sweep runs backwards through memory.
    std::size_t j = width;
    for (; j >= 2; j -= 2) {
        const float* at = a + 16 * (j - 2);
        __builtin_prefetch(at - kAhead);
        __builtin_prefetch(at - kAhead + 16);
        const __m512 m = _mm512_mul_ps(_mm512_loadu_ps(at), r), n = _mm512_mul_ps(_mm512_loadu_ps(at + 16), r);
        const __m512 sum = _mm512_add_ps(_mm512_maskz_shuffle_f32x4(kAll, m, n, 0x44),
                                         _mm512_maskz_shuffle_f32x4(kAll, m, n, 0xee));
        float* to = acc + 8 * (j - 2);
        _mm512_storeu_ps(to, _mm512_add_ps(_mm512_loadu_ps(to), sum));
    }
    if (j == 0) return;
    const __m256 sum = _mm256_add_ps(_mm256_mul_ps(_mm256_loadu_ps(a), _mm256_load_ps(gathered)),
                                     _mm256_mul_ps(_mm256_loadu_ps(a + 8), _mm256_load_ps(gathered + 8)));
    _mm256_store_ps(acc, _mm256_add_ps(_mm256_load_ps(acc), sum));
}

LIMBER_AVX512_INLINE void half_tile_backward(const float* a, std::size_t width, const std::int32_t* index,
                                             std::size_t count, const float* x, float* acc) noexcept {
    alignas(32) float gathered[8] = {};
    for (std::size_t l = 0; l < count; ++l) gathered[l] = x[index[l]];
    const __m256 r = _mm256_load_ps(gathered);
    for (std::size_t j = width; j-- > 0;) {
        _mm256_store_ps(acc + 8 * j,
                        _mm256_add_ps(_mm256_load_ps(acc + 8 * j), _mm256_mul_ps(_mm256_loadu_ps(a + 8 * j), r)));
    }
}

// Four vectors' lane sums, each (0 + 2) + (1 + 3).
LIMBER_AVX512_INLINE __m128 join(__m128 a, __m128 b, __m128 c, __m128 d) noexcept {
    _MM_TRANSPOSE4_PS(a, b, c, d);
    return _mm_add_ps(_mm_add_ps(a, c), _mm_add_ps(b, d));
}
LIMBER_AVX512_INLINE __m128 fold(const float* eight) noexcept {
    return _mm_add_ps(_mm_load_ps(eight), _mm_load_ps(eight + 4));
}

// acc holds eight lanes per column.
LIMBER_AVX512_INLINE void solve_triangle_transposed(const float* a, std::size_t width, const float* acc,
                                                    float* y) noexcept {
    alignas(64) float inner[4 * (kPanelWidth + 4)];
    for (std::size_t j = 0; j < width; j += 4) _mm512_store_ps(inner + 4 * j, _mm512_setzero_ps());
    for (std::size_t first = (width - 1) / 4 * 4 + 4; first > 0;) {
        first -= 4;
        const std::size_t here = width - first < 4 ? width - first : 4;
        a -= 4 * here;
        const float *c = acc + 8 * first, *i = inner + 4 * first;
        const __m128 below = join(fold(c), fold(c + 8), fold(c + 16), fold(c + 24));
        const __m128 own = join(_mm_load_ps(i), _mm_load_ps(i + 4), _mm_load_ps(i + 8), _mm_load_ps(i + 12));
        const __m128 z = _mm_sub_ps(_mm_sub_ps(_mm_load_ps(y + first), below), own);
        __m128 p[4];
        for (std::size_t k = 0; k < 4; ++k) p[k] = k < here ? _mm_mul_ps(_mm_load_ps(a + 4 * k), z) : _mm_setzero_ps();
        const __m128 u = join(p[0], p[1], p[2], p[3]);
        _mm_store_ps(y + first, u);
        a -= 4 * first;
        const __m512 four = _mm512_maskz_broadcast_f32x4(kAll, u);
        for (std::size_t j = 0; j < first; j += 4) {
            _mm512_store_ps(inner + 4 * j, _mm512_add_ps(_mm512_load_ps(inner + 4 * j),
                                                         _mm512_mul_ps(_mm512_loadu_ps(a + 4 * j), four)));
        }
    }
}

LIMBER_AVX512_INLINE void copy_padded(const float* from, std::size_t width, float* y) noexcept {
    for (std::size_t j = 0; j < width; j += 16)
        _mm512_store_ps(y + j, _mm512_maskz_loadu_ps(first_lanes(width - j), from + j));
}
LIMBER_AVX512_INLINE void copy_back(const float* y, std::size_t width, float* to) noexcept {
    for (std::size_t j = 0; j < width; j += 16)
        _mm512_mask_storeu_ps(to + j, first_lanes(width - j), _mm512_load_ps(y + j));
}

}  // namespace

LIMBER_AVX512 void panel_forward_float_avx512(const PanelArgsFloat& p) noexcept {
    alignas(64) float y[kPanelWidth + 16];
    const std::size_t width = p.width;
    copy_padded(p.own, width, y);
    solve_triangle(p.values, width, y);
    copy_back(y, width, p.own);
    const float* a = p.values + panel_triangle_size(width);
    std::size_t top = 0;
    for (; top + 32 <= p.rows; top += 32) tiles_forward<2>(a + top * width, width, y, p.index + top, 32, p.x);
    const std::size_t left = p.rows - top;
    if (left > 24)
        tiles_forward<2>(a + top * width, width, y, p.index + top, left, p.x);
    else if (left > 8)
        tiles_forward<1>(a + top * width, width, y, p.index + top, left < 16 ? left : 16, p.x);
    if (left <= 8 && left > 0)
        half_tile_forward(a + top * width, width, y, p.index + top, left, p.x);
    else if (left > 16 && left <= 24)
        half_tile_forward(a + (top + 16) * width, width, y, p.index + top + 16, left - 16, p.x);
}

LIMBER_AVX512 void panel_backward_float_avx512(const PanelArgsFloat& p) noexcept {
    alignas(64) float y[kPanelWidth + 16];
    alignas(64) float acc[8 * (kPanelWidth + 4)];
    const std::size_t width = p.width, whole = p.rows / 16 * 16, left = p.rows - whole;
    copy_padded(p.own, width, y);
    for (std::size_t j = 0; j < (width + 3) / 4 * 4; j += 2) _mm512_store_ps(acc + 8 * j, _mm512_setzero_ps());
    const float* tiles = p.values + panel_triangle_size(width);
    if (left > 8)
        tile_backward(tiles + whole * width, width, p.index + whole, left, p.x, acc);
    else if (left > 0)
        half_tile_backward(tiles + whole * width, width, p.index + whole, left, p.x, acc);
    for (std::size_t top = whole; top > 0;) {
        top -= 16;
        tile_backward(tiles + top * width, width, p.index + top, 16, p.x, acc);
    }
    solve_triangle_transposed(tiles, width, acc, y);
    copy_back(y, width, p.own);
}

}  // namespace limber

#else

namespace limber {
void panel_forward_float_avx512(const PanelArgsFloat& p) noexcept { panel_forward_float_baseline(p); }
void panel_backward_float_avx512(const PanelArgsFloat& p) noexcept { panel_backward_float_baseline(p); }
}  // namespace limber

#endif
