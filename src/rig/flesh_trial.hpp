// Which regions become flesh: told with few cells, before anyone waits for a solid.
#pragma once

#include <limber/tools/flesh.hpp>

#include <string>
#include <vector>

namespace limber {

struct FleshTrial {
    std::string line;  ///< as it was offered
    std::string why;   ///< it does not become flesh with default settings; "" = it does
};
/// Each line as a region of its own. Throws Error{interrupted}; what else goes wrong is a reason.
std::vector<FleshTrial> try_flesh(const Rig& rig, const std::vector<std::string>& lines, Progress& progress);

}  // namespace limber
