// Dense matrices for the truss: a Cholesky factor and its solves, without memory while solving.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace limber::testing {

struct Dense {
    std::size_t n = 0;
    std::vector<double> a;

    explicit Dense(std::size_t size = 0) : n(size), a(size * size) {}
    double& operator()(std::size_t i, std::size_t j) { return a[i * n + j]; }
    double operator()(std::size_t i, std::size_t j) const { return a[i * n + j]; }
};

/// In place: the lower triangle becomes the factor.
inline void factor(Dense& a) {
    for (std::size_t j = 0; j < a.n; ++j) {
        for (std::size_t k = 0; k < j; ++k) a(j, j) -= a(j, k) * a(j, k);
        a(j, j) = std::sqrt(a(j, j));
        for (std::size_t i = j + 1; i < a.n; ++i) {
            for (std::size_t k = 0; k < j; ++k) a(i, j) -= a(i, k) * a(j, k);
            a(i, j) /= a(j, j);
        }
    }
}

inline void solve(const Dense& l, double* x) {
    for (std::size_t i = 0; i < l.n; ++i) {
        for (std::size_t k = 0; k < i; ++k) x[i] -= l(i, k) * x[k];
        x[i] /= l(i, i);
    }
    for (std::size_t i = l.n; i-- > 0;) {
        for (std::size_t k = i + 1; k < l.n; ++k) x[i] -= l(k, i) * x[k];
        x[i] /= l(i, i);
    }
}

/// Gaussian elimination with pivots for the few live constraints; `a` is m x m (row by row), `b` has `columns` per row.
inline bool eliminate(double* a, double* b, std::size_t m, std::size_t columns) {
    for (std::size_t k = 0; k < m; ++k) {
        std::size_t p = k;
        for (std::size_t i = k + 1; i < m; ++i)
            if (std::fabs(a[i * m + k]) > std::fabs(a[p * m + k])) p = i;
        if (!(std::fabs(a[p * m + k]) > 0.0)) return false;
        for (std::size_t j = 0; j < m; ++j) std::swap(a[k * m + j], a[p * m + j]);
        for (std::size_t j = 0; j < columns; ++j) std::swap(b[k * columns + j], b[p * columns + j]);
        for (std::size_t i = 0; i < m; ++i) {
            if (i == k) continue;
            const double f = a[i * m + k] / a[k * m + k];
            for (std::size_t j = k; j < m; ++j) a[i * m + j] -= f * a[k * m + j];
            for (std::size_t j = 0; j < columns; ++j) b[i * columns + j] -= f * b[k * columns + j];
        }
    }
    for (std::size_t k = 0; k < m; ++k)
        for (std::size_t j = 0; j < columns; ++j) b[k * columns + j] /= a[k * m + k];
    return true;
}

}  // namespace limber::testing
