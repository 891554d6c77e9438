// What contact, pictures and warnings ask of an obstacle's shape.
#pragma once

#include "core/overloads.hpp"

#include <limber/obstacle.hpp>

#include <algorithm>
#include <limits>

namespace limber {

inline bool is_plane(const Obstacle& o) noexcept { return std::holds_alternative<PlaneShape>(o.shape); }

/// Bodies are in it, not beside it: a container.
inline bool keeps_inside(const Obstacle& o) noexcept {
    const BoxShape* box = std::get_if<BoxShape>(&o.shape);
    return box != nullptr && box->inside;
}

/// What enters it may come out on another side.
inline bool has_far_side(const Obstacle& o) noexcept { return !is_plane(o) && !keeps_inside(o); }

/// Half of the least width of what a body could pass through [m].
inline double half_width(const Obstacle& o, bool planar) noexcept {
    return std::visit(Overloads{
                          [](const PlaneShape&) { return std::numeric_limits<double>::infinity(); },
                          [&](const BoxShape& s) {
                              return std::min({s.half.x, s.half.y, planar ? s.half.x : s.half.z});
                          },
                          [](const BallShape& s) { return s.radius; },
                          [](const CapsuleShape& s) { return s.radius; },
                      },
                      o.shape);
}

/// About how far it reaches from its position; 0 of a plane, which has no end [m].
inline double extent(const Obstacle& o) noexcept {
    return std::visit(Overloads{
                          [](const PlaneShape&) { return 0.0; },
                          [](const BoxShape& s) { return norm(s.half); },
                          [](const BallShape& s) { return s.radius; },
                          [](const CapsuleShape& s) {
                              return norm(Vec3{s.radius, s.half_length, 0.0});
                          },
                      },
                      o.shape);
}

}  // namespace limber
