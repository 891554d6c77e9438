// Garments and levels of detail: meshes that carry no paint of their own, over skin that does.
#pragma once

#include "rig/character_skin.hpp"

namespace limber {

/// Where a region is painted, meshes without that attribute are as free as the painted skin nearest to them (bind
/// pose), fading out between one and two hundredths of the character's size. Bones, balls and capsules speak of every
/// mesh already; materials mean what they name.
void extend_to_garments(const Rig& rig, const Region& region, const CharacterSkin& skin, std::vector<double>& freedom);

}  // namespace limber
