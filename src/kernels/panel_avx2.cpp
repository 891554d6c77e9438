// The panel solves with 256-bit vectors. Earned by bench/solve_bench.cpp; same bits as panel_baseline.cpp.
#include "kernels/panel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

// Function attributes instead of compiler flags: nothing inline from a shared header can be compiled for AVX2 here.
#define LIMBER_AVX2 __attribute__((target("avx2")))
#define LIMBER_AVX2_INLINE __attribute__((target("avx2"), always_inline)) inline

namespace limber {
namespace {

// No software prefetch: the sweeps run through memory without a jump, and asking ahead by hand made them 10-20 %
// slower.

// Four columns' lane sums, each (0 + 1) + (2 + 3).
LIMBER_AVX2_INLINE __m256d join(__m256d a, __m256d b, __m256d c, __m256d d) noexcept {
    const __m256d ab = _mm256_hadd_pd(a, b), cd = _mm256_hadd_pd(c, d);
    return _mm256_add_pd(_mm256_permute2f128_pd(ab, cd, 0x20), _mm256_permute2f128_pd(ab, cd, 0x31));
}

LIMBER_AVX2_INLINE const double* solve_triangle(const double* a, std::size_t width, double* y) noexcept {
    for (std::size_t first = 0; first < width; first += 4) {
        const std::size_t here = width - first < 4 ? width - first : 4;
        __m256d acc = _mm256_load_pd(y + first);
        for (std::size_t j = 0; j < first; ++j, a += 4)
            acc = _mm256_sub_pd(acc, _mm256_mul_pd(_mm256_load_pd(a), _mm256_broadcast_sd(y + j)));
        alignas(32) double b[4];
        _mm256_store_pd(b, acc);
        __m256d out = _mm256_setzero_pd();
        for (std::size_t k = 0; k < here; ++k, a += 4)
            out = _mm256_add_pd(out, _mm256_mul_pd(_mm256_load_pd(a), _mm256_broadcast_sd(b + k)));
        _mm256_store_pd(y + first, out);
    }
    return a;
}

template <std::size_t V>
LIMBER_AVX2_INLINE void tile_forward(const double* a, std::size_t width, const double* y, const std::int32_t* index,
                                     std::size_t count, double* x) noexcept {
    __m256d acc[V];
    for (std::size_t v = 0; v < V; ++v) acc[v] = _mm256_setzero_pd();
    for (std::size_t j = 0; j < width; ++j, a += 4 * V) {
        const __m256d s = _mm256_broadcast_sd(y + j);
        for (std::size_t v = 0; v < V; ++v) acc[v] = _mm256_add_pd(acc[v], _mm256_mul_pd(_mm256_load_pd(a + 4 * v), s));
    }
    alignas(32) double sum[4 * V];
    for (std::size_t v = 0; v < V; ++v) _mm256_store_pd(sum + 4 * v, acc[v]);
    for (std::size_t i = 0; i < count; ++i) x[index[i]] -= sum[i];
}

template <std::size_t V>
LIMBER_AVX2_INLINE void tile_backward(const double* a, std::size_t width, const std::int32_t* index, std::size_t count,
                                      const double* x, double* acc) noexcept {
    alignas(32) double gathered[16] = {};
    for (std::size_t i = 0; i < count; ++i) gathered[i] = x[index[i]];
    __m256d r[V];
    for (std::size_t v = 0; v < V; ++v) r[v] = _mm256_load_pd(gathered + 4 * v);
    // Columns from last to first, so that the whole sweep runs backwards through memory without a jump.
    a += 4 * V * width;
    for (std::size_t j = width; j-- > 0;) {
        a -= 4 * V;
        __m256d low = _mm256_mul_pd(_mm256_load_pd(a), r[0]);
        if constexpr (V > 1) low = _mm256_add_pd(low, _mm256_mul_pd(_mm256_load_pd(a + 4), r[1]));
        if constexpr (V > 2) {
            __m256d high = _mm256_mul_pd(_mm256_load_pd(a + 8), r[2]);
            if constexpr (V > 3) high = _mm256_add_pd(high, _mm256_mul_pd(_mm256_load_pd(a + 12), r[3]));
            low = _mm256_add_pd(low, high);
        }
        _mm256_store_pd(acc + 4 * j, _mm256_add_pd(_mm256_load_pd(acc + 4 * j), low));
    }
}

LIMBER_AVX2_INLINE void solve_triangle_transposed(const double* a, std::size_t width, double* acc, double* y) noexcept {
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
        for (std::size_t j = 0; j < first; ++j) {
            _mm256_store_pd(acc + 4 * j,
                            _mm256_add_pd(_mm256_load_pd(acc + 4 * j), _mm256_mul_pd(_mm256_load_pd(a + 4 * j), u)));
        }
    }
}

}  // namespace

LIMBER_AVX2 void panel_forward_avx2(const PanelArgs& p) noexcept {
    alignas(32) double y[kPanelWidth + 4];
    const std::size_t width = p.width;
    for (std::size_t j = 0; j < width; ++j) y[j] = p.own[j];
    for (std::size_t j = width; j < (width + 3) / 4 * 4; ++j) y[j] = 0.0;
    const double* a = solve_triangle(p.values, width, y);
    for (std::size_t j = 0; j < width; ++j) p.own[j] = y[j];
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

LIMBER_AVX2 void panel_backward_avx2(const PanelArgs& p) noexcept {
    const std::size_t width = p.width, padded = (width + 3) / 4 * 4;
    alignas(32) double y[kPanelWidth + 4];
    alignas(32) double acc[4 * (kPanelWidth + 4)];
    for (std::size_t j = 0; j < width; ++j) y[j] = p.own[j];
    for (std::size_t j = width; j < padded; ++j) y[j] = 0.0;
    for (std::size_t j = 0; j < padded; ++j) _mm256_store_pd(acc + 4 * j, _mm256_setzero_pd());
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
    for (std::size_t j = 0; j < width; ++j) p.own[j] = y[j];
}

}  // namespace limber

#else

namespace limber {
void panel_forward_avx2(const PanelArgs& p) noexcept { panel_forward_baseline(p); }
void panel_backward_avx2(const PanelArgs& p) noexcept { panel_backward_baseline(p); }
}  // namespace limber

#endif
