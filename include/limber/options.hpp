// Option tables: one row per option feeds scene validation, command-line help, the schema, the docs and sliders.
#pragma once

#include <limber/error.hpp>

#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace limber {

enum class OptionType { real, integer, flag, choice };

/// real -> double, integer -> double with no fraction, flag -> bool, choice -> std::string.
using OptionValue = std::variant<double, bool, std::string>;

struct OptionSpec {
    std::string name;
    OptionType type = OptionType::real;
    std::string unit;                  ///< "" when it has none
    OptionValue fallback = 0.0;        ///< the default
    double low = 0.0, high = 0.0;      ///< inclusive range of real and integer options
    std::vector<std::string> choices;  ///< of a choice
    bool live = false;                 ///< may be changed between steps (Deformer::set_live)
    std::string sentence;              ///< what it does, in one sentence
};

using OptionTable = std::vector<OptionSpec>;
/// Given by the user: only what differs from the defaults.
using OptionValues = std::map<std::string, OptionValue>;

/// Every option of the table with its value; read with the typed accessors.
class Options {
public:
    /// Throws Error{bad_option} naming the option, what was found and what was expected, with a suggestion for a
    /// misspelt name.
    Options(const OptionTable& table, const OptionValues& given, const InputLocation& place = {});

    double real(const std::string& name) const;
    int integer(const std::string& name) const;
    bool flag(const std::string& name) const;
    const std::string& choice(const std::string& name) const;
    const OptionValues& all() const { return values_; }

private:
    const OptionValue& at(const std::string& name) const;
    OptionValues values_;
};

/// The candidate nearest in spelling, or "" when none is near.
std::string nearest_name(const std::string& word, std::span<const std::string> candidates);

}  // namespace limber
