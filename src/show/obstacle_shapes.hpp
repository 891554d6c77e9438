// Obstacles of a recording as plain grey solids; flat shapes in planar scenes.
#pragma once

#include "render/draw_list.hpp"

#include <limber/tools/recording.hpp>

#include <optional>
#include <vector>

namespace limber {

/// Where they are at a time, between frames too.
std::vector<Obstacle> obstacles_at(const Recording& recording, double time);

/// The level of the floor when one is there in every frame: a plane in space that faces up and stands still [m]. The
/// picture's own ground shows it.
std::optional<double> floor_level(const Recording& recording);

/// What they are shown beside: its box now and at rest.
struct ShownBeside {
    DrawBox now, rest;
    bool planar = false;
};
/// A floor at `ground` is left out, and planes end there.
void add_obstacles(const std::vector<Obstacle>& obstacles, const ShownBeside& body, std::optional<double> ground,
                   DrawList& out);

}  // namespace limber
