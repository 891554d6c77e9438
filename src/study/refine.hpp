// A scene posed again on a finer mesh: the same supports, the same total loads, the same material everywhere.
#pragma once

#include <limber/tools/scene.hpp>

namespace limber {

enum class Finer {
    split,  ///< every cell split (geometry/refine.hpp)
    order,  ///< tet4 cells become tet10 instead
};

/// The first body's mesh made finer; step and duration stay. Boxes and balls pick their vertices anew, single and
/// listed vertices keep their place (lists grow with the mesh), forces given per vertex keep their sum, and handles
/// keep the pivot they had. Throws Error: whatever make_body throws, and Error{unsupported} for Finer::order on cells
/// that have no higher order here.
Scene refined_scene(const Scene& scene, Finer how = Finer::split);

}  // namespace limber
