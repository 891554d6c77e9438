// The panel solves of eight right-hand sides with 256-bit vectors. Earned by bench/solve_bench.cpp; same bits as panel_bundle_baseline.cpp.
#include "kernels/panel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

// Function attributes instead of compiler flags: nothing inline from a shared header can be compiled for AVX2 here.
#define LIMBER_AVX2 __attribute__((target("avx2")))
#define LIMBER_AVX2_INLINE __attribute__((target("avx2"), always_inline)) inline

namespace limber {
namespace {

// Four unknowns' eight numbers: as many as leave registers for the factor's entries.
struct Rows {
    __m256d low[4], high[4];
};

LIMBER_AVX2_INLINE Rows zero_rows() noexcept {
    Rows r;
    for (int l = 0; l < 4; ++l) r.low[l] = r.high[l] = _mm256_setzero_pd();
    return r;
}

LIMBER_AVX2_INLINE Rows load_rows(const double* y, std::size_t count) noexcept {
    Rows r = zero_rows();
    for (std::size_t l = 0; l < 4; ++l)
        if (l < count) {
            r.low[l] = _mm256_load_pd(y + l * kBundle);
            r.high[l] = _mm256_load_pd(y + l * kBundle + 4);
        }
    return r;
}

LIMBER_AVX2_INLINE void store_rows(const Rows& r, std::size_t count, double* y) noexcept {
    for (std::size_t l = 0; l < 4; ++l)
        if (l < count) {
            _mm256_store_pd(y + l * kBundle, r.low[l]);
            _mm256_store_pd(y + l * kBundle + 4, r.high[l]);
        }
}

LIMBER_AVX2_INLINE Rows gather_rows(const double* x, const std::int32_t* index, std::size_t count) noexcept {
    Rows r = zero_rows();
    for (std::size_t l = 0; l < 4; ++l)
        if (l < count) {
            const double* from = x + static_cast<std::size_t>(index[l]) * kBundle;
            r.low[l] = _mm256_load_pd(from);
            r.high[l] = _mm256_load_pd(from + 4);
        }
    return r;
}

LIMBER_AVX2_INLINE void subtract_columns(const double* a, std::size_t stride, std::size_t columns, const double* y, Rows& sum) noexcept {
    for (std::size_t j = 0; j < columns; ++j, a += stride, y += kBundle) {
        const __m256d low = _mm256_load_pd(y), high = _mm256_load_pd(y + 4);
        for (int l = 0; l < 4; ++l) {
            const __m256d v = _mm256_broadcast_sd(a + l);
            sum.low[l] = _mm256_sub_pd(sum.low[l], _mm256_mul_pd(v, low));
            sum.high[l] = _mm256_sub_pd(sum.high[l], _mm256_mul_pd(v, high));
        }
    }
}

LIMBER_AVX2_INLINE void add_rows(const double* a, std::size_t stride, std::size_t columns, const Rows& r, double* acc) noexcept {
    for (std::size_t j = 0; j < columns; ++j, a += stride, acc += kBundle) {
        __m256d v = _mm256_broadcast_sd(a);
        __m256d low = _mm256_mul_pd(v, r.low[0]), high = _mm256_mul_pd(v, r.high[0]);
        for (int l = 1; l < 4; ++l) {
            v = _mm256_broadcast_sd(a + l);
            low = _mm256_add_pd(low, _mm256_mul_pd(v, r.low[l]));
            high = _mm256_add_pd(high, _mm256_mul_pd(v, r.high[l]));
        }
        _mm256_store_pd(acc, _mm256_add_pd(_mm256_load_pd(acc), low));
        _mm256_store_pd(acc + 4, _mm256_add_pd(_mm256_load_pd(acc + 4), high));
    }
}

LIMBER_AVX2_INLINE const double* solve_triangle(const double* a, std::size_t width, double* y) noexcept {
    for (std::size_t first = 0; first < width; first += 4) {
        const std::size_t here = width - first < 4 ? width - first : 4;
        Rows sum = load_rows(y + first * kBundle, here), out = zero_rows();
        subtract_columns(a, 4, first, y, sum);
        a += 4 * first;
        for (std::size_t c = 0; c < here; ++c, a += 4)
            for (int l = 0; l < 4; ++l) {
                const __m256d v = _mm256_broadcast_sd(a + l);
                out.low[l] = _mm256_add_pd(out.low[l], _mm256_mul_pd(v, sum.low[c]));
                out.high[l] = _mm256_add_pd(out.high[l], _mm256_mul_pd(v, sum.high[c]));
            }
        store_rows(out, here, y + first * kBundle);
    }
    return a;
}

LIMBER_AVX2_INLINE void solve_triangle_transposed(const double* triangle, std::size_t width, double* acc, double* y) noexcept {
    const double* a = triangle + panel_triangle_size(width);
    for (std::size_t first = (width - 1) / 4 * 4 + 4; first > 0;) {
        first -= 4;
        const std::size_t here = width - first < 4 ? width - first : 4;
        a -= 4 * here;
        Rows z = load_rows(y + first * kBundle, here);
        const Rows sum = load_rows(acc + first * kBundle, here);
        for (int l = 0; l < 4; ++l) {
            z.low[l] = _mm256_sub_pd(z.low[l], sum.low[l]);
            z.high[l] = _mm256_sub_pd(z.high[l], sum.high[l]);
        }
        alignas(32) double u[4 * kBundle] = {};
        add_rows(a, 4, here, z, u);
        const Rows solved = load_rows(u, 4);
        store_rows(solved, here, y + first * kBundle);
        a -= 4 * first;
        add_rows(a, 4, first, solved, acc);
    }
}

}  // namespace

LIMBER_AVX2 void panel_forward_bundle_avx2(const PanelArgs& p) noexcept {
    const double* a = solve_triangle(p.values, p.width, p.own);
    for (std::size_t top = 0; top < p.rows; top += kTileRows) {
        const std::size_t left = p.rows - top < kTileRows ? p.rows - top : kTileRows, height = (left + 3) / 4 * 4;
        for (std::size_t r = 0; r < left; r += 4) {
            Rows sum = zero_rows();
            subtract_columns(a + r, height, p.width, p.own, sum);
            for (std::size_t l = 0; l < 4; ++l)
                if (r + l < left) {
                    double* x = p.x + static_cast<std::size_t>(p.index[top + r + l]) * kBundle;
                    _mm256_store_pd(x, _mm256_add_pd(_mm256_load_pd(x), sum.low[l]));
                    _mm256_store_pd(x + 4, _mm256_add_pd(_mm256_load_pd(x + 4), sum.high[l]));
                }
        }
        a += height * p.width;
    }
}

LIMBER_AVX2 void panel_backward_bundle_avx2(const PanelArgs& p) noexcept {
    alignas(32) double acc[(kPanelWidth + 4) * kBundle];
    for (std::size_t i = 0; i < p.width * kBundle; i += 4) _mm256_store_pd(acc + i, _mm256_setzero_pd());
    const double* tiles = p.values + panel_triangle_size(p.width);
    for (std::size_t top = (p.rows + kTileRows - 1) / kTileRows * kTileRows; top > 0;) {
        top -= kTileRows;
        const std::size_t left = p.rows - top < kTileRows ? p.rows - top : kTileRows, height = (left + 3) / 4 * 4;
        for (std::size_t r = 0; r < left; r += 4)
            add_rows(tiles + top * p.width + r, height, p.width, gather_rows(p.x, p.index + top + r, left - r < 4 ? left - r : 4), acc);
    }
    solve_triangle_transposed(p.values, p.width, acc, p.own);
}

}  // namespace limber

#else

namespace limber {
void panel_forward_bundle_avx2(const PanelArgs& p) noexcept { panel_forward_bundle_baseline(p); }
void panel_backward_bundle_avx2(const PanelArgs& p) noexcept { panel_backward_bundle_baseline(p); }
}  // namespace limber

#endif
