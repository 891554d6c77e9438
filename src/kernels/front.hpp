// The dense part of a multifrontal factorisation: column-major, lower halves; what lies above a diagonal is read and written freely.
// The AVX2 file fuses multiplications and additions and the baseline does not: equal up to rounding, each the same every time.
//
// The arrays must have kFrontSlack readable numbers behind them, since tiles are read whole.
#pragma once

#include <cstddef>

namespace limber {

constexpr std::size_t kFrontBlock = 96;     ///< columns taken at a time at most: their rows stay in the nearest caches
constexpr std::size_t kFrontStrip = 12;     ///< rows that AVX2 takes together; kFrontBlock is a multiple
constexpr std::size_t kFrontSlack = 16;
/// Numbers of work space that `rows` rows need, on a 32-byte boundary.
constexpr std::size_t front_work(std::size_t rows) noexcept { return (rows / kFrontStrip + 2) * kFrontStrip * kFrontBlock + kFrontSlack; }

/// The first `width` columns of a front of `height` rows: A = L L^T in the triangle, the rows below times L^-T (called X); rest = -X X^T,
/// a square of height - width rows. Returns the first column whose pivot is not positive, or -1.
std::ptrdiff_t front_factor_baseline(double* panel, std::size_t width, std::size_t height, double* rest, double* work) noexcept;
std::ptrdiff_t front_factor_avx2(double* panel, std::size_t width, std::size_t height, double* rest, double* work) noexcept;

/// Rows [from, from + count) of a child that are rows [to, to + count) of its parent's front.
struct FrontRun {
    std::size_t from, to, count;
};
/// Adds columns of a child's rest, a square of `n` rows: those of the first `columns` runs, from the diagonal down to the last of `count`
/// runs. Rows and columns of `to` count from `shift`.
void front_add_baseline(const double* from, std::size_t n, const FrontRun* runs, std::size_t columns, std::size_t count, std::size_t shift, double* to, std::size_t ld) noexcept;
void front_add_avx2(const double* from, std::size_t n, const FrontRun* runs, std::size_t columns, std::size_t count, std::size_t shift, double* to, std::size_t ld) noexcept;

}  // namespace limber
