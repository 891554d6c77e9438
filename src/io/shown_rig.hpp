// A moving surface as a model with morph targets, the form in which glTF plays it.
#pragma once

#include "io/series_resample.hpp"
#include "io/shown_surface.hpp"

#include <limber/rig.hpp>

#include <string>
#include <vector>

namespace limber {

/// One node with a part per material; targets and a clip that play `samples`. Adds to `remarks` how far the targets are from the frames.
Rig shown_rig(const ShownSurface& shown, const Resampled& samples, const SurfaceSeriesTarget& target, const std::string& name, std::vector<std::string>& remarks);

/// Looks by name from the OBJ's material libraries, which lie beside or below it; plain ones where a library lacks a name.
void read_obj_looks(const ObjModel& model, const std::string& obj_path, Rig& rig, std::vector<std::string>& remarks);

}  // namespace limber
