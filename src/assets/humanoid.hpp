// The humanoid's skeleton at rest: where its joints are, for the flesh around them and for the rig.
#pragma once

#include <limber/vec3.hpp>

#include <span>

namespace limber {

/// Parents come first. Left is +x: the figure looks to +z.
struct HumanoidJoint {
    const char* name;
    int parent;  ///< -1: the root
    Vec3 at;     ///< [m]
    Vec3 end;    ///< of the bone that begins here [m]
};
std::span<const HumanoidJoint> humanoid_joints();

enum HumanoidPart {
    kHips,
    kSpine,
    kChest,
    kNeck,
    kHead,
    kShoulderL,
    kUpperArmL,
    kForearmL,
    kHandL,
    kShoulderR,
    kUpperArmR,
    kForearmR,
    kHandR,
    kThighL,
    kShinL,
    kFootL,
    kToesL,
    kThighR,
    kShinR,
    kFootR,
    kToesR,
    kHumanoidJoints
};

}  // namespace limber
