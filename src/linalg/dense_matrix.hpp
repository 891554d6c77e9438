// A dense matrix, column by column: what boundary elements are made of. No algebra here; see dense_lu.hpp.
#pragma once

#include <cstddef>
#include <vector>

namespace limber {

struct DenseMatrix {
    std::size_t rows = 0, columns = 0;
    std::vector<double> values;

    DenseMatrix() = default;
    DenseMatrix(std::size_t r, std::size_t c) : rows(r), columns(c), values(r * c, 0.0) {}

    double& operator()(std::size_t i, std::size_t j) { return values[j * rows + i]; }
    double operator()(std::size_t i, std::size_t j) const { return values[j * rows + i]; }
    double* column(std::size_t j) { return values.data() + j * rows; }
    const double* column(std::size_t j) const { return values.data() + j * rows; }
};

}  // namespace limber
