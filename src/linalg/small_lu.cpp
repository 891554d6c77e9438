#include "linalg/small_lu.hpp"

#include <cmath>
#include <utility>

namespace limber {
namespace {

std::size_t largest_below(const double* column, std::size_t from, std::size_t n) noexcept {
    std::size_t best = from;
    for (std::size_t i = from + 1; i < n; ++i)
        if (std::abs(column[i]) > std::abs(column[best])) best = i;
    return best;
}

double largest_entry(const double* a, std::size_t n, std::size_t ld) noexcept {
    double size = 0.0;
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) size = std::fmax(size, std::abs(a[j * ld + i]));
    return size;
}

constexpr double kSingular = 1e-15;  // of the largest entry

}  // namespace

bool solve_in_place(double* a, std::size_t n, std::size_t ld, double* x) noexcept {
    const double size = largest_entry(a, n, ld);
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t p = largest_below(a + k * ld, k, n);
        if (!(std::abs(a[k * ld + p]) > kSingular * size)) return false;
        if (p != k) {
            for (std::size_t j = k; j < n; ++j) std::swap(a[j * ld + k], a[j * ld + p]);
            std::swap(x[k], x[p]);
        }
        for (std::size_t i = k + 1; i < n; ++i) a[k * ld + i] /= a[k * ld + k];
        for (std::size_t j = k + 1; j < n; ++j)
            for (std::size_t i = k + 1; i < n; ++i) a[j * ld + i] -= a[k * ld + i] * a[j * ld + k];
        for (std::size_t i = k + 1; i < n; ++i) x[i] -= a[k * ld + i] * x[k];
    }
    for (std::size_t k = n; k-- > 0;) {
        x[k] /= a[k * ld + k];
        for (std::size_t i = 0; i < k; ++i) x[i] -= a[k * ld + i] * x[k];
    }
    return true;
}

bool invert_in_place(double* a, std::size_t n, std::size_t ld, double* work) noexcept {
    // Rows are swapped as pivots ask for it; work remembers with whom, and the columns are swapped back at the end.
    const double size = largest_entry(a, n, ld);
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t p = largest_below(a + k * ld, k, n);
        if (!(std::abs(a[k * ld + p]) > kSingular * size)) return false;
        work[k] = static_cast<double>(p);
        if (p != k)
            for (std::size_t j = 0; j < n; ++j) std::swap(a[j * ld + k], a[j * ld + p]);
        const double pivot = 1.0 / a[k * ld + k];
        a[k * ld + k] = 1.0;
        for (std::size_t j = 0; j < n; ++j) a[j * ld + k] *= pivot;
        for (std::size_t j = 0; j < n; ++j) {
            if (j == k) continue;
            const double scale = a[j * ld + k];
            if (scale == 0.0) continue;
            for (std::size_t i = 0; i < k; ++i) a[j * ld + i] -= a[k * ld + i] * scale;
            for (std::size_t i = k + 1; i < n; ++i) a[j * ld + i] -= a[k * ld + i] * scale;
        }
        for (std::size_t i = 0; i < n; ++i)
            if (i != k) a[k * ld + i] *= -pivot;
    }
    for (std::size_t k = n; k-- > 0;) {
        const auto p = static_cast<std::size_t>(work[k]);
        if (p != k)
            for (std::size_t i = 0; i < n; ++i) std::swap(a[k * ld + i], a[p * ld + i]);
    }
    return true;
}

}  // namespace limber
