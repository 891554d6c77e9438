#include "study/parameter.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "scene_file/scene_table.hpp"
#include "study/variant.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

namespace limber {
namespace {

constexpr const char* kForms = "low:high:count, low:high:count:log, v1,v2,v3 or all";

[[noreturn]] void refuse(const std::string& assignment, const std::string& found, const std::string& expected) {
    throw Error(Fault::bad_usage, {text("--set ", assignment), 0, {}}, found, expected);
}

/// Where a number belongs, colons mean a range; elsewhere they may be part of a word (a file name, a time).
bool looks_like_range(const Parameter& parameter, const std::vector<std::string>& parts) {
    double number = 0.0;
    const bool numeric = parameter.target.kind == ScenePathKind::number ||
                         parameter.target.kind == ScenePathKind::whole_number;
    return parts.size() > 1 && (numeric || parse_fraction(parts[0], number));
}

/// The i-th of `count` values; both ends exactly as written.
double range_value(double low, double high, std::size_t i, std::size_t count, bool log) {
    if (i == 0) return low;
    if (i + 1 == count) return high;
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    return log ? std::copysign(std::exp(std::log(std::abs(low)) * (1.0 - share) + std::log(std::abs(high)) * share),
                               low)
               : low + (high - low) * share;
}

void add_number(Parameter& out, double number) {
    if (out.target.kind == ScenePathKind::whole_number) number = std::round(number);
    if (out.target.kind == ScenePathKind::whole_number && !out.numbers.empty() && out.numbers.back() == number) return;
    out.numbers.push_back(number);
    out.values.push_back(text(number));
}

void add_range(const std::string& assignment, const std::vector<std::string>& parts, Parameter& out) {
    double low = 0.0, high = 0.0;
    if (parts.size() < 3 || parts.size() > 4) refuse(assignment, text(parts.size(), " parts between colons"), kForms);
    if (!parse_fraction(parts[0], low)) refuse(assignment, text("\"", parts[0], "\" is no number"), kForms);
    if (!parse_fraction(parts[1], high)) refuse(assignment, text("\"", parts[1], "\" is no number"), kForms);
    std::size_t count = 0;
    const char* end = parts[2].data() + parts[2].size();
    const auto [stop, error] = std::from_chars(parts[2].data(), end, count);
    if (error != std::errc{} || stop != end || count < 2 || count > kMostValues)
        refuse(assignment, text("\"", parts[2], "\" values"), text("a count from 2 to ", kMostValues));
    if (parts.size() == 4 && parts[3] != "log")
        refuse(assignment, text("\"", parts[3], "\" after the count"), "log, or nothing");
    out.log = parts.size() == 4;
    if (low == high) refuse(assignment, text("both ends are ", low), "two different ends");
    if (out.log && !(low * high > 0.0)) {
        refuse(assignment, text("a logarithmic range from ", low, " to ", high),
               "two ends of the same sign, neither of them 0");
    }
    for (std::size_t i = 0; i < count; ++i) add_number(out, range_value(low, high, i, count, out.log));
}

void add_value(const std::string& assignment, const std::string& value, Parameter& out) {
    if (value.empty()) refuse(assignment, "an empty value", kForms);
    if (!may_be_value(out.target, value)) refuse(assignment, text("\"", value, "\" is no number"), kForms);
    double number = std::numeric_limits<double>::quiet_NaN();
    const bool numeric = out.target.kind == ScenePathKind::number || out.target.kind == ScenePathKind::whole_number;
    if (!numeric || !parse_fraction(value, number)) number = std::numeric_limits<double>::quiet_NaN();
    out.values.push_back(value);
    out.numbers.push_back(number);
}

void add_all(const std::string& assignment, Parameter& out) {
    if (out.target.choices.empty())
        refuse(assignment, "\"all\" of something that is no choice", "low:high:count, low:high:count:log or v1,v2,v3");
    for (const std::string& choice : out.target.choices) add_value(assignment, choice, out);
}

void check_twins(const std::string& assignment, const Parameter& p) {
    for (std::size_t i = 0; i < p.values.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (p.values[i] == p.values[j])
                refuse(assignment, text("\"", p.values[i], "\" is given twice"), "each value once");
        }
    }
}

}  // namespace

SceneText read_scene_text(const std::string& path, std::vector<std::string> sets) {
    return {path, std::filesystem::path(path).parent_path().string(), read_file(path), std::move(sets)};
}

Scene scene_of(const SceneText& scene, const std::vector<std::string>& more) {
    std::vector<std::string> sets = scene.sets;
    sets.insert(sets.end(), more.begin(), more.end());
    return parse_scene(scene.text, scene.path, sets, scene.folder);
}

JsonValue tree_of(const SceneText& scene, const std::vector<std::string>& more) {
    JsonValue root;
    std::vector<SceneFault> faults;
    bool fine = parse_json(scene.text, scene.path, faults, root);
    for (const auto* sets : {&scene.sets, &more})
        for (const std::string& set : *sets) fine = fine && apply_set(root, set, faults);
    if (!fine || !faults.empty()) throw SceneError(std::move(faults));
    return root;
}

bool Parameter::is_numeric() const {
    return std::all_of(numbers.begin(), numbers.end(), [](double v) { return std::isfinite(v); });
}

Parameter parse_parameter(const JsonValue& root, const std::string& assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
        refuse(assignment, "no \"=\"", text("path=values, such as material.young=1e3:1e6:4:log; values are ", kForms));
    Parameter out;
    out.path = assignment.substr(0, equals);
    std::vector<SceneFault> faults;
    if (!find_path_target(root, out.path, text("--set ", assignment), out.target, faults))
        throw SceneError(std::move(faults));
    const std::string written = assignment.substr(equals + 1);
    const std::vector<std::string> colons = split_values(written, ':'), commas = split_values(written, ',');
    if (written == "all")
        add_all(assignment, out);
    else if (looks_like_range(out, colons))
        add_range(assignment, colons, out);
    else if (commas.size() > kMostValues)
        refuse(assignment, text(commas.size(), " values"), text("at most ", kMostValues));
    else
        for (const std::string& value : commas) add_value(assignment, value, out);
    check_twins(assignment, out);
    return out;
}

std::string shell_word(const std::string& word) {
    constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

}  // namespace limber
