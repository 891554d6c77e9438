// "path=value" assignments into a scene's JSON tree.
#pragma once

#include "io/scene_value.hpp"

namespace limber {

/// Changes `root`. Adds a fault, and changes nothing, for a path that the scene format does not have.
bool apply_set(JsonValue& root, const std::string& assignment, std::vector<SceneFault>& faults);

}  // namespace limber
