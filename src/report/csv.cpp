#include "report/csv.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

std::string csv_cell(const std::string& words) {
    if (words.find_first_of(",\"\n\r") == std::string::npos) return words;
    std::string out;
    for (const char c : words) {
        if (c == '"') out += '"';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return text('"', out, '"');
}

std::string csv_cell(double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); }

std::string csv_comment(const std::string& key, const std::string& words) {
    if (words.empty()) return {};
    std::string line = text("# ", key, words);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return line + "\n";
}

}  // namespace limber
