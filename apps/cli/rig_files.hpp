// What the verbs below `limber rig` share.
#pragma once

#include "cli/cli.hpp"

#include <limber/tools/flesh.hpp>
#include <limber/tools/rig.hpp>

#include <string>
#include <vector>

namespace limber::cli {

void add_rig_flesh(CLI::App& rig, Action& action);

/// read_rig() with unit_of(`unit`). A character of an unlikely size whose unit is not given has a note that says so,
/// which is also a warning unless `quiet`.
Rig read_rig_with_warnings(const std::string& path, const std::string& unit, bool quiet);

/// What decides how flesh is cut out of a character, besides --flesh and --cells. Adds --threshold, --bone-share and
/// --bone-radius.
void add_bone_options(CLI::App& verb, FleshSettings& settings);

/// Throws Error{bad_usage} for a name that is no picture's; "" is none.
void check_preview(const std::string& path);
/// A picture of what becomes flesh, what holds it and the bones found; `source`: the rig's file.
void write_flesh_preview(const std::string& path, const Rig& rig, const std::vector<FleshPart>& parts,
                         const std::string& source);
inline constexpr const char* kPreviewHelp = "a picture of what becomes flesh, what holds it and the bones found (.png)";

/// A unit's name or a number of metres; "" = as the format says (0). Throws Error{bad_usage}.
double unit_of(const std::string& word);
inline constexpr const char* kUnitHelp =
    "one unit of the file: m, cm, mm, in, ft, or in metres (default: as the format says; BVH: a guess)";

}  // namespace limber::cli
