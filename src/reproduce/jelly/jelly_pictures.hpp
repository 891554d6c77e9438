// The figures of the jelly paper, by our runs.
#pragma once

#include "report/page.hpp"
#include "reproduce/jelly/reproduce_jelly.hpp"

namespace limber {

/// Draws them beside the page; says in one line why not where that cannot be. Throws Error{bad_file | interrupted}.
void add_jelly_pictures(Page& page, const std::string& directory, const JellyStudy& study, Progress& progress);

}  // namespace limber
