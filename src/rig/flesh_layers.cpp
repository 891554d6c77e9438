// Flesh in layers: every region is a solid of its own as if it were alone, so that solids may overlap; what they do to
// a vertex adds up.
#include <limber/tools/flesh.hpp>

#include "core/part_of_progress.hpp"
#include "rig/flesh_draft.hpp"

#include <map>

namespace limber {

std::vector<FleshPart> layered_flesh(const Rig& rig, std::span<const Region> regions, const FleshSettings& settings,
                                     Progress& progress) {
    return layered_flesh(rig, regions, settings, progress, false);
}

std::vector<FleshPart> layered_flesh(const Rig& rig, std::span<const Region> regions, const FleshSettings& settings,
                                     Progress& progress, bool draft) {
    std::vector<FleshPart> out;
    const auto n = static_cast<double>(regions.size());
    for (std::size_t r = 0; r < regions.size(); ++r) {
        PartOfProgress share(progress, static_cast<double>(r) / n, static_cast<double>(r + 1) / n);
        out.push_back(std::move(make_flesh(rig, regions.subspan(r, 1), settings, share, draft)[0]));
        if (regions[r].name.empty()) out.back().name = "part_" + std::to_string(r + 1);
    }
    if (regions.empty()) return make_flesh(rig, regions, settings, progress);  // says what is missing
    std::map<std::pair<std::int32_t, std::int32_t>, double> sums;
    for (const FleshPart& part : out)
        for (const FleshSkinVertex& v : part.skin) sums[{v.part, v.vertex}] += v.blend;
    for (FleshPart& part : out) {
        for (FleshSkinVertex& v : part.skin) {
            const double sum = sums[{v.part, v.vertex}];
            if (sum > 1.0) v.blend /= sum;
        }
    }
    return out;
}

}  // namespace limber
