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

/// So many digits and no exponent for numbers a person reads at a glance: 0.0012, 8.2, 180, 12000.
inline std::string plain_number(double value, int digits) {
    std::string out = fmt::format("{:.{}g}", value == 0.0 ? 0.0 : value, digits);
    const double size = value < 0.0 ? -value : value;
    if (size >= 1.0 && size < 1e7 && out.find('e') != std::string::npos) out = fmt::format("{:.0f}", std::stod(out));
    return out;
}

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
