// What the verbs below `limber rig` share.
#pragma once

#include "cli/cli.hpp"

#include <limber/rig.hpp>

#include <string>

namespace limber::cli {

void add_rig_flesh(CLI::App& rig, Action& action);

/// read_rig() with unit_of(`unit`). A character of an unlikely size whose unit is not given has a note that says so, which is also a warning
/// unless `quiet`.
Rig read_rig_doubting(const std::string& path, const std::string& unit, bool quiet);
/// A unit's name or a number of metres; "" = as the format says (0). Throws Error{bad_usage}.
double unit_of(const std::string& word);
inline constexpr const char* kUnitHelp = "one unit of the file: m, cm, mm, in, ft, or in metres (default: as the format says; BVH: a guess)";

}  // namespace limber::cli
