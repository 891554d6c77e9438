// Sparse matrices: BlockCsr over mesh vertices (2x2 or 3x3 blocks), Csr over single unknowns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace limber {

/// Square, one block row per vertex; columns ascend within a row; blocks are stored row by row.
struct BlockCsr {
    int block = 3;                        ///< 2 or 3
    std::vector<std::int32_t> starts{0};  ///< rows + 1
    std::vector<std::int32_t> columns;
    std::vector<double> values;  ///< block*block per entry

    std::size_t rows() const { return starts.size() - 1; }
    std::size_t size() const { return rows() * static_cast<std::size_t>(block); }  ///< unknowns
};

/// Square and symmetric with both halves stored; columns ascend within a row.
struct Csr {
    std::vector<std::int64_t> starts{0};
    std::vector<std::int32_t> columns;
    std::vector<double> values;

    std::size_t rows() const { return starts.size() - 1; }
};

/// One number per pair of vertices that holds for each of their three unknowns (a mass matrix): a ninth of the numbers.
struct TripleCsr {
    std::vector<std::int32_t> starts{0};  ///< vertices + 1
    std::vector<std::int32_t> columns;
    std::vector<double> values;

    std::size_t vertices() const { return starts.size() - 1; }
};
/// `a` as such, if it is (unknowns 3v, 3v+1, 3v+2 belong to vertex v); without vertices otherwise.
TripleCsr as_triples(const Csr& a);

/// `a` in blocks of 3 x 3, zeros filled in; without rows when its unknowns do not come in threes or more than a third
/// would be filling (a block takes 76 bytes, nine entries by themselves 108).
BlockCsr as_blocks(const Csr& a);
/// All entries but zeros.
Csr as_single(const BlockCsr& a);

/// y = A x. Runs over thread_count() threads; the same bits for any number of them. Never allocates.
void multiply(const BlockCsr& a, const double* x, double* y) noexcept;
/// The same with numbers kept elsewhere: `values` in the pattern's order.
void multiply(const BlockCsr& pattern, const double* values, const double* x, double* y) noexcept;
/// y += s A x
void multiply_add(const BlockCsr& a, double s, const double* x, double* y) noexcept;
/// y[r] = (A x)[r] for the block rows named (block entries each); other rows of y are left alone.
void multiply_rows(const BlockCsr& a, std::span<const std::int32_t> rows, const double* x, double* y) noexcept;
void multiply(const Csr& a, const double* x, double* y) noexcept;
/// The same for `count` columns of length rows(), one after the other: the matrix is read once for four of them.
void multiply_many(const Csr& a, const double* x, double* y, std::size_t count) noexcept;
void multiply_many(const TripleCsr& a, const double* x, double* y, std::size_t count) noexcept;

/// The rows and columns in `keep` (ascending scalar indices), renumbered 0.. in that order. `a` is symmetric up to
/// rounding; the result is exactly (mean of both halves), and zeros are dropped on both sides.
Csr compress(const BlockCsr& a, std::span<const std::int32_t> keep);
/// s_a A + s_b B, patterns may differ.
Csr add(double s_a, const Csr& a, double s_b, const Csr& b);
Csr diagonal(std::span<const double> values);

}  // namespace limber
