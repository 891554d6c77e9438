// The same loops with 256-bit vectors: the same bits as columns.cpp. Earned by `limber_bench_clustered` and `reproduce
// clustered` (modal-speed).
#include "kernels/columns_body.hpp"

#if defined(__x86_64__)
namespace limber {
namespace {

__attribute__((target("avx2"))) void combine_columns_avx2(const double* columns, std::size_t stride, std::size_t count,
                                                          const double* factors, double* out, std::size_t begin,
                                                          std::size_t end) noexcept {
    columns_body::combine(columns, stride, count, factors, out, begin, end);
}
__attribute__((target("avx2"))) void project_columns_avx2(const double* columns, std::size_t stride, std::size_t rows,
                                                          const double* x, double* out, std::size_t begin,
                                                          std::size_t end) noexcept {
    columns_body::project(columns, stride, rows, x, out, begin, end);
}

}  // namespace

const ColumnKernels& column_kernels_avx2() noexcept {
    static constexpr ColumnKernels kernels{combine_columns_avx2, project_columns_avx2};
    return kernels;
}

}  // namespace limber
#endif
