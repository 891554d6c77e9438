#include "scene_file/scene_short_path.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "scene_file/scene_table.hpp"

#include <limber/method.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace limber {

namespace {

using Kind = JsonValue::Kind;

/// What people write who do not know our names by heart.
constexpr std::array<std::pair<const char*, const char*>, 10> kOtherWords{{
    {"E", "young"},
    {"youngs_modulus", "young"},
    {"young_modulus", "young"},
    {"nu", "poisson"},
    {"poisson_ratio", "poisson"},
    {"poissons_ratio", "poisson"},
    {"rho", "density"},
    {"alpha", "rayleigh_alpha"},
    {"beta", "rayleigh_beta"},
    {"mass_density", "density"},
}};

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The numbers of a material; "cells" and "preset" are too plain to stand alone.
bool is_material_number(const std::string& word) {
    static constexpr std::array<const char*, 5> kNumbers{"young", "poisson", "density", "rayleigh_alpha",
                                                         "rayleigh_beta"};
    return std::find(kNumbers.begin(), kNumbers.end(), material_field_of(word)) != kNumbers.end();
}

const std::vector<JsonValue>& materials_of(const JsonValue& root) {
    static const std::vector<JsonValue> none;
    const JsonValue* bodies = root.find("bodies");
    if (!bodies || !bodies->is(Kind::list) || bodies->items.empty()) return none;
    const JsonValue* materials = bodies->items[0].find("materials");
    return materials && materials->is(Kind::list) ? materials->items : none;
}

std::string cells_of(const JsonValue& material) {
    const JsonValue* cells = material.find("cells");
    return cells && cells->is(Kind::text) ? cells->text : "*";
}

/// The entry that a word names, by its cells or by its number; -1 = none.
int material_named(const std::vector<JsonValue>& materials, const std::string& word) {
    for (std::size_t i = 0; i < materials.size(); ++i)
        if (cells_of(materials[i]) == word || text(i) == word) return static_cast<int>(i);
    return -1;
}

bool expand_material(const JsonValue& root, std::vector<std::string>& tokens, ShortPathFault& fault) {
    const std::vector<JsonValue>& materials = materials_of(root);
    const bool several = materials.size() > 1;
    std::vector<std::string> rest(tokens.begin() + 1, tokens.end());
    int entry = 0;
    if (!rest.empty() && (several || !contains(material_words(), rest[0]))) {
        const int named = material_named(materials, rest[0]);
        if (several && named < 0) {
            std::string list;
            for (std::size_t i = 0; i < materials.size(); ++i) {
                list += text(i > 0 ? ", " : "", "material.", i, ".", rest[0], " (cells \"", cells_of(materials[i]),
                             "\")");
            }
            fault = {text("the scene has ", materials.size(), " materials"), text("one of ", list), {}};
            return false;
        }
        if (named >= 0) {
            entry = named;
            rest.erase(rest.begin());
        }
    }
    tokens = {"bodies", "0", "materials", text(entry)};
    tokens.insert(tokens.end(), rest.begin(), rest.end());
    return true;
}

bool refuse(const JsonValue& root, const std::string& word, ShortPathFault& fault) {
    std::vector<std::string> names = scene_table().names();
    const std::vector<std::string> options = option_names_of(root);
    std::string expected = fmt::format("one of {}, material, mesh", fmt::join(names, ", "));
    if (!options.empty()) expected += fmt::format(", or an option of the method ({})", fmt::join(options, ", "));
    names.insert(names.end(), {"material", "mesh"});
    for (const auto& more : {options, material_words()}) names.insert(names.end(), more.begin(), more.end());
    fault = {"there is no such field", std::move(expected), nearest_name(word, names)};
    return false;
}

}  // namespace

std::string material_field_of(const std::string& word) {
    for (const auto& [other, field] : kOtherWords)
        if (word == other) return field;
    return word;
}

std::vector<std::string> material_words() {
    std::vector<std::string> words{"cells", "preset", "young", "poisson", "density", "rayleigh_alpha", "rayleigh_beta"};
    for (const auto& [other, field] : kOtherWords) words.emplace_back(other);
    return words;
}

std::vector<std::string> option_names_of(const JsonValue& root) {
    const JsonValue* method = root.find("method");
    const JsonValue* name = method ? method->find("name") : nullptr;
    const Method* known = name && name->is(Kind::text) ? find_method(name->text) : nullptr;
    std::vector<std::string> names;
    if (known)
        for (const OptionSpec& option : known->options()) names.push_back(option.name);
    return names;
}

bool expand_short_path(const JsonValue& root, bool to_object, std::vector<std::string>& tokens, ShortPathFault& fault) {
    const std::string first = tokens.front();
    if (first == "method" && tokens.size() == 1 && !to_object) {
        tokens.emplace_back("name");
        return true;
    }
    if (scene_table().find(first)) return true;
    if (first == "material") return expand_material(root, tokens, fault);
    if (first == "mesh") {
        tokens.insert(tokens.begin(), {"bodies", "0"});
        return true;
    }
    if (contains(option_names_of(root), first)) {
        tokens.insert(tokens.begin(), {"method", "options"});
        return true;
    }
    if (is_material_number(first)) {
        tokens.insert(tokens.begin(), "material");
        return expand_material(root, tokens, fault);
    }
    return refuse(root, first, fault);
}

}  // namespace limber
