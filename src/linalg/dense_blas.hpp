// Dense operations of a Cholesky and an LU factorisation and of a Krylov basis, on column-major arrays: OpenBLAS where
// it is linked (one thread, so that bits do not depend on how many there are); otherwise Eigen for the basis. Fronts
// are kernels/front.hpp's business wherever there is AVX2. Of symmetric matrices only lower halves are read and
// written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace limber {

#ifdef LIMBER_WITH_OPENBLAS
constexpr bool kHasBlas = true;
/// Rows of a front where there is no AVX2: below, a call costs more than it gains.
constexpr std::size_t kBlasFrom = 320;
#else
constexpr bool kHasBlas = false;
constexpr std::size_t kBlasFrom = static_cast<std::size_t>(-1);
#endif

// These three only with a BLAS.
/// A = L L^T in place, n x n. Returns the first bad column or -1.
std::ptrdiff_t dense_cholesky(double* a, std::size_t n, std::size_t ld);
/// B = B L^-T in place, m x n; L is n x n.
void dense_solve_right(const double* l, std::size_t n, std::size_t ld_l, double* b, std::size_t m, std::size_t ld_b);
/// C = -A A^T, n x n from n x k.
void dense_minus_square(const double* a, std::size_t n, std::size_t k, std::size_t ld_a, double* c, std::size_t ld_c);

/// C = A^T B, k x m from n x k and n x m; all packed.
void dense_dots(const double* a, std::size_t n, std::size_t k, const double* b, std::size_t m, double* c);
/// B -= A C, n x m; all packed.
void dense_subtract(const double* a, std::size_t n, std::size_t k, const double* c, std::size_t m, double* b);

// For LU. Safe to call from several threads once dense_one_thread() was.
void dense_one_thread();
/// A = P L U in place, m x n with m >= n; pivots[k] >= k is the row (counted from 0) exchanged with row k. A zero pivot
/// is left on the diagonal.
void dense_lu_panel(double* a, std::size_t m, std::size_t n, std::size_t ld, std::int32_t* pivots);
enum class Triangle { unit_lower, upper };
/// y = A x, n x m.
void dense_times(const double* a, std::size_t n, std::size_t m, std::size_t ld, const double* x, double* y);
/// B = T^-1 B (or T^-T B) in place, n x m. One column takes no memory.
void dense_solve_left(const double* t, std::size_t n, std::size_t ld_t, Triangle triangle, bool transposed, double* b,
                      std::size_t m, std::size_t ld_b);
/// B = B U^-1 in place, m x n; U is n x n.
void dense_solve_right_upper(const double* u, std::size_t n, std::size_t ld_u, double* b, std::size_t m,
                             std::size_t ld_b);
/// B -= A C with strides, n x m from n x k and k x m.
void dense_subtract(const double* a, std::size_t ld_a, const double* c, std::size_t ld_c, double* b, std::size_t ld_b,
                    std::size_t n, std::size_t k, std::size_t m);

}  // namespace limber
