// The same with 256-bit vectors, same bits. Earned by bench/cholmod (solve_float/*).
#include "kernels/panel_float.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#define LIMBER_AVX2 __attribute__((target("avx2")))
#define LIMBER_AVX2_INLINE __attribute__((target("avx2"), always_inline)) inline

namespace limber {
namespace {

LIMBER_AVX2_INLINE float join4(__m128 v) noexcept {
    const __m128 pairs = _mm_add_ps(v, _mm_movehl_ps(v, v));
    return _mm_cvtss_f32(_mm_add_ss(pairs, _mm_shuffle_ps(pairs, pairs, 1)));
}
LIMBER_AVX2_INLINE float join8(__m256 v) noexcept {
    return join4(_mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1)));
}

template <std::size_t V>
LIMBER_AVX2_INLINE const float* tile_forward(const float* a, const PanelArgsFloat& p, std::size_t top,
                                             std::size_t left) noexcept {
    __m256 sum[V];
    for (std::size_t v = 0; v < V; ++v) sum[v] = _mm256_setzero_ps();
    for (std::size_t j = 0; j < p.width; ++j, a += 8 * V) {
        const __m256 s = _mm256_broadcast_ss(p.own + j);
        for (std::size_t v = 0; v < V; ++v)
            sum[v] = _mm256_add_ps(sum[v], _mm256_mul_ps(_mm256_loadu_ps(a + 8 * v), s));
    }
    alignas(32) float out[8 * V];
    for (std::size_t v = 0; v < V; ++v) _mm256_store_ps(out + 8 * v, sum[v]);
    for (std::size_t l = 0; l < left; ++l) p.x[p.index[top + l]] -= out[l];
    return a;
}

template <std::size_t V>
LIMBER_AVX2_INLINE void tile_backward(const float* a, const PanelArgsFloat& p, std::size_t top, std::size_t left,
                                      float* acc) noexcept {
    alignas(32) float gathered[16] = {};
    for (std::size_t l = 0; l < left; ++l) gathered[l] = p.x[p.index[top + l]];
    __m256 r[V];
    for (std::size_t v = 0; v < V; ++v) r[v] = _mm256_load_ps(gathered + 8 * v);
    // From the last column to the first: the whole sweep runs backwards through memory.
    a += 8 * V * p.width;
    for (std::size_t j = p.width; j-- > 0;) {
        a -= 8 * V;
        __m256 sum = _mm256_mul_ps(_mm256_loadu_ps(a), r[0]);
        if constexpr (V > 1) sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_loadu_ps(a + 8), r[1]));
        _mm256_store_ps(acc + 8 * j, _mm256_add_ps(_mm256_load_ps(acc + 8 * j), sum));
    }
}

LIMBER_AVX2_INLINE void solve_triangle_transposed(const float* a, const PanelArgsFloat& p,
                                                  const float* below) noexcept {
    alignas(16) float inner[4 * (kPanelWidth + 4)] = {};
    for (std::size_t first = (p.width - 1) / 4 * 4 + 4; first > 0;) {
        first -= 4;
        const std::size_t here = p.width - first < 4 ? p.width - first : 4;
        a -= 4 * here;
        alignas(16) float z[4] = {}, u[4] = {};
        for (std::size_t l = 0; l < here; ++l)
            z[l] = (p.own[first + l] - below[first + l]) - join4(_mm_load_ps(inner + 4 * (first + l)));
        for (std::size_t k = 0; k < here; ++k)
            p.own[first + k] = u[k] = join4(_mm_mul_ps(_mm_load_ps(a + 4 * k), _mm_load_ps(z)));
        a -= 4 * first;
        const __m128 solved = _mm_load_ps(u);
        for (std::size_t j = 0; j < first; ++j) {
            _mm_store_ps(inner + 4 * j,
                         _mm_add_ps(_mm_load_ps(inner + 4 * j), _mm_mul_ps(_mm_load_ps(a + 4 * j), solved)));
        }
    }
}

}  // namespace

LIMBER_AVX2 void panel_forward_float_avx2(const PanelArgsFloat& p) noexcept {
    const float* a = p.values;
    for (std::size_t first = 0; first < p.width; first += 4) {
        const std::size_t here = p.width - first < 4 ? p.width - first : 4;
        alignas(16) float b[4] = {}, out[4];
        for (std::size_t l = 0; l < here; ++l) b[l] = p.own[first + l];
        __m128 acc = _mm_load_ps(b), sum = _mm_setzero_ps();
        for (std::size_t j = 0; j < first; ++j, a += 4)
            acc = _mm_sub_ps(acc, _mm_mul_ps(_mm_load_ps(a), _mm_set1_ps(p.own[j])));
        _mm_store_ps(b, acc);
        for (std::size_t k = 0; k < here; ++k, a += 4)
            sum = _mm_add_ps(sum, _mm_mul_ps(_mm_load_ps(a), _mm_set1_ps(b[k])));
        _mm_store_ps(out, sum);
        for (std::size_t l = 0; l < here; ++l) p.own[first + l] = out[l];
    }
    std::size_t top = 0;
    for (; top + 16 <= p.rows; top += 16) a = tile_forward<2>(a, p, top, 16);
    if (p.rows - top > 8)
        tile_forward<2>(a, p, top, p.rows - top);
    else if (p.rows > top)
        tile_forward<1>(a, p, top, p.rows - top);
}

LIMBER_AVX2 void panel_backward_float_avx2(const PanelArgsFloat& p) noexcept {
    alignas(32) float acc[8 * (kPanelWidth + 4)];
    for (std::size_t j = 0; j < p.width; ++j) _mm256_store_ps(acc + 8 * j, _mm256_setzero_ps());
    const float* tiles = p.values + panel_triangle_size(p.width);
    const std::size_t whole = p.rows / 16 * 16, left = p.rows - whole;
    if (left > 8)
        tile_backward<2>(tiles + whole * p.width, p, whole, left, acc);
    else if (left > 0)
        tile_backward<1>(tiles + whole * p.width, p, whole, left, acc);
    for (std::size_t top = whole; top > 0;) {
        top -= 16;
        tile_backward<2>(tiles + top * p.width, p, top, 16, acc);
    }
    float below[kPanelWidth + 4];
    for (std::size_t j = 0; j < p.width; ++j) below[j] = join8(_mm256_load_ps(acc + 8 * j));
    solve_triangle_transposed(tiles, p, below);
}

}  // namespace limber

#else

namespace limber {
void panel_forward_float_avx2(const PanelArgsFloat& p) noexcept { panel_forward_float_baseline(p); }
void panel_backward_float_avx2(const PanelArgsFloat& p) noexcept { panel_backward_float_baseline(p); }
}  // namespace limber

#endif
