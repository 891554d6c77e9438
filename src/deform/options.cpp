#include <limber/options.hpp>

#include "core/assert.hpp"
#include "core/spelling.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

std::string written(const OptionValue& value) {
    if (const double* number = std::get_if<double>(&value)) return text(*number);
    if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    return text("'", std::get<std::string>(value), "'");
}

std::string expected_of(const OptionSpec& spec) {
    const std::string unit = spec.unit.empty() ? "" : " " + spec.unit;
    switch (spec.type) {
        case OptionType::real: return text("a number from ", spec.low, " to ", spec.high, unit);
        case OptionType::integer: return text("a whole number from ", spec.low, " to ", spec.high, unit);
        case OptionType::flag: return "true or false";
        case OptionType::choice: return text("one of ", fmt::format("'{}'", fmt::join(spec.choices, "', '")));
    }
    return {};
}

bool fits(const OptionSpec& spec, const OptionValue& value) {
    if (spec.type == OptionType::flag) return std::holds_alternative<bool>(value);
    if (spec.type == OptionType::choice) {
        const std::string* word = std::get_if<std::string>(&value);
        return word != nullptr && std::find(spec.choices.begin(), spec.choices.end(), *word) != spec.choices.end();
    }
    const double* number = std::get_if<double>(&value);
    if (number == nullptr || !std::isfinite(*number) || *number < spec.low || *number > spec.high) return false;
    return spec.type == OptionType::real || std::floor(*number) == *number;
}

void check_value(const OptionSpec& spec, const OptionValue& value, const InputLocation& place) {
    if (fits(spec, value)) return;
    std::string found = text("option '", spec.name, "' is ", written(value));
    std::string expected = expected_of(spec);
    const std::string* word = std::get_if<std::string>(&value);
    if (spec.type == OptionType::choice && word != nullptr) expected += suggestion(*word, spec.choices);
    throw Error(Fault::bad_option, place, std::move(found), std::move(expected));
}

[[noreturn]] void unknown_option(const OptionTable& table, const std::string& name, const InputLocation& place) {
    std::vector<std::string> known;
    for (const OptionSpec& spec : table) known.push_back(spec.name);
    throw Error(Fault::bad_option, place, text("there is no option '", name, "'"),
                known.empty()
                    ? std::string("no options at all")
                    : text("one of ", fmt::format("'{}'", fmt::join(known, "', '")), suggestion(name, known)));
}

}  // namespace

Options::Options(const OptionTable& table, const OptionValues& given, const InputLocation& place) {
    for (const OptionSpec& spec : table) values_[spec.name] = spec.fallback;
    for (const auto& entry : given) {
        const auto spec = std::find_if(table.begin(), table.end(),
                                       [&](const OptionSpec& s) { return s.name == entry.first; });
        if (spec == table.end()) unknown_option(table, entry.first, place);
        check_value(*spec, entry.second, place);
        values_[entry.first] = entry.second;
    }
}

// Asking for an option that the table lacks, or as another type, is a bug of the method, not of the user.
const OptionValue& Options::at(const std::string& name) const {
    const auto found = values_.find(name);
    LIMBER_ASSERT(found != values_.end());
    return found->second;
}

double Options::real(const std::string& name) const {
    const double* value = std::get_if<double>(&at(name));
    LIMBER_ASSERT(value != nullptr);
    return *value;
}

int Options::integer(const std::string& name) const {
    const double value = real(name);
    LIMBER_ASSERT(std::fabs(value) <= static_cast<double>(std::numeric_limits<int>::max()));
    return static_cast<int>(value);
}

bool Options::flag(const std::string& name) const {
    const bool* value = std::get_if<bool>(&at(name));
    LIMBER_ASSERT(value != nullptr);
    return *value;
}

const std::string& Options::choice(const std::string& name) const {
    const std::string* value = std::get_if<std::string>(&at(name));
    LIMBER_ASSERT(value != nullptr);
    return *value;
}

}  // namespace limber
