#include "rig/flesh_trial.hpp"

#include "core/text.hpp"
#include "rig/flesh_region.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <optional>

namespace limber {
namespace {

constexpr int kTrialCells = 500, kSecondTrialCells = 2500;  // what few cells do not become is tried again

/// Whether what holds a part hangs on joints of several limbs (neither is above the other): one solid is carried by one
/// joint, and would lag behind the others.
bool spans_limbs(const Rig& rig, const FleshPart& part) {
    constexpr double kLimb = 0.08;  // of all that holds it
    std::vector<double> weight(rig.joints.size(), 0.0);
    for (const Influences& v : part.influences) {
        for (std::size_t k = 0; k < Influences::kMost; ++k) {
            weight[static_cast<std::size_t>(part.binding.joints[static_cast<std::size_t>(v.joint[k])])] +=
                v.weight[k] / static_cast<double>(part.influences.size());
        }
    }
    const auto above = [&](std::size_t a, std::size_t b) {
        for (auto j = static_cast<std::int32_t>(b); j >= 0; j = rig.joints[static_cast<std::size_t>(j)].parent)
            if (static_cast<std::size_t>(j) == a) return true;
        return false;
    };
    for (std::size_t a = 0; a < weight.size(); ++a) {
        for (std::size_t b = a + 1; weight[a] > kLimb && b < weight.size(); ++b)
            if (weight[b] > kLimb && !above(a, b) && !above(b, a)) return true;
    }
    return false;
}

std::string why_not(FleshGround& ground, const std::string& line, Progress& progress) {
    try {
        const Region region = parse_region(line);
        ground.set_regions(std::span(&region, 1));
        const FleshPart part = make_part(ground, 0, progress);
        const bool material = std::any_of(region.terms.begin(), region.terms.end(),
                                          [](const Region::Term& t) { return t.kind == Region::Term::Kind::material; });
        if (part.pieces > 1) return text("it is ", part.pieces, " separate pieces: each is a region of its own");
        if (material && spans_limbs(ground.rig, part))
            return "it spans several limbs, which one part does not follow: bones make better regions";
        return {};
    } catch (const Error& e) {
        if (e.fault() == Fault::interrupted) throw;
        return e.found();
    }
}

}  // namespace

std::vector<FleshTrial> try_flesh(const Rig& rig, const std::vector<std::string>& lines, Progress& progress) {
    FleshSettings few;
    few.cells = kTrialCells;
    std::vector<FleshTrial> out;
    std::optional<FleshGround> ground;
    std::string no_ground;
    try {
        if (!lines.empty()) ground.emplace(rig, std::span<const Region>{}, few, progress);
    } catch (const Error& e) {
        if (e.fault() == Fault::interrupted) throw;
        no_ground = e.found();
    }
    if (ground) ground->meant_cells = FleshSettings{}.cells;
    for (const std::string& line : lines) {
        out.push_back({line, no_ground});
        for (few.cells = kTrialCells; ground; few.cells = kSecondTrialCells) {
            out.back().why = why_not(*ground, line, progress);
            if (out.back().why.empty() || few.cells == kSecondTrialCells) break;
        }
    }
    return out;
}

}  // namespace limber
