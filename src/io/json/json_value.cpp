// JSON text to JsonValue and back, through nlohmann's event interface: it alone can see a name given twice.
#include "io/json/json_value.hpp"

#include "core/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace limber {

namespace {

using Kind = JsonValue::Kind;

/// More fields in one object than any table has: somebody else's file.
constexpr std::size_t kMaxMembers = 1000;
/// More values than any scene holds; what a value takes in memory is a hundred times what it takes in the file.
constexpr std::size_t kMaxValues = 1'000'000;

/// Printable ASCII and whole UTF-8 only: messages are read on terminals.
std::string printable(std::string_view raw, std::size_t most) {
    std::string out;
    for (const char c : raw.substr(0, most)) {
        const auto byte = static_cast<unsigned char>(c);
        out += byte < 0x20 || byte >= 0x7f ? '?' : c;
    }
    return raw.size() > most ? out + "..." : out;
}

struct Position {
    long line = 1, column = 1;
};

Position position_of(std::string_view source, std::size_t byte) {
    Position at;
    for (const char c : source.substr(0, std::min(byte, source.size()))) {
        at.column = c == '\n' ? 1 : at.column + 1;
        at.line += c == '\n' ? 1 : 0;
    }
    return at;
}

/// Builds the tree and its own JSON path while nlohmann reads.
class Builder : public nlohmann::json_sax<nlohmann::json> {
public:
    Builder(std::string_view source, const std::string& file, std::vector<SceneFault>& faults, JsonValue& root)
        : source_(source), file_(file), faults_(faults), root_(root) {}

    bool null() override {
        put(Kind::null);
        return few_enough();
    }
    bool boolean(bool value) override {
        put(Kind::flag)->flag = value;
        return few_enough();
    }
    bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
    bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
    bool number_float(number_float_t value, const string_t&) override { return number(value); }
    bool string(string_t& value) override {
        put(Kind::text)->text = std::move(value);
        return few_enough();
    }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Kind::object); }
    bool start_array(std::size_t) override { return open(Kind::list); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        JsonValue& object = *open_.back();
        if (object.members.size() >= kMaxMembers)
            return fail(path(), text("more than ", kMaxMembers, " fields"), "the fields of a scene");
        if (!names_.back().insert(name).second)
            add(path() + "/" + printable(name, 60), "given twice", "each name once");
        object.add(std::move(name));
        return true;
    }

    bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) override {
        const Position at = position_of(source_, byte == 0 ? 0 : byte - 1);
        std::string cause = error.what();
        for (const char* mark : {"column ", ": "}) {
            if (const std::size_t found = cause.find(mark); found != std::string::npos)
                cause.erase(0, found + std::char_traits<char>::length(mark));
        }
        if (error.id == 406) cause = "a number too large for any computer";
        faults_.push_back({Fault::bad_scene,
                           {file_, at.line, {}},
                           text("column ", at.column, ": ", printable(cause, 200)),
                           "JSON in UTF-8",
                           {}});
        return false;
    }

private:
    bool number(double value) {
        put(Kind::number)->number = value;
        return few_enough();
    }
    bool close() {
        names_.pop_back();
        open_.pop_back();
        return true;
    }
    bool few_enough() {
        return ++values_ <= kMaxValues || fail({}, text("more than ", kMaxValues, " values"), "a scene");
    }

    JsonValue* put(Kind kind) {
        JsonValue* slot = &root_;
        if (!open_.empty()) {
            JsonValue& parent = *open_.back();
            if (parent.is(Kind::list)) parent.items.emplace_back();
            slot = parent.is(Kind::list) ? &parent.items.back() : &parent.members.back().value;
        }
        slot->kind = kind;
        return slot;
    }

    /// A child is only ever added to the innermost open value, so the pointers above it stay good.
    bool open(Kind kind) {
        if (open_.size() >= static_cast<std::size_t>(kMaxJsonDepth))
            return fail(path(), text("lists and objects nested more than ", kMaxJsonDepth, " deep"), "a scene");
        open_.push_back(put(kind));
        names_.emplace_back();
        return few_enough();
    }

    std::string path() const {
        std::string out;
        for (std::size_t i = 0; i + 1 < open_.size(); ++i) out += step_of(*open_[i]);
        return out;
    }
    static std::string step_of(const JsonValue& parent) {
        return parent.is(Kind::list) ? text("/", parent.items.size() - 1)
                                     : text("/", printable(parent.members.back().name, 60));
    }

    void add(std::string field, std::string found, std::string expected) {
        faults_.push_back({Fault::bad_scene, {file_, 0, std::move(field)}, std::move(found), std::move(expected), {}});
    }
    bool fail(std::string field, std::string found, std::string expected) {
        add(std::move(field), std::move(found), std::move(expected));
        return false;
    }

    std::string_view source_;
    const std::string& file_;
    std::vector<SceneFault>& faults_;
    JsonValue& root_;
    std::vector<JsonValue*> open_;
    std::vector<std::set<std::string>> names_;
    std::size_t values_ = 0;
};

bool looks_like_utf16(std::string_view source) {
    if (source.size() < 2) return false;
    const auto a = static_cast<unsigned char>(source[0]), b = static_cast<unsigned char>(source[1]);
    return (a == 0xff && b == 0xfe) || (a == 0xfe && b == 0xff) || a == 0 || b == 0;
}

nlohmann::ordered_json to_nlohmann(const JsonValue& value) {
    switch (value.kind) {
        case Kind::null: return nullptr;
        case Kind::flag: return value.flag;
        case Kind::number:
            // Whole numbers come back as written: 20, not 20.0.
            if (std::abs(value.number) < 1e15 && value.number == std::floor(value.number))
                return static_cast<std::int64_t>(value.number);
            return value.number;
        case Kind::text: return value.text;
        case Kind::list: {
            auto list = nlohmann::ordered_json::array();
            for (const JsonValue& item : value.items) list.push_back(to_nlohmann(item));
            return list;
        }
        case Kind::object: {
            auto object = nlohmann::ordered_json::object();
            for (const auto& [name, member] : value.members) object[name] = to_nlohmann(member);
            return object;
        }
    }
    return nullptr;
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view name) const {
    for (const auto& [key, value] : members)
        if (key == name) return &value;
    return nullptr;
}

JsonValue& JsonValue::add(std::string name) {
    members.push_back({std::move(name), JsonValue{}});
    return members.back().value;
}

JsonValue* JsonValue::find(std::string_view name) { return const_cast<JsonValue*>(std::as_const(*this).find(name)); }

std::string describe(const JsonValue& value) {
    switch (value.kind) {
        case Kind::null: return "null";
        case Kind::flag: return value.flag ? "true" : "false";
        case Kind::number: return text(value.number);
        case Kind::text: return text("\"", printable(value.text, 60), "\"");
        case Kind::list: return text("a list of ", value.items.size());
        case Kind::object: return "an object";
    }
    return "nothing";
}

bool parse_json(std::string_view source, const std::string& file, std::vector<SceneFault>& faults, JsonValue& out) {
    const auto refuse = [&](std::string found, std::string expected) {
        faults.push_back({Fault::bad_scene, {file, 0, {}}, std::move(found), std::move(expected), {}});
        return false;
    };
    if (source.size() > kMaxJsonBytes) return refuse(text(source.size(), " bytes"), text("at most ", kMaxJsonBytes));
    if (source.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return refuse("the file is empty", "a JSON object");
    if (looks_like_utf16(source)) return refuse("this looks like UTF-16", "JSON in UTF-8");
    if (const std::size_t nul = source.find('\0'); nul != std::string_view::npos)  // the parser would end there
        return refuse(text("a byte of value 0 after ", nul, " bytes"), "JSON, which has none");
    out = JsonValue{};
    Builder builder(source, file, faults, out);
    return nlohmann::json::sax_parse(source.begin(), source.end(), &builder);
}

bool parse_json_value(std::string_view source, JsonValue& out) {
    std::vector<SceneFault> faults;
    return parse_json(source, "", faults, out) && faults.empty();
}

std::string write_json(const JsonValue& value) {
    return to_nlohmann(value).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string write_json_line(const JsonValue& value) {
    return to_nlohmann(value).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace limber
