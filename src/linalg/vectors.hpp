// Sums over plain arrays in one stated order: four running sums, joined as (0 + 2) + (1 + 3).
#pragma once

#include <cmath>
#include <cstddef>

namespace limber {

inline double dot_n(std::size_t n, const double* a, const double* b) noexcept {
    double sum[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (std::size_t l = 0; l < 4; ++l) sum[l] += a[i + l] * b[i + l];
    double total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    for (; i < n; ++i) total += a[i] * b[i];
    return total;
}

inline double norm_n(std::size_t n, const double* a) noexcept { return std::sqrt(dot_n(n, a, a)); }

}  // namespace limber
