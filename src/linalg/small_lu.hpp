// Small dense systems in place, on memory of the caller: what a step may do. Column-major with a leading dimension.
#pragma once

#include <cstddef>

namespace limber {

/// x = A^-1 x with row pivoting; `a` is overwritten. False (and x means nothing) when A is singular to rounding.
bool solve_in_place(double* a, std::size_t n, std::size_t ld, double* x) noexcept;
/// A = A^-1 (Gauss-Jordan with row pivoting); `work`: n numbers. False when A is singular to rounding.
bool invert_in_place(double* a, std::size_t n, std::size_t ld, double* work) noexcept;

}  // namespace limber
