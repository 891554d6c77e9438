// Dense LU with row pivoting: LAPACK where OpenBLAS is linked (one thread, so that bits do not depend on how many there
// are), Eigen otherwise.
#pragma once

#include "linalg/dense_matrix.hpp"

#include <limber/progress.hpp>

#include <cstdint>
#include <vector>

namespace limber {

class DenseLu {
public:
    /// Factors in place: `a` is taken over (its memory too). Progress from 0 to 1; throws Error{interrupted} when it
    /// wants to stop, and Error{bad_data} for a matrix that is not square, not finite, or singular to working precision
    /// (the message names the column).
    DenseLu(DenseMatrix a, Progress& progress, const char* what);

    std::size_t size() const { return lu_.rows; }
    /// x = A^-1 x (or A^-T x), `count` columns of size() each, packed. No allocation for count = 1.
    void solve(double* x, std::size_t count = 1) const noexcept;
    void solve_transposed(double* x, std::size_t count = 1) const noexcept;
    /// B = A^-1 B in place for thousands of columns, in blocks over thread_count() threads (same bits for any number of
    /// them). Progress from 0 to 1; throws Error{interrupted} (B is then partly solved).
    void solve_columns(DenseMatrix& b, Progress& progress, const char* what) const;
    /// 1-norm condition estimate (Hager and Higham: a lower bound, hardly ever off by more than 3), from the norm of A
    /// taken before factoring.
    double condition() const { return condition_; }
    std::size_t bytes() const { return lu_.values.size() * sizeof(double) + pivots_.size() * sizeof(std::int32_t); }

private:
    void factor(Progress& progress, const char* what);
    void eliminate(std::size_t first, std::size_t width);
    void exchange_rows(double* x, std::size_t count, bool back) const noexcept;
    void require_regular(const std::vector<double>& largest) const;
    double inverse_norm() const;

    DenseMatrix lu_;
    std::vector<std::int32_t> pivots_;
    double condition_ = 0.0;
};

/// The same for a small matrix on the caller's memory: nothing thrown, nothing allocated. False when it is singular to
/// rounding.
bool lu_in_place(double* a, std::size_t n, std::size_t ld, std::int32_t* pivots) noexcept;
/// A = L U without exchanges, for matrices whose symmetric part is positive definite: a leading block's factor is then
/// the factor's leading block. The first `first` rows and columns hold their factor already, the rest A. False when a
/// pivot vanishes.
bool lu_continue(double* a, std::size_t n, std::size_t ld, std::size_t first) noexcept;
/// x = A^-1 x with such a factor; pivots nullptr: without exchanges.
void lu_solve(const double* a, std::size_t n, std::size_t ld, const std::int32_t* pivots, double* x) noexcept;

}  // namespace limber
