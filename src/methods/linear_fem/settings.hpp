// The options of linear_fem: one table, and the values read from it.
#pragma once

#include "fem_linear/settings.hpp"

#include <limber/method.hpp>

namespace limber {

OptionTable linear_fem_options();

/// Throws Error for values that are in range but contradict each other or the body.
LinearSettings read_linear_fem_settings(const Body& body, const OptionValues& given);

}  // namespace limber
