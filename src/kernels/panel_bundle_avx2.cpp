// The panel solves of eight or four right-hand sides with 256-bit vectors. Earned by bench/solve_bench.cpp; same bits as
// panel_bundle_baseline.cpp.
#include "kernels/panel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

// Function attributes instead of compiler flags: nothing inline from a shared header can be compiled for AVX2 here.
#define LIMBER_AVX2 __attribute__((target("avx2")))
#define LIMBER_AVX2_INLINE __attribute__((target("avx2"), always_inline)) inline

namespace limber {
namespace {

// Four unknowns' numbers, V vectors of four each: as many as leave registers for the factor's entries.
template <std::size_t V>
struct Rows {
    __m256d part[V][4];
};

template <std::size_t V>
LIMBER_AVX2_INLINE Rows<V> zero_rows() noexcept {
    Rows<V> r;
    for (std::size_t v = 0; v < V; ++v)
        for (int l = 0; l < 4; ++l) r.part[v][l] = _mm256_setzero_pd();
    return r;
}

template <std::size_t V>
LIMBER_AVX2_INLINE Rows<V> load_rows(const double* y, std::size_t count) noexcept {
    Rows<V> r = zero_rows<V>();
    for (std::size_t l = 0; l < 4; ++l)
        if (l < count)
            for (std::size_t v = 0; v < V; ++v) r.part[v][l] = _mm256_load_pd(y + 4 * (l * V + v));
    return r;
}

template <std::size_t V>
LIMBER_AVX2_INLINE void store_rows(const Rows<V>& r, std::size_t count, double* y) noexcept {
    for (std::size_t l = 0; l < 4; ++l)
        if (l < count)
            for (std::size_t v = 0; v < V; ++v) _mm256_store_pd(y + 4 * (l * V + v), r.part[v][l]);
}

template <std::size_t V>
LIMBER_AVX2_INLINE Rows<V> gather_rows(const double* x, const std::int32_t* index, std::size_t count) noexcept {
    Rows<V> r = zero_rows<V>();
    for (std::size_t l = 0; l < 4; ++l)
        if (l < count)
            for (std::size_t v = 0; v < V; ++v) r.part[v][l] = _mm256_load_pd(x + 4 * (static_cast<std::size_t>(index[l]) * V + v));
    return r;
}

template <std::size_t V>
LIMBER_AVX2_INLINE void subtract_columns(const double* a, std::size_t stride, std::size_t columns, const double* y, Rows<V>& sum) noexcept {
    for (std::size_t j = 0; j < columns; ++j, a += stride, y += 4 * V) {
        __m256d at[V];
        for (std::size_t v = 0; v < V; ++v) at[v] = _mm256_load_pd(y + 4 * v);
        for (int l = 0; l < 4; ++l) {
            const __m256d factor = _mm256_broadcast_sd(a + l);
            for (std::size_t v = 0; v < V; ++v) sum.part[v][l] = _mm256_sub_pd(sum.part[v][l], _mm256_mul_pd(factor, at[v]));
        }
    }
}

template <std::size_t V>
LIMBER_AVX2_INLINE void add_rows(const double* a, std::size_t stride, std::size_t columns, const Rows<V>& r, double* acc) noexcept {
    for (std::size_t j = 0; j < columns; ++j, a += stride, acc += 4 * V) {
        __m256d sum[V];
        __m256d factor = _mm256_broadcast_sd(a);
        for (std::size_t v = 0; v < V; ++v) sum[v] = _mm256_mul_pd(factor, r.part[v][0]);
        for (int l = 1; l < 4; ++l) {
            factor = _mm256_broadcast_sd(a + l);
            for (std::size_t v = 0; v < V; ++v) sum[v] = _mm256_add_pd(sum[v], _mm256_mul_pd(factor, r.part[v][l]));
        }
        for (std::size_t v = 0; v < V; ++v) _mm256_store_pd(acc + 4 * v, _mm256_add_pd(_mm256_load_pd(acc + 4 * v), sum[v]));
    }
}

template <std::size_t V>
LIMBER_AVX2_INLINE const double* solve_triangle(const double* a, std::size_t width, double* y) noexcept {
    for (std::size_t first = 0; first < width; first += 4) {
        const std::size_t here = width - first < 4 ? width - first : 4;
        Rows<V> sum = load_rows<V>(y + first * 4 * V, here), out = zero_rows<V>();
        subtract_columns<V>(a, 4, first, y, sum);
        a += 4 * first;
        for (std::size_t c = 0; c < here; ++c, a += 4)
            for (int l = 0; l < 4; ++l) {
                const __m256d factor = _mm256_broadcast_sd(a + l);
                for (std::size_t v = 0; v < V; ++v) out.part[v][l] = _mm256_add_pd(out.part[v][l], _mm256_mul_pd(factor, sum.part[v][c]));
            }
        store_rows<V>(out, here, y + first * 4 * V);
    }
    return a;
}

template <std::size_t V>
LIMBER_AVX2_INLINE void solve_triangle_transposed(const double* triangle, std::size_t width, double* acc, double* y) noexcept {
    const double* a = triangle + panel_triangle_size(width);
    for (std::size_t first = (width - 1) / 4 * 4 + 4; first > 0;) {
        first -= 4;
        const std::size_t here = width - first < 4 ? width - first : 4;
        a -= 4 * here;
        Rows<V> z = load_rows<V>(y + first * 4 * V, here);
        const Rows<V> sum = load_rows<V>(acc + first * 4 * V, here);
        for (std::size_t v = 0; v < V; ++v)
            for (int l = 0; l < 4; ++l) z.part[v][l] = _mm256_sub_pd(z.part[v][l], sum.part[v][l]);
        alignas(32) double u[16 * V] = {};
        add_rows<V>(a, 4, here, z, u);
        const Rows<V> solved = load_rows<V>(u, 4);
        store_rows<V>(solved, here, y + first * 4 * V);
        a -= 4 * first;
        add_rows<V>(a, 4, first, solved, acc);
    }
}

template <std::size_t V>
LIMBER_AVX2_INLINE void forward(const PanelArgs& p) noexcept {
    const double* a = solve_triangle<V>(p.values, p.width, p.own);
    for (std::size_t top = 0; top < p.rows; top += kTileRows) {
        const std::size_t left = p.rows - top < kTileRows ? p.rows - top : kTileRows, height = (left + 3) / 4 * 4;
        for (std::size_t r = 0; r < left; r += 4) {
            Rows<V> sum = zero_rows<V>();
            subtract_columns<V>(a + r, height, p.width, p.own, sum);
            for (std::size_t l = 0; l < 4; ++l)
                if (r + l < left) {
                    double* x = p.x + static_cast<std::size_t>(p.index[top + r + l]) * 4 * V;
                    for (std::size_t v = 0; v < V; ++v) _mm256_store_pd(x + 4 * v, _mm256_add_pd(_mm256_load_pd(x + 4 * v), sum.part[v][l]));
                }
        }
        a += height * p.width;
    }
}

template <std::size_t V>
LIMBER_AVX2_INLINE void backward(const PanelArgs& p) noexcept {
    alignas(32) double acc[(kPanelWidth + 4) * 4 * V];
    for (std::size_t i = 0; i < p.width * 4 * V; i += 4) _mm256_store_pd(acc + i, _mm256_setzero_pd());
    const double* tiles = p.values + panel_triangle_size(p.width);
    for (std::size_t top = (p.rows + kTileRows - 1) / kTileRows * kTileRows; top > 0;) {
        top -= kTileRows;
        // Tiles are taken from back to front, which no hardware foresees: the next one is sent for now.
        if (top > 0)
            for (std::size_t i = 0; i < kTileRows * p.width; i += 8) _mm_prefetch(reinterpret_cast<const char*>(tiles + (top - kTileRows) * p.width + i), _MM_HINT_T0);
        const std::size_t left = p.rows - top < kTileRows ? p.rows - top : kTileRows, height = (left + 3) / 4 * 4;
        for (std::size_t r = 0; r < left; r += 4)
            add_rows<V>(tiles + top * p.width + r, height, p.width, gather_rows<V>(p.x, p.index + top + r, left - r < 4 ? left - r : 4), acc);
    }
    solve_triangle_transposed<V>(p.values, p.width, acc, p.own);
}

}  // namespace

LIMBER_AVX2 void panel_forward_bundle_avx2(const PanelArgs& p) noexcept { forward<kBundle / 4>(p); }
LIMBER_AVX2 void panel_backward_bundle_avx2(const PanelArgs& p) noexcept { backward<kBundle / 4>(p); }
LIMBER_AVX2 void panel_forward_half_bundle_avx2(const PanelArgs& p) noexcept { forward<kHalfBundle / 4>(p); }
LIMBER_AVX2 void panel_backward_half_bundle_avx2(const PanelArgs& p) noexcept { backward<kHalfBundle / 4>(p); }

}  // namespace limber

#else

namespace limber {
void panel_forward_bundle_avx2(const PanelArgs& p) noexcept { panel_forward_bundle_baseline(p); }
void panel_backward_bundle_avx2(const PanelArgs& p) noexcept { panel_backward_bundle_baseline(p); }
void panel_forward_half_bundle_avx2(const PanelArgs& p) noexcept { panel_forward_half_bundle_baseline(p); }
void panel_backward_half_bundle_avx2(const PanelArgs& p) noexcept { panel_backward_half_bundle_baseline(p); }
}  // namespace limber

#endif
