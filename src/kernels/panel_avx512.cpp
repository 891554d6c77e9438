// The panel solves with 512-bit vectors. Earned by bench/cholmod (solve); same bits as panel_baseline.cpp.
#include "kernels/panel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#define LIMBER_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define LIMBER_AVX512_INLINE __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"), always_inline)) inline

namespace limber {
namespace {

// Numbers asked for ahead of their use: the processor's own prefetching stops at every page.
constexpr std::ptrdiff_t kAhead = 256;

// GCC 12 warns of what its own headers leave undefined in the plain forms of some instructions; with a mask of all
// lanes it does not.
constexpr __mmask8 kAll = 0xff;

LIMBER_AVX512_INLINE void ask_for(const double* p) noexcept { __builtin_prefetch(p); }
LIMBER_AVX512_INLINE __m512d twice(__m256d v) noexcept { return _mm512_maskz_broadcast_f64x4(kAll, v); }
LIMBER_AVX512_INLINE __m256d take(__m256d from, __m256d a, __m256d b) noexcept {
    return _mm256_sub_pd(from, _mm256_mul_pd(a, b));
}

template <int K>
LIMBER_AVX512_INLINE __m256d spread(__m256d v) noexcept {
    return _mm256_permute4x64_pd(v, 85 * K);
}

// Where four rows of the triangle begin.
LIMBER_AVX512_INLINE std::size_t rows_at(std::size_t first) noexcept { return first * (first + 4) / 2; }

// Each four unknowns, once known, are taken out of all rows below them at once: row by row the same order as one row
// after the other, but nothing waits for a whole row's sum.
LIMBER_AVX512_INLINE void solve_triangle(const double* a, std::size_t width, double* y) noexcept {
    for (std::size_t first = 0; first < width; first += 4) {
        const std::size_t here = width - first < 4 ? width - first : 4;
        const double* tile = a + rows_at(first) + 4 * first;
        const __m256d b = _mm256_load_pd(y + first);
        __m256d out = _mm256_add_pd(_mm256_setzero_pd(), _mm256_mul_pd(_mm256_load_pd(tile), spread<0>(b)));
        if (here > 1) out = _mm256_add_pd(out, _mm256_mul_pd(_mm256_load_pd(tile + 4), spread<1>(b)));
        if (here > 2) out = _mm256_add_pd(out, _mm256_mul_pd(_mm256_load_pd(tile + 8), spread<2>(b)));
        if (here > 3) out = _mm256_add_pd(out, _mm256_mul_pd(_mm256_load_pd(tile + 12), spread<3>(b)));
        _mm256_store_pd(y + first, out);
        const __m256d y0 = spread<0>(out), y1 = spread<1>(out), y2 = spread<2>(out), y3 = spread<3>(out);
        for (std::size_t row = first + 4; row < width; row += 4) {
            const double* c = a + rows_at(row) + 4 * first;
            __m256d acc = take(_mm256_load_pd(y + row), _mm256_load_pd(c), y0);
            acc = take(acc, _mm256_load_pd(c + 4), y1);
            acc = take(acc, _mm256_load_pd(c + 8), y2);
            _mm256_store_pd(y + row, take(acc, _mm256_load_pd(c + 12), y3));
        }
    }
}

// Q times four rows.
template <std::size_t Q>
LIMBER_AVX512_INLINE void tile_forward(const double* a, std::size_t width, const double* y, const std::int32_t* index,
                                       std::size_t count, double* x) noexcept {
    __m512d low = _mm512_setzero_pd(), high = _mm512_setzero_pd();
    __m256d last = _mm256_setzero_pd();
    for (std::size_t j = 0; j < width; ++j, a += 4 * Q) {
        const __m512d s = _mm512_set1_pd(y[j]);
        ask_for(a + kAhead);
        if constexpr (Q > 2) ask_for(a + kAhead + 8);
        if constexpr (Q > 1) low = _mm512_add_pd(low, _mm512_mul_pd(_mm512_loadu_pd(a), s));
        if constexpr (Q > 3) high = _mm512_add_pd(high, _mm512_mul_pd(_mm512_loadu_pd(a + 8), s));
        if constexpr (Q % 2 == 1)
            last = _mm256_add_pd(last, _mm256_mul_pd(_mm256_load_pd(a + 4 * (Q - 1)), _mm256_broadcast_sd(y + j)));
    }
    alignas(64) double sum[16];
    _mm512_store_pd(sum, low);
    if constexpr (Q > 3) _mm512_store_pd(sum + 8, high);
    if constexpr (Q % 2 == 1) _mm256_store_pd(sum + 4 * (Q - 1), last);
    for (std::size_t i = 0; i < count; ++i) x[index[i]] -= sum[i];
}

// acc of one column: what its rows give, four lanes of them.
template <std::size_t Q>
LIMBER_AVX512_INLINE void column_backward(const double* a, const double* r, double* acc) noexcept {
    __m256d low = _mm256_mul_pd(_mm256_load_pd(a), _mm256_load_pd(r));
    if constexpr (Q > 1) low = _mm256_add_pd(low, _mm256_mul_pd(_mm256_load_pd(a + 4), _mm256_load_pd(r + 4)));
    if constexpr (Q > 2) {
        __m256d high = _mm256_mul_pd(_mm256_load_pd(a + 8), _mm256_load_pd(r + 8));
        if constexpr (Q > 3) high = _mm256_add_pd(high, _mm256_mul_pd(_mm256_load_pd(a + 12), _mm256_load_pd(r + 12)));
        low = _mm256_add_pd(low, high);
    }
    _mm256_store_pd(acc, _mm256_add_pd(_mm256_load_pd(acc), low));
}

// Two neighbouring columns of sixteen rows: both columns' first, second, third and fourth rows of four side by side.
LIMBER_AVX512_INLINE void two_columns_backward(const double* a, __m512d r0, __m512d r1, double* acc) noexcept {
    const __m512d m0 = _mm512_mul_pd(_mm512_loadu_pd(a), r0), m1 = _mm512_mul_pd(_mm512_loadu_pd(a + 8), r1);
    const __m512d n0 = _mm512_mul_pd(_mm512_loadu_pd(a + 16), r0), n1 = _mm512_mul_pd(_mm512_loadu_pd(a + 24), r1);
    const __m512d low = _mm512_add_pd(_mm512_maskz_shuffle_f64x2(kAll, m0, n0, 0x44),
                                      _mm512_maskz_shuffle_f64x2(kAll, m0, n0, 0xee));
    const __m512d high = _mm512_add_pd(_mm512_maskz_shuffle_f64x2(kAll, m1, n1, 0x44),
                                       _mm512_maskz_shuffle_f64x2(kAll, m1, n1, 0xee));
    _mm512_storeu_pd(acc, _mm512_add_pd(_mm512_loadu_pd(acc), _mm512_add_pd(low, high)));
}

template <std::size_t Q>
LIMBER_AVX512_INLINE void tile_backward(const double* a, std::size_t width, const std::int32_t* index,
                                        std::size_t count, const double* x, double* acc) noexcept {
    alignas(64) double r[16] = {};
    for (std::size_t i = 0; i < count; ++i) r[i] = x[index[i]];
    // Columns from last to first, so that the whole sweep runs backwards through memory without a jump.
    std::size_t j = width;
    if constexpr (Q == 4) {
        const __m512d r0 = _mm512_load_pd(r), r1 = _mm512_load_pd(r + 8);
        for (; j >= 2; j -= 2) {
            const double* columns = a + 16 * (j - 2);
            for (std::ptrdiff_t l = 0; l < 32; l += 8) ask_for(columns + l - kAhead);
            two_columns_backward(columns, r0, r1, acc + 4 * (j - 2));
        }
    }
    for (; j-- > 0;) column_backward<Q>(a + 4 * Q * j, r, acc + 4 * j);
}

// Four columns' lane sums, each (0 + 1) + (2 + 3).
LIMBER_AVX512_INLINE __m256d join(__m256d a, __m256d b, __m256d c, __m256d d) noexcept {
    const __m256d ab = _mm256_hadd_pd(a, b), cd = _mm256_hadd_pd(c, d);
    return _mm256_add_pd(_mm256_permute2f128_pd(ab, cd, 0x20), _mm256_permute2f128_pd(ab, cd, 0x31));
}

LIMBER_AVX512_INLINE void solve_triangle_transposed(const double* a, std::size_t width, double* acc,
                                                    double* y) noexcept {
    for (std::size_t first = (width - 1) / 4 * 4 + 4; first > 0;) {
        first -= 4;
        const std::size_t here = width - first < 4 ? width - first : 4;
        a -= 4 * here;
        const double* c = acc + 4 * first;
        const __m256d z = _mm256_sub_pd(_mm256_load_pd(y + first), join(_mm256_load_pd(c), _mm256_load_pd(c + 4),
                                                                        _mm256_load_pd(c + 8), _mm256_load_pd(c + 12)));
        __m256d p[4];
        for (std::size_t k = 0; k < 4; ++k)
            p[k] = k < here ? _mm256_mul_pd(_mm256_load_pd(a + 4 * k), z) : _mm256_setzero_pd();
        const __m256d u = join(p[0], p[1], p[2], p[3]);
        _mm256_store_pd(y + first, u);
        a -= 4 * first;
        const __m512d both = twice(u);
        for (std::size_t j = 0; j < first; j += 2) {
            _mm512_storeu_pd(acc + 4 * j, _mm512_add_pd(_mm512_loadu_pd(acc + 4 * j),
                                                        _mm512_mul_pd(_mm512_loadu_pd(a + 4 * j), both)));
        }
    }
}

// Unknowns as whole vectors, zeros behind them.
LIMBER_AVX512_INLINE void copy_padded(const double* from, std::size_t width, double* y) noexcept {
    for (std::size_t j = 0; j < width; j += 8) {
        _mm512_store_pd(y + j, _mm512_maskz_loadu_pd(
                                   static_cast<__mmask8>(width - j < 8 ? (1u << (width - j)) - 1u : 255u), from + j));
    }
}
LIMBER_AVX512_INLINE void copy_back(const double* y, std::size_t width, double* to) noexcept {
    for (std::size_t j = 0; j < width; j += 8) {
        _mm512_mask_storeu_pd(to + j, static_cast<__mmask8>(width - j < 8 ? (1u << (width - j)) - 1u : 255u),
                              _mm512_load_pd(y + j));
    }
}

}  // namespace

LIMBER_AVX512 void panel_forward_avx512(const PanelArgs& p) noexcept {
    alignas(64) double y[kPanelWidth + 8];
    const std::size_t width = p.width;
    copy_padded(p.own, width, y);
    solve_triangle(p.values, width, y);
    copy_back(y, width, p.own);
    const double* a = p.values + panel_triangle_size(width);
    std::size_t at = 0;
    for (; at + 16 <= p.rows; at += 16, a += 16 * width) tile_forward<4>(a, width, y, p.index + at, 16, p.x);
    const std::size_t left = p.rows - at;
    if (left > 12)
        tile_forward<4>(a, width, y, p.index + at, left, p.x);
    else if (left > 8)
        tile_forward<3>(a, width, y, p.index + at, left, p.x);
    else if (left > 4)
        tile_forward<2>(a, width, y, p.index + at, left, p.x);
    else if (left > 0)
        tile_forward<1>(a, width, y, p.index + at, left, p.x);
}

LIMBER_AVX512 void panel_backward_avx512(const PanelArgs& p) noexcept {
    const std::size_t width = p.width;
    alignas(64) double y[kPanelWidth + 8];
    alignas(64) double acc[4 * (kPanelWidth + 8)];
    copy_padded(p.own, width, y);
    for (std::size_t j = 0; j < width; j += 2) _mm512_store_pd(acc + 4 * j, _mm512_setzero_pd());
    for (std::size_t j = width; j < (width + 3) / 4 * 4; ++j) _mm256_store_pd(acc + 4 * j, _mm256_setzero_pd());
    const std::size_t whole = p.rows / 16, left = p.rows % 16;
    const double* tiles = p.values + panel_triangle_size(width);
    const double* a = tiles + 16 * whole * width;
    const std::int32_t* rest = p.index + 16 * whole;
    if (left > 12)
        tile_backward<4>(a, width, rest, left, p.x, acc);
    else if (left > 8)
        tile_backward<3>(a, width, rest, left, p.x, acc);
    else if (left > 4)
        tile_backward<2>(a, width, rest, left, p.x, acc);
    else if (left > 0)
        tile_backward<1>(a, width, rest, left, p.x, acc);
    for (std::size_t t = whole; t-- > 0;)
        tile_backward<4>(tiles + 16 * t * width, width, p.index + 16 * t, 16, p.x, acc);
    solve_triangle_transposed(tiles, width, acc, y);
    copy_back(y, width, p.own);
}

}  // namespace limber

#else

namespace limber {
void panel_forward_avx512(const PanelArgs& p) noexcept { panel_forward_baseline(p); }
void panel_backward_avx512(const PanelArgs& p) noexcept { panel_backward_baseline(p); }
}  // namespace limber

#endif
