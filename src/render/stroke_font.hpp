// A font of pen strokes: letters at any size, the same on every machine, without a file.
#pragma once

#include <string_view>
#include <vector>

namespace limber {

struct FontPoint {
    double x = 0.0, y = 0.0;  ///< y up from the baseline
};

/// One letter; capitals are 1 high.
struct Letter {
    std::vector<std::vector<FontPoint>> strokes;            ///< centre lines of the pen; a single point is a dot
    double advance = 0.0;                                   ///< to the next letter
    double left = 0.0, right = 0.0, low = 0.0, high = 0.0;  ///< of the centre lines
};

/// ASCII, the signs of units (micro, degree, superscripts, minus, times ...); a box for what the font lacks, and Latin
/// letters with accents lose them.
const Letter& letter_of(char32_t c);

/// The code points of UTF-8 text; broken bytes become U+FFFD.
std::vector<char32_t> code_points(std::string_view utf8);

}  // namespace limber
