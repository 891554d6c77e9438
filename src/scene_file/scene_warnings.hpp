// What is wrong or doubtful about a scene as a whole, once each part of it is sound.
#pragma once

#include <limber/tools/scene.hpp>

#include <string>
#include <vector>

namespace limber {

/// Faults: what the method cannot do, probes outside the body. Warnings: locking, repaired cells, keys after the end,
/// unused sets.
void find_scene_warnings(const Scene& scene, const Body& body, const std::string& file, std::vector<SceneFault>& faults,
                         std::vector<SceneFault>& warnings);

}  // namespace limber
