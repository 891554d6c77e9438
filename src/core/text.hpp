// text(...): pieces of any printable kind joined into one string, for messages. And what file names end in.
#pragma once

#include <fmt/format.h>

#include <string>

namespace limber {

template <class... Pieces>
std::string text(const Pieces&... pieces) {
    std::string out;
    (fmt::format_to(std::back_inserter(out), "{}", pieces), ...);
    return out;
}

/// "1 cell", "2 cells"
inline std::string counted(std::size_t n, const std::string& noun) { return text(n, " ", noun, n == 1 ? "" : "s"); }

/// The ending of a file's name in lower case, with its dot: ".obj"; empty without one.
inline std::string ending_of(const std::string& path) {
    const std::size_t slash = path.find_last_of('/'), dot = path.find_last_of('.');
    if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return {};
    std::string out = path.substr(dot);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

}  // namespace limber
