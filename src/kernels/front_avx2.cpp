// The dense part of a front with 256-bit vectors and fused multiply-add. Earned by bench/cholmod (factor).
//
// Rows are taken in strips of twelve; a new strip begins at the first row below the triangle. A finished strip is kept column by column in
// the work space, where it serves as rows, as columns and as L alike: nothing is packed twice.
#include "kernels/front.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include <cmath>

#define LIMBER_AVX2_INLINE __attribute__((target("avx2,fma"), always_inline)) inline

namespace limber {
namespace {

constexpr std::size_t kStrip = kFrontStrip;

// V times four rows of four columns.
template <std::size_t V>
struct Strips {
    __m256d at[4][V];
};

// t -= a b^T, both strips, `k` columns
template <std::size_t V>
LIMBER_AVX2_INLINE void take_product(Strips<V>& t, const double* a, const double* b, std::size_t k) noexcept {
    for (std::size_t p = 0; p < k; ++p, a += kStrip, b += kStrip) {
        __m256d row[V];
        for (std::size_t v = 0; v < V; ++v) row[v] = _mm256_loadu_pd(a + 4 * v);
        for (std::size_t c = 0; c < 4; ++c) {
            const __m256d s = _mm256_broadcast_sd(b + c);
            for (std::size_t v = 0; v < V; ++v) t.at[c][v] = _mm256_fnmadd_pd(row[v], s, t.at[c][v]);
        }
    }
}

// The first `count` numbers; masked stores take many times as long.
LIMBER_AVX2_INLINE void put(double* to, __m256d value, std::size_t count) noexcept {
    if (count >= 4) {
        _mm256_storeu_pd(to, value);
        return;
    }
    const __m128d low = _mm256_castpd256_pd128(value);
    if (count == 1) {
        _mm_store_sd(to, low);
        return;
    }
    _mm_storeu_pd(to, low);
    if (count == 3) _mm_store_sd(to + 2, _mm256_extractf128_pd(value, 1));
}

template <std::size_t V>
LIMBER_AVX2_INLINE void put_rows(double* to, const __m256d (&rows)[V], std::size_t count) noexcept {
    for (std::size_t v = 0; v + 1 < V; ++v) _mm256_storeu_pd(to + 4 * v, rows[v]);
    put(to + 4 * (V - 1), rows[V - 1], count - 4 * (V - 1));
}

// A tile of N x N in columns kStrip apart: its factor in place, the factor's inverse column by column. The first bad column or -1.
template <std::size_t N>
LIMBER_AVX2_INLINE std::ptrdiff_t factor_tile(double* tile, double* inverse) noexcept {
    double t[N][N], out[N][N];
    for (std::size_t c = 0; c < N; ++c)
        for (std::size_t r = c; r < N; ++r) t[c][r] = tile[c * kStrip + r];
    for (std::size_t c = 0; c < N; ++c) {
        if (!(t[c][c] > 0.0)) return static_cast<std::ptrdiff_t>(c);
        t[c][c] = std::sqrt(t[c][c]);
        out[c][c] = 1.0 / t[c][c];
        for (std::size_t r = c + 1; r < N; ++r) t[c][r] *= out[c][c];
        for (std::size_t q = c + 1; q < N; ++q)
            for (std::size_t r = q; r < N; ++r) t[q][r] -= t[c][r] * t[c][q];
    }
    for (std::size_t c = 0; c < N; ++c)
        for (std::size_t r = c + 1; r < N; ++r) {
            double sum = 0.0;
            for (std::size_t q = c; q < r; ++q) sum += t[q][r] * out[c][q];
            out[c][r] = -sum * out[r][r];
        }
    for (std::size_t c = 0; c < N; ++c)
        for (std::size_t r = c; r < N; ++r) tile[c * kStrip + r] = t[c][r], inverse[4 * c + r] = out[c][r];
    return -1;
}

struct Block {
    double* panel;              // its first column
    std::size_t first, columns, width, height;
    double* work;
    double inverse[kFrontBlock / 4][16];

    std::size_t triangle_strips() const noexcept { return (width + kStrip - 1) / kStrip; }
    std::size_t strips() const noexcept { return triangle_strips() + (height - width + kStrip - 1) / kStrip; }
    std::size_t row(std::size_t s) const noexcept { return s < triangle_strips() ? s * kStrip : width + (s - triangle_strips()) * kStrip; }
    std::size_t rows(std::size_t s) const noexcept {
        const std::size_t left = (s < triangle_strips() ? width : height) - row(s);
        return left < kStrip ? left : kStrip;
    }
    double* strip(std::size_t s) const noexcept { return work + (s * kStrip - first) * columns; }
};

// N columns from j on of a strip, those before it being done: first what is left of A.
template <std::size_t V, std::size_t N>
LIMBER_AVX2_INLINE Strips<V> reduced_columns(const Block& b, const double* column, const double* strip, const double* owner, std::size_t j) noexcept {
    Strips<V> t;
    for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t v = 0; v < V; ++v) t.at[c][v] = c < N ? _mm256_loadu_pd(column + c * b.height + 4 * v) : _mm256_setzero_pd();
    take_product(t, strip, owner, j);
    return t;
}

// Then times the inverse of the tile on the diagonal: column C, into the strip and into the panel. Columns are written out one by one here
// and below: a loop over them would keep the tile in memory.
template <std::size_t V, std::size_t C>
LIMBER_AVX2_INLINE void put_column(const Strips<V>& t, const double* inverse, double* strip, double* column, std::size_t ld, std::size_t rows) noexcept {
    __m256d x[V];
    for (std::size_t v = 0; v < V; ++v) {
        x[v] = _mm256_mul_pd(t.at[0][v], _mm256_broadcast_sd(inverse + C));
        if constexpr (C > 0) x[v] = _mm256_fmadd_pd(t.at[1][v], _mm256_broadcast_sd(inverse + 4 + C), x[v]);
        if constexpr (C > 1) x[v] = _mm256_fmadd_pd(t.at[2][v], _mm256_broadcast_sd(inverse + 8 + C), x[v]);
        if constexpr (C > 2) x[v] = _mm256_fmadd_pd(t.at[3][v], _mm256_broadcast_sd(inverse + 12 + C), x[v]);
        _mm256_storeu_pd(strip + C * kStrip + 4 * v, x[v]);
    }
    put_rows(column + C * ld, x, rows);
}

template <std::size_t V, std::size_t N>
LIMBER_AVX2_INLINE void put_columns(const Strips<V>& t, const double* inverse, double* strip, double* column, std::size_t ld, std::size_t rows) noexcept {
    put_column<V, 0>(t, inverse, strip, column, ld, rows);
    if constexpr (N > 1) put_column<V, 1>(t, inverse, strip, column, ld, rows);
    if constexpr (N > 2) put_column<V, 2>(t, inverse, strip, column, ld, rows);
    if constexpr (N > 3) put_column<V, 3>(t, inverse, strip, column, ld, rows);
}

template <std::size_t V>
LIMBER_AVX2_INLINE void put_tile(const Strips<V>& t, double* to) noexcept {
    for (std::size_t v = 0; v < V; ++v) {
        _mm256_storeu_pd(to + 4 * v, t.at[0][v]);
        _mm256_storeu_pd(to + kStrip + 4 * v, t.at[1][v]);
        _mm256_storeu_pd(to + 2 * kStrip + 4 * v, t.at[2][v]);
        _mm256_storeu_pd(to + 3 * kStrip + 4 * v, t.at[3][v]);
    }
}

template <std::size_t V, std::size_t N>
LIMBER_AVX2_INLINE std::ptrdiff_t some_columns(Block& b, std::size_t s, std::size_t j, std::size_t rows) noexcept {
    double *strip = b.strip(s), *column = b.panel + j * b.height + b.row(s), *inverse = b.inverse[j / 4];
    const std::size_t owner = (b.first + j) / kStrip, within = j % kStrip;
    const Strips<V> t = reduced_columns<V, N>(b, column, strip, b.strip(owner) + within, j);
    if (owner != s) {
        put_columns<V, N>(t, inverse, strip + j * kStrip, column, b.height, rows);
        return -1;
    }
    double tile[4 * kStrip];
    put_tile(t, tile);
    if (const std::ptrdiff_t bad = factor_tile<N>(tile + within, inverse); bad >= 0) return static_cast<std::ptrdiff_t>(j) + bad;
    put_columns<V, N>(t, inverse, strip + j * kStrip, column, b.height, rows);
    for (std::size_t c = 0; c < N; ++c)
        for (std::size_t r = c; r < N; ++r) strip[(j + c) * kStrip + within + r] = column[c * b.height + within + r] = tile[c * kStrip + within + r];
    return -1;
}

template <std::size_t V>
LIMBER_AVX2_INLINE std::ptrdiff_t solve_strip(Block& b, std::size_t s, std::size_t rows) noexcept {
    const std::size_t end = b.row(s) + rows - b.first, columns = end < b.columns ? end : b.columns;
    std::size_t j = 0;
    for (; j + 4 <= columns; j += 4)
        if (const std::ptrdiff_t bad = some_columns<V, 4>(b, s, j, rows); bad >= 0) return bad;
    switch (columns - j) {
        case 1: return some_columns<V, 1>(b, s, j, rows);
        case 2: return some_columns<V, 2>(b, s, j, rows);
        case 3: return some_columns<V, 3>(b, s, j, rows);
        default: return -1;
    }
}

__attribute__((target("avx2,fma"))) std::ptrdiff_t solve_strips(Block& b) noexcept {
    for (std::size_t s = b.first / kStrip; s < b.strips(); ++s) {
        const std::size_t rows = b.rows(s);
        const std::ptrdiff_t bad = rows > 8 ? solve_strip<3>(b, s, rows) : rows > 4 ? solve_strip<2>(b, s, rows) : solve_strip<1>(b, s, rows);
        if (bad >= 0) return bad;
    }
    return -1;
}

// Four columns of a strip of C = -A B^T, or of C -= A B^T.
template <std::size_t V>
LIMBER_AVX2_INLINE void update_tile(const double* a, const double* b, std::size_t k, double* c, std::size_t ld, std::size_t rows, std::size_t columns, bool fresh) noexcept {
    Strips<V> t;
    for (std::size_t q = 0; q < 4; ++q)
        for (std::size_t v = 0; v < V; ++v) t.at[q][v] = fresh || q >= columns ? _mm256_setzero_pd() : _mm256_loadu_pd(c + q * ld + 4 * v);
    take_product(t, a, b, k);
    for (std::size_t q = 0; q < 4; ++q)
        if (q < columns) put_rows(c + q * ld, t.at[q], rows);
}

// What the block's columns do to those on its right: columns of the panel, then the rest's.
__attribute__((target("avx2,fma"))) void update(const Block& b, double* rest) noexcept {
    const std::size_t below = b.height - b.width, k = b.columns;
    for (std::size_t t = (b.first + b.columns + kStrip - 1) / kStrip; t < b.strips(); ++t) {
        const bool in_panel = t < b.triangle_strips();
        const std::size_t ld = in_panel ? b.height : below, columns = b.rows(t), shift = in_panel ? b.first : b.width;
        double* to = in_panel ? b.panel + (b.row(t) - b.first) * ld : rest + (b.row(t) - b.width) * ld;
        for (std::size_t s = t; s < b.strips(); ++s)
            for (std::size_t g = 0; g < columns; g += 4) {
                const std::size_t skip = s == t ? g : 0, rows = b.rows(s) - skip, here = columns - g < 4 ? columns - g : 4;
                double* c = to + g * ld + b.row(s) + skip - (in_panel ? 0 : shift);
                const double *left = b.strip(s) + skip, *right = b.strip(t) + g;
                const bool fresh = !in_panel && b.first == 0;
                if (rows > 8) update_tile<3>(left, right, k, c, ld, rows, here, fresh);
                else if (rows > 4) update_tile<2>(left, right, k, c, ld, rows, here, fresh);
                else update_tile<1>(left, right, k, c, ld, rows, here, fresh);
            }
    }
}

// Numbers behind the run get nothing added.
LIMBER_AVX2_INLINE void add_run(const double* in, double* out, std::size_t left) noexcept {
    alignas(32) static constexpr long long kLanes[4][4] = {{-1, -1, -1, -1}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}};
    for (; left > 4; left -= 4, in += 4, out += 4) _mm256_storeu_pd(out, _mm256_add_pd(_mm256_loadu_pd(out), _mm256_loadu_pd(in)));
    const __m256d lanes = _mm256_castsi256_pd(_mm256_load_si256(reinterpret_cast<const __m256i*>(kLanes[left % 4])));
    _mm256_storeu_pd(out, _mm256_add_pd(_mm256_loadu_pd(out), _mm256_and_pd(lanes, _mm256_loadu_pd(in))));
}

}  // namespace

std::ptrdiff_t front_factor_avx2(double* panel, std::size_t width, std::size_t height, double* rest, double* work) noexcept {
    Block b{};
    for (b.first = 0; b.first < width; b.first += kFrontBlock) {
        b.columns = width - b.first < kFrontBlock ? width - b.first : kFrontBlock;
        b.panel = panel + b.first * height, b.width = width, b.height = height, b.work = work;
        if (const std::ptrdiff_t bad = solve_strips(b); bad >= 0) return static_cast<std::ptrdiff_t>(b.first) + bad;
        update(b, rest);
    }
    return -1;
}

__attribute__((target("avx2,fma"))) void front_add_avx2(const double* from, std::size_t n, const FrontRun* runs, std::size_t columns, std::size_t count, std::size_t shift, double* to, std::size_t ld) noexcept {
    for (std::size_t r = 0; r < columns; ++r)
        for (std::size_t q = 0; q < runs[r].count; ++q) {
            const double* in = from + (runs[r].from + q) * n;
            double* out = to + (runs[r].to + q - shift) * ld;
            add_run(in + runs[r].from + q, out + (runs[r].to + q - shift), runs[r].count - q);
            for (std::size_t i = r + 1; i < count; ++i) add_run(in + runs[i].from, out + (runs[i].to - shift), runs[i].count);
        }
}

}  // namespace limber

#else

namespace limber {
std::ptrdiff_t front_factor_avx2(double* panel, std::size_t width, std::size_t height, double* rest, double* work) noexcept {
    return front_factor_baseline(panel, width, height, rest, work);
}
void front_add_avx2(const double* from, std::size_t n, const FrontRun* runs, std::size_t columns, std::size_t count, std::size_t shift, double* to, std::size_t ld) noexcept {
    front_add_baseline(from, n, runs, columns, count, shift, to, ld);
}
}  // namespace limber

#endif
