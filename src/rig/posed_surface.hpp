// All the skin of a rig in one pose as one surface.
#pragma once

#include <limber/mesh.hpp>
#include <limber/tools/rig.hpp>

namespace limber {

/// The vertices of the parts one after the other, each in its own order [m]. Throws Error{bad_mesh} when there is no
/// triangle, or when the pose takes a vertex beyond all numbers.
Surface posed_surface(const Rig& rig, const Pose& pose);

}  // namespace limber
