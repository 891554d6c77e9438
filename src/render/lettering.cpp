#include "render/lettering.hpp"

#include "render/canvas.hpp"
#include "render/stroke_font.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace limber {
namespace {

constexpr std::size_t kMostShownBytes = 4096;  // of one line: no picture is wide enough for more

/// Distance from (x, y) to the nearest stroke, in the letter's own units.
double distance_to(const Letter& letter, double x, double y) {
    double nearest = 1e30;
    for (const auto& stroke : letter.strokes) {
        for (std::size_t i = 0; i < stroke.size(); ++i) {
            const FontPoint a = stroke[i], b = stroke[std::min(i + 1, stroke.size() - 1)];
            const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
            const double t = length2 > 0.0 ? std::clamp(((x - a.x) * dx + (y - a.y) * dy) / length2, 0.0, 1.0) : 0.0;
            const double ex = x - a.x - t * dx, ey = y - a.y - t * dy;
            nearest = std::min(nearest, ex * ex + ey * ey);
        }
    }
    return std::sqrt(nearest);
}

struct Pen {
    double cap = 0.0;     ///< height of capitals [px]
    double radius = 0.0;  ///< half the stroke [px]
    Colour ink;
};

void draw_letter(Image& image, const Letter& letter, double x, double baseline, const Pen& pen) {
    if (letter.strokes.empty()) return;
    const double reach = pen.radius + 1.0;
    const int left = std::max(0, static_cast<int>(std::floor(x + letter.left * pen.cap - reach)));
    const int right = std::min(image.width, static_cast<int>(std::ceil(x + letter.right * pen.cap + reach)) + 1);
    const int top = std::max(0, static_cast<int>(std::floor(baseline - letter.high * pen.cap - reach)));
    const int bottom = std::min(image.height, static_cast<int>(std::ceil(baseline - letter.low * pen.cap + reach)) + 1);
    for (int row = top; row < bottom; ++row) {
        for (int column = left; column < right; ++column) {
            const double d = distance_to(letter, (column + 0.5 - x) / pen.cap, (baseline - row - 0.5) / pen.cap) *
                             pen.cap;
            const double cover = std::clamp(pen.radius - d + 0.5, 0.0, 1.0);
            if (cover > 0.0) blend(image, column, row, pen.ink, cover);
        }
    }
}

void draw_letters(Image& image, double x, double baseline, const std::vector<char32_t>& letters, const Pen& pen) {
    for (const char32_t c : letters) {
        const Letter& letter = letter_of(c);
        draw_letter(image, letter, x, baseline, pen);
        x += letter.advance * pen.cap;
    }
}

double width_of(const std::vector<char32_t>& letters, double size) {
    double width = 0.0;
    for (const char32_t c : letters) width += letter_of(c).advance;
    return width * size * kCapOfEm;
}

}  // namespace

double letters_width(std::string_view utf8, double size) { return width_of(code_points(utf8), size); }

void draw_text(Image& image, double x, double baseline, std::string_view utf8, const TextStyle& style) {
    if (!(style.size > 0.0) || !std::isfinite(style.size)) return;
    const std::vector<char32_t> letters = code_points(utf8);
    if (style.align != TextAlign::left)
        x -= width_of(letters, style.size) * (style.align == TextAlign::centre ? 0.5 : 1.0);
    const double cap = style.size * kCapOfEm;
    // A pen thinner than a pixel greys out: below that it stays a pixel wide.
    Pen pen{cap, std::max(style.weight * cap, 1.0) / 2, style.ink};
    if (style.halo.a > 0.0F)
        draw_letters(image, x, baseline, letters, {cap, pen.radius + std::max(1.5, 0.13 * cap), style.halo});
    draw_letters(image, x, baseline, letters, pen);
}

std::string fitted_text(std::string_view utf8, double size, double width) {
    if (utf8.size() <= kMostShownBytes && letters_width(utf8, size) <= width) return std::string(utf8);
    const double dots = letters_width("\u2026", size);
    std::vector<std::size_t> ends;  // where letters begin: nothing is cut within one
    for (std::size_t i = 0; i < std::min(utf8.size(), kMostShownBytes); ++i)
        if ((static_cast<unsigned char>(utf8[i]) & 0xC0) != 0x80) ends.push_back(i);
    const auto too_wide = std::partition_point(ends.begin(), ends.end(), [&](std::size_t end) {
        return letters_width(utf8.substr(0, end), size) + dots <= width;
    });
    const std::size_t keep = too_wide == ends.begin() ? 0 : *(too_wide - 1);
    return std::string(utf8.substr(0, keep)) + "\u2026";
}

}  // namespace limber
