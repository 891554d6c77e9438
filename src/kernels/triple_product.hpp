// Products with rows of a matrix that holds one number per pair of vertices, the same for their three unknowns (a mass
// matrix): four columns at once, y[r] = sum_e values[e] x[columns[e]] for vertices r in [begin, end), sums in the order
// of the entries.
#pragma once

#include <cstddef>
#include <cstdint>

namespace limber {

struct TripleProductArgs {
    const std::int32_t* starts;  ///< vertices + 1
    const std::int32_t* columns;
    const double* values;
    const double* x;  ///< four columns of `size` numbers, one after the other
    double* y;
    std::size_t size;  ///< unknowns: three per vertex
};
using TripleProduct = void (*)(const TripleProductArgs& a, std::size_t begin, std::size_t end) noexcept;

void triple_product_baseline(const TripleProductArgs& a, std::size_t begin, std::size_t end) noexcept;
void triple_product_avx2(const TripleProductArgs& a, std::size_t begin, std::size_t end) noexcept;

}  // namespace limber
