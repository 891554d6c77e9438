// Numbers as advice gives them: two digits, never too few.
#pragma once

#include <cmath>

namespace limber {

/// The next number of two digits that is no smaller; `value` above 0.
inline double rounded_up(double value) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
    return std::ceil(value / unit - 1e-9) * unit;
}

}  // namespace limber
