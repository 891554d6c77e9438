// Pictures of a DyRT character: each part's modes in colour, and a movie of a clip with and without.
#pragma once

#include "dyrt/character.hpp"
#include "report/page.hpp"

#include <optional>

namespace limber {

/// What was drawn, for the page: pictures of one part, in order.
struct DyrtPictures {
    std::vector<Page::Photo> modes;  ///< one per part
    std::optional<Page::Photo> movie;
    std::string missing;  ///< why there are none (or fewer); "" = all are there
};
/// Draws into an existing folder. Throws Error{bad_file}, Error{interrupted}.
DyrtPictures draw_dyrt(const std::string& directory, const DyrtCharacter& character, std::optional<std::size_t> clip,
                       const std::string& about, Progress& progress);

}  // namespace limber
