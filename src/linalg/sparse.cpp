#include "linalg/sparse.hpp"

#include "core/parallel.hpp"
#include "kernels/block_product.hpp"

namespace limber {
namespace {

constexpr std::size_t kRowsPerBlock = 256;      // of a parallel loop; rows are independent, so any number gives the same bits

BlockRows rows_of(const BlockCsr& a) noexcept { return {a.starts.data(), a.columns.data(), a.values.data()}; }

}  // namespace

void multiply(const BlockCsr& a, const double* x, double* y) noexcept {
    const BlockRows rows = rows_of(a);
    parallel_blocks(a.rows(), kRowsPerBlock, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        if (a.block == 3) block_product<3>(rows, begin, end, x, y);
        else block_product<2>(rows, begin, end, x, y);
    });
}

void multiply_add(const BlockCsr& a, double s, const double* x, double* y) noexcept {
    const BlockRows rows = rows_of(a);
    parallel_blocks(a.rows(), kRowsPerBlock, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        if (a.block == 3) block_product_add<3>(rows, s, begin, end, x, y);
        else block_product_add<2>(rows, s, begin, end, x, y);
    });
}

void multiply_rows(const BlockCsr& a, std::span<const std::int32_t> rows, const double* x, double* y) noexcept {
    const BlockRows all = rows_of(a);
    for (const std::int32_t row : rows) {
        const std::size_t r = static_cast<std::size_t>(row);
        if (a.block == 3) block_product<3>(all, r, r + 1, x, y);
        else block_product<2>(all, r, r + 1, x, y);
    }
}

void multiply(const Csr& a, const double* x, double* y) noexcept {
    parallel_blocks(a.rows(), 4 * kRowsPerBlock, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t r = begin; r < end; ++r) {
            double sum = 0.0;
            for (std::size_t e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]); ++e)
                sum += a.values[e] * x[static_cast<std::size_t>(a.columns[e])];
            y[r] = sum;
        }
    });
}

}  // namespace limber
