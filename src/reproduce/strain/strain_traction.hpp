// Tractions on a named set of a scene's body.
#pragma once

#include "fem/face_traction.hpp"

#include <limber/tools/scene.hpp>

#include <string>

namespace limber {

/// Adds a force on each vertex of `set`, as traction_forces() has them. Throws Error{bad_scene} when there is no such
/// set.
void add_traction(BodySpec& body, const std::string& set, const Traction& traction, const ScaleTrack& scale);

}  // namespace limber
