// Obstacle: a rigid thing that bodies may not enter. A plain value, part of Loads; src/contact measures gaps to it.
#pragma once

#include <limber/vec3.hpp>

#include <type_traits>
#include <variant>

namespace limber {

/// All of space below it: its free side is its own +y. In the plane a line.
struct PlaneShape {
    friend bool operator==(const PlaneShape&, const PlaneShape&) = default;
};

/// In the plane it has no z.
struct BoxShape {
    Vec3 half;            ///< half its sides, along its own axes [m]
    bool inside = false;  ///< bodies are kept in it instead of out
    friend bool operator==(const BoxShape&, const BoxShape&) = default;
};

/// In the plane a disc.
struct BallShape {
    double radius = 0.0;  ///< [m]
    friend bool operator==(const BallShape&, const BallShape&) = default;
};

/// All points within `radius` of a segment along its own y.
struct CapsuleShape {
    double radius = 0.0;       ///< [m]
    double half_length = 0.0;  ///< of the segment: half the distance of its two centres [m]
    friend bool operator==(const CapsuleShape&, const CapsuleShape&) = default;
};

/// Ask it by std::get_if or std::visit: further shapes will follow.
using ObstacleShape = std::variant<PlaneShape, BoxShape, BallShape, CapsuleShape>;
// Copies that may throw could leave a variant without a shape, and a visit inside a step would then throw.
static_assert(std::is_nothrow_copy_constructible_v<ObstacleShape> && std::is_nothrow_copy_assignable_v<ObstacleShape>);

/// Where it is and how it moves at the *end* of a step; at z = 0 in the plane.
struct Obstacle {
    ObstacleShape shape;
    Vec3 position;          ///< of its centre; any point of a plane [m]
    Quat rotation;          ///< of its own axes
    Vec3 velocity;          ///< [m/s]
    Vec3 angular_velocity;  ///< [rad/s], world axes
    friend bool operator==(const Obstacle&, const Obstacle&) = default;
};

}  // namespace limber
