// Shared by the files that describe scene tables.
#pragma once

#include "scene_file/scene_table.hpp"

namespace limber {

// Far beyond any body or force here, and far below what overflows when squared and summed.
inline constexpr double kFar = 1e6;      // [m]
inline constexpr double kStrong = 1e12;  // [N], [m/s^2], [Pa]
inline constexpr double kLong = 1e6;     // [s]

SceneField interpolation_field();
const SceneTable& pose_key_table();

// What stands around bodies, how they start, and static problems (scene_table_stage.cpp).
const SceneTable& place_table();
const SceneTable& motion_table();
const SceneTable& obstacle_table();
const SceneTable& condition_table();
const SceneTable& static_table();

}  // namespace limber
