// Few long columns, one after the other (the shapes of a modal body): their combination, and their dot products with
// one vector. Both are bound by reading the columns once, so rows go in strips that stay in the nearest cache while the
// columns pass by.
//
// Order of addition: a combination adds column by column. A dot product has sixteen running sums per strip, joined as
// halves (8 + 8, then 4 + 4, ...); strips are added in their order. Nothing is fused: the same bits with every
// instruction set and for any number of threads.
#pragma once

#include <cstddef>

namespace limber {

constexpr std::size_t kColumnStrip = 1024;  ///< rows

struct ColumnKernels {
    /// out[i] += sum over k of factors[k] columns[k stride + i], for rows [begin, end)
    void (*combine)(const double* columns, std::size_t stride, std::size_t count, const double* factors, double* out,
                    std::size_t begin, std::size_t end) noexcept;
    /// out[k] = columns[k stride ...] . x over `rows` rows, for columns [begin, end)
    void (*project)(const double* columns, std::size_t stride, std::size_t rows, const double* x, double* out,
                    std::size_t begin, std::size_t end) noexcept;
};

const ColumnKernels& column_kernels_baseline() noexcept;
const ColumnKernels& column_kernels_avx2() noexcept;
const ColumnKernels& column_kernels_avx512() noexcept;
/// Those of kernel_choice().
const ColumnKernels& column_kernels() noexcept;

}  // namespace limber
