// Whether the models that a scene names are as large as models are. A unit that the scene states is believed.
#pragma once

#include "io/json/json_value.hpp"
#include "scene/build.hpp"

#include <span>
#include <string>
#include <vector>

namespace limber {

struct Rig;

/// Of each body: whether the scene says which unit its mesh and its shown surface are in.
struct StatedUnits {
    struct OfBody {
        bool mesh = false, shown = false;
    };
    std::vector<OfBody> bodies;

    OfBody of(std::size_t body) const { return body < bodies.size() ? bodies[body] : OfBody{}; }
};
/// `root` as it was written: defaults inserted later look as if they were stated.
StatedUnits stated_units(const JsonValue& root);

/// Warns of a box of this size [m], from files without a unit; `field` is the mesh or surface.
void warn_of_model_size(const Vec3& size, const std::string& field, const FaultSink& warnings);
/// The same of a character whose flesh is cut out.
void warn_of_character_size(const Rig& rig, const std::string& field, const FaultSink& warnings);

/// For those who run a scene without check_scene(), which has these among its warnings. Reads the models, makes no
/// solids; what cannot be read is passed over, since whoever needs it tells.
std::vector<SceneFault> model_size_warnings(const std::string& scene_path, std::span<const std::string> sets);

/// "5e+06 cells: about 770 MB of memory and 45 s for the solid alone": before a scene's solids are made, which takes
/// that long;
/// "" for smaller ones.
std::string announced_cells(const std::string& scene_path, std::span<const std::string> sets);

}  // namespace limber
