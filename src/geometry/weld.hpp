// Welding: vertices at the same place become one.
#pragma once

#include <limber/vec3.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace limber {

/// For every point the lowest number among the points it is joined with. Points join when they are at most `reach` [m]
/// apart, directly or through others; 0 joins equal ones only. Points that are not finite join nothing.
std::vector<std::int32_t> weld(std::span<const Vec3> points, double reach);

}  // namespace limber
