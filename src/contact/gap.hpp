// How far a point is from an obstacle: exact signed distances with their first and second derivatives. Shared by every
// method with contact.
#pragma once

#include <limber/obstacle.hpp>

#include <cstdint>
#include <span>

namespace limber {

struct Gap {
    double value = 0.0;  ///< signed distance: negative where bodies may not be [m]
    Vec3 gradient;       ///< unit; the way out
    SymMat3 curvature;   ///< second derivatives of the distance [1/m]
};

/// Planar: z is ignored, and the obstacle turns about z only. Where the distance has no derivative (a ball's centre, a
/// box's diagonals) the gradient is that of one of the nearest faces; never NaN for finite input. `obstacle.rotation`
/// must be of unit length.
Gap gap_to(const Obstacle& obstacle, const Vec3& point, bool planar) noexcept;

/// The same for a point of a surface with that outward normal. A point that entered a box beside an edge is nearest to
/// a face that it did not come through: its way out is the nearest face that faces the surface, when there is one.
Gap gap_against(const Obstacle& obstacle, const Vec3& point, const Vec3& normal, bool planar) noexcept;

/// The obstacle with the smallest gap, and that gap; -1 without any.
std::int32_t nearest_obstacle(std::span<const Obstacle> obstacles, const Vec3& point, bool planar, Gap& gap) noexcept;

/// Velocity of the obstacle's material at a point [m/s].
constexpr Vec3 obstacle_velocity(const Obstacle& obstacle, const Vec3& point) {
    return obstacle.velocity + cross(obstacle.angular_velocity, point - obstacle.position);
}

}  // namespace limber
