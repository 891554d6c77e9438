// Cholesky factor of a sparse matrix of 6x6 blocks in single precision: small coarse problems, factored at every
// refresh.
#pragma once

#include "kernels/float_block.hpp"
#include "linalg/ordering.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace limber {

/// Where its blocks are; the numbers live with the caller. Nodes must be numbered in the order of elimination.
class Block6Factor {
public:
    Block6Factor() = default;
    explicit Block6Factor(const Graph& graph);

    std::size_t nodes() const { return diagonal_.size(); }
    std::size_t blocks() const { return rows_.size(); }
    double products() const;  ///< of two blocks, in one factorisation
    std::size_t value_count() const {
        return kBlock6 * (blocks() + nodes());
    }  ///< floats: the blocks, then the triangles' transposes
    /// Block of the matrix (row, column), row >= column; -1 where there is none.
    std::int32_t slot(std::int32_t row, std::int32_t column) const;

    /// In place: the lower half of the matrix becomes its factor, with the inverses of the diagonal blocks' triangles.
    /// A pivot that is not positive is replaced by the diagonal's own number (or one): what comes out is positive
    /// definite in any case. `map` holds nodes() numbers. Never allocates. Returns how many pivots were replaced.
    int factor(const FloatKernels& kernels, float* values, std::int32_t* map) const noexcept;
    /// x = A^-1 x, eight floats per node.
    void solve(const FloatKernels& kernels, const float* values, float* x) const noexcept;
    std::size_t bytes() const;

private:
    std::vector<std::int32_t> starts_{0};  // per column: its diagonal block first, then rows ascending
    std::vector<std::int32_t> rows_;
    std::vector<std::int32_t> diagonal_;        // starts_ without the last
    std::vector<std::int32_t> left_starts_{0};  // per row: blocks (row, k), k < row
    std::vector<std::int32_t> left_columns_, left_blocks_;
};

}  // namespace limber
