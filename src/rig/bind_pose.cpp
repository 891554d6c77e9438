// The pose in which the skin was bound, put where the rest pose stands.
#include "core/rotation.hpp"

#include <limber/tools/flesh.hpp>

#include <algorithm>

namespace limber {
namespace {

/// The one that carries most vertices first: it decides where the others are.
std::vector<std::size_t> by_vertices(const Rig& rig) {
    std::vector<std::size_t> carried(rig.bindings.size(), 0), order;
    for (const SkinPart& part : rig.parts)
        if (part.binding >= 0) carried[static_cast<std::size_t>(part.binding)] += part.positions.size();
    for (std::size_t b = 0; b < carried.size(); ++b)
        if (carried[b] > 0) order.push_back(b);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return carried[a] > carried[b]; });
    return order;
}

/// From a binding's own space to the common one: by a joint that is placed already, otherwise its first joint goes
/// where the rest pose has it.
Affine binding_to_common_space(const SkinBinding& binding, const Pose& pose, const Pose& rest,
                               const std::vector<char>& bound) {
    std::size_t first = binding.joints.size();
    for (std::size_t i = 0; i < binding.joints.size(); ++i) {
        if (!invertible(binding.inverse_bind[i].linear)) continue;
        const auto j = static_cast<std::size_t>(binding.joints[i]);
        if (bound[j]) return pose.world[j] * binding.inverse_bind[i];
        if (invertible(rest.world[j].linear) &&
            (first == binding.joints.size() || binding.joints[i] < binding.joints[first])) {
            first = i;
        }
    }
    if (first == binding.joints.size()) return {};
    return rest.world[static_cast<std::size_t>(binding.joints[first])] * binding.inverse_bind[first];
}

}  // namespace

Pose bind_pose(const Rig& rig) {
    const Pose rest = rest_pose(rig);
    Pose pose = rest;
    std::vector<char> bound(rig.joints.size(), 0);
    for (const std::size_t b : by_vertices(rig)) {
        const SkinBinding& binding = rig.bindings[b];
        const Affine home = binding_to_common_space(binding, pose, rest, bound);
        for (std::size_t i = 0; i < binding.joints.size(); ++i) {
            const auto j = static_cast<std::size_t>(binding.joints[i]);
            if (bound[j] || !invertible(binding.inverse_bind[i].linear)) continue;
            pose.world[j] = home * inverse(binding.inverse_bind[i]);
            bound[j] = 1;
        }
    }
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
        const std::int32_t parent = rig.joints[j].parent;
        if (!bound[j] && parent >= 0)
            pose.world[j] = pose.world[static_cast<std::size_t>(parent)] * to_affine(rest.local[j]);
        // Turned by what leads from rest to bind, so that a mirrored or squeezed joint counts the same in both.
        if (!invertible(rest.world[j].linear) || !invertible(pose.world[j].linear)) continue;
        pose.rotation[j] = normalized(rotation_in(pose.world[j].linear * inverse(rest.world[j].linear)) *
                                      rest.rotation[j]);
    }
    return pose;
}

}  // namespace limber
