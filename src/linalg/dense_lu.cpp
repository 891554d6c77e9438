#include "linalg/dense_lu.hpp"

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "linalg/dense_blas.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace limber {
namespace {

constexpr std::size_t kPanel = 96;         // columns eliminated at once
constexpr std::size_t kColumnBlock = 192;  // columns one task updates: fixed, so that bits do not depend on threads
constexpr double kRounding =
    8.0 * std::numeric_limits<double>::epsilon();  // of a pivot over its column's largest entry, times sqrt(n)

void stop_if_asked(const Progress& progress, const char* what) {
    if (progress.stop_requested()) throw Error(Fault::interrupted, {}, text("interrupted while ", what));
}

double one_norm(const double* x, std::size_t n) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += std::abs(x[i]);
    return sum;
}

}  // namespace

DenseLu::DenseLu(DenseMatrix a, Progress& progress, const char* what) : lu_(std::move(a)), pivots_(lu_.columns) {
    if (lu_.rows != lu_.columns) {
        throw Error(Fault::bad_data, {}, text("a matrix of ", lu_.rows, " rows and ", lu_.columns, " columns"),
                    "a square one");
    }
    dense_one_thread();
    double norm = 0.0;
    std::vector<double> largest(lu_.columns, 0.0);
    for (std::size_t j = 0; j < lu_.columns; ++j) {
        norm = std::max(norm, one_norm(lu_.column(j), lu_.rows));
        for (std::size_t i = 0; i < lu_.rows; ++i) largest[j] = std::max(largest[j], std::abs(lu_(i, j)));
        if (!std::isfinite(one_norm(lu_.column(j), lu_.rows)))
            throw Error(Fault::bad_data, {}, text("column ", j, " of a matrix to factor is not finite"));
    }
    factor(progress, what);
    require_regular(largest);
    condition_ = norm * inverse_norm();
    progress.update(1.0, what);
}

void DenseLu::factor(Progress& progress, const char* what) {
    const std::size_t n = size();
    for (std::size_t first = 0; first < n; first += kPanel) {
        stop_if_asked(progress, what);
        const double left = static_cast<double>(n - first) / static_cast<double>(n);
        progress.update(0.99 * (1.0 - left * left * left), what);  // work goes with the cube of what is left
        eliminate(first, std::min(kPanel, n - first));
    }
}

void DenseLu::eliminate(std::size_t first, std::size_t width) {
    const std::size_t n = size(), next = first + width;
    double* const panel = lu_.column(first) + first;
    dense_lu_panel(panel, n - first, width, n, pivots_.data() + first);
    for (std::size_t k = first; k < next; ++k) pivots_[k] += static_cast<std::int32_t>(first);
    const auto exchange = [&](double* column) {
        for (std::size_t k = first; k < next; ++k) std::swap(column[k], column[pivots_[k]]);
    };
    for (std::size_t j = 0; j < first; ++j) exchange(lu_.column(j));
    parallel_blocks(n - next, kColumnBlock, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t j = next + begin; j < next + end; ++j) exchange(lu_.column(j));
        double* const right = lu_.column(next + begin) + first;
        dense_solve_left(panel, width, n, Triangle::unit_lower, false, right, end - begin, n);
        dense_subtract(panel + width, n, right, n, right + width, n, n - next, width, end - begin);
    });
}

void DenseLu::require_regular(const std::vector<double>& largest) const {
    const double rounding = kRounding * std::sqrt(static_cast<double>(size()));
    for (std::size_t k = 0; k < size(); ++k) {
        if (const double pivot = std::abs(lu_(k, k)); !(pivot > rounding * largest[k]))  // catches NaN too
        {
            throw Error(Fault::bad_data, {},
                        text("a matrix of ", size(), " rows is singular: the pivot of column ", k, " is ", pivot),
                        text("more than rounding of its largest entry ", largest[k]));
        }
    }
}

void DenseLu::exchange_rows(double* x, std::size_t count, bool back) const noexcept {
    const std::size_t n = size();
    for (double* column = x; column != x + count * n; column += n) {
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t k = back ? n - 1 - i : i;
            std::swap(column[k], column[pivots_[k]]);
        }
    }
}

void DenseLu::solve(double* x, std::size_t count) const noexcept {
    const std::size_t n = size();
    exchange_rows(x, count, false);
    dense_solve_left(lu_.values.data(), n, n, Triangle::unit_lower, false, x, count, n);
    dense_solve_left(lu_.values.data(), n, n, Triangle::upper, false, x, count, n);
}

void DenseLu::solve_transposed(double* x, std::size_t count) const noexcept {
    const std::size_t n = size();
    dense_solve_left(lu_.values.data(), n, n, Triangle::upper, true, x, count, n);
    dense_solve_left(lu_.values.data(), n, n, Triangle::unit_lower, true, x, count, n);
    exchange_rows(x, count, true);
}

void DenseLu::solve_columns(DenseMatrix& b, Progress& progress, const char* what) const {
    if (b.rows != size())
        throw Error(Fault::bad_data, {}, text("right-hand sides of ", b.rows, " rows"), text(size(), " rows"));
    constexpr std::size_t kAtOnce = 4 * kColumnBlock;
    for (std::size_t first = 0; first < b.columns; first += kAtOnce) {
        stop_if_asked(progress, what);
        progress.update(static_cast<double>(first) / static_cast<double>(b.columns), what);
        parallel_blocks(
            std::min(kAtOnce, b.columns - first), kColumnBlock,
            [&](std::size_t, std::size_t begin, std::size_t end) { solve(b.column(first + begin), end - begin); });
    }
    progress.update(1.0, what);
}

// max over ||x||_1 = 1 of ||A^-1 x||_1 climbs from corner to corner of the unit ball along the gradient A^-T sign(A^-1
// x); Higham's alternating vector catches the matrices on which that climb stops early.
double DenseLu::inverse_norm() const {
    const std::size_t n = size();
    if (n == 0) return 0.0;
    std::vector<double> x(n, 1.0 / static_cast<double>(n)), direction(n);
    double best = 0.0;
    for (int climb = 0; climb < 5; ++climb) {
        solve(x.data());
        const double norm = one_norm(x.data(), n);
        if (!(norm > best)) break;
        best = norm;
        for (std::size_t i = 0; i < n; ++i) direction[i] = x[i] < 0.0 ? -1.0 : 1.0;
        solve_transposed(direction.data());
        const auto corner = std::max_element(direction.begin(), direction.end(),
                                             [](double p, double q) { return std::abs(p) < std::abs(q); });
        std::fill(x.begin(), x.end(), 0.0);
        x[static_cast<std::size_t>(corner - direction.begin())] = 1.0;
    }
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = (i % 2 == 0 ? 1.0 : -1.0) *
               (1.0 + static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(n - 1, 1)));
    }
    solve(x.data());
    return std::max(best, 2.0 * one_norm(x.data(), n) / (3.0 * static_cast<double>(n)));
}

bool lu_in_place(double* a, std::size_t n, std::size_t ld, std::int32_t* pivots) noexcept {
    constexpr std::size_t kNarrow = 32;
    for (std::size_t first = 0; first < n; first += kNarrow) {
        const std::size_t width = std::min(kNarrow, n - first), next = first + width;
        double* const panel = a + first * ld + first;
        dense_lu_panel(panel, n - first, width, ld, pivots + first);
        for (std::size_t k = first; k < next; ++k) {
            pivots[k] += static_cast<std::int32_t>(first);
            if (!(std::abs(a[k * ld + k]) > 1e-300)) return false;
        }
        for (std::size_t j = 0; j < n; ++j) {
            if (j < first || j >= next) {
                for (std::size_t k = first; k < next; ++k)
                    std::swap(a[j * ld + k], a[j * ld + static_cast<std::size_t>(pivots[k])]);
            }
        }
        if (next == n) break;
        double* const right = a + next * ld + first;
        dense_solve_left(panel, width, ld, Triangle::unit_lower, false, right, n - next, ld);
        dense_subtract(panel + width, ld, right, ld, right + width, ld, n - next, width, n - next);
    }
    return true;
}

namespace {

/// m x n with m >= n, without exchanges; halves, so that almost all work is in products.
bool eliminate_plainly(double* a, std::size_t m, std::size_t n, std::size_t ld) noexcept {
    constexpr std::size_t kFew = 4;
    if (n <= kFew) {
        for (std::size_t k = 0; k < n; ++k) {
            double* const column = a + k * ld;
            if (!(std::abs(column[k]) > 1e-300)) return false;
            const double scale = 1.0 / column[k];
            for (std::size_t i = k + 1; i < m; ++i) column[i] *= scale;
            for (std::size_t j = k + 1; j < n; ++j) {
                const double factor = a[j * ld + k];
                for (std::size_t i = k + 1; i < m; ++i) a[j * ld + i] -= column[i] * factor;
            }
        }
        return true;
    }
    const std::size_t left = n / 2, right = n - left;
    if (!eliminate_plainly(a, m, left, ld)) return false;
    double* const upper = a + left * ld;
    dense_solve_left(a, left, ld, Triangle::unit_lower, false, upper, right, ld);
    dense_subtract(a + left, ld, upper, ld, upper + left, ld, m - left, left, right);
    return eliminate_plainly(upper + left, m - left, right, ld);
}

}  // namespace

bool lu_continue(double* a, std::size_t n, std::size_t ld, std::size_t first) noexcept {
    const std::size_t left = n - first;
    double *const right = a + first * ld, *const below = a + first;
    if (left == 0) return true;
    if (first > 0) {
        dense_solve_left(a, first, ld, Triangle::unit_lower, false, right, left, ld);
        dense_solve_right_upper(a, first, ld, below, left, ld);
        dense_subtract(below, ld, right, ld, right + first, ld, left, first, left);
    }
    return eliminate_plainly(right + first, left, left, ld);
}

void lu_solve(const double* a, std::size_t n, std::size_t ld, const std::int32_t* pivots, double* x) noexcept {
    for (std::size_t k = 0; pivots != nullptr && k < n; ++k) std::swap(x[k], x[pivots[k]]);
    dense_solve_left(a, n, ld, Triangle::unit_lower, false, x, 1, n);
    dense_solve_left(a, n, ld, Triangle::upper, false, x, 1, n);
}

}  // namespace limber
