// Parameters of an experiment: a path into a scene and the values it takes, as written on a command line.
#pragma once

#include "scene_file/scene_set.hpp"

#include <string>
#include <vector>

namespace limber {

/// A scene as text, with changes that always apply: what every point of an experiment starts from.
struct SceneText {
    std::string path;               ///< shown in messages
    std::string folder;             ///< mesh files are relative to it
    std::string text;               ///< JSON
    std::vector<std::string> sets;  ///< "path=value", applied first
};
/// Throws Error{bad_file}.
SceneText read_scene_text(const std::string& path, std::vector<std::string> sets = {});
/// The scene with more changes after its own. Throws SceneError.
Scene scene_of(const SceneText& text, const std::vector<std::string>& more = {});
/// Its JSON with all changes made. Throws SceneError.
JsonValue tree_of(const SceneText& text, const std::vector<std::string>& more = {});

/// One thing that varies.
struct Parameter {
    std::string path;  ///< as written
    ScenePathTarget target;
    std::vector<std::string> values;  ///< as --set takes them
    std::vector<double> numbers;      ///< one per value; not a number for a word
    bool log = false;                 ///< spaced evenly in the logarithm

    bool is_numeric() const;
    std::string assignment(std::size_t value) const { return path + "=" + values[value]; }
};

/// More values of one parameter than anybody looks at.
inline constexpr std::size_t kMostValues = 10000;

/// "PATH=VALUES" where VALUES is low:high:count, low:high:count:log, v1,v2,v3 or "all" (of a choice); numbers may be
/// fractions. Values of whole-number fields are rounded, and equal ones taken once. Throws Error{bad_usage} or
/// SceneError (a path that is not there).
Parameter parse_parameter(const JsonValue& root, const std::string& assignment);

/// A word as a shell reads it back: in quotes where it must be.
std::string shell_word(const std::string& word);

}  // namespace limber
