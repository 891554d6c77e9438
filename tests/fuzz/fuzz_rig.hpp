// A rig that was read keeps its promises, and can be posed and skinned.
#pragma once

#include "fuzz/fuzz.hpp"

#include "rig/region_lines.hpp"
#include "rig/rig_size.hpp"

#include <limber/tools/rig_io.hpp>

namespace limber::fuzz {

inline void use_rig(const Rig& rig) {
    check_rig(rig);
    rest_box(rig);
    region_lines(rig);
    if (rig.clips.empty()) return;
    const Pose pose = pose_at(rig, 0, rig.clips[0].duration / 3);
    std::vector<Vec3> positions, velocities;
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        positions.resize(rig.parts[p].positions.size());
        velocities.resize(positions.size());
        skin(rig, p, pose, positions, {}, velocities);
    }
}

}  // namespace limber::fuzz
