// A small humanoid with flesh, made once for all tests.
#pragma once

#include <limber/tools/assets.hpp>
#include <limber/tools/dyrt.hpp>

#include <map>
#include <string>
#include <vector>

namespace limber {

inline const Rig& humanoid() {
    static const Rig rig = make_humanoid(3000);
    return rig;
}

inline std::vector<FleshPart> flesh_of(const Rig& rig, const std::vector<std::string>& lines, int cells) {
    std::vector<Region> regions;
    for (const std::string& line : lines) regions.push_back(parse_region(line));
    Progress quiet;
    FleshSettings settings;
    settings.cells = cells;
    return make_flesh(rig, regions, settings, quiet);
}

inline DyrtSettings fat(int modes = 5) {
    DyrtSettings s;
    s.modes = modes;
    s.material = {"flesh", 3000.0, 0.45, 950.0, 2.0, 0.002};
    return s;
}

inline DyrtPart dyrt_of(const Rig& rig, const std::string& line, int cells, const DyrtSettings& settings) {
    static std::map<std::pair<std::string, int>, std::vector<FleshPart>>
        made;  // meshing takes longer than what is tested
    std::vector<FleshPart>& flesh = made[{line, cells}];
    if (flesh.empty()) flesh = flesh_of(rig, {line}, cells);
    Progress quiet;
    return std::move(make_dyrt(rig, flesh, settings, quiet)[0]);
}

/// A thigh of few cells: cheap enough for any test.
inline const DyrtPart& thigh() {
    static const DyrtPart part = dyrt_of(humanoid(), "thigh=bone:thigh_l", 1500, fat());
    return part;
}

}  // namespace limber
