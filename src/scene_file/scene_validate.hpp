// A JSON value against the scene table: every fault, and the defaults filled in.
#pragma once

#include "scene/build.hpp"
#include "scene_file/scene_table.hpp"

namespace limber {

/// Adds every fault of `value` below JSON path `path` ("" = the whole file).
void validate(const JsonValue& value, const SceneTable& table, const std::string& path, const FaultSink& sink);

/// Puts the default of every field that was left out into the tree, so that there is one place where defaults are
/// written.
void insert_defaults(JsonValue& value, const SceneTable& table);

/// A text "1/30" where a real option is meant becomes its number; others keep their kind. False for null, lists and
/// objects.
bool to_option_value(const JsonValue& value, bool real_wanted, OptionValue& out);

}  // namespace limber
