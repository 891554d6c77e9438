// A DyRT character in tables and JSON: for the terminal and for its page.
#pragma once

#include "dyrt/character.hpp"
#include "report/table.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace limber {

/// One row per part: its solid, its bone, and what it is made of in moduli and damping.
Table dyrt_parts_table(const DyrtCharacter& character);
/// One row per oscillator of a part: frequency, damping, largest amplitude over the clips, eigen residual, whether the
/// GLB has it.
Table dyrt_oscillators_table(const DyrtCharacter& character, std::size_t part);
/// What each number of the bone's motion does to each amplitude.
Table dyrt_transfer_table(const DyrtPart& part);
/// One row per clip that is baked: how long, whether it repeats, and how far each part moves in it.
Table dyrt_clips_table(const DyrtCharacter& character);
/// The baked clip in which some part moves farthest, in sizes of the part; none without clips.
std::optional<std::size_t> clip_with_most_motion(const DyrtCharacter& character);
/// One row per part: distance from finite elements with all oscillators, and with the first modes alone.
Table dyrt_error_table(const DyrtCharacter& character);

nlohmann::json to_json(const DyrtCharacter& character);

/// How far a part's skin moves over a clip, looked at on some 256 of its vertices; 0 where it is not baked.
struct DyrtReach {
    double world = 0.0;  ///< [m]
    double own = 0.0;    ///< in the skin's own space, which may be scaled
};
DyrtReach largest_motion(const DyrtCharacter& character, std::size_t part, std::size_t clip);
/// "walk"; clips without a name go by their number.
std::string clip_words(const Rig& rig, std::size_t clip);

}  // namespace limber
