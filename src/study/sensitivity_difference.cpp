#include "study/sensitivity_difference.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

/// How much extrapolation can raise the noise of the finest difference: (4 + 1) / (4 - 1) times (16 + 1) / (16 - 1) and
/// so on stays below it, and the noise itself was seen in a few values only.
constexpr double kNoiseRaise = 4.0;

/// Of two estimates that agree by chance, neither is as good as their difference.
constexpr double kChance = 2.0;

/// Twice the most that noise can make of a bend, extrapolated: (2 x 4 + 4 / 2) of it.
constexpr double kBendNoise = 20.0;

/// By how much the slopes of the two sides differ at the middle itself: 0 for a smooth function. Central differences do
/// not see a kink just there.
double kink(const std::vector<DifferencePair>& pairs, double middle, double noise) {
    if (pairs.size() < 3) return 0.0;
    const auto bend = [&](const DifferencePair& p) {
        return (p.plus - 2.0 * middle + p.minus) / p.step;
    };  // falls with the step where there is no kink
    const auto at_zero = [&](const DifferencePair& a, const DifferencePair& b) {
        return std::abs(bend(b) * a.step - bend(a) * b.step) / (a.step - b.step);
    };
    const std::size_t last = pairs.size() - 1;
    const double before = at_zero(pairs[last - 2], pairs[last - 1]), now = at_zero(pairs[last - 1], pairs[last]);
    // What a smooth function leaves here falls with the third power of the step; a kink stays.
    return now > kBendNoise * noise / pairs[last].step && now > 0.5 * before ? now : 0.0;
}

/// d/dx at 0 of the polynomial through (0, middle) and the nodes.
double polynomial_slope(double middle, const std::vector<DifferenceNode>& nodes, double* reach) {
    double slope = 0.0, weights = 0.0, own = 0.0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        double w = 1.0 / nodes[i].x;
        for (std::size_t j = 0; j < nodes.size(); ++j)
            if (j != i) w *= -nodes[j].x / (nodes[i].x - nodes[j].x);
        slope += w * nodes[i].value;
        own -= w;
        weights += std::abs(w);
    }
    if (reach) *reach = weights + std::abs(own);
    return slope + own * middle;
}

}  // namespace

Slope extrapolated_slope(std::vector<DifferencePair> pairs, double middle, double noise) {
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const DifferencePair& a, const DifferencePair& b) { return a.step > b.step; });
    Slope best;
    std::vector<std::vector<double>> table;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        table.push_back({(pairs[k].plus - pairs[k].minus) / (2.0 * pairs[k].step)});
        for (std::size_t j = 1; j <= k; ++j) {
            const double ratio = pairs[k - j].step / pairs[k].step;
            table[k].push_back(table[k][j - 1] + (table[k][j - 1] - table[k - 1][j - 1]) / (ratio * ratio - 1.0));
            const double truncation = kChance * std::max(std::abs(table[k][j] - table[k][j - 1]),
                                                         std::abs(table[k][j] - table[k - 1][j - 1]));
            const double rounding = kNoiseRaise * noise / pairs[k].step;
            if (!best.known || truncation + rounding < best.bar()) best = {table[k][j], truncation, rounding, true};
        }
    }
    if (best.known) best.truncation += 0.5 * kink(pairs, middle, noise);
    return best;
}

Slope node_slope(double middle, std::vector<DifferenceNode> nodes, double noise) {
    Slope out;
    if (nodes.empty()) return out;
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const DifferenceNode& a, const DifferenceNode& b) { return std::abs(a.x) < std::abs(b.x); });
    double reach = 0.0;
    out.known = true;
    out.value = polynomial_slope(middle, nodes, &reach);
    out.rounding = kNoiseRaise * noise * reach;
    if (nodes.size() == 1) {
        out.truncation = std::abs(out.value);
        return out;
    }
    // Dropping the farthest tells what it brought; from three values, what each side says alone.
    std::vector<DifferenceNode> fewer(nodes.begin(), nodes.end() - (nodes.size() > 3 ? 2 : 1));
    out.truncation = std::abs(out.value - polynomial_slope(middle, fewer, nullptr));
    return out;
}

}  // namespace limber
