// From a validated JSON tree (defaults inserted) to a Scene.
#pragma once

#include "io/json/json_value.hpp"
#include "scene/build.hpp"

namespace limber {

/// Lenient: what has the wrong kind keeps its C++ default, because validate() has told it already.
/// Adds faults that no single field shows: keyframes out of order, too many steps.
Scene fill_scene(const JsonValue& root, const FaultSink& sink);

}  // namespace limber
