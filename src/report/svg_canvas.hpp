// The few SVG elements a plot is made of; every number written is finite and short.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace limber {

struct PixelPoint {
    double x = 0.0, y = 0.0;
};

struct PixelBox {
    double left = 0.0, top = 0.0, right = 0.0, bottom = 0.0;
    double width() const { return right - left; }
    double height() const { return bottom - top; }
    bool holds(const PixelPoint& p) const;
};

/// "12.3": two decimals at most.
std::string pixel(double value);
/// Estimated width of a text in the plot's font; a little generous.
double text_width(std::string_view text, double font_size);
/// Words broken into lines of at most `width` pixels.
std::vector<std::string> wrap_text(const std::string& text, double width, double font_size);

std::string svg_text(const PixelPoint& at, std::string_view text, const char* classes, const char* anchor);
std::string svg_line(const PixelPoint& a, const PixelPoint& b, const char* classes);
/// One of seven shapes about a point, chosen by `style`; a large one has a rim in the colour of the ground.
std::string svg_marker(const PixelPoint& at, int style, bool large = false);
/// "M..L.." of the parts of a polyline inside the box.
std::string clipped_path(const std::vector<PixelPoint>& points, const PixelBox& box);
/// The style sheet shared by all plots: palette, dashes and fonts, for light and dark ground.
const char* plot_style_sheet();
int plot_style_count();

}  // namespace limber
