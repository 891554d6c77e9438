// The page of a DyRT character: numbers, plots, its modes in colour and a short movie.
#pragma once

#include "study/dyrt_character.hpp"

namespace limber {

struct DyrtPageWords {
    std::string command;                ///< what to type to get it again
    std::string glb;                    ///< the name of the file beside the folder
    std::vector<std::size_t> clips;     ///< that were baked
};

/// Writes the folder: all of it or nothing. A machine that cannot draw gets a page that says so. Throws Error{bad_usage} when something
/// else lies there, Error{bad_file}, Error{interrupted}.
void write_dyrt_page(const std::string& folder, const DyrtCharacter& character, const DyrtPageWords& words, Progress& progress);

}  // namespace limber
