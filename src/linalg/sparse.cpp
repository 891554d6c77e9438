#include "linalg/sparse.hpp"

#include "core/parallel.hpp"
#include "kernels/block_product.hpp"
#include "kernels/isa.hpp"
#include "kernels/triple_product.hpp"

namespace limber {
namespace {

constexpr std::size_t kRowsPerBlock =
    256;  // of a parallel loop; rows are independent, so any number gives the same bits

BlockProduct product_for(const BlockCsr& a) noexcept {
    if (a.block == 2) return block_product2;
    return kernel_choice() >= Isa::avx2 ? block_product3_avx2 : block_product3_baseline;
}

void run(const BlockCsr& a, const BlockProductArgs& args) noexcept {
    const BlockProduct product = product_for(a);
    parallel_blocks(a.rows(), kRowsPerBlock,
                    [&](std::size_t, std::size_t begin, std::size_t end) noexcept { product(args, begin, end); });
}

}  // namespace

void multiply(const BlockCsr& a, const double* x, double* y) noexcept { multiply(a, a.values.data(), x, y); }

void multiply(const BlockCsr& pattern, const double* values, const double* x, double* y) noexcept {
    run(pattern, {pattern.starts.data(), pattern.columns.data(), values, x, y, 1.0, false});
}

void multiply_add(const BlockCsr& a, double s, const double* x, double* y) noexcept {
    run(a, {a.starts.data(), a.columns.data(), a.values.data(), x, y, s, true});
}

void multiply_rows(const BlockCsr& a, std::span<const std::int32_t> rows, const double* x, double* y) noexcept {
    const BlockProductArgs args{a.starts.data(), a.columns.data(), a.values.data(), x, y, 1.0, false};
    const BlockProduct product = product_for(a);
    for (const std::int32_t row : rows) product(args, static_cast<std::size_t>(row), static_cast<std::size_t>(row) + 1);
}

void multiply(const Csr& a, const double* x, double* y) noexcept {
    parallel_blocks(a.rows(), 4 * kRowsPerBlock, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t r = begin; r < end; ++r) {
            double sum = 0.0;
            for (std::size_t e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]);
                 ++e) {
                sum += a.values[e] * x[static_cast<std::size_t>(a.columns[e])];
            }
            y[r] = sum;
        }
    });
}

namespace {

// N columns of x against one read of the rows; each column's sum runs in the order of multiply(), so its bits are the
// same.
template <std::size_t N>
void rows_times_columns(const Csr& a, const double* x, double* y, std::size_t begin, std::size_t end) noexcept {
    const std::size_t n = a.rows();
    for (std::size_t r = begin; r < end; ++r) {
        double sum[N] = {};
        for (std::size_t e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]);
             ++e) {
            const double v = a.values[e];
            const double* at = x + a.columns[e];
            for (std::size_t c = 0; c < N; ++c) sum[c] += v * at[c * n];
        }
        for (std::size_t c = 0; c < N; ++c) y[c * n + r] = sum[c];
    }
}

}  // namespace

void multiply_many(const Csr& a, const double* x, double* y, std::size_t count) noexcept {
    const std::size_t n = a.rows();
    while (count >= 4) {
        parallel_blocks(n, kRowsPerBlock, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
            rows_times_columns<4>(a, x, y, begin, end);
        });
        x += 4 * n;
        y += 4 * n;
        count -= 4;
    }
    for (; count > 0; --count, x += n, y += n) multiply(a, x, y);
}

void multiply_many(const TripleCsr& a, const double* x, double* y, std::size_t count) noexcept {
    const std::size_t n = 3 * a.vertices();
    const TripleProduct product = kernel_choice() >= Isa::avx2 ? triple_product_avx2 : triple_product_baseline;
    for (; count >= 4; count -= 4, x += 4 * n, y += 4 * n) {
        const TripleProductArgs args{a.starts.data(), a.columns.data(), a.values.data(), x, y, n};
        parallel_blocks(a.vertices(), kRowsPerBlock,
                        [&](std::size_t, std::size_t begin, std::size_t end) noexcept { product(args, begin, end); });
    }
    for (; count > 0; --count, x += n, y += n) {
        parallel_blocks(a.vertices(), kRowsPerBlock, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
            for (std::size_t r = begin; r < end; ++r) {
                double sum[3] = {};
                for (auto e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]);
                     ++e) {
                    for (std::size_t i = 0; i < 3; ++i)
                        sum[i] += a.values[e] * x[3 * static_cast<std::size_t>(a.columns[e]) + i];
                }
                for (std::size_t i = 0; i < 3; ++i) y[3 * r + i] = sum[i];
            }
        });
    }
}

}  // namespace limber
