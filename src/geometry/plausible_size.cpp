#include "geometry/plausible_size.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

// Who works in inches or feet knows it: those would fit whatever these do, and only make the list longer.
constexpr FittingUnit kUsual[] = {{"m", 1.0}, {"cm", 0.01}, {"mm", 0.001}};
constexpr double kLeastFitting = 0.005;  // [m]: smaller things are rarely modelled

std::string metres(double length) { return fmt::format("{:.3g} m", length); }

}  // namespace

SizeWarning size_warning(const Vec3& size, double unit) {
    const double longest = std::max({size.x, size.y, size.z});
    SizeWarning out;
    if (!(longest > 0.0) || !std::isfinite(longest) ||
        (longest * unit >= kLeastPlausible && longest * unit <= kMostPlausible)) {
        return out;
    }
    out.longest = longest * unit;
    for (const FittingUnit& u : kUsual) {
        if (u.longest != unit && longest * u.longest >= kLeastFitting && longest * u.longest <= kMostPlausible)
            out.units.push_back({u.name, longest * u.longest});
    }
    return out;
}

std::string SizeWarning::found() const {
    return text("the longest side is ", metres(longest), ": too ", longest < kLeastPlausible ? "small" : "large",
                " for most things");
}

std::string SizeWarning::cure(std::string_view say) const {
    std::string out;
    for (const FittingUnit& u : units)
        out += text(out.empty() ? "it would be " : ", ", metres(u.longest), " in ", u.name);
    if (out.empty()) out = "no usual unit makes it likelier: scale it";
    if (say.empty()) return out;
    const auto told = [&](const char* unit) { return fmt::format(fmt::runtime(say), unit); };
    return text(out, " (", units.empty() ? "" : told(units.front().name) + ", or ", told("m"), " if it is meant)");
}

std::string SizeWarning::words(std::string_view say) const { return text(found(), "; ", cure(say)); }

}  // namespace limber
