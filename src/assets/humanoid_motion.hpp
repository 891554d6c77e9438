// How the humanoid moves: its two clips, made from angles of joints and the ground under its feet.
#pragma once

#include <limber/tools/rig.hpp>

namespace limber {

Clip walk_clip();
Clip jump_clip();

}  // namespace limber
