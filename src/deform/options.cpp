#include <limber/options.hpp>

#include "core/assert.hpp"
#include "core/overloads.hpp"
#include "core/spelling.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr double kMostInteger = std::numeric_limits<int>::max();  // what Options::integer() gives

std::string written(const OptionValue& value) {
    return value.visit(Overloads{
        [](double number) { return text(number); },
        [](bool flag) { return std::string(flag ? "true" : "false"); },
        [](const std::string& word) { return text("'", word, "'"); },
        [](std::int64_t number) { return text(number); },
    });
}

std::string expected_of(const OptionSpec& spec) {
    const std::string unit = spec.unit.empty() ? "" : " " + spec.unit;
    switch (spec.type) {
        case OptionType::real: return text("a number from ", spec.low, " to ", spec.high, unit);
        case OptionType::integer: {
            const double low = std::max(spec.low, -kMostInteger), high = std::min(spec.high, kMostInteger);
            return text("a whole number from ", low, " to ", high, unit);
        }
        case OptionType::flag: return "true or false";
        case OptionType::choice: return text("one of ", fmt::format("'{}'", fmt::join(spec.choices, "', '")));
    }
    return {};
}

bool fits(const OptionSpec& spec, const OptionValue& value) {
    if (spec.type == OptionType::flag) return value.flag() != nullptr;
    if (spec.type == OptionType::choice) {
        const std::string* word = value.word();
        return word != nullptr && std::find(spec.choices.begin(), spec.choices.end(), *word) != spec.choices.end();
    }
    const double* number = value.number();
    if (number == nullptr || !std::isfinite(*number) || *number < spec.low || *number > spec.high) return false;
    return spec.type == OptionType::real || (std::floor(*number) == *number && std::fabs(*number) <= kMostInteger);
}

void check_value(const OptionSpec& spec, const OptionValue& value, const InputLocation& place) {
    if (fits(spec, value)) return;
    std::string found = text("option '", spec.name, "' is ", written(value));
    std::string expected = expected_of(spec);
    const std::string* word = value.word();
    if (spec.type == OptionType::choice && word != nullptr) expected += suggestion(*word, spec.choices);
    if (value.inexact() != nullptr && spec.type == OptionType::real) expected += ", one that a double holds exactly";
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

// A double of that size may be 2^63, which no integer is; smaller ones come back as they went unless they were rounded.
OptionValue::OptionValue(long long number) : value_(static_cast<double>(number)) {
    const double rounded = static_cast<double>(number);
    const bool exact = rounded < 0x1p63 && static_cast<long long>(rounded) == number;
    if (!exact) value_ = static_cast<std::int64_t>(number);
}

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
    const double* value = at(name).number();
    LIMBER_ASSERT(value != nullptr);
    return *value;
}

int Options::integer(const std::string& name) const {
    const double value = real(name);
    LIMBER_ASSERT(std::fabs(value) <= kMostInteger);
    return static_cast<int>(value);
}

bool Options::flag(const std::string& name) const {
    const bool* value = at(name).flag();
    LIMBER_ASSERT(value != nullptr);
    return *value;
}

const std::string& Options::choice(const std::string& name) const {
    const std::string* value = at(name).word();
    LIMBER_ASSERT(value != nullptr);
    return *value;
}

}  // namespace limber
