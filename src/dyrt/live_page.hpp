// The live page of a DyRT character: one HTML file with the character, its oscillators and a program that plays them.
// No network, no server.
#pragma once

#include "dyrt/character.hpp"

#include <string>
#include <utility>
#include <vector>

namespace limber {

struct LivePageWords {
    std::string title;  ///< plain text
    /// What was typed, word by word: the name of an option ("" for others) and how it was typed with its value.
    std::vector<std::pair<std::string, std::string>> command;
};

/// `dyrt`: the bytes of the .dyrt file beside it, which the page has inside. Throws Error{unsupported} for numbers
/// beyond 32 bits.
std::string format_live_page(const DyrtCharacter& character, const DyrtCharacterSettings& settings,
                             const std::string& dyrt, const LivePageWords& words);

}  // namespace limber
