// Colour bars with round numbers, and values in the unit that people would use.
#include "core/text.hpp"
#include "report/ticks.hpp"
#include "show/studio.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

ShownUnit shown_unit(const std::string& si_unit, double largest) {
    if (si_unit.empty()) return {};
    struct Prefix {
        double factor;
        const char* name;
    };
    constexpr Prefix kPrefixes[] = {{1e9, "G"},  {1e6, "M"},  {1e3, "k"}, {1.0, ""},
                                    {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
    // Lengths and speeds of whole metres stay metres: nobody says kilometres of a cantilever.
    const bool no_large = si_unit[0] == 'm';
    for (const Prefix& prefix : kPrefixes) {
        if (largest >= 0.4 * prefix.factor && !(no_large && prefix.factor > 1.0))
            return {prefix.name + si_unit, prefix.factor};
    }
    return {largest > 0.0 ? "n" + si_unit : si_unit, largest > 0.0 ? 1e-9 : 1.0};
}

Legend make_legend(const FieldWords& words, const ValueRange& range) {
    const ShownUnit unit = shown_unit(words.unit, std::max(std::abs(range.low), std::abs(range.high)));
    Legend out;
    out.title = unit.name.empty() ? words.title : text(words.title, " [", unit.name, "]");
    out.map = range.map;
    Axis axis;
    axis.low = range.low / unit.factor;
    axis.high = range.high / unit.factor;
    const FittedAxis fitted = fit_axis(axis, {*axis.low, *axis.high}, false);
    for (const Tick& tick : fitted.ticks)
        if (!tick.label.empty()) out.ticks.push_back({std::clamp(fitted.fraction(tick.value), 0.0, 1.0), tick.label});
    if (fitted.exponent != 0) out.title += text(" · ", power_of_ten(fitted.exponent));
    return out;
}

}  // namespace limber
