// Obstacles of a recording as plain grey solids; flat shapes in planar scenes.
#pragma once

#include "render/draw_list.hpp"

#include <limber/recording.hpp>

#include <optional>
#include <vector>

namespace limber {

/// Where they are at a time, between frames too.
std::vector<Obstacle> obstacles_at(const Recording& recording, double time);

/// The level of the floor when one is there in every frame: a plane in space that faces up and stands still [m]. The picture's own ground shows it.
std::optional<double> floor_level(const Recording& recording);

/// `body` is the box of what they are shown beside, now; `size` its diagonal at rest [m]. A floor at `ground` is left out.
void add_obstacles(const std::vector<Obstacle>& obstacles, bool planar, const DrawBox& body, double size, std::optional<double> ground, DrawList& out);

}  // namespace limber
