// text(...): pieces of any printable kind joined into one string, for messages.
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

}  // namespace limber
