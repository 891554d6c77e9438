// How bones carry a flesh part: targets of its held vertices, and the rigid motion of its reference joint.
#include "rig/pose_rates.hpp"
#include "rig/skinning.hpp"

#include "core/rotation.hpp"
#include "core/text.hpp"

#include <limber/error.hpp>
#include <limber/tools/flesh.hpp>

namespace limber {

void held_targets(const FleshPart& part, const Pose& pose, std::span<Vec3> positions, std::span<Vec3> velocities) {
    const std::size_t n = part.held.size();
    if (positions.size() != n || (!velocities.empty() && velocities.size() != n)) {
        throw Error(Fault::bad_usage, {part.name, 0, {}},
                    text("room for ", positions.size(), " positions and ", velocities.size(), " velocities"),
                    text("one per held vertex, of which there are ", n));
    }
    const Palette palette = palette_of(part.binding, pose);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3& rest = part.mesh.vertices[static_cast<std::size_t>(part.held[i])];
        const Blended b = blend(palette, part.influences[i]);
        positions[i] = b.matrix * rest;
        if (!velocities.empty()) velocities[i] = b.rate * rest;
    }
}

BoneMotion bone_motion_at(const FleshPart& part, const Pose& pose) {
    const auto j = static_cast<std::size_t>(part.reference);
    BoneMotion out;
    out.origin = pose.position(j);
    out.velocity = pose.velocity(j);
    out.angular_velocity = pose.angular_velocity[j];
    out.rotation = normalized(pose.rotation[j] * conjugate(part.bind_rotation));
    out.bind_origin = part.bind_origin;
    return out;
}

BoneMotion bone_motion_at(const Rig& rig, const FleshPart& part, std::size_t clip, double time) {
    const Pose pose = pose_at(rig, clip, time);
    BoneMotion out = bone_motion_at(part, pose);
    const PoseAcceleration second = acceleration_at(rig, clip, time, pose);
    out.acceleration = second.world[static_cast<std::size_t>(part.reference)].translation;
    out.angular_acceleration = second.angular[static_cast<std::size_t>(part.reference)];
    return out;
}

void mean_acceleration(const BoneMotion& from, BoneMotion& to, double dt) {
    to.acceleration = (to.velocity - from.velocity) / dt;
    to.angular_acceleration = (to.angular_velocity - from.angular_velocity) / dt;
}

}  // namespace limber
