// The words of the scene table: what each field expects, as messages and the reference page say it.
#include "scene_file/scene_table.hpp"

#include "core/text.hpp"

#include <limber/method.hpp>

#include <charconv>
#include <cmath>

namespace limber {

namespace {

std::string in_unit(const SceneField& field) { return *field.unit ? text(" [", field.unit, "]") : ""; }

std::string range_words(const SceneField& field) {
    std::string out;
    if (field.low == field.high) return text(" equal to ", field.low);
    if (std::isfinite(field.low)) out += text(field.low_open ? " above " : " of at least ", field.low);
    if (std::isfinite(field.high)) {
        out += text(out.empty() ? "" : " and", field.high_open ? " below " : (field.low_open ? " up to " : " at most "),
                    field.high);
    }
    return out;
}

std::string quoted_list(const std::vector<std::string>& words) {
    return fmt::format("\"{}\"", fmt::join(words, "\", \""));
}

/// "a list of 2 whole numbers", "a list of 1 to 1000 objects", "a list of at most 100 objects"
std::string list_words(const SceneField& field, const std::string& noun) {
    if (field.least == field.most) return text("a list of ", counted(field.least, noun));
    if (field.least == 0) return text("a list of at most ", counted(field.most, noun));
    return text("a list of ", field.least, " to ", counted(field.most, noun));
}

std::string method_names() {
    std::vector<std::string> names;
    for (const Method* method : all_methods()) names.emplace_back(method->name());
    return quoted_list(names);
}

bool parse_number(std::string_view written, double& out) {
    while (!written.empty() && written.front() == ' ') written.remove_prefix(1);
    while (!written.empty() && written.back() == ' ') written.remove_suffix(1);
    const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), out);
    return error == std::errc{} && end == written.data() + written.size() && std::isfinite(out);
}

}  // namespace

const SceneField* SceneTable::find(const std::string& field) const {
    for (const SceneField& f : fields)
        if (field == f.name) return &f;
    return nullptr;
}

std::vector<std::string> SceneTable::names() const {
    std::vector<std::string> out;
    for (const SceneField& f : fields) out.emplace_back(f.name);
    return out;
}

std::string expectation(const SceneField& field) {
    switch (field.type) {
        case FieldType::text: return "text";
        case FieldType::word: return "text that is not empty";
        case FieldType::real: return text("a number", range_words(field), in_unit(field));
        case FieldType::integer: return text("a whole number", range_words(field), in_unit(field));
        case FieldType::flag: return "true or false";
        case FieldType::choice: return text("one of ", quoted_list(field.choices));
        case FieldType::method: return text("one of ", method_names());
        case FieldType::options: return "an object of the method's options";
        case FieldType::step:
            return text("a number", range_words(field), in_unit(field), " or a fraction such as \"1/30\"");
        case FieldType::axes: return "some of the letters x, y, z, each once, such as \"xyz\"";
        case FieldType::vec3: return text("[x, y, z] or [x, y], numbers", range_words(field), in_unit(field));
        case FieldType::components:
            return text("[x, y, z] or [x, y], each null (free) or a number", range_words(field), in_unit(field));
        case FieldType::box:
            return text("[[x, y, z], [x, y, z]], two points of numbers", range_words(field), in_unit(field));
        case FieldType::integers: return text(list_words(field, "whole number"), range_words(field));
        case FieldType::words: return list_words(field, "name");
        case FieldType::object: return text("an object (", field.nested->name, ")");
        case FieldType::objects: return text(list_words(field, "object"), " (", field.nested->name, ")");
        case FieldType::vec3_or_object:
            return text("[x, y, z] or [x, y], numbers", range_words(field), in_unit(field), ", or an object (",
                        field.nested->name, ")");
    }
    return {};
}

bool parse_fraction(const std::string& written, double& out) {
    const std::size_t slash = written.find('/');
    if (slash == std::string::npos) return parse_number(written, out);
    double over = 0.0, under = 0.0;
    if (!parse_number(std::string_view(written).substr(0, slash), over)) return false;
    if (!parse_number(std::string_view(written).substr(slash + 1), under) || under == 0.0) return false;
    out = over / under;
    return std::isfinite(out);
}

}  // namespace limber
