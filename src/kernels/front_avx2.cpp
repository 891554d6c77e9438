// The dense part of a front with 256-bit vectors. Earned by bench/solve_bench.cpp (factor/*); same bits as front_baseline.cpp.
#include "kernels/front.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include <cmath>

#define LIMBER_AVX2_INLINE __attribute__((target("avx2"), always_inline)) inline

namespace limber {
namespace {

// Eight rows of four columns.
struct Tile {
    __m256d at[4][2];
};

LIMBER_AVX2_INLINE Tile tile(const double* a, std::size_t stride_a, const double* b, std::size_t stride_b, std::size_t k) noexcept {
    Tile t;
    for (auto& column : t.at) column[0] = column[1] = _mm256_setzero_pd();
    for (std::size_t p = 0; p < k; ++p, a += stride_a, b += stride_b) {
        const __m256d low = _mm256_loadu_pd(a), high = _mm256_loadu_pd(a + 4);
        for (std::size_t c = 0; c < 4; ++c) {
            const __m256d s = _mm256_broadcast_sd(b + c);
            t.at[c][0] = _mm256_add_pd(t.at[c][0], _mm256_mul_pd(low, s));
            t.at[c][1] = _mm256_add_pd(t.at[c][1], _mm256_mul_pd(high, s));
        }
    }
    return t;
}

// The first `count` (1 to 4) lanes.
LIMBER_AVX2_INLINE __m256i lanes(std::size_t count) noexcept {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<long long>(count)), _mm256_set_epi64x(3, 2, 1, 0));
}

// Strips of eight rows, column by column; rows that are not there are zero.
LIMBER_AVX2_INLINE void pack(const double* a, std::size_t n, std::size_t k, std::size_t ld, double* work) noexcept {
    std::size_t top = 0;
    for (; top + 8 <= n; top += 8)
        for (std::size_t p = 0; p < k; ++p, work += 8) {
            _mm256_store_pd(work, _mm256_loadu_pd(a + p * ld + top));
            _mm256_store_pd(work + 4, _mm256_loadu_pd(a + p * ld + top + 4));
        }
    if (top == n) return;
    const std::size_t left = n - top;
    const __m256i low = lanes(left), high = lanes(left > 4 ? left - 4 : 0);
    for (std::size_t p = 0; p < k; ++p, work += 8) {
        _mm256_store_pd(work, _mm256_maskload_pd(a + p * ld + top, low));
        _mm256_store_pd(work + 4, _mm256_maskload_pd(a + p * ld + top + 4, high));
    }
}

LIMBER_AVX2_INLINE void put(double* to, __m256d value, bool fresh, std::size_t left) noexcept {
    if (left >= 4) {
        _mm256_storeu_pd(to, _mm256_sub_pd(fresh ? _mm256_setzero_pd() : _mm256_loadu_pd(to), value));
    } else if (left > 0) {
        const __m256i some = lanes(left);
        _mm256_maskstore_pd(to, some, _mm256_sub_pd(fresh ? _mm256_setzero_pd() : _mm256_maskload_pd(to, some), value));
    }
}

LIMBER_AVX2_INLINE void subtract(const double* a, std::size_t n, std::size_t m, std::size_t k, std::size_t ld_a, double* c, std::size_t ld_c, bool fresh, double* work) noexcept {
    pack(a, n, k, ld_a, work);
    for (std::size_t i = 0; i < n; i += 8)
        for (std::size_t j = 0; j < m && j < i + 8; j += 4) {
            const Tile t = tile(work + i * k, 8, work + j / 8 * 8 * k + j % 8, 8, k);
            const std::size_t left = n - i;
            for (std::size_t q = 0; q < 4; ++q)
                if (j + q < m) {
                    double* to = c + (j + q) * ld_c + i;
                    put(to, t.at[q][0], fresh, left);
                    put(to + 4, t.at[q][1], fresh, left > 4 ? left - 4 : 0);
                }
        }
}

// The 4x4 tile on the diagonal; the inverses of its pivots for the rows below.
LIMBER_AVX2_INLINE bool diagonal_tile(double* block, std::size_t j, std::size_t here, std::size_t ld, double (&inverse)[4], std::ptrdiff_t& bad) noexcept {
    const Tile t = tile(block + j, ld, block + j, ld, j);
    alignas(32) double sum[4][4];
    for (std::size_t c = 0; c < 4; ++c) _mm256_store_pd(sum[c], t.at[c][0]);
    for (std::size_t c = 0; c < here; ++c) {
        double* column = block + (j + c) * ld + j;
        for (std::size_t r = c; r < here; ++r) {
            double value = column[r] - sum[c][r];
            for (std::size_t p = 0; p < c; ++p) value -= block[(j + p) * ld + j + r] * block[(j + p) * ld + j + c];
            column[r] = r == c ? value : value * inverse[c];
            if (r > c) continue;
            if (!(value > 0.0)) {
                bad = static_cast<std::ptrdiff_t>(j + c);
                return false;
            }
            column[r] = std::sqrt(value);
            inverse[c] = 1.0 / column[r];
        }
    }
    return true;
}

LIMBER_AVX2_INLINE bool four_columns(double* block, std::size_t j, std::size_t here, std::size_t height, std::size_t ld, std::ptrdiff_t& bad) noexcept {
    double inverse[4] = {};
    if (!diagonal_tile(block, j, here, ld, inverse, bad)) return false;
    for (std::size_t i = j + here; i < height; i += 8) {
        Tile t = tile(block + i, ld, block + j, ld, j);
        const std::size_t left = height - i;
        const __m256i some[2] = {lanes(left), lanes(left > 4 ? left - 4 : 0)};
        for (std::size_t c = 0; c < 4; ++c) {
            if (c >= here) break;
            const __m256d scale = _mm256_set1_pd(inverse[c]);
            for (std::size_t half = 0; half < 2; ++half) {
                double* to = block + (j + c) * ld + i + 4 * half;
                __m256d value = _mm256_sub_pd(_mm256_loadu_pd(to), t.at[c][half]);
                for (std::size_t p = 0; p < c; ++p) value = _mm256_sub_pd(value, _mm256_mul_pd(t.at[p][half], _mm256_broadcast_sd(block + (j + p) * ld + j + c)));
                t.at[c][half] = _mm256_mul_pd(value, scale);
                if (left >= 8) _mm256_storeu_pd(to, t.at[c][half]);
                else _mm256_maskstore_pd(to, some[half], t.at[c][half]);
            }
        }
    }
    return true;
}

}  // namespace

__attribute__((target("avx2"))) std::ptrdiff_t front_cholesky_avx2(double* panel, std::size_t width, std::size_t height, std::size_t ld, double* work) noexcept {
    for (std::size_t first = 0; first < width; first += kFrontBlock) {
        const std::size_t here = width - first < kFrontBlock ? width - first : kFrontBlock, left = height - first - here;
        double* block = panel + first * ld + first;
        std::ptrdiff_t bad = -1;
        for (std::size_t j = 0; j < here; j += 4)
            if (!four_columns(block, j, here - j < 4 ? here - j : 4, height - first, ld, bad)) return bad + static_cast<std::ptrdiff_t>(first);
        if (first + here < width) subtract(block + here, left, width - first - here, here, ld, block + here * ld + here, ld, false, work);
    }
    return -1;
}

__attribute__((target("avx2"))) void front_minus_square_avx2(const double* a, std::size_t n, std::size_t k, std::size_t ld_a, double* c, std::size_t ld_c, double* work) noexcept {
    for (std::size_t first = 0; first < k; first += kFrontBlock)
        subtract(a + first * ld_a, n, n, k - first < kFrontBlock ? k - first : kFrontBlock, ld_a, c, ld_c, first == 0, work);
}

}  // namespace limber

#else

namespace limber {
std::ptrdiff_t front_cholesky_avx2(double* panel, std::size_t width, std::size_t height, std::size_t ld, double* work) noexcept {
    return front_cholesky_baseline(panel, width, height, ld, work);
}
void front_minus_square_avx2(const double* a, std::size_t n, std::size_t k, std::size_t ld_a, double* c, std::size_t ld_c, double* work) noexcept {
    front_minus_square_baseline(a, n, k, ld_a, c, ld_c, work);
}
}  // namespace limber

#endif
