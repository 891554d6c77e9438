// Option tables: one row per option feeds scene validation, command-line help, the schema, the docs and sliders.
#pragma once

#include <limber/error.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace limber {

enum class OptionType { real, integer, flag, choice };

/// What an option is set to: a number, a flag or a word (of a choice). An integer is a number, so 4 and 4.0 are the
/// same value. What could lose something on the way (a std::size_t, a pointer) does not compile.
class OptionValue {
public:
    OptionValue() = default;  ///< the number 0
    OptionValue(double number) : value_(number) {}
    OptionValue(int number) : value_(static_cast<double>(number)) {}
    OptionValue(unsigned number) : value_(static_cast<double>(number)) {}
    OptionValue(long number) : OptionValue(static_cast<long long>(number)) {}
    OptionValue(long long number);
    OptionValue(bool flag) : value_(flag) {}
    OptionValue(std::string word) : value_(std::move(word)) {}
    OptionValue(const char* word) : value_(std::string(word)) {}
    OptionValue(std::nullptr_t) = delete;
    OptionValue(char) = delete;
    OptionValue(long double) = delete;
    OptionValue(unsigned long) = delete;
    OptionValue(unsigned long long) = delete;
    template <class T>
    OptionValue(T*) = delete;  // or it would be a flag

    // What it holds; null when it is something else.
    const double* number() const noexcept { return std::get_if<double>(&value_); }
    const bool* flag() const noexcept { return std::get_if<bool>(&value_); }
    const std::string* word() const noexcept { return std::get_if<std::string>(&value_); }
    /// An integer beyond 2^53 that no double equals: no option takes one, but errors tell it as it was given.
    const std::int64_t* inexact() const noexcept { return std::get_if<std::int64_t>(&value_); }

    /// Calls it with the double, bool, std::string or (of an inexact one) std::int64_t.
    template <class F>
    decltype(auto) visit(F&& f) const {
        return std::visit(std::forward<F>(f), value_);
    }
    friend bool operator==(const OptionValue&, const OptionValue&) = default;

private:
    std::variant<double, bool, std::string, std::int64_t> value_;
};

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
