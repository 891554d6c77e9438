// Bones as capsules: which ones a character has, how thick, and which cells they pass through.
#pragma once

#include "rig/character_skin.hpp"

#include <limber/tools/flesh.hpp>

#include <optional>

namespace limber {

/// From every joint that moves skin to each of its children that holds no mesh, in the bind pose; without those that
/// lie outside the skin. Joints without such a child: through the middle of the skin that follows them.
std::vector<FleshBone> bones_of(const Rig& rig, const Pose& bind, const CharacterSkin& skin,
                                const FleshSettings& settings);

/// Distance of a point from a bone's axis, in radii: at most 1 within the capsule.
double radii_from(const FleshBone& bone, const Vec3& point);

/// The bone that a tetrahedron is part of: its middle is within the capsule (the relatively nearest of several), or the
/// axis passes through.
std::optional<std::size_t> bone_through(const std::vector<FleshBone>& bones, const std::array<Vec3, 4>& corners);

}  // namespace limber
