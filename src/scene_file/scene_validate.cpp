#include "scene_file/scene_validate.hpp"

#include "core/text.hpp"

#include <limber/method.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace limber {

namespace {

using Kind = JsonValue::Kind;
using Type = FieldType;

bool in_range(double v, const SceneField& f) {
    return std::isfinite(v) && (f.low_open ? v > f.low : v >= f.low) && (f.high_open ? v < f.high : v <= f.high);
}
bool is_number(const JsonValue& v, const SceneField& f) { return v.is(Kind::number) && in_range(v.number, f); }
bool is_whole(const JsonValue& v, const SceneField& f) { return is_number(v, f) && v.number == std::floor(v.number); }
bool is_word(const JsonValue& v) { return v.is(Kind::text) && !v.text.empty(); }

bool is_vec3(const JsonValue& v, const SceneField& f) {
    return v.is(Kind::list) && (v.items.size() == 2 || v.items.size() == 3) &&
           std::all_of(v.items.begin(), v.items.end(), [&](const JsonValue& x) { return is_number(x, f); });
}

bool is_components(const JsonValue& v, const SceneField& f) {
    return v.is(Kind::list) && (v.items.size() == 2 || v.items.size() == 3) &&
           std::all_of(v.items.begin(), v.items.end(),
                       [&](const JsonValue& x) { return x.is(Kind::null) || is_number(x, f); });
}

bool is_box(const JsonValue& v, const SceneField& f) {
    return v.is(Kind::list) && v.items.size() == 2 && is_vec3(v.items[0], f) && is_vec3(v.items[1], f);
}

bool is_axes(const JsonValue& v) {
    if (!v.is(Kind::text) || v.text.empty() || v.text.size() > 3) return false;
    std::set<char> seen;
    for (const char c : v.text)
        if (c < 'x' || c > 'z' || !seen.insert(c).second) return false;
    return true;
}

bool is_step(const JsonValue& v, const SceneField& f) {
    double seconds = 0.0;
    if (v.is(Kind::text)) return parse_fraction(v.text, seconds) && in_range(seconds, f);
    return is_number(v, f);
}

std::vector<std::string> known_methods() {
    std::vector<std::string> names;
    for (const Method* method : all_methods()) names.emplace_back(method->name());
    return names;
}

/// A wrong value in full: a short list of numbers says more than "a list of 3".
std::string found_words(const JsonValue& v) {
    if (!v.is(Kind::list) || v.items.size() > 3) return describe(v);
    std::string out = "[";
    for (std::size_t i = 0; i < v.items.size(); ++i) out += text(i ? ", " : "", describe(v.items[i]));
    return out + "]";
}

void wrong(const JsonValue& v, const SceneField& f, const std::string& path, const FaultSink& sink) {
    sink.add(Fault::bad_scene, path, found_words(v), expectation(f));
}

void check_choice(const JsonValue& v, const SceneField& f, const std::string& path, const FaultSink& sink) {
    const std::vector<std::string> choices = f.type == Type::method ? known_methods() : f.choices;
    if (!v.is(Kind::text)) return wrong(v, f, path, sink);
    if (std::find(choices.begin(), choices.end(), v.text) == choices.end())
        sink.add(Fault::bad_scene, path, describe(v), expectation(f), nearest_name(v.text, choices));
}

/// Each wrong entry is a fault of its own; a wrong length is one.
void check_list(const JsonValue& v, const SceneField& f, const std::string& path, const FaultSink& sink) {
    if (!v.is(Kind::list) || v.items.size() < f.least || v.items.size() > f.most) return wrong(v, f, path, sink);
    for (std::size_t i = 0; i < v.items.size(); ++i) {
        const std::string here = text(path, "/", i);
        const JsonValue& item = v.items[i];
        if (f.type == Type::objects) {
            validate(item, *f.nested, here, sink);
        } else if (f.type == Type::integers && !is_whole(item, f)) {
            sink.add(Fault::bad_scene, here, describe(item),
                     text("a whole number of at least ", f.low, " and at most ", f.high));
        } else if (f.type == Type::words && !is_word(item)) {
            sink.add(Fault::bad_scene, here, describe(item), "a name");
        }
    }
}

void check_unique_names(const JsonValue& list, const std::string& path, const FaultSink& sink) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        const JsonValue* name = list.items[i].find("name");
        if (name && name->is(Kind::text) && !seen.insert(name->text).second) {
            sink.add(Fault::bad_scene, text(path, "/", i, "/name"), text(describe(*name), " names an earlier one too"),
                     "a name of its own");
        }
    }
}

void check_field(const JsonValue& v, const SceneField& f, const std::string& path, const FaultSink& sink) {
    const auto demand = [&](bool fine) {
        if (!fine) wrong(v, f, path, sink);
    };
    switch (f.type) {
        case Type::text: return demand(v.is(Kind::text));
        case Type::word: return demand(is_word(v));
        case Type::real: return demand(is_number(v, f));
        case Type::integer: return demand(is_whole(v, f));
        case Type::flag: return demand(v.is(Kind::flag));
        case Type::choice:
        case Type::method: return check_choice(v, f, path, sink);
        case Type::options: return demand(v.is(Kind::object));
        case Type::step: return demand(is_step(v, f));
        case Type::axes: return demand(is_axes(v));
        case Type::vec3: return demand(is_vec3(v, f));
        case Type::components: return demand(is_components(v, f));
        case Type::box: return demand(is_box(v, f));
        case Type::integers:
        case Type::words: return check_list(v, f, path, sink);
        case Type::objects: check_list(v, f, path, sink); return check_unique_names(v, path, sink);
        case Type::object: return v.is(Kind::object) ? validate(v, *f.nested, path, sink) : wrong(v, f, path, sink);
        case Type::vec3_or_object:
            return v.is(Kind::object) ? validate(v, *f.nested, path, sink) : demand(is_vec3(v, f));
    }
}

/// One option at a time through the method's own table, so that every wrong one is told.
void check_options(const JsonValue& method, const std::string& path, const FaultSink& sink) {
    const JsonValue* name = method.find("name");
    const JsonValue* options = method.find("options");
    if (!name || !options || !options->is(Kind::object)) return;
    const Method* known = find_method(name->text);
    if (!known) return;  // told already
    const OptionTable table = known->options();
    for (const JsonMember& member : options->members) {
        const std::string& option = member.name;
        const JsonValue& value = member.value;
        const std::string here = text(path, "/options/", option);
        const auto spec = std::find_if(table.begin(), table.end(),
                                       [&](const OptionSpec& s) { return s.name == option; });
        OptionValue converted;
        if (!to_option_value(value, spec != table.end() && spec->type == OptionType::real, converted)) {
            sink.add(Fault::bad_option, here, describe(value), "a number, true, false or text");
            continue;
        }
        try {
            const Options checked(table, {{option, converted}}, {sink.file, 0, here});
        } catch (const Error& error) {
            sink.add(error, here);
        }
    }
}

bool is_choice_of(const JsonValue& chosen, const SceneTable& table) {
    const std::vector<std::string>& choices = table.find(table.chooser)->choices;
    return chosen.is(Kind::text) && std::find(choices.begin(), choices.end(), chosen.text) != choices.end();
}

/// Of two fields that exclude each other, the one written later is at fault.
bool already_told(const JsonValue& value, const SceneField& other, const std::string& name,
                  const std::string& other_name) {
    if (std::find(other.not_with.begin(), other.not_with.end(), name) == other.not_with.end()) return false;
    const auto place = [&](const std::string& wanted) {
        return std::find_if(value.members.begin(), value.members.end(),
                            [&](const JsonMember& m) { return m.name == wanted; });
    };
    return place(name) < place(other_name);
}

/// The names a misspelt field was probably meant for: their absence need not be told as well.
std::set<std::string> check_members(const JsonValue& value, const SceneTable& table, const std::string& path,
                                    const FaultSink& sink) {
    std::set<std::string> meant;
    // A table without a choice has an empty chooser, which a field named "" must not be taken for.
    const SceneField* choice = table.find(table.chooser);
    const JsonValue* chosen = choice != nullptr ? value.find(table.chooser) : nullptr;
    // With a misspelt or missing choice nothing can be said about the fields that depend on it.
    const bool choice_known = chosen ? is_choice_of(*chosen, table) : choice != nullptr && !choice->required;
    for (const auto& [name, member] : value.members) {
        const SceneField* field = table.find(name);
        const std::string here = text(path, "/", name);
        if (!field) {
            const std::vector<std::string> names = table.names();
            const std::string near = nearest_name(name, names);
            sink.add(Fault::bad_scene, here, "there is no such field", fmt::format("one of {}", fmt::join(names, ", ")),
                     near);
            meant.insert(near);
            continue;
        }
        check_field(member, *field, here, sink);
        const auto& users = field->only_for;
        if (choice_known && !users.empty() &&
            !(chosen && std::find(users.begin(), users.end(), chosen->text) != users.end())) {
            sink.add(Fault::bad_scene, here, text("not used by ", chosen ? describe(*chosen) : "a mesh file"),
                     fmt::format("it only with {} {}", table.chooser, fmt::join(users, ", ")));
        }
        for (const std::string& other : field->not_with) {
            if (value.find(other) != nullptr && !already_told(value, *table.find(other), name, other))
                sink.add(Fault::bad_scene, here, text("given together with \"", other, "\""), "one of the two");
        }
        for (const ItemsFor& wanted : field->items_for) {
            if (chosen && chosen->text == wanted.choice && member.is(Kind::list) &&
                member.items.size() != wanted.items) {
                sink.add(Fault::bad_scene, here, found_words(member),
                         text(wanted.items, " of them for a ", wanted.choice));
            }
        }
    }
    return meant;
}

void check_presence(const JsonValue& value, const SceneTable& table, const std::set<std::string>& meant,
                    const std::string& path, const FaultSink& sink) {
    const auto has = [&](const std::string& name) { return value.find(name) != nullptr || meant.count(name) != 0; };
    const JsonValue* chosen = *table.chooser ? value.find(table.chooser) : nullptr;
    const auto demanded = [&](const SceneField& f) {
        return f.required ||
               (chosen && std::find(f.needed_for.begin(), f.needed_for.end(), chosen->text) != f.needed_for.end());
    };
    for (const SceneField& field : table.fields) {
        if (demanded(field) && !has(field.name))
            sink.add(Fault::bad_scene, text(path, "/", field.name), "missing", expectation(field));
    }

    if (!table.one_of.empty()) {
        const auto given = std::count_if(table.one_of.begin(), table.one_of.end(), has);
        if (given != 1) {
            return sink.add(Fault::bad_scene, path,
                            given == 0 ? "none of its alternatives is given" : text(given, " alternatives at once"),
                            fmt::format("exactly one of {}", fmt::join(table.one_of, ", ")));
        }
    }
    if (table.any_of.empty()) return;
    const auto present = [&](const std::vector<std::string>& group) {
        return std::count_if(group.begin(), group.end(), has);
    };
    const auto best = std::max_element(table.any_of.begin(), table.any_of.end(),
                                       [&](const auto& a, const auto& b) { return present(a) < present(b); });
    for (const auto& group : table.any_of)
        if (present(group) == static_cast<std::ptrdiff_t>(group.size())) return;
    if (present(*best) == 0) {
        std::vector<std::string> ways;
        for (const auto& group : table.any_of) ways.push_back(fmt::format("{}", fmt::join(group, " and ")));
        return sink.add(Fault::bad_scene, path, "too little is given", fmt::format("{}", fmt::join(ways, ", or ")));
    }
    for (const std::string& name : *best)
        if (!has(name)) sink.add(Fault::bad_scene, text(path, "/", name), "missing", expectation(*table.find(name)));
}

}  // namespace

bool to_option_value(const JsonValue& value, bool real_wanted, OptionValue& out) {
    double number = 0.0;
    switch (value.kind) {
        case Kind::flag: out = value.flag; return true;
        case Kind::number: out = value.number; return true;
        case Kind::text:
            if (real_wanted && parse_fraction(value.text, number))
                out = number;
            else
                out = value.text;
            return true;
        default: return false;
    }
}

void validate(const JsonValue& value, const SceneTable& table, const std::string& path, const FaultSink& sink) {
    if (!value.is(Kind::object))
        return sink.add(Fault::bad_scene, path, describe(value), text("an object (", table.name, ")"));
    const std::set<std::string> meant = check_members(value, table, path, sink);
    check_presence(value, table, meant, path, sink);
    const bool has_options = std::any_of(table.fields.begin(), table.fields.end(),
                                         [](const SceneField& f) { return f.type == Type::options; });
    if (has_options) check_options(value, path, sink);
}

void insert_defaults(JsonValue& value, const SceneTable& table) {
    if (!value.is(Kind::object)) return;
    const JsonValue* chooser = value.find(table.chooser);
    const std::string chosen = chooser ? chooser->text : "";
    for (const SceneField& field : table.fields) {
        const bool used = field.only_for.empty() ||
                          std::find(field.only_for.begin(), field.only_for.end(), chosen) != field.only_for.end();
        if (*field.fallback && used && !value.find(field.name)) {
            JsonValue fallback;
            parse_json_value(field.fallback, fallback);
            value.add(field.name) = std::move(fallback);
        }
        JsonValue* member = value.find(field.name);
        if (!member || !field.nested) continue;
        if (member->is(Kind::object)) insert_defaults(*member, *field.nested);
        for (JsonValue& item : member->items)
            if (field.type == Type::objects) insert_defaults(item, *field.nested);
    }
}

}  // namespace limber
