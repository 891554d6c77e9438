// JSON Schema (draft 2020-12) of a scene, written from the tables that validate it and the methods' own option tables.
#include "scene_file/scene_table.hpp"

#include "core/text.hpp"

#include <limber/method.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

using nlohmann::ordered_json;
using Type = FieldType;

std::string key_of(const SceneTable& table) {
    std::string key = table.name;
    std::replace(key.begin(), key.end(), ' ', '_');
    return key;
}

ordered_json reference(const SceneTable& table) { return {{"$ref", "#/$defs/" + key_of(table)}}; }

ordered_json tidy_json(double value) {
    if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
    return value;
}

ordered_json number_of(const SceneField& f, const char* type) {
    ordered_json out{{"type", type}};
    if (std::isfinite(f.low)) out[f.low_open ? "exclusiveMinimum" : "minimum"] = tidy_json(f.low);
    if (std::isfinite(f.high)) out[f.high_open ? "exclusiveMaximum" : "maximum"] = tidy_json(f.high);
    return out;
}

ordered_json list_of(ordered_json items, std::size_t least, std::size_t most) {
    return {{"type", "array"}, {"items", std::move(items)}, {"minItems", least}, {"maxItems", most}};
}

ordered_json vec3_of(const SceneField& f) { return list_of(number_of(f, "number"), 2, 3); }

ordered_json method_name_list() {
    ordered_json names = ordered_json::array();
    for (const Method* method : all_methods()) names.push_back(method->name());
    return names;
}

ordered_json shape_of(const SceneField& f) {
    ordered_json word{{"type", "string"}, {"minLength", 1}};
    switch (f.type) {
        case Type::text: return {{"type", "string"}};
        case Type::word: return word;
        case Type::real: return number_of(f, "number");
        case Type::integer: return number_of(f, "integer");
        case Type::flag: return {{"type", "boolean"}};
        case Type::choice: return {{"enum", f.choices}};
        case Type::method: return {{"enum", method_name_list()}};
        case Type::options: return {{"type", "object"}};
        case Type::step:
            return {
                {"anyOf",
                 {number_of(f, "number"), {{"type", "string"}, {"pattern", "^ *[0-9.eE+-]+ *(/ *[0-9.eE+-]+ *)?$"}}}}};
        case Type::axes: return {{"type", "string"}, {"pattern", "^(?!.*(.).*\\1)[xyz]{1,3}$"}};
        case Type::vec3: return vec3_of(f);
        case Type::components: return list_of({{"anyOf", {number_of(f, "number"), {{"type", "null"}}}}}, 2, 3);
        case Type::box: return list_of(vec3_of(f), 2, 2);
        case Type::integers: return list_of(number_of(f, "integer"), f.least, f.most);
        case Type::words: return list_of(word, f.least, f.most);
        case Type::object: return reference(*f.nested);
        case Type::objects: return list_of(reference(*f.nested), f.least, f.most);
        case Type::vec3_or_object: return {{"anyOf", {vec3_of(f), reference(*f.nested)}}};
    }
    return true;
}

ordered_json field_schema(const SceneField& f) {
    ordered_json out = shape_of(f);
    out["description"] = *f.unit ? text(f.sentence, " [", f.unit, "]") : f.sentence;
    if (*f.fallback) out["default"] = ordered_json::parse(f.fallback);
    return out;
}

ordered_json required(const std::vector<std::string>& names) { return {{"required", names}}; }

/// With this choice, these fields are excluded and those lists have a fixed length.
ordered_json for_choice(const SceneTable& table, const std::string& choice) {
    ordered_json properties = ordered_json::object(), needed = ordered_json::array();
    const auto names = [&](const std::vector<std::string>& choices) {
        return std::find(choices.begin(), choices.end(), choice) != choices.end();
    };
    for (const SceneField& f : table.fields) {
        if (names(f.needed_for)) needed.push_back(f.name);
        if (!f.only_for.empty() && !names(f.only_for)) properties[f.name] = false;
        for (const ItemsFor& wanted : f.items_for)
            if (wanted.choice == choice) properties[f.name] = {{"minItems", wanted.items}, {"maxItems", wanted.items}};
    }
    ordered_json then{{"properties", properties}};
    if (!needed.empty()) then["required"] = needed;
    return {{"if", {{"properties", {{table.chooser, {{"const", choice}}}}}, {"required", {table.chooser}}}},
            {"then", then}};
}

ordered_json option_schema(const OptionSpec& o) {
    ordered_json out;
    switch (o.type) {
        case OptionType::real: {
            const ordered_json number{{"type", "number"}, {"minimum", o.low}, {"maximum", o.high}};
            out["anyOf"] = {number, {{"type", "string"}, {"pattern", "^ *[0-9.eE+-]+ *(/ *[0-9.eE+-]+ *)?$"}}};
            break;
        }
        case OptionType::integer:
            out = {{"type", "integer"}, {"minimum", tidy_json(o.low)}, {"maximum", tidy_json(o.high)}};
            break;
        case OptionType::flag: out["type"] = "boolean"; break;
        case OptionType::choice: out["enum"] = o.choices; break;
    }
    out["description"] = o.unit.empty() ? o.sentence : text(o.sentence, " [", o.unit, "]");
    o.fallback.visit([&](const auto& value) { out["default"] = value; });
    return out;
}

ordered_json for_method(const Method& method) {
    ordered_json options = ordered_json::object();
    for (const OptionSpec& o : method.options()) options[o.name] = option_schema(o);
    const ordered_json then{
        {"properties",
         {{"options", {{"description", method.summary()}, {"properties", options}, {"additionalProperties", false}}}}}};
    return {{"if", {{"properties", {{"name", {{"const", method.name()}}}}}, {"required", {"name"}}}}, {"then", then}};
}

ordered_json table_schema(const SceneTable& table) {
    ordered_json properties = ordered_json::object(), all = ordered_json::array(), must = ordered_json::array();
    bool has_options = false;
    for (const SceneField& f : table.fields) {
        properties[f.name] = field_schema(f);
        if (f.required) must.push_back(f.name);
        has_options = has_options || f.type == Type::options;
    }
    ordered_json out{{"type", "object"},
                     {"description", table.sentence},
                     {"properties", properties},
                     {"additionalProperties", false}};
    if (!must.empty()) out["required"] = must;
    for (const std::string& name : table.one_of) out["oneOf"].push_back(required({name}));
    for (const auto& group : table.any_of) out["anyOf"].push_back(required(group));
    for (const SceneField& f : table.fields)
        for (const std::string& other : f.not_with) all.push_back({{"not", required({f.name, other})}});
    if (*table.chooser)
        for (const std::string& choice : table.find(table.chooser)->choices) all.push_back(for_choice(table, choice));
    if (has_options)
        for (const Method* method : all_methods()) all.push_back(for_method(*method));
    if (!all.empty()) out["allOf"] = all;
    return out;
}

}  // namespace

std::string scene_schema() {
    ordered_json out{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "limber scene, format 1"}};
    out.update(table_schema(scene_table()));
    for (const SceneTable* table : all_scene_tables())
        if (table != &scene_table()) out["$defs"][key_of(*table)] = table_schema(*table);
    return out.dump(2) + "\n";
}

}  // namespace limber
