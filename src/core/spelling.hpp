// Suggestions for misspelt names.
#pragma once

#include <span>
#include <string>

namespace limber {

/// The candidate nearest in spelling (ASCII case ignored; first of equals), or "" when none is near. Also in
/// options.hpp.
std::string nearest_name(const std::string& word, std::span<const std::string> candidates);

/// "; did you mean 'x'?" or ""
std::string suggestion(const std::string& word, std::span<const std::string> candidates);

}  // namespace limber
