// Shared by the files that describe scene tables.
#pragma once

#include "scene_file/scene_table.hpp"

#include <initializer_list>

namespace limber {

// Far beyond any body or force here, and far below what overflows when squared and summed.
inline constexpr double kFar = 1e6;      // [m]
inline constexpr double kStrong = 1e12;  // [N], [m/s^2], [Pa]
inline constexpr double kLong = 1e6;     // [s]

/// The fields of a long table from its parts, in that order.
std::vector<SceneField> joined_fields(std::initializer_list<std::vector<SceneField>> parts);

SceneField interpolation_field();
const SceneTable& pose_key_table();

// What stands around bodies, how they start, and static problems (scene_table_stage.cpp).
const SceneTable& place_table();
const SceneTable& motion_table();
const SceneTable& obstacle_table();
const SceneTable& condition_table();
const SceneTable& static_table();

}  // namespace limber
