// The meshes and shown surfaces that a scene names: read from files, or made of surfaces.
#pragma once

#include "scene/build.hpp"
#include "scene_file/model_sizes.hpp"

#include <string>

namespace limber {

/// Fills `loaded` and `solid` of every body's mesh and `loaded` of its shown surface; bodies whose mesh has a fault
/// already are left alone. `warnings`: looks that were left out, and sizes that nothing has (`stated`: units that are
/// believed). A solid is made once as long as a scene that has it is alive. Throws Error{interrupted} only.
void load_meshes(Scene& scene, const std::string& folder, const SceneReading& reading, const StatedUnits& stated,
                 const FaultSink& sink, const FaultSink& warnings);

}  // namespace limber
