// The dense part of a multifrontal factorisation: column-major, lower halves; what lies above a diagonal is read and written freely.
// Sums run over the columns in order, blocks of kFrontBlock one after the other, in both files: the same bits.
//
// The arrays must have kFrontSlack readable numbers behind them, since tiles are read whole.
#pragma once

#include <cstddef>

namespace limber {

constexpr std::size_t kFrontBlock = 64;     ///< columns taken at a time: their rows stay in the nearest caches
constexpr std::size_t kFrontSlack = 16;
/// Numbers of work space that `rows` rows need, on a 32-byte boundary.
constexpr std::size_t front_work(std::size_t rows) noexcept { return (rows + 15) / 8 * 8 * kFrontBlock; }

/// The first `width` columns of a front of `height` rows: A = L L^T in the triangle, the rows below times L^-T. Returns the first column
/// whose pivot is not positive, or -1.
std::ptrdiff_t front_cholesky_baseline(double* panel, std::size_t width, std::size_t height, std::size_t ld, double* work) noexcept;
std::ptrdiff_t front_cholesky_avx2(double* panel, std::size_t width, std::size_t height, std::size_t ld, double* work) noexcept;

/// C = -A A^T, n x n from n x k.
void front_minus_square_baseline(const double* a, std::size_t n, std::size_t k, std::size_t ld_a, double* c, std::size_t ld_c, double* work) noexcept;
void front_minus_square_avx2(const double* a, std::size_t n, std::size_t k, std::size_t ld_a, double* c, std::size_t ld_c, double* work) noexcept;

}  // namespace limber
