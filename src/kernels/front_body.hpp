// The loops of front.hpp, once for all instruction sets with fused multiply-add: front_avx2.cpp and front_avx512.cpp
// say what a vector is (Vec, of kLanes numbers, and what is done with it) and which instructions functions may use
// (LIMBER_FRONT*), then include this.
//
// Rows are taken in strips of three vectors; a new strip begins at the first row below the triangle. A finished strip
// is kept column by column in the work space, where it serves as rows, as columns and as L alike: nothing is packed
// twice.
#pragma once

#include "kernels/front.hpp"

#include <cmath>

namespace limber {
namespace {

constexpr std::size_t kStrip = 3 * kLanes;
static_assert(kFrontBlock % kStrip == 0 && kStrip <= kFrontStrip);

// V vectors of rows, N columns.
template <std::size_t V, std::size_t N = 4>
struct Tile {
    Vec at[N][V];
};

// One vector of rows and four columns are too few to keep the units busy: even and odd columns are added up by
// themselves.
LIMBER_FRONT_INLINE void take_narrow_product(Tile<1>& t, const double* a, const double* b, std::size_t k) noexcept {
    Vec odd[4] = {zero(), zero(), zero(), zero()};
    std::size_t p = 0;
    for (; p + 2 <= k; p += 2, a += 2 * kStrip, b += 2 * kStrip) {
        const Vec even_row = load(a), odd_row = load(a + kStrip);
        for (std::size_t c = 0; c < 4; ++c) {
            t.at[c][0] = take(even_row, spread(b + c), t.at[c][0]);
            odd[c] = take(odd_row, spread(b + kStrip + c), odd[c]);
        }
    }
    if (p < k)
        for (std::size_t c = 0; c < 4; ++c) t.at[c][0] = take(load(a), spread(b + c), t.at[c][0]);
    for (std::size_t c = 0; c < 4; ++c) t.at[c][0] = plus(t.at[c][0], odd[c]);
}

template <std::size_t V, std::size_t N>
LIMBER_FRONT_INLINE void take_column(Tile<V, N>& t, const double* a, const double* b) noexcept {
    Vec row[V];
    for (std::size_t v = 0; v < V; ++v) row[v] = load(a + kLanes * v);
    for (std::size_t c = 0; c < N; ++c) {
        const Vec s = spread(b + c);
        for (std::size_t v = 0; v < V; ++v) t.at[c][v] = take(row[v], s, t.at[c][v]);
    }
}

// t -= a b^T, both strips, `k` columns; four at a time, since counting takes its share where a neighbour runs on the
// same core.
template <std::size_t V, std::size_t N>
LIMBER_FRONT_INLINE void take_product(Tile<V, N>& t, const double* a, const double* b, std::size_t k) noexcept {
    if constexpr (V == 1 && N == 4) {
        take_narrow_product(t, a, b, k);
        return;
    }
    for (; k >= 4; k -= 4, a += 4 * kStrip, b += 4 * kStrip) {
        take_column(t, a, b);
        take_column(t, a + kStrip, b + kStrip);
        take_column(t, a + 2 * kStrip, b + 2 * kStrip);
        take_column(t, a + 3 * kStrip, b + 3 * kStrip);
    }
    for (; k > 0; --k, a += kStrip, b += kStrip) take_column(t, a, b);
}

template <std::size_t V>
LIMBER_FRONT_INLINE void put_rows(double* to, const Vec (&rows)[V], std::size_t count) noexcept {
    for (std::size_t v = 0; v + 1 < V; ++v) store(to + kLanes * v, rows[v]);
    put(to + kLanes * (V - 1), rows[V - 1], count - kLanes * (V - 1));
}

// A tile of n x n (at most 4 x 4) in columns kStrip apart: its factor in place, the factor's inverse column by column.
// The first bad column or -1. As U D U^T, whose square roots wait for nothing; then L = U D^(1/2). Written out, since
// loops would keep all of it in memory.
LIMBER_FRONT_APART std::ptrdiff_t factor_tile(double* tile, std::size_t n, double* inverse) noexcept {
    double *c0 = tile, *c1 = tile + kStrip, *c2 = tile + 2 * kStrip, *c3 = tile + 3 * kStrip;
    // What is beyond n becomes the identity.
    if (n < 4) {
        c0[3] = c1[3] = c2[3] = 0.0;
        c3[3] = 1.0;
    }
    if (n < 3) {
        c0[2] = c1[2] = 0.0;
        c2[2] = 1.0;
    }
    if (n < 2) {
        c0[1] = 0.0;
        c1[1] = 1.0;
    }
    const double a10 = c0[1], a20 = c0[2], a30 = c0[3];
    const double d0 = c0[0], r0 = 1.0 / d0, u10 = a10 * r0, u20 = a20 * r0, u30 = a30 * r0;
    const double a21 = c1[2] - a20 * u10, a31 = c1[3] - a30 * u10;
    const double d1 = c1[1] - a10 * u10, r1 = 1.0 / d1, u21 = a21 * r1, u31 = a31 * r1;
    const double a32 = c2[3] - a30 * u20 - a31 * u21;
    const double d2 = c2[2] - a20 * u20 - a21 * u21, r2 = 1.0 / d2, u32 = a32 * r2;
    const double d3 = c3[3] - a30 * u30 - a31 * u31 - a32 * u32, r3 = 1.0 / d3;
    if (!(d0 > 0.0)) return 0;
    if (!(d1 > 0.0)) return 1;
    if (!(d2 > 0.0)) return 2;
    if (!(d3 > 0.0)) return 3;
    const double s0 = std::sqrt(d0), s1 = std::sqrt(d1), s2 = std::sqrt(d2), s3 = std::sqrt(d3);
    c0[0] = s0;
    c0[1] = u10 * s0;
    c0[2] = u20 * s0;
    c0[3] = u30 * s0;
    c1[1] = s1;
    c1[2] = u21 * s1;
    c1[3] = u31 * s1;
    c2[2] = s2;
    c2[3] = u32 * s2;
    c3[3] = s3;
    const double i0 = s0 * r0, i1 = s1 * r1, i2 = s2 * r2, i3 = s3 * r3;
    const double v20 = u21 * u10 - u20, v31 = u32 * u21 - u31;  // of U^-1
    inverse[0] = i0;
    inverse[1] = -u10 * i1;
    inverse[2] = v20 * i2;
    inverse[3] = (u31 * u10 - u30 - u32 * v20) * i3;
    inverse[5] = i1;
    inverse[6] = -u21 * i2;
    inverse[7] = v31 * i3;
    inverse[10] = i2;
    inverse[11] = -u32 * i3;
    inverse[15] = i3;
    return -1;
}

struct Block {
    double* panel;  // its first column
    std::size_t first, columns, width, height;
    double* work;
    std::size_t triangle, strips;  // strips down to the width, and all
    double* inverses;              // of the tiles on the diagonal, 4 x 4 each

    std::size_t row(std::size_t s) const noexcept {
        return s < triangle ? s * kStrip : width + (s - triangle) * kStrip;
    }
    std::size_t rows(std::size_t s) const noexcept {
        const std::size_t left = (s < triangle ? width : height) - row(s);
        return left < kStrip ? left : kStrip;
    }
    double* strip(std::size_t s) const noexcept { return work + (s * kStrip - first) * columns; }
};

// N columns from j on of a strip, those before it being done: first what is left of A.
template <std::size_t V, std::size_t N>
LIMBER_FRONT_INLINE Tile<V> reduced_columns(const Block& b, const double* column, const double* strip,
                                            const double* owner, std::size_t j) noexcept {
    Tile<V> t;
    for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t v = 0; v < V; ++v) t.at[c][v] = c < N ? load(column + c * b.height + kLanes * v) : zero();
    take_product(t, strip, owner, j);
    return t;
}

// Then times the inverse of the tile on the diagonal: column C, into the strip and into the panel. Columns are written
// out one by one here and below: a loop over them would keep the tile in memory.
template <std::size_t V, std::size_t C>
LIMBER_FRONT_INLINE void put_column(const Tile<V>& t, const double* inverse, double* strip, double* column,
                                    std::size_t ld, std::size_t rows) noexcept {
    Vec x[V];
    for (std::size_t v = 0; v < V; ++v) {
        x[v] = times(t.at[0][v], spread(inverse + C));
        if constexpr (C > 0) x[v] = fuse(t.at[1][v], spread(inverse + 4 + C), x[v]);
        if constexpr (C > 1) x[v] = fuse(t.at[2][v], spread(inverse + 8 + C), x[v]);
        if constexpr (C > 2) x[v] = fuse(t.at[3][v], spread(inverse + 12 + C), x[v]);
        store(strip + C * kStrip + kLanes * v, x[v]);
    }
    put_rows(column + C * ld, x, rows);
}

template <std::size_t V, std::size_t N>
LIMBER_FRONT_INLINE void put_columns(const Tile<V>& t, const double* inverse, double* strip, double* column,
                                     std::size_t ld, std::size_t rows) noexcept {
    put_column<V, 0>(t, inverse, strip, column, ld, rows);
    if constexpr (N > 1) put_column<V, 1>(t, inverse, strip, column, ld, rows);
    if constexpr (N > 2) put_column<V, 2>(t, inverse, strip, column, ld, rows);
    if constexpr (N > 3) put_column<V, 3>(t, inverse, strip, column, ld, rows);
}

template <std::size_t V>
LIMBER_FRONT_INLINE void put_tile(const Tile<V>& t, double* to) noexcept {
    for (std::size_t v = 0; v < V; ++v) {
        store(to + kLanes * v, t.at[0][v]);
        store(to + kStrip + kLanes * v, t.at[1][v]);
        store(to + 2 * kStrip + kLanes * v, t.at[2][v]);
        store(to + 3 * kStrip + kLanes * v, t.at[3][v]);
    }
}

template <std::size_t V, std::size_t N>
LIMBER_FRONT_INLINE std::ptrdiff_t some_columns(Block& b, std::size_t s, std::size_t j, std::size_t rows) noexcept {
    double *strip = b.strip(s), *column = b.panel + j * b.height + b.row(s), *inverse = b.inverses + 4 * j;
    const std::size_t owner = (b.first + j) / kStrip, within = j % kStrip;
    const Tile<V> t = reduced_columns<V, N>(b, column, strip, b.strip(owner) + within, j);
    if (owner != s) {
        put_columns<V, N>(t, inverse, strip + j * kStrip, column, b.height, rows);
        return -1;
    }
    double tile[4 * kStrip];
    put_tile(t, tile);
    if (const std::ptrdiff_t bad = factor_tile(tile + within, N, inverse); bad >= 0)
        return static_cast<std::ptrdiff_t>(j) + bad;
    put_columns<V, N>(t, inverse, strip + j * kStrip, column, b.height, rows);
    for (std::size_t c = 0; c < N; ++c) {
        for (std::size_t r = c; r < N; ++r)
            strip[(j + c) * kStrip + within + r] = column[c * b.height + within + r] = tile[c * kStrip + within + r];
    }
    return -1;
}

template <std::size_t V>
LIMBER_FRONT_INLINE std::ptrdiff_t solve_strip(Block& b, std::size_t s, std::size_t rows) noexcept {
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

LIMBER_FRONT std::ptrdiff_t solve_strips(Block& b) noexcept {
    for (std::size_t s = b.first / kStrip; s < b.strips; ++s) {
        const std::size_t rows = b.rows(s);
        const std::ptrdiff_t bad = rows > 2 * kLanes ? solve_strip<3>(b, s, rows)
                                   : rows > kLanes   ? solve_strip<2>(b, s, rows)
                                                     : solve_strip<1>(b, s, rows);
        if (bad >= 0) return bad;
    }
    return -1;
}

// Up to N columns of a strip of C = -A B^T, or of C -= A B^T.
template <std::size_t V, std::size_t N>
LIMBER_FRONT_INLINE void update_tile(const double* a, const double* b, std::size_t k, double* c, std::size_t ld,
                                     std::size_t rows, std::size_t columns, bool fresh) noexcept {
    Tile<V, N> t;
    for (std::size_t q = 0; q < N; ++q)
        for (std::size_t v = 0; v < V; ++v) t.at[q][v] = fresh || q >= columns ? zero() : load(c + q * ld + kLanes * v);
    take_product(t, a, b, k);
    for (std::size_t q = 0; q < N; ++q)
        if (q < columns) put_rows(c + q * ld, t.at[q], rows);
}

// Of N columns, `size` apart in the child and `ld` apart in the front, one run; numbers behind it get nothing added.
template <std::size_t N>
LIMBER_FRONT_INLINE void add_run(const double* in, std::size_t size, double* out, std::size_t ld,
                                 std::size_t count) noexcept {
    alignas(32) static constexpr long long kKept[4][4] = {
        {-1, -1, -1, -1}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}};
    std::size_t i = 0;
    for (; i + 4 < count; i += 4) {
        for (std::size_t c = 0; c < N; ++c) {
            double* to = out + c * ld + i;
            _mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), _mm256_loadu_pd(in + c * size + i)));
        }
    }
    const __m256d lanes = _mm256_castsi256_pd(_mm256_load_si256(reinterpret_cast<const __m256i*>(kKept[count % 4])));
    for (std::size_t c = 0; c < N; ++c) {
        double* to = out + c * ld + i;
        _mm256_storeu_pd(to,
                         _mm256_add_pd(_mm256_loadu_pd(to), _mm256_and_pd(lanes, _mm256_loadu_pd(in + c * size + i))));
    }
}

// N columns from q of a run on, from their diagonals down.
template <std::size_t N>
LIMBER_FRONT_INLINE void add_some(const FrontChild& child, const FrontRun* run, std::size_t q, std::size_t shift,
                                  double* to, std::size_t ld) noexcept {
    const double* from = child.rest + (run->from + q) * child.size;
    double* out = to + (run->to + q - shift) * ld;
    for (std::size_t c = 0; c < N; ++c) {
        add_run<1>(from + c * child.size + run->from + q + c, 0, out + c * ld + (run->to + q + c - shift), 0,
                   run->count - q - c);
    }
    for (const FrontRun *r = run + 1, *last = child.runs + child.count; r != last; ++r)
        add_run<N>(from + r->from, child.size, out + (r->to - shift), ld, r->count);
}

// Three columns at a time: a vertex brings as many.
LIMBER_FRONT_INLINE void add_columns(const FrontChild& child, std::size_t begin, std::size_t end, std::size_t shift,
                                     double* to, std::size_t ld) noexcept {
    for (const FrontRun *run = child.runs, *last = run + child.count; run != last && run->to < end; ++run) {
        const std::size_t stop = end - run->to < run->count ? end - run->to : run->count;
        std::size_t q = begin > run->to ? begin - run->to : 0;
        for (; q + 3 <= stop; q += 3) add_some<3>(child, run, q, shift, to, ld);
        for (; q < stop; ++q) add_some<1>(child, run, q, shift, to, ld);
    }
}

// N columns, from g on, of what the block's columns do to column strip t on its right, in strip s.
template <std::size_t N>
LIMBER_FRONT_INLINE void update_columns(const Block& b, std::size_t s, std::size_t t, std::size_t g,
                                        std::size_t columns, double* to, std::size_t ld, std::size_t shift,
                                        bool fresh) noexcept {
    const std::size_t skip = s == t ? g : 0, rows = b.rows(s) - skip;
    double* c = to + g * ld + (b.row(s) + skip - shift);
    const double *left = b.strip(s) + skip, *right = b.strip(t) + g;
    if (rows > 2 * kLanes)
        update_tile<3, N>(left, right, b.columns, c, ld, rows, columns, fresh);
    else if (rows > kLanes)
        update_tile<2, N>(left, right, b.columns, c, ld, rows, columns, fresh);
    else
        update_tile<1, N>(left, right, b.columns, c, ld, rows, columns, fresh);
}

// All columns of the strip, in `to` with this leading dimension; rows there count from `shift`.
LIMBER_FRONT_INLINE void update_strip(const Block& b, std::size_t t, double* to, std::size_t ld, std::size_t shift,
                                      bool fresh) noexcept {
    const std::size_t all = b.rows(t);
    for (std::size_t s = t; s < b.strips; ++s) {
        std::size_t g = 0;
        if constexpr (kColumns > 4) {
            for (; g + 4 < all; g += kColumns)
                update_columns<kColumns>(b, s, t, g, all - g < kColumns ? all - g : kColumns, to, ld, shift, fresh);
        }
        for (; g < all; g += 4) update_columns<4>(b, s, t, g, all - g < 4 ? all - g : 4, to, ld, shift, fresh);
    }
}

// All of them: columns of the panel, then the rest's. The children come on top strip by strip, while it is in the
// nearest cache.
LIMBER_FRONT void update(const Block& b, const FrontChild* children, std::size_t count, double* rest) noexcept {
    const std::size_t below = b.height - b.width;
    const bool last = b.first + b.columns == b.width;
    for (std::size_t t = (b.first + b.columns + kStrip - 1) / kStrip; t < b.triangle; ++t)
        update_strip(b, t, b.panel + (b.row(t) - b.first) * b.height, b.height, 0, false);
    for (std::size_t t = b.triangle; t < b.strips; ++t) {
        update_strip(b, t, rest + (b.row(t) - b.width) * below, below, b.width, b.first == 0);
        for (std::size_t c = 0; c < count && last; ++c)
            add_columns(children[c], b.row(t), b.row(t) + b.rows(t), b.width, rest, below);
    }
}
inline std::ptrdiff_t factor_blocks(double* panel, std::size_t width, std::size_t height, const FrontChild* children,
                                    std::size_t count, double* rest, double* work) noexcept {
    Block b;
    b.width = width;
    b.height = height;
    b.inverses = work;
    b.work = work + 4 * kFrontBlock;
    b.triangle = (width + kStrip - 1) / kStrip;
    b.strips = b.triangle + (height - width + kStrip - 1) / kStrip;
    for (b.first = 0; b.first < width; b.first += kFrontBlock) {
        b.columns = width - b.first < kFrontBlock ? width - b.first : kFrontBlock;
        b.panel = panel + b.first * height;
        if (const std::ptrdiff_t bad = solve_strips(b); bad >= 0) return static_cast<std::ptrdiff_t>(b.first) + bad;
        update(b, children, count, rest);
    }
    return -1;
}

}  // namespace
}  // namespace limber
