// The loops as any processor of the family runs them, and the choice.
#include "kernels/columns_body.hpp"

#include "kernels/isa.hpp"

namespace limber {
namespace {

void combine_columns_baseline(const double* columns, std::size_t stride, std::size_t count, const double* factors,
                              double* out, std::size_t begin, std::size_t end) noexcept {
    columns_body::combine(columns, stride, count, factors, out, begin, end);
}
void project_columns_baseline(const double* columns, std::size_t stride, std::size_t rows, const double* x, double* out,
                              std::size_t begin, std::size_t end) noexcept {
    columns_body::project(columns, stride, rows, x, out, begin, end);
}

}  // namespace

const ColumnKernels& column_kernels_baseline() noexcept {
    static constexpr ColumnKernels kernels{combine_columns_baseline, project_columns_baseline};
    return kernels;
}

const ColumnKernels& column_kernels() noexcept {
#if defined(__x86_64__)
    if (kernel_choice() == Isa::avx512) return column_kernels_avx512();
    if (kernel_choice() == Isa::avx2) return column_kernels_avx2();
#endif
    return column_kernels_baseline();
}

}  // namespace limber
