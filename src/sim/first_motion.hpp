// How a body moves at first: as its scene says, if its method can.
#pragma once

#include <limber/deformer.hpp>
#include <limber/tools/scene.hpp>

namespace limber {

/// Starts like a rigid body in motion. Throws Error when the method cannot.
void start_moving(const Scene& scene, const Deformer& deformer, State& state);

}  // namespace limber
