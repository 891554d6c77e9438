// Does a method's option table know a choice? Asked before setting an option that only some methods have.
#pragma once

#include <limber/options.hpp>

#include <algorithm>
#include <string>

namespace limber {

inline bool has_choice(const OptionTable& table, const std::string& option, const std::string& choice) {
    return std::any_of(table.begin(), table.end(), [&](const OptionSpec& s) {
        return s.name == option && std::find(s.choices.begin(), s.choices.end(), choice) != s.choices.end();
    });
}

}  // namespace limber
