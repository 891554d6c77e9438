#include "deform/loads_fit.hpp"

#include "core/overloads.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

bool is_unit(const Quat& q) noexcept { return std::abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-6; }

bool shape_fits(const ObstacleShape& shape) noexcept {
    return std::visit(
        Overloads{
            [](const PlaneShape&) { return true; },
            [](const BoxShape& s) { return is_finite(s.half) && s.half.x > 0.0 && s.half.y > 0.0 && s.half.z >= 0.0; },
            [](const BallShape& s) { return std::isfinite(s.radius) && s.radius > 0.0; },
            [](const CapsuleShape& s) {
                return std::isfinite(s.radius) && std::isfinite(s.half_length) && s.radius > 0.0 &&
                       s.half_length >= 0.0;
            },
        },
        shape);
}

bool obstacle_fits(const Obstacle& o) noexcept {
    const bool finite = is_finite(o.position) && is_finite(o.velocity) && is_finite(o.angular_velocity) &&
                        is_unit(o.rotation);
    return finite && shape_fits(o.shape);
}

}  // namespace

bool loads_fit(const Body& body, const Loads& loads, bool obstacles) noexcept {
    if (!loads.obstacles.empty() &&
        (!obstacles || !std::all_of(loads.obstacles.begin(), loads.obstacles.end(), obstacle_fits))) {
        return false;
    }
    if (!loads.force.empty() && loads.force.size() != body.vertex_count()) return false;
    if (!loads.handles.empty() && loads.handles.size() != body.handles().size()) return false;
    if (!is_finite(loads.gravity) ||
        !std::all_of(loads.force.begin(), loads.force.end(), [](const Vec3& f) { return is_finite(f); })) {
        return false;
    }
    if (!loads.vertices.empty() && loads.vertices.size() != body.driven_vertices().size()) return false;
    if (!std::all_of(loads.vertices.begin(), loads.vertices.end(),
                     [](const VertexTarget& v) { return is_finite(v.position) && is_finite(v.velocity); })) {
        return false;
    }
    return std::all_of(loads.handles.begin(), loads.handles.end(), [](const HandleTarget& h) {
        return is_finite(h.translation) && is_finite(h.velocity) && is_finite(h.acceleration) &&
               is_finite(h.angular_velocity) && is_finite(h.angular_acceleration) && is_unit(h.rotation);
    });
}

}  // namespace limber
