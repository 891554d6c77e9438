#include "kernels/columns.hpp"
#include "kernels/isa.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace limber {
namespace {

std::vector<double> numbers(std::size_t n, std::uint64_t seed) {
    std::vector<double> out(n);
    for (double& x : out) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x = static_cast<double>(seed >> 12) * 0x1p-51 - 1.0;
    }
    return out;
}

TEST(Columns, AreCombinedAndProjectedAsPlainLoopsDo) {
    // Every remainder of a vector, of a strip and of a group of four columns.
    for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{23}, kColumnStrip - 1,
                                   kColumnStrip + 17, 3 * kColumnStrip + 5}) {
        for (const std::size_t count : {0u, 1u, 3u, 4u, 9u}) {
            const std::size_t stride = rows + 3;
            const std::vector<double> columns = numbers(stride * count, 1), factors = numbers(count, 2),
                                      x = numbers(rows, 3), before = numbers(rows, 4);
            std::vector<double> out = before, dots(count, 7.0);
            column_kernels().combine(columns.data(), stride, count, factors.data(), out.data(), 0, rows);
            column_kernels().project(columns.data(), stride, rows, x.data(), dots.data(), 0, count);
            for (std::size_t i = 0; i < rows; ++i) {
                double wanted = before[i];
                for (std::size_t k = 0; k < count; ++k) wanted += factors[k] * columns[k * stride + i];
                EXPECT_EQ(out[i], wanted) << rows << " x " << count;
            }
            for (std::size_t k = 0; k < count; ++k) {
                double wanted = 0.0;
                for (std::size_t i = 0; i < rows; ++i) wanted += columns[k * stride + i] * x[i];
                EXPECT_NEAR(dots[k], wanted, 1e-12 * std::sqrt(static_cast<double>(rows + 1)))
                    << rows << " x " << count;
            }
        }
    }
}

TEST(Columns, HaveTheSameBitsWithEveryInstructionSet) {
    const std::size_t rows = 2 * kColumnStrip + 29, count = 11;
    const std::vector<double> columns = numbers(rows * count, 5), factors = numbers(count, 6);
    std::vector<double> x = numbers(rows, 7);
    std::fill(x.begin(), x.begin() + kColumnStrip, 0.0);  // a strip that is passed over
    const auto all_of = [&](const ColumnKernels& kernels) {
        std::vector<double> out(rows + count, 0.0);
        kernels.combine(columns.data(), rows, count, factors.data(), out.data(), 0, rows);
        kernels.project(columns.data(), rows, rows, x.data(), out.data() + rows, 0, count);
        return out;
    };
    const std::vector<double> wanted = all_of(column_kernels_baseline());
#if defined(__x86_64__)
    if (best_isa() >= Isa::avx2) {
        EXPECT_EQ(all_of(column_kernels_avx2()), wanted);
    }
    if (best_isa() >= Isa::avx512) {
        EXPECT_EQ(all_of(column_kernels_avx512()), wanted);
    }
#endif
}

}  // namespace
}  // namespace limber
