#include "deform/loads_fit.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

bool loads_fit(const Body& body, const Loads& loads) noexcept {
    if (!loads.force.empty() && loads.force.size() != body.vertex_count()) return false;
    if (!loads.handles.empty() && loads.handles.size() != body.handles().size()) return false;
    if (!is_finite(loads.gravity) || !std::all_of(loads.force.begin(), loads.force.end(), [](const Vec3& f) { return is_finite(f); })) return false;
    return std::all_of(loads.handles.begin(), loads.handles.end(), [](const HandleTarget& h) {
        const Quat& q = h.rotation;
        return is_finite(h.translation) && is_finite(h.velocity) && is_finite(h.acceleration) && is_finite(h.angular_velocity) &&
               is_finite(h.angular_acceleration) && std::abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-6;
    });
}

}  // namespace limber
