// Reading what is typed: lists, options after a colon, files with their conventions.
#include "study/variant.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "scene_file/scene_table.hpp"

#include <algorithm>
#include <filesystem>

namespace limber {
namespace {

[[noreturn]] void refuse_variant(const std::string& argument, const std::string& found, const std::string& expected) {
    throw Error(Fault::bad_usage, {argument, 0, {}}, found, expected);
}

double number_of(const std::string& value, const std::string& key, const std::string& argument) {
    double number = 0.0;
    if (!parse_fraction(value, number))
        refuse_variant(argument, text(key, " is \"", value, "\""), "a number or a fraction such as 1/60");
    return number;
}

template <class Value>
Value word_of(const std::vector<Value>& known, const std::string& value, const std::string& key,
              const std::string& argument) {
    std::vector<std::string> names;
    for (const Value v : known) {
        names.emplace_back(to_string(v));
        if (names.back() == value) return v;
    }
    refuse_variant(argument, text(key, " is \"", value, "\"", suggestion(value, names)),
                   fmt::format("one of {}", fmt::join(names, ", ")));
}

void set_convention(SeriesSource& source, const std::string& key, const std::string& value,
                    const std::string& argument) {
    static const std::vector<std::string> known{"rate", "start", "unit", "up", "match", "rest"};
    if (key == "rate") {
        source.frame_rate = number_of(value, key, argument);
    } else if (key == "start") {
        source.start_time = number_of(value, key, argument);
    } else if (key == "unit") {
        source.unit = word_of<LengthUnit>(
            {LengthUnit::m, LengthUnit::cm, LengthUnit::mm, LengthUnit::in, LengthUnit::ft}, value, key, argument);
    } else if (key == "up") {
        source.up = word_of<UpAxis>({UpAxis::y, UpAxis::z}, value, key, argument);
    } else if (key == "match") {
        source.match = word_of<SeriesMatch>(
            {SeriesMatch::automatic, SeriesMatch::by_index, SeriesMatch::by_rest_position}, value, key, argument);
    } else if (key == "rest") {
        source.rest = value;
    } else {
        refuse_variant(argument, text("\"", key, "\" says nothing about a file", suggestion(key, known)),
                       fmt::format("one of {}", fmt::join(known, ", ")));
    }
}

}  // namespace

std::vector<std::string> split_values(std::string_view typed, char separator) {
    std::vector<std::string> out(1);
    int depth = 0;
    bool quoted = false;
    for (const char c : typed) {
        if (c == '"') quoted = !quoted;
        if (!quoted && (c == '[' || c == '{')) ++depth;
        if (!quoted && (c == ']' || c == '}')) --depth;
        if (c == separator && depth == 0 && !quoted)
            out.emplace_back();
        else
            out.back() += c;
    }
    return out;
}

bool may_be_value(const ScenePathTarget& target, const std::string& typed) {
    const bool number = target.kind == ScenePathKind::number || target.kind == ScenePathKind::whole_number;
    double ignored = 0.0;
    return !number || typed.find_first_of("\"[{") == 0 || parse_fraction(typed, ignored);
}

NamedOptions split_options(const std::string& typed) {
    const std::size_t colon = typed.find(':');
    NamedOptions out{typed.substr(0, colon), {}};
    if (colon == std::string::npos) return out;
    for (const std::string& pair : split_values(std::string_view(typed).substr(colon + 1))) {
        const std::size_t equals = pair.find('=');
        out.options.emplace_back(pair.substr(0, equals), equals == std::string::npos ? "" : pair.substr(equals + 1));
    }
    return out;
}

OptionValue parse_option(const OptionTable& table, const std::string& option, const std::string& value,
                         const std::string& argument) {
    std::vector<std::string> names;
    for (const OptionSpec& spec : table) {
        names.push_back(spec.name);
        if (spec.name != option) continue;
        OptionValue out;
        if (spec.type == OptionType::choice)
            out = value;
        else if (spec.type == OptionType::flag && (value == "true" || value == "false"))
            out = value == "true";
        else if (spec.type == OptionType::flag)
            refuse_variant(argument, text(option, " is \"", value, "\""), "true or false");
        else
            out = number_of(value, option, argument);
        [[maybe_unused]] const Options checked(table, {{option, out}}, {argument, 0, {}});  // ranges and choices
        return out;
    }
    refuse_variant(argument, text("no option \"", option, "\"", suggestion(option, names)),
                   fmt::format("one of {}", fmt::join(names, ", ")));
}

SeriesSource parse_series_source(const std::string& typed, const std::string& argument) {
    SeriesSource source;
    // A file may have a colon in its name; what follows the last one counts only when it looks like a convention.
    const std::size_t colon = typed.rfind(':');
    const bool conventions = colon != std::string::npos && typed.find('=', colon) != std::string::npos &&
                             typed.find('/', colon) == std::string::npos;
    source.path = conventions ? typed.substr(0, colon) : typed;
    if (source.path.empty())
        refuse_variant(argument, "no file", "a recording or a series (.limber .pvd .vtu .pc2 .mdd .npz)");
    if (conventions) {
        for (const auto& [key, value] : split_options(typed.substr(colon)).options)
            set_convention(source, key, value, argument);
    }
    return source;
}

}  // namespace limber
