// The panel solves of eight or four right-hand sides with 256-bit vectors. Earned by bench/solve_bench.cpp; same bits
// as panel_bundle_baseline.cpp.
#include "kernels/panel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

// Function attributes instead of compiler flags: nothing inline from a shared header can be compiled for AVX2 here.
#define LIMBER_AVX2 __attribute__((target("avx2")))
#define LIMBER_AVX2_INLINE __attribute__((target("avx2"), always_inline)) inline

namespace limber {
namespace {

// L unknowns' numbers, V vectors of four each: as many as leave registers for the factor's entries.
template <std::size_t V, std::size_t L = 4>
struct Rows {
    __m256d part[V][L];
};
template <std::size_t V>
constexpr std::size_t kTall = V == 1 ? 8 : 4;  // rows below taken at a time

template <std::size_t V, std::size_t L = 4>
LIMBER_AVX2_INLINE Rows<V, L> zero_rows() noexcept {
    Rows<V, L> r;
    for (std::size_t v = 0; v < V; ++v)
        for (std::size_t l = 0; l < L; ++l) r.part[v][l] = _mm256_setzero_pd();
    return r;
}

template <std::size_t V>
LIMBER_AVX2_INLINE Rows<V> load_rows(const double* y, std::size_t count) noexcept {
    Rows<V> r = zero_rows<V>();
    for (std::size_t l = 0; l < 4; ++l) {
        if (l < count)
            for (std::size_t v = 0; v < V; ++v) r.part[v][l] = _mm256_load_pd(y + 4 * (l * V + v));
    }
    return r;
}

template <std::size_t V>
LIMBER_AVX2_INLINE void store_rows(const Rows<V>& r, std::size_t count, double* y) noexcept {
    for (std::size_t l = 0; l < 4; ++l) {
        if (l < count)
            for (std::size_t v = 0; v < V; ++v) _mm256_store_pd(y + 4 * (l * V + v), r.part[v][l]);
    }
}

template <std::size_t V, std::size_t L>
LIMBER_AVX2_INLINE Rows<V, L> gather_rows(const double* x, const std::int32_t* index, std::size_t count) noexcept {
    Rows<V, L> r = zero_rows<V, L>();
    for (std::size_t l = 0; l < L; ++l) {
        if (l < count) {
            for (std::size_t v = 0; v < V; ++v)
                r.part[v][l] = _mm256_load_pd(x + 4 * (static_cast<std::size_t>(index[l]) * V + v));
        }
    }
    return r;
}

template <std::size_t V, std::size_t L>
LIMBER_AVX2_INLINE void subtract_columns(const double* a, std::size_t stride, std::size_t columns, const double* y,
                                         Rows<V, L>& sum, std::ptrdiff_t ahead = 0) noexcept {
    for (std::size_t j = 0; j < columns; ++j, a += stride, y += 4 * V) {
        __m256d at[V];
        for (std::size_t v = 0; v < V; ++v) at[v] = _mm256_load_pd(y + 4 * v);
        if (ahead != 0) _mm_prefetch(reinterpret_cast<const char*>(a + ahead), _MM_HINT_T0);
        for (std::size_t l = 0; l < L; ++l) {
            const __m256d factor = _mm256_broadcast_sd(a + l);
            for (std::size_t v = 0; v < V; ++v)
                sum.part[v][l] = _mm256_sub_pd(sum.part[v][l], _mm256_mul_pd(factor, at[v]));
        }
    }
}

// Four rows' share of a column is summed up first, then the next four's.
template <std::size_t V, std::size_t L>
LIMBER_AVX2_INLINE void add_rows(const double* a, std::size_t stride, std::size_t columns, const Rows<V, L>& r,
                                 double* acc, std::ptrdiff_t ahead = 0) noexcept {
    for (std::size_t j = 0; j < columns; ++j, a += stride, acc += 4 * V) {
        if (ahead != 0) _mm_prefetch(reinterpret_cast<const char*>(a + ahead), _MM_HINT_T0);
        __m256d all[V];
        for (std::size_t v = 0; v < V; ++v) all[v] = _mm256_load_pd(acc + 4 * v);
        for (std::size_t four = 0; four < L; four += 4) {
            __m256d sum[V];
            __m256d factor = _mm256_broadcast_sd(a + four);
            for (std::size_t v = 0; v < V; ++v) sum[v] = _mm256_mul_pd(factor, r.part[v][four]);
            for (std::size_t l = four + 1; l < four + 4; ++l) {
                factor = _mm256_broadcast_sd(a + l);
                for (std::size_t v = 0; v < V; ++v) sum[v] = _mm256_add_pd(sum[v], _mm256_mul_pd(factor, r.part[v][l]));
            }
            for (std::size_t v = 0; v < V; ++v) all[v] = _mm256_add_pd(all[v], sum[v]);
        }
        for (std::size_t v = 0; v < V; ++v) _mm256_store_pd(acc + 4 * v, all[v]);
    }
}

template <std::size_t V>
LIMBER_AVX2_INLINE const double* solve_triangle(const double* a, std::size_t width, double* y) noexcept {
    for (std::size_t first = 0; first < width; first += 4) {
        const std::size_t here = width - first < 4 ? width - first : 4;
        Rows<V> sum = load_rows<V>(y + first * 4 * V, here), out = zero_rows<V>();
        subtract_columns(a, 4, first, y, sum);
        a += 4 * first;
        for (std::size_t c = 0; c < here; ++c, a += 4) {
            for (int l = 0; l < 4; ++l) {
                const __m256d factor = _mm256_broadcast_sd(a + l);
                for (std::size_t v = 0; v < V; ++v)
                    out.part[v][l] = _mm256_add_pd(out.part[v][l], _mm256_mul_pd(factor, sum.part[v][c]));
            }
        }
        store_rows<V>(out, here, y + first * 4 * V);
    }
    return a;
}

template <std::size_t V>
LIMBER_AVX2_INLINE void solve_triangle_transposed(const double* triangle, std::size_t width, double* acc,
                                                  double* y) noexcept {
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
        add_rows(a, 4, here, z, u);
        const Rows<V> solved = load_rows<V>(u, 4);
        store_rows<V>(solved, here, y + first * 4 * V);
        a -= 4 * first;
        add_rows(a, 4, first, solved, acc);
    }
}

// x[index] -= L21 own for L rows, of which `left` are there.
template <std::size_t V, std::size_t L>
LIMBER_AVX2_INLINE void rows_forward(const double* a, std::size_t height, const std::int32_t* index, std::size_t left,
                                     const PanelArgs& p) noexcept {
    Rows<V, L> sum = zero_rows<V, L>();
    subtract_columns(a, height, p.width, p.own, sum, static_cast<std::ptrdiff_t>(kTileRows * p.width));
    for (std::size_t l = 0; l < L; ++l) {
        if (l < left) {
            double* x = p.x + static_cast<std::size_t>(index[l]) * 4 * V;
            for (std::size_t v = 0; v < V; ++v)
                _mm256_store_pd(x + 4 * v, _mm256_add_pd(_mm256_load_pd(x + 4 * v), sum.part[v][l]));
        }
    }
}

template <std::size_t V>
LIMBER_AVX2_INLINE void forward(const PanelArgs& p) noexcept {
    const double* a = solve_triangle<V>(p.values, p.width, p.own);
    for (std::size_t top = 0; top < p.rows; top += kTileRows) {
        const std::size_t left = p.rows - top < kTileRows ? p.rows - top : kTileRows, height = (left + 3) / 4 * 4;
        std::size_t r = 0;
        for (; r + kTall<V> <= height; r += kTall<V>)
            rows_forward<V, kTall<V>>(a + r, height, p.index + top + r, left - r, p);
        if (r < height) rows_forward<V, 4>(a + r, height, p.index + top + r, left - r, p);
        a += height * p.width;
    }
}

template <std::size_t V>
LIMBER_AVX2_INLINE void backward(const PanelArgs& p) noexcept {
    alignas(32) double acc[(kPanelWidth + 4) * 4 * V];
    for (std::size_t i = 0; i < p.width * 4 * V; i += 4) _mm256_store_pd(acc + i, _mm256_setzero_pd());
    const double* tiles = p.values + panel_triangle_size(p.width);
    const auto ahead = -static_cast<std::ptrdiff_t>(kTileRows * p.width);
    for (std::size_t top = (p.rows + kTileRows - 1) / kTileRows * kTileRows; top > 0;) {
        top -= kTileRows;
        const std::size_t left = p.rows - top < kTileRows ? p.rows - top : kTileRows, height = (left + 3) / 4 * 4;
        const double* a = tiles + top * p.width;
        std::size_t r = 0;
        for (; r + kTall<V> <= height; r += kTall<V>)
            add_rows(a + r, height, p.width, gather_rows<V, kTall<V>>(p.x, p.index + top + r, left - r), acc, ahead);
        if (r < height) add_rows(a + r, height, p.width, gather_rows<V, 4>(p.x, p.index + top + r, left - r), acc);
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
