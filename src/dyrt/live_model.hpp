// What the live page shows, as its program reads it (web/live_pose.js): the source character with its own shapes and
// the clips that were baked, in the source's unit. Not the GLB: clients want that with fewer targets than there are
// oscillators, and with maps that the page does not draw.
#pragma once

#include "dyrt/character.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace limber {

struct LiveModel {
    std::string head;  ///< JSON in which [offset, count] stands for numbers in `blob`
    std::string blob;  ///< 32-bit floats and whole numbers of 16 and 32 bits, little endian; each list starts at a
                       ///< multiple of four
};

/// `more`: members that are added to the head.
LiveModel make_live_model(const DyrtCharacter& character, const DyrtCharacterSettings& settings,
                          const nlohmann::json& more);

}  // namespace limber
