#include "rig/rig_size.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

struct NamedUnit {
    double unit;
    const char* name;
};
// The last one is that of the CMU motion capture files as they are passed around: 1/0.45 inch.
constexpr NamedUnit kUnits[] = {{1.0, "metres"},
                                {0.01, "centimetres"},
                                {0.001, "millimetres"},
                                {0.0254, "inches"},
                                {0.0254 / 0.45, "CMU units of 5.64 cm"}};

void grow(RigBox& box, const Vec3& p, bool& any) {
    if (!is_finite(p)) return;
    if (!any) box.low = box.high = p;
    any = true;
    for (int i = 0; i < 3; ++i) {
        box.low[i] = std::min(box.low[i], p[i]);
        box.high[i] = std::max(box.high[i], p[i]);
    }
}

}  // namespace

RigBox rest_box(const Rig& rig) {
    RigBox box;
    bool any = false;
    const Pose pose = rest_pose(rig);
    std::vector<Vec3> positions;
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        positions.resize(rig.parts[p].positions.size());
        skin(rig, p, pose, positions);
        for (const Vec3& x : positions) grow(box, x, any);
    }
    box.of_skin = any;
    if (!any)
        for (std::size_t j = 0; j < rig.joints.size(); ++j) grow(box, pose.position(j), any);
    return box;
}

UnitGuess guess_unit_of_person(double extent) {
    for (const NamedUnit& u : kUnits)
        if (extent * u.unit > 1.2 && extent * u.unit < 2.2) return {u.unit, u.name, true};
    const NamedUnit* best = kUnits;
    for (const NamedUnit& u : kUnits) {
        if (extent > 0.0 && std::abs(std::log(extent * u.unit / 1.7)) < std::abs(std::log(extent * best->unit / 1.7)))
            best = &u;
    }
    return {best->unit, best->name, false};
}

UnitGuess guess_unit_of_creature(double height) {
    if (height > 0.02 && height < 6.0) return {1.0, "metres", true};
    // Inches fit wherever centimetres do, and are rarely meant.
    for (const NamedUnit& u : {kUnits[1], kUnits[2]})
        if (height * u.unit > 0.05 && height * u.unit < 3.0) return {u.unit, u.name, true};
    return {1.0, "metres", false};
}

std::string unit_warning(const Rig& rig, std::string_view say) {
    const Vec3 size = rest_box(rig).size();
    const double height = std::max(size.y, size.z);  // a file may have z up, and an animal may be longer than high
    const char* along = size.y >= size.z ? "high" : "long";
    const UnitGuess guess = guess_unit_of_creature(height);
    if (!(height > 0.0) || (guess.unit == 1.0 && guess.sure)) return {};
    const auto told = [&](const char* unit) {
        return say.empty() ? std::string() : fmt::format(fmt::runtime(say), unit);
    };
    const std::string meant = say.empty() ? "" : text(told("m"), " if it is meant");
    if (!guess.sure) {
        return fmt::format("it is {:.3g} m {}, and no usual unit makes that a creature's size{}", height, along,
                           say.empty() ? "" : text(" (", meant, ")"));
    }
    const char* name = guess.unit == 0.01 ? "cm" : "mm";
    return fmt::format("it is {:.3g} m {}: probably made in {}, then {:.3g} m{}", height, along, guess.name,
                       height * guess.unit, say.empty() ? "" : text(" (", told(name), ", or ", meant, ")"));
}

}  // namespace limber
