#include "io/scene_set.hpp"

#include "core/text.hpp"
#include "io/scene_table.hpp"

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
struct Place {
    JsonValue* value = nullptr;
    const SceneTable* table = nullptr;   ///< of an object
    const SceneField* field = nullptr;   ///< of anything below the root
};

class Walk {
public:
    Walk(JsonValue& root, const std::string& assignment, std::vector<SceneFault>& faults)
        : assignment_(assignment), faults_(faults), at_{&root, &scene_table(), nullptr} {}

    bool down(const std::string& token) {
        walked_ += "/" + token;
        if (at_.value->is(Kind::null)) become_container();
        if (at_.value->is(Kind::list)) return into_list(token);
        if (!at_.value->is(Kind::object)) return fail(describe(*at_.value), "a list or an object to go into");
        if (at_.table) return into_object(token);
        return into_options(token);
    }
    JsonValue& value() { return *at_.value; }

private:
    /// A field that the file leaves out: an empty list or object, as the table says.
    void become_container() {
        if (!at_.field) return;
        const FieldType type = at_.field->type;
        const bool object = type == FieldType::object || type == FieldType::options || type == FieldType::vec3_or_object;
        at_.value->kind = object ? Kind::object : Kind::list;
    }

    bool into_object(const std::string& token) {
        const SceneField* field = at_.table->find(token);
        if (!field) {
            const std::vector<std::string> names = at_.table->names();
            return fail("there is no such field", fmt::format("one of {}", fmt::join(names, ", ")), nearest_name(token, names));
        }
        JsonValue* next = at_.value->find(token);
        if (!next) next = &at_.value->add(token);
        at_ = {next, field->type == FieldType::objects ? nullptr : field->nested, field};
        return true;
    }

    /// Names here belong to the method, whose table speaks up when the scene is validated.
    bool into_options(const std::string& token) {
        JsonValue* next = at_.value->find(token);
        if (!next) next = &at_.value->add(token);
        at_ = {next, nullptr, nullptr};
        return true;
    }

    bool into_list(const std::string& token) {
        std::vector<JsonValue>& items = at_.value->items;
        const SceneTable* table = at_.field && at_.field->type == FieldType::objects ? at_.field->nested : nullptr;
        const std::optional<std::size_t> index = index_in(items, token);
        if (!index) return no_such_item(items, token);
        at_ = {&items[*index], table, nullptr};
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
        return fail(text("no entry \"", token, "\" in a list of ", items.size()), std::move(expected), nearest_name(token, names));
    }

    bool fail(std::string found, std::string expected, std::string suggestion = {}) {
        faults_.push_back({Fault::bad_usage, {text("--set ", assignment_), 0, {}}, text(walked_, ": ", found), std::move(expected), std::move(suggestion)});
        return false;
    }

    const std::string& assignment_;
    std::vector<SceneFault>& faults_;
    Place at_;
    std::string walked_;
};

}  // namespace

bool apply_set(JsonValue& root, const std::string& assignment, std::vector<SceneFault>& faults) {
    const std::size_t equals = assignment.find('=');
    const std::vector<std::string> tokens = split(assignment.substr(0, equals));
    if (equals == std::string::npos || tokens.empty()) {
        faults.push_back({Fault::bad_usage, {text("--set ", assignment), 0, {}}, equals == std::string::npos ? "no \"=\"" : "no path",
                          "path=value, such as bodies.0.materials.0.young=5000", {}});
        return false;
    }
    JsonValue changed = root;  // a path that fails half-way must leave nothing behind
    Walk walk(changed, assignment, faults);
    for (const std::string& token : tokens)
        if (!walk.down(token)) return false;
    const std::string written = assignment.substr(equals + 1);
    JsonValue value;
    if (!parse_json_value(written, value)) {
        value = JsonValue{};
        value.kind = Kind::text;
        value.text = written;
    }
    walk.value() = std::move(value);
    root = std::move(changed);
    return true;
}

std::string apply_set(std::string_view json_text, const std::string& assignment) {
    std::vector<SceneFault> faults;
    JsonValue root;
    if (!parse_json(json_text, "", faults, root) || !apply_set(root, assignment, faults)) throw SceneError(std::move(faults));
    return write_json(root);
}

}  // namespace limber
