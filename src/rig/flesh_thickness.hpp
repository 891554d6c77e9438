// How thick a region is, known from the skin alone: before any solid is made of it.
#pragma once

#include "rig/flesh_region.hpp"

#include <string>

namespace limber {

/// Fewer cells than this from skin to skin are no solid.
inline constexpr double kThick = 3.0;

struct RegionThickness {
    double thick = 0.0;   ///< three quarters of its skin have less character behind them [m]
    double volume = 0.0;  ///< behind its skin, roughly [m^3]
};
/// Straight in from places all over the region's skin to where the character ends. A region may end sooner, at its
/// seam: no solid is thicker than this.
RegionThickness thickness_of(const FleshGround& ground, std::size_t region);

/// "--cells 24000": as many as make cells of `needed` where `now` cells have `size`, with some to spare. "" where more
/// than
/// --cells takes would be needed.
std::string cells_for(double needed, double size, double now);

/// Advice: bones of less than half the radius.
std::string thinner_bones(const FleshSettings& settings);

/// Throws the Error about a region of which three quarters are thinner than `thick`, with cells of `size`, of which
/// `now` would be made: names how many would do.
[[noreturn]] void refuse_thin(const FleshGround& ground, std::size_t region, double thick, double size, double now);

/// The faces around a region's flesh and bones.
struct RegionHull {
    Triangles faces;
    std::vector<std::size_t> skin;  ///< those of flesh with nothing behind them
};
RegionHull hull_of(const FleshCells& cells);

}  // namespace limber
