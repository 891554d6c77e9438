#include "scene_file/scene_set.hpp"

#include "core/text.hpp"
#include "scene_file/scene_short_path.hpp"
#include "scene_file/scene_table.hpp"

#include <limber/method.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace limber {

namespace {

using Kind = JsonValue::Kind;

/// "bodies.0.mesh" or "/bodies/0/mesh": slashes separate when there are any, so that names may hold dots.
std::vector<std::string> split(const std::string& path) {
    const char separator = path.find('/') != std::string::npos ? '/' : '.';
    std::vector<std::string> parts;
    std::size_t start = 0;
    while (start <= path.size()) {
        const std::size_t end = std::min(path.find(separator, start), path.size());
        if (end > start || start > 0) parts.push_back(path.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

/// What the walk stands on: a value of the tree and what the table says may be in it.
struct WalkPosition {
    JsonValue* value = nullptr;
    const SceneTable* table = nullptr;  ///< of an object
    const SceneField* field = nullptr;  ///< of anything below the root
    const SceneField* list = nullptr;   ///< of an entry of a list of numbers or words
    std::string option = {};            ///< its name, of a method's option
};

class Walk {
public:
    Walk(JsonValue& root, std::string argument, std::vector<SceneFault>& faults)
        : argument_(std::move(argument)), faults_(faults), root_(root), at_{&root, &scene_table()} {}

    /// From the root to the end of a path, short or whole. Once.
    bool go(std::vector<std::string> tokens, bool to_object) {
        ShortPathFault fault;
        if (!expand_short_path(root_, to_object, tokens, fault)) {
            walked_ = "/" + tokens.front();
            return fail(fault.found, fault.expected, fault.suggestion);
        }
        return std::all_of(tokens.begin(), tokens.end(), [this](const std::string& token) { return down(token); });
    }
    const WalkPosition& position() const { return at_; }
    const std::string& walked() const { return walked_; }
    JsonValue& value() { return *at_.value; }

private:
    bool down(const std::string& token) {
        walked_ += "/" + token;
        if (at_.value->is(Kind::null)) become_container(token);
        if (at_.value->is(Kind::list)) return into_list(token);
        if (!at_.value->is(Kind::object)) return fail(describe(*at_.value), "a list or an object to go into");
        if (at_.table) return into_object(token);
        return into_options(token);
    }

    /// A field that the file leaves out: its default, or an empty list or object, as the table says.
    void become_container(const std::string& token) {
        if (!at_.field) return;
        const bool wants_list = at_.field->type != FieldType::vec3_or_object || !at_.field->nested->find(token);
        if (JsonValue value; wants_list && parse_json_value(at_.field->fallback, value) &&
                             (value.is(Kind::list) || value.is(Kind::object))) {
            *at_.value = std::move(value);
            return;
        }
        const FieldType type = at_.field->type;
        const bool object = type == FieldType::object || type == FieldType::options ||
                            type == FieldType::vec3_or_object;
        at_.value->kind = object ? Kind::object : Kind::list;
    }

    bool into_object(const std::string& word) {
        const bool material = std::string_view(at_.table->name) == "material";
        const std::string token = material ? material_field_of(word) : word;
        walked_.replace(walked_.size() - word.size(), word.size(), token);
        const SceneField* field = at_.table->find(token);
        if (!field) {
            const std::vector<std::string> names = at_.table->names(), near = material ? material_words() : names;
            return fail("there is no such field", fmt::format("one of {}", fmt::join(names, ", ")),
                        nearest_name(token, near));
        }
        JsonValue* next = at_.value->find(token);
        if (!next) next = &at_.value->add(token);
        at_ = {next, field->type == FieldType::objects ? nullptr : field->nested, field, nullptr};
        return true;
    }

    /// Names here belong to the method, whose table speaks up when the scene is validated.
    bool into_options(const std::string& token) {
        JsonValue* next = at_.value->find(token);
        if (!next) next = &at_.value->add(token);
        at_ = {next, nullptr, nullptr, nullptr, at_.field ? token : ""};
        return true;
    }

    bool into_list(const std::string& word) {
        std::vector<JsonValue>& items = at_.value->items;
        const bool vector = at_.field &&
                            (at_.field->type == FieldType::vec3 || at_.field->type == FieldType::vec3_or_object);
        const std::string token = vector && word == "x"   ? "0"
                                  : vector && word == "y" ? "1"
                                  : vector && word == "z" ? "2"
                                                          : word;
        walked_.replace(walked_.size() - word.size(), word.size(), token);
        const SceneTable* table = at_.field && at_.field->type == FieldType::objects ? at_.field->nested : nullptr;
        const std::optional<std::size_t> index = index_in(items, token);
        if (!index) return no_such_item(items, token);
        at_ = {&items[*index], table, nullptr, at_.field};
        return true;
    }

    static std::optional<std::size_t> index_in(const std::vector<JsonValue>& items, const std::string& token) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            const JsonValue* name = items[i].find("name");
            if (name && name->is(Kind::text) && name->text == token) return i;
        }
        std::size_t index = 0;
        const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
        if (error != std::errc{} || end != token.data() + token.size() || index >= items.size()) return std::nullopt;
        return index;
    }

    bool no_such_item(const std::vector<JsonValue>& items, const std::string& token) {
        std::vector<std::string> names;
        for (const JsonValue& item : items)
            if (const JsonValue* name = item.find("name"); name && name->is(Kind::text)) names.push_back(name->text);
        std::string expected = items.empty() ? "a list with entries" : text("0 to ", items.size() - 1);
        if (!names.empty()) expected += fmt::format(" or one of {}", fmt::join(names, ", "));
        return fail(text("no entry \"", token, "\" in a list of ", items.size()), std::move(expected),
                    nearest_name(token, names));
    }

    bool fail(const std::string& found, std::string expected, std::string suggestion = {}) {
        faults_.push_back({Fault::bad_usage,
                           {argument_, 0, {}},
                           text(walked_, ": ", found),
                           std::move(expected),
                           std::move(suggestion)});
        return false;
    }

    std::string argument_;
    std::vector<SceneFault>& faults_;
    JsonValue& root_;
    WalkPosition at_;
    std::string walked_;
};

JsonValue number_value(double number) {
    JsonValue value;
    value.kind = Kind::number;
    value.number = number;
    return value;
}

void describe_option(const JsonValue& root, const std::string& name, ScenePathTarget& out) {
    const JsonValue* method = root.find("method");
    const JsonValue* word = method ? method->find("name") : nullptr;
    const Method* known = word && word->is(Kind::text) ? find_method(word->text) : nullptr;
    if (!known) return;
    for (const OptionSpec& option : known->options()) {
        if (option.name != name) continue;
        out.kind = option.type == OptionType::real      ? ScenePathKind::number
                   : option.type == OptionType::integer ? ScenePathKind::whole_number
                                                        : ScenePathKind::choice;
        out.unit = option.unit;
        if (out.kind != ScenePathKind::choice) {
            out.low = option.low;
            out.high = option.high;
        }
        out.choices = option.type == OptionType::flag ? std::vector<std::string>{"false", "true"} : option.choices;
        if (const double* number = option.fallback.number(); number && out.value.is(Kind::null))
            out.value = number_value(*number);
    }
}

void describe_field(const SceneField& field, ScenePathTarget& out) {
    switch (field.type) {
        case FieldType::real:
        case FieldType::step:
        case FieldType::vec3_or_object:
        case FieldType::vec3: out.kind = ScenePathKind::number; break;
        case FieldType::integer:
        case FieldType::integers: out.kind = ScenePathKind::whole_number; break;
        case FieldType::choice:
        case FieldType::method:
        case FieldType::flag: out.kind = ScenePathKind::choice; break;
        default: return;
    }
    out.unit = field.unit;
    out.low = field.low;
    out.high = field.high;
    out.choices = field.choices;
    if (field.type == FieldType::flag) out.choices = {"false", "true"};
    if (field.type == FieldType::method)
        for (const Method* method : all_methods()) out.choices.emplace_back(method->name());
}

/// A material's number that the file leaves to its preset, or to nobody: damping is 0 then.
void add_preset_value(const JsonValue& root, const std::string& pointer, const SceneField& field,
                      ScenePathTarget& out) {
    std::vector<SceneFault> ignored;
    JsonValue copy = root;
    Walk walk(copy, {}, ignored);
    const std::string preset_path = pointer.substr(0, pointer.rfind('/')) + "/preset";
    const bool named = walk.go(split(preset_path), false) && walk.value().is(Kind::text);
    const MaterialPreset* preset = named ? find_material_preset(walk.value().text) : nullptr;
    if (!preset && std::string_view(field.name).rfind("rayleigh_", 0) != 0) return;
    const Material m = preset ? preset->material : Material{};
    const std::pair<const char*, double> values[] = {{"young", m.young},
                                                     {"poisson", m.poisson},
                                                     {"density", m.density},
                                                     {"rayleigh_alpha", m.rayleigh_alpha},
                                                     {"rayleigh_beta", m.rayleigh_beta}};
    for (const auto& [name, value] : values)
        if (std::string_view(field.name) == name) out.value = number_value(value);
}

/// What is not JSON is text, or where a number belongs a fraction.
JsonValue value_of(const std::string& written, const WalkPosition& at, const JsonValue& root) {
    ScenePathTarget target;
    if (at.field && at.field->type != FieldType::vec3_or_object) describe_field(*at.field, target);
    if (at.list) describe_field(*at.list, target);
    if (!at.option.empty()) describe_option(root, at.option, target);
    const bool step = at.field && at.field->type == FieldType::step;  // reads fractions itself
    double number = 0.0;
    if (target.kind == ScenePathKind::number && !step && parse_fraction(written, number)) return number_value(number);
    JsonValue value;
    value.kind = Kind::text;
    value.text = written;
    return value;
}

}  // namespace

bool find_path_target(const JsonValue& root, const std::string& path, const std::string& argument, ScenePathTarget& out,
                      std::vector<SceneFault>& faults) {
    const std::vector<std::string> tokens = split(path);
    if (tokens.empty()) {
        faults.push_back({Fault::bad_usage, {argument, 0, {}}, "no path", "a path such as material.young", {}});
        return false;
    }
    JsonValue copy = root;
    Walk walk(copy, argument, faults);
    if (!walk.go(tokens, false)) return false;
    const WalkPosition& at = walk.position();
    out = ScenePathTarget{};
    out.pointer = walk.walked();
    out.value = walk.value();
    if (!at.option.empty()) describe_option(root, at.option, out);
    // A list as a whole is no number; its entries are.
    const bool is_list = at.field &&
                         (at.field->type == FieldType::vec3 || at.field->type == FieldType::vec3_or_object ||
                          at.field->type == FieldType::integers);
    if (at.field && !is_list) describe_field(*at.field, out);
    if (at.list) describe_field(*at.list, out);
    if (at.field && out.value.is(Kind::null)) {
        if (*at.field->fallback)
            parse_json_value(at.field->fallback, out.value);
        else
            add_preset_value(root, out.pointer, *at.field, out);
    }
    return true;
}

bool apply_set(JsonValue& root, const std::string& assignment, std::vector<SceneFault>& faults) {
    const std::size_t equals = assignment.find('=');
    const std::vector<std::string> tokens = split(assignment.substr(0, equals));
    if (equals == std::string::npos || tokens.empty()) {
        faults.push_back({Fault::bad_usage,
                          {text("--set ", assignment), 0, {}},
                          equals == std::string::npos ? "no \"=\"" : "no path",
                          "path=value, such as material.young=5000",
                          {}});
        return false;
    }
    const std::string written = assignment.substr(equals + 1);
    JsonValue value;
    const bool is_json = parse_json_value(written, value);
    JsonValue changed = root;  // a path that fails half-way must leave nothing behind
    Walk walk(changed, text("--set ", assignment), faults);
    if (!walk.go(tokens, is_json && value.is(Kind::object))) return false;
    if (!is_json) value = value_of(written, walk.position(), root);
    walk.value() = std::move(value);
    root = std::move(changed);
    return true;
}

std::string apply_set(std::string_view json_text, const std::string& assignment) {
    std::vector<SceneFault> faults;
    JsonValue root;
    if (!parse_json(json_text, "", faults, root) || !apply_set(root, assignment, faults))
        throw SceneError(std::move(faults));
    return write_json(root);
}

}  // namespace limber
