// Products with rows of a block-sparse matrix: y[r] = A[r] x, or y[r] += scale A[r] x, for block rows [begin, end).
// Order of addition: within a row of blocks, one running sum per column of a block, joined as (0 + 1) + 2 at the end.
#pragma once

#include <cstddef>
#include <cstdint>

namespace limber {

struct BlockProductArgs {
    const std::int32_t* starts;  ///< block rows + 1
    const std::int32_t* columns;
    const double* values;  ///< one block per entry, row by row
    const double* x;
    double* y;
    double scale;  ///< used when `accumulate`
    bool accumulate;
};
using BlockProduct = void (*)(const BlockProductArgs& a, std::size_t begin, std::size_t end) noexcept;

void block_product2(const BlockProductArgs& a, std::size_t begin, std::size_t end) noexcept;           ///< 2x2 blocks
void block_product3_baseline(const BlockProductArgs& a, std::size_t begin, std::size_t end) noexcept;  ///< 3x3 blocks
void block_product3_avx2(const BlockProductArgs& a, std::size_t begin, std::size_t end) noexcept;

}  // namespace limber
