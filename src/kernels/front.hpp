// The dense part of a multifrontal factorisation: column-major, lower halves; what lies above a diagonal is read and
// written freely. The AVX2 and AVX-512 files fuse multiplications and additions and the baseline does not: equal up to
// rounding, each the same every time.
//
// The arrays must have kFrontSlack readable numbers behind them, since tiles are read whole.
#pragma once

#include <cstddef>

namespace limber {

constexpr std::size_t kFrontBlock = 96;  ///< columns taken at a time at most: their rows stay in the nearest caches
constexpr std::size_t kFrontStrip = 24;  ///< rows that any file takes together at most; kFrontBlock is a multiple
constexpr std::size_t kFrontSlack = 32;
/// Numbers of work space that `rows` rows need, on a cache line.
constexpr std::size_t front_work(std::size_t rows) noexcept {
    return (rows / kFrontStrip + 2) * kFrontStrip * kFrontBlock + 4 * kFrontBlock + kFrontSlack;
}

/// Rows [from, from + count) of a child that are rows [to, to + count) of its parent's front.
struct FrontRun {
    std::size_t from, to, count;
};
/// What a child left over: a square of `size` rows, lower half, whose rows are in runs of the front, ascending.
struct FrontChild {
    const double* rest;
    std::size_t size;
    const FrontRun* runs;
    std::size_t count;
};

/// Adds the child's part of the front's columns [begin, end) to `to`, whose rows and columns count from `shift`.
void front_add_baseline(const FrontChild& child, std::size_t begin, std::size_t end, std::size_t shift, double* to,
                        std::size_t ld) noexcept;
void front_add_avx2(const FrontChild& child, std::size_t begin, std::size_t end, std::size_t shift, double* to,
                    std::size_t ld) noexcept;
void front_add_avx512(const FrontChild& child, std::size_t begin, std::size_t end, std::size_t shift, double* to,
                      std::size_t ld) noexcept;

/// The first `width` columns of a front of `height` rows, complete: A = L L^T in the triangle, the rows below times
/// L^-T (called X). rest = what the children left of it - X X^T, a square of height - width rows. Returns the first
/// column whose pivot is not positive, or -1.
std::ptrdiff_t front_factor_baseline(double* panel, std::size_t width, std::size_t height, const FrontChild* children,
                                     std::size_t count, double* rest, double* work) noexcept;
std::ptrdiff_t front_factor_avx2(double* panel, std::size_t width, std::size_t height, const FrontChild* children,
                                 std::size_t count, double* rest, double* work) noexcept;
std::ptrdiff_t front_factor_avx512(double* panel, std::size_t width, std::size_t height, const FrontChild* children,
                                   std::size_t count, double* rest, double* work) noexcept;

}  // namespace limber
