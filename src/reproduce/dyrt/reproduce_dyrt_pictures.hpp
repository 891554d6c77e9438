// Pictures on the page of `reproduce dyrt`.
#pragma once

#include "report/page.hpp"
#include "reproduce/dyrt/reproduce_dyrt.hpp"

namespace limber {

/// Draws into an existing folder and shows them; says why not where that cannot be. Throws Error{bad_file |
/// interrupted}.
void add_dyrt_study_pictures(Page& page, const std::string& directory, const DyrtStudy& study, Progress& progress);

}  // namespace limber
