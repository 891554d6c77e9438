// The verbs that draw.
#pragma once

#include "cli/cli.hpp"

namespace limber::cli {

void add_render(CLI::App& app, Action& action);
void add_gallery(CLI::App& app, Action& action);

}  // namespace limber::cli
