// Where an axis starts and ends and which numbers stand on it.
#pragma once

#include "report/plot.hpp"

#include <string>
#include <vector>

namespace limber {

struct Tick {
    double value = 0.0;
    std::string label;  ///< "" = a minor tick
};

/// A fitted axis: finite, low < high, at least two ticks.
struct FittedAxis {
    Scale scale = Scale::linear;
    double low = 0.0, high = 1.0;
    std::vector<Tick> ticks;
    int exponent = 0;  ///< linear labels are value / 10^exponent
    /// 0 at `low`, 1 at `high`; finite for every drawable value.
    double fraction(double value) const;
    bool drawable(double value) const;
};

/// `roomy`: limits are widened to whole ticks (value axes); otherwise they stay on the data (time axes).
FittedAxis fit_axis(const Axis& axis, const std::vector<double>& values, bool roomy);

/// "10⁻³"
std::string power_of_ten(int exponent);

}  // namespace limber
