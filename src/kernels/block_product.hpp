// Products with rows of a block-sparse matrix: y[r] = A[r] x or y[r] += s A[r] x for block rows [begin, end).
#pragma once

#include <cstddef>
#include <cstdint>

namespace limber {

struct BlockRows {
    const std::int32_t* starts;
    const std::int32_t* columns;
    const double* values;       ///< B*B per entry, row by row
};

// One sum per row of a block, over the entries in order: (a0 x0 + a1 x1) + a2 x2 of each block, then added to the sum.
template <std::size_t B>
inline void block_row_sums(const BlockRows& a, std::size_t row, const double* x, double* sums) noexcept {
    double s[B] = {};
    const std::size_t end = static_cast<std::size_t>(a.starts[row + 1]);
    for (std::size_t e = static_cast<std::size_t>(a.starts[row]); e < end; ++e) {
        const double* v = a.values + B * B * e;
        const double* p = x + B * static_cast<std::size_t>(a.columns[e]);
        for (std::size_t i = 0; i < B; ++i) {
            double t = v[B * i] * p[0] + v[B * i + 1] * p[1];
            if constexpr (B == 3) t += v[B * i + 2] * p[2];
            s[i] += t;
        }
    }
    for (std::size_t i = 0; i < B; ++i) sums[i] = s[i];
}

template <std::size_t B>
void block_product(const BlockRows& a, std::size_t begin, std::size_t end, const double* x, double* y) noexcept {
    for (std::size_t r = begin; r < end; ++r) block_row_sums<B>(a, r, x, y + B * r);
}

template <std::size_t B>
void block_product_add(const BlockRows& a, double scale, std::size_t begin, std::size_t end, const double* x, double* y) noexcept {
    for (std::size_t r = begin; r < end; ++r) {
        double sums[B];
        block_row_sums<B>(a, r, x, sums);
        for (std::size_t i = 0; i < B; ++i) y[B * r + i] += scale * sums[i];
    }
}

}  // namespace limber
