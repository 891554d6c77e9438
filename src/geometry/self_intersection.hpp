// Where a triangle surface passes through itself.
#pragma once

#include "geometry/triangles.hpp"

#include <limber/progress.hpp>

#include <cstdint>
#include <vector>

namespace limber {

/// Whether two triangles pass through each other: their planes' common line runs through both over some length, or they
/// lie in one plane and overlap in some area. Touching (a shared corner or edge, a corner resting on a face) does not
/// count.
bool cross_each_other(const Triangles& triangles, std::size_t a, std::size_t b);

struct SelfIntersections {
    std::size_t pairs = 0;         ///< of triangles that cross
    std::int32_t first = -1;       ///< a triangle of the first pair
    std::size_t triangles = 0;     ///< that take part
    std::vector<char> takes_part;  ///< 1 for each of those, one entry per triangle
    bool complete = true;          ///< false: there were too many pairs to look at, and `pairs` is a lower bound
};
/// Looks at pairs whose boxes meet, at most `most_tests` of them; 0: as many as a sound surface of this size can have,
/// several times over. Throws Error{interrupted}.
SelfIntersections self_intersections(const Triangles& triangles, Progress& progress, std::size_t most_tests = 0);

}  // namespace limber
