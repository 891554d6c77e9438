// The page of a DyRT character: numbers, plots, its modes in colour and a short movie.
#pragma once

#include "dyrt/character.hpp"
#include "io/files/atomic_folder.hpp"

namespace limber {

struct DyrtPageWords {
    std::string command;             ///< what to type to get it again
    std::string glb;                 ///< the name of the file beside the folder
    std::string live;                ///< the name of the live page there; "" = none
    std::vector<std::size_t> clips;  ///< that were baked
};

/// What an earlier page left in a folder: its index names it. A folder without one, or with a broken one, is somebody
/// else's.
std::vector<std::string> earlier_page(const std::string& folder);

/// Fills the folder; the caller commits it. A machine that cannot draw gets a page that says so. Throws
/// Error{bad_file}, Error{interrupted}.
void write_dyrt_page(const AtomicFolder& folder, const DyrtCharacter& character, const DyrtPageWords& words,
                     Progress& progress);

}  // namespace limber
