// Writing on images: text in the stroke font, smooth at any size and the same bytes on every machine.
#pragma once

#include "render/colour.hpp"
#include "render/image.hpp"

#include <string_view>

namespace limber {

enum class TextAlign : std::uint8_t { left, centre, right };

struct TextStyle {
    double size = 16.0;  ///< [px] of the em; capitals are kCapOfEm of it
    Colour ink = rgb(0x2B2F36);
    double weight = 0.12;                    ///< width of the pen over the height of capitals; 0.18 is bold
    Colour halo = {1.0F, 1.0F, 1.0F, 0.0F};  ///< around the letters, to be read on any ground; alpha 0: none
    TextAlign align = TextAlign::left;
};
inline constexpr double kCapOfEm = 0.72;

/// Width of one line [px].
double letters_width(std::string_view utf8, double size);
/// `x`: the left end, middle or right end; `baseline`: y of the line the letters stand on [px from the top]. Cut at the
/// image's edges.
void draw_text(Image& image, double x, double baseline, std::string_view utf8, const TextStyle& style = {});
/// As much of the text as fits into `width`, with "…" where it was cut.
std::string fitted_text(std::string_view utf8, double size, double width);

}  // namespace limber
