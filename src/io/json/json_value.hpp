// A JSON value as scenes need it: plain, ordered as written, small enough to walk beside a table.
#pragma once

#include <limber/tools/scene.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace limber {

struct JsonMember;

struct JsonValue {
    enum class Kind { null, flag, number, text, list, object };
    Kind kind = Kind::null;
    bool flag = false;
    double number = 0.0;
    std::string text;
    std::vector<JsonValue> items;     ///< of a list
    std::vector<JsonMember> members;  ///< of an object, in the order written

    bool is(Kind k) const { return kind == k; }
    /// nullptr when this is no object or has no such member.
    const JsonValue* find(std::string_view name) const;
    JsonValue* find(std::string_view name);
    /// Appends a member; the caller makes sure that there is none of that name.
    JsonValue& add(std::string name);
};

struct JsonMember {
    std::string name;
    JsonValue value;
};

/// "the text \"abc\"", "the number 3", "a list of 4", "an object": what was found, for messages; long texts are cut.
std::string describe(const JsonValue& value);

/// Deeper lists and objects than this are refused: no scene needs them.
inline constexpr int kMaxJsonDepth = 32;
/// Longer texts are refused before they are read.
inline constexpr std::size_t kMaxJsonBytes = std::size_t{64} << 20;

/// Reads strict JSON in UTF-8. Faults (syntax with line and column, duplicate names, depth, encoding) are added to
/// `faults`; false when there is no value to go on with.
bool parse_json(std::string_view text, const std::string& file, std::vector<SceneFault>& faults, JsonValue& out);

/// A value of our own tables and of "--set": false when it is not JSON.
bool parse_json_value(std::string_view text, JsonValue& out);

/// Indented by two spaces, ending in a newline.
std::string write_json(const JsonValue& value);
/// On one line, without a blank.
std::string write_json_line(const JsonValue& value);

}  // namespace limber
