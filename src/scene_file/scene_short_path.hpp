// Short paths of "--set": material.young, mesh.counts, method, scheme, written out in full.
#pragma once

#include "io/json/json_value.hpp"

#include <string>
#include <vector>

namespace limber {

/// Other words for a material's fields (poisson_ratio, E ...): the field's own name; any other word as it is.
std::string material_field_of(const std::string& word);
/// Fields of a material and the other words for them, for suggestions.
std::vector<std::string> material_words();

/// Options of the method that `root` names now; nullptr-like empty when there is no such method.
std::vector<std::string> option_names_of(const JsonValue& root);

/// What a short path could not be written out for.
struct ShortPathFault {
    std::string found, expected, suggestion;
};

/// Writes a path out in full: `tokens` become those of the whole path. A path that is already whole stays as it is.
/// `to_object`: an object is about to be written, so "method" means the method with its options, not its name.
/// False, with the fault, for a word that means nothing here or a material that is not the only one.
bool expand_short_path(const JsonValue& root, bool to_object, std::vector<std::string>& tokens, ShortPathFault& fault);

}  // namespace limber
