// Derivatives of measured functions from a few values, each with a bar that holds truncation and rounding.
#pragma once

#include <vector>

namespace limber {

/// Values on both sides of the middle, `step` away from it.
struct DifferencePair {
    double step = 0.0;
    double minus = 0.0, plus = 0.0;
};

struct Slope {
    double value = 0.0;
    double truncation = 0.0;  ///< what the formula leaves out, estimated from how its refinements differ
    double rounding = 0.0;    ///< what noise in the values can do
    bool known = false;       ///< false: too few values

    double bar() const { return truncation + rounding; }
};

/// The slope in the middle by central differences at several steps, extrapolated to step 0 (Richardson in the square of
/// the step); the entry of the table with the smallest bar wins, as in Ridders' method. `noise` is how far one value
/// may be off. Needs two pairs. Where the slopes of both sides do not come together (three pairs tell), the bar reaches
/// from the one to the other.
Slope extrapolated_slope(std::vector<DifferencePair> pairs, double middle, double noise);

/// A value beside the middle.
struct DifferenceNode {
    double x = 0.0;  ///< distance from the middle, with its sign
    double value = 0.0;
};

/// The slope in the middle by the polynomial through it and a few values at given places (whole numbers cannot be moved
/// closer). The bar is how far the polynomial differs from the one through fewer of them; with one value alone, the
/// slope itself.
Slope node_slope(double middle, std::vector<DifferenceNode> nodes, double noise);

}  // namespace limber
