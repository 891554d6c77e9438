// Obstacle: a rigid thing that bodies may not enter. A plain value, part of Loads; src/contact measures gaps to it.
#pragma once

#include <limber/vec3.hpp>

#include <cstdint>

namespace limber {

/// Where it is and how it moves at the *end* of a step. In the plane (z = 0) a plane is a line, a ball a disc, and a
/// box has no z.
struct Obstacle {
    enum class Shape : std::uint8_t { plane, box, ball, capsule };

    Shape shape = Shape::plane;
    bool inside = false;  ///< of a box: bodies are kept in it instead of out
    /// box: half its sides. ball: radius, -, -. capsule: radius, half the distance of its two centres (along its own
    /// y), -. plane: unused. [m]
    Vec3 size;
    Vec3 position;          ///< of its centre; any point of a plane [m]
    Quat rotation;          ///< a plane's free side is its own +y
    Vec3 velocity;          ///< [m/s]
    Vec3 angular_velocity;  ///< [rad/s], world axes
    friend bool operator==(const Obstacle&, const Obstacle&) = default;
};

}  // namespace limber
