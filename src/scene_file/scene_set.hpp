// "path=value" assignments into a scene's JSON tree, and what stands at a path. Paths may be short
// (scene_short_path.hpp).
#pragma once

#include "io/json/json_value.hpp"

#include <limits>

namespace limber {

/// Changes `root`. Adds a fault, and changes nothing, for a path that the scene format does not have.
bool apply_set(JsonValue& root, const std::string& assignment, std::vector<SceneFault>& faults);

/// What kind of value a path leads to.
enum class ScenePathKind { number, whole_number, choice, other };

/// Where a path leads.
struct ScenePathTarget {
    std::string pointer;  ///< the whole path, "/bodies/0/materials/0/young"
    ScenePathKind kind = ScenePathKind::other;
    std::string unit;  ///< "" when it has none
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    std::vector<std::string> choices;  ///< of a choice; the methods' names for the method
    JsonValue value;                   ///< in force: the file's, the preset's or the default; null when there is none
};

/// Adds a fault and returns false for a path that the scene format does not have. `argument` opens the message: "--set
/// step=1".
bool find_path_target(const JsonValue& root, const std::string& path, const std::string& argument, ScenePathTarget& out,
                      std::vector<SceneFault>& faults);

}  // namespace limber
