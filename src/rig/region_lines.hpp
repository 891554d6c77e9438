// Which bones carry how much skin, and region lines made of them, ready to be pasted.
#pragma once

#include <limber/tools/rig.hpp>

#include <string>
#include <vector>

namespace limber {

/// Per joint: the part of the skin's area (rest pose) that follows it, by weight. All 0 without skin.
std::vector<double> skin_share(const Rig& rig);

/// "thigh_l=bone:LeftUpLeg": one per bone with at least a hundredth of the skin (bones that sound alike share a line,
/// and count together), painted attribute, and material when there are several. parse_region() takes each.
std::vector<std::string> region_lines(const Rig& rig);

}  // namespace limber
