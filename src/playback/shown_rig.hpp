// A moving surface as a model with morph targets, the form in which glTF plays it.
#pragma once

#include "playback/series_resample.hpp"
#include "playback/shown_surface.hpp"

#include <limber/tools/rig.hpp>

#include <span>
#include <string>
#include <vector>

namespace limber {

/// Targets that play the samples: shapes that are added, and how much of each when.
struct ShownTargets {
    std::vector<std::vector<Vec3>> positions;  ///< per target and vertex of the surface [m]
    std::vector<std::vector<Vec3>> normals;    ///< per target and normal slot
    std::vector<std::vector<double>> weights;  ///< per sample
    std::vector<std::string> names;
};
/// The same on a model that was matched: its parts, skins, looks and clips stay, targets and a clip "run" are added.
Rig model_with_targets(const ShownSurface& shown, const ShownTargets& targets, std::span<const double> times);

/// One node with a part per material, or the matched glTF model; targets and a clip that play `samples`. Adds to
/// `remarks` how far the targets are from the frames.
Rig shown_rig(const ShownSurface& shown, const Resampled& samples, const SurfaceSeriesTarget& target,
              const std::string& name, std::vector<std::string>& remarks);

}  // namespace limber
