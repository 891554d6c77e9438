#include "report/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

// Beyond these a difference of two values overflows or a tick step becomes subnormal.
constexpr double kHuge = 1e300;
constexpr double kTiny = 1e-290;
// Relative width below which an interval is a single number to the eye and to double arithmetic.
constexpr double kFlat = 1e-12;

struct Interval {
    double low, high;
    bool empty;
};

Interval interval_of(const Axis& axis, const std::vector<double>& values, const FittedAxis& fitted) {
    Interval all{0.0, 0.0, true};
    const auto include = [&](double v) {
        if (!fitted.drawable(v)) return;
        all.low = all.empty ? v : std::min(all.low, v);
        all.high = all.empty ? v : std::max(all.high, v);
        all.empty = false;
    };
    for (const double v : values) include(v);
    if (axis.low && fitted.drawable(*axis.low)) {
        if (all.empty) include(*axis.low);
        all.low = *axis.low;
    }
    if (axis.high && fitted.drawable(*axis.high)) {
        if (all.empty) include(*axis.high);
        all.high = *axis.high;
    }
    if (all.high < all.low) std::swap(all.low, all.high);
    return all;
}

/// 1, 2 or 5 times a power of ten: about `count` steps over the width.
double nice_step(double width, int count) {
    const double rough = width / count;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    const double digit = rough / power;
    return power * (digit < 1.5 ? 1.0 : digit < 3.5 ? 2.0 : digit < 7.5 ? 5.0 : 10.0);
}

std::string fixed(double value, int decimals) {
    std::string s = fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 17));
    if (s.find_first_not_of("-0.") == std::string::npos && s[0] == '-') s.erase(0, 1);  // "-0.0"
    if (s[0] == '-') s.replace(0, 1, "\u2212");
    return s;
}

void linear_ticks(FittedAxis& axis, double step) {
    const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
    const int order = static_cast<int>(std::floor(std::log10(largest)));
    axis.exponent = order >= 5 || order <= -4 ? order : 0;
    const double unit = std::pow(10.0, axis.exponent);
    const int decimals = axis.exponent - static_cast<int>(std::floor(std::log10(step) + 1e-9));
    const double first = std::ceil(axis.low / step - 1e-6);
    for (int i = 0; i < 40; ++i) {
        const double value = (first + i) * step;
        if (value > axis.high + 1e-6 * step) break;
        axis.ticks.push_back({std::clamp(value, axis.low, axis.high), fixed(value / unit, decimals)});
    }
}

void fit_linear(FittedAxis& axis, const Axis& asked, Interval range, bool roomy) {
    const double size = std::max(std::abs(range.low), std::abs(range.high));
    if (range.empty) {
        range = {0.0, 1.0, false};
    } else if (size < kTiny) {
        range = {-1.0, 1.0, false};
    } else if (range.high - range.low <= kFlat * size) {
        range = {range.low - 0.5 * size, range.high + 0.5 * size, false};
    } else if (roomy && !asked.low && range.low > 0.0 && range.low < 0.4 * range.high) {
        range.low = 0.0;
    }
    double step = nice_step(range.high - range.low, 6);
    if (roomy) {
        if (!asked.low) range.low = std::floor(range.low / step + 1e-6) * step;
        if (!asked.high) range.high = std::ceil(range.high / step - 1e-6) * step;
        step = nice_step(range.high - range.low, 6);
    }
    axis.low = range.low;
    axis.high = range.high;
    linear_ticks(axis, step);
}

void log_ticks(FittedAxis& axis) {
    const int first = static_cast<int>(std::floor(std::log10(axis.low) + 1e-9));
    const int last = static_cast<int>(std::ceil(std::log10(axis.high) - 1e-9));
    const int decades = std::max(1, last - first);
    const int stride = (decades + 7) / 8;
    const bool few = decades <= 2;  // then 2 and 5 carry labels as well
    const bool plain = axis.low >= 0.009 && axis.high <= 11000;
    const auto label = [&](int digit, int d) {
        if (plain) return fmt::format("{:g}", digit * std::pow(10.0, d));
        return digit == 1 ? power_of_ten(d) : fmt::format("{}·{}", digit, power_of_ten(d));
    };
    for (int d = first; d <= last; ++d) {
        const double power = std::pow(10.0, d);
        for (int digit = 1; digit < 10; ++digit) {
            const double value = digit * power;
            if (value < axis.low * (1 - 1e-9) || value > axis.high * (1 + 1e-9)) continue;
            if (digit == 1 && (d - first) % stride == 0)
                axis.ticks.push_back({value, label(1, d)});
            else if (few && (digit == 2 || digit == 5))
                axis.ticks.push_back({value, label(digit, d)});
            else if (decades <= 6)
                axis.ticks.push_back({value, ""});
        }
    }
}

void fit_log(FittedAxis& axis, const Axis& asked, Interval range, bool roomy) {
    if (range.empty) range = {1.0, 10.0, false};
    if (range.high / range.low < 1.0 + 1e-9) range = {range.low / 10, range.high * 10, false};
    if (roomy && !asked.low) {
        const double power = std::pow(10.0, std::floor(std::log10(range.low) + 1e-9));
        range.low = range.low >= 5 * power ? 5 * power : range.low >= 2 * power ? 2 * power : power;
    }
    if (roomy && !asked.high) {
        const double power = std::pow(10.0, std::ceil(std::log10(range.high) - 1e-9));
        range.high = range.high <= 0.2 * power ? 0.2 * power : range.high <= 0.5 * power ? 0.5 * power : power;
    }
    axis.low = range.low;
    axis.high = range.high;
    log_ticks(axis);
}

}  // namespace

bool FittedAxis::drawable(double value) const {
    if (!std::isfinite(value) || std::abs(value) > kHuge) return false;
    return scale == Scale::linear || value > kTiny;
}

double FittedAxis::fraction(double value) const {
    if (scale == Scale::linear) return (value - low) / (high - low);
    return (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low));
}

FittedAxis fit_axis(const Axis& axis, const std::vector<double>& values, bool roomy) {
    FittedAxis fitted;
    fitted.scale = axis.scale;
    const Interval range = interval_of(axis, values, fitted);
    if (axis.scale == Scale::linear)
        fit_linear(fitted, axis, range, roomy);
    else
        fit_log(fitted, axis, range, roomy);
    return fitted;
}

std::string power_of_ten(int exponent) {
    static constexpr std::array<const char*, 10> digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string out = "10";
    if (exponent < 0) out += "⁻";
    for (const char c : std::to_string(std::abs(exponent))) out += digits[static_cast<std::size_t>(c - '0')];
    return out;
}

}  // namespace limber
