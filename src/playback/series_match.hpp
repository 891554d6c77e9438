// Which point of a series is which vertex of a body.
#pragma once

#include <limber/vec3.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace limber {

/// The largest distance between entries of the same number; both spans have the same length.
struct RestGap {
    double distance = 0.0;  ///< [m]
    std::size_t vertex = 0;
};
RestGap gap_by_index(std::span<const Vec3> vertices, std::span<const Vec3> points);

struct RestMatch {
    std::vector<std::int32_t> point;  ///< per vertex; -1 = none rests near enough
    /// (vertex, point) of further points that rest there too: they must move alike.
    std::vector<std::pair<std::int32_t, std::int32_t>> also;
    std::size_t missing = 0;  ///< vertices without a point
    RestGap worst;  ///< of the vertices without one, the farthest from any point (of the first `looked_at` of them)
    std::size_t looked_at = 0;
    std::size_t unused = 0;  ///< points that no vertex took
    bool complete() const { return missing == 0; }
};

/// The nearest point within `tolerance` [m] of each vertex, the lower number where two are equally near.
RestMatch match_by_rest(std::span<const Vec3> vertices, std::span<const Vec3> points, double tolerance);

}  // namespace limber
