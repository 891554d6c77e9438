// What the verbs below `limber rig` share.
#pragma once

#include "cli/cli.hpp"

#include <string>

namespace limber::cli {

void add_rig_flesh(CLI::App& rig, Action& action);

/// A unit's name or a number of metres; "" = as the format says (0). Throws Error{bad_usage}.
double unit_of(const std::string& word);
inline constexpr const char* kUnitHelp = "one unit of the file: m, cm, mm, in, ft, or in metres (default: as the format says; BVH: a guess)";

}  // namespace limber::cli
