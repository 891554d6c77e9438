// The one description of a scene file: it validates, writes the schema and writes the reference page.
#pragma once

#include "io/json/json_value.hpp"

#include <limits>
#include <string>
#include <vector>

namespace limber {

struct SceneTable;

enum class FieldType {
    text,  ///< any text
    word,  ///< a text that is not empty
    real,
    integer,
    flag,
    choice,
    method,      ///< the name of a registered method
    options,     ///< an object checked against that method's own option table
    step,        ///< a number, or a fraction such as "1/30"
    axes,        ///< "x", "yz", "xyz" ...
    vec3,        ///< two or three numbers; a missing z is 0
    components,  ///< the same, but each may be null (= free)
    box,         ///< two points: the low and the high corner
    integers,
    words,
    object,   ///< of the nested table
    objects,  ///< a list of them
    vec3_or_object,
};

/// Nobody writes longer lists by hand, and each entry may cost a walk over the mesh.
inline constexpr std::size_t kManyItems = 1000;

/// How many entries a list has when the chooser has this value.
struct ItemsFor {
    std::string choice;
    std::size_t items;
};

struct SceneField {
    const char* name = "";
    FieldType type = FieldType::text;
    const char* sentence = "";
    const char* unit = "";
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool low_open = false, high_open = false;  ///< the bound itself is excluded
    const char* fallback = "";                 ///< the default as JSON; "" = none
    bool required = false;
    std::vector<std::string> choices = {};
    const SceneTable* nested = nullptr;
    std::size_t least = 0, most = kManyItems;  ///< entries of a list
    std::vector<std::string> only_for = {};    ///< values of the table's chooser that use this field; empty = all
    std::vector<std::string> needed_for = {};  ///< values of the chooser that demand this field
    std::vector<ItemsFor> items_for = {};
    std::vector<std::string> not_with = {};  ///< fields of the table that exclude this one
};

struct SceneTable {
    const char* name;  ///< "scene", "body", "mesh" ...
    const char* sentence;
    std::vector<SceneField> fields;
    std::vector<std::string> one_of = {};               ///< exactly one of these is given
    std::vector<std::vector<std::string>> any_of = {};  ///< at least one of these groups is given completely
    const char* chooser = "";                           ///< the choice field that only_for and items_for speak of

    const SceneField* find(const std::string& field) const;
    std::vector<std::string> names() const;
};

/// The whole scene. Built once.
const SceneTable& scene_table();
/// Every table once, outermost first.
std::vector<const SceneTable*> all_scene_tables();

/// "a number above 0 and at most 1e+15 [Pa]", "one of ...", "a list of 2 or 3 numbers": for messages and the reference
/// page.
std::string expectation(const SceneField& field);

/// Reads a number or a fraction "a/b"; false when it is neither.
bool parse_fraction(const std::string& written, double& out);

}  // namespace limber
