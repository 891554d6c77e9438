// Percentiles of measured times.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace limber {

/// The smallest of the values, which ascend, that at least this share of them does not exceed: of fewer than 100 values
/// the 99th percentile is the largest. There must be one.
template <class Value>
Value percentile(const std::vector<Value>& ascending, double share) {
    const double rank = std::ceil(share * static_cast<double>(ascending.size()) -
                                  1e-9);  // 0.99 x 100 is 99, whatever rounding says
    return ascending[std::min(ascending.size() - 1, static_cast<std::size_t>(std::max(1.0, rank)) - 1)];
}

}  // namespace limber
