#include "report/svg_canvas.hpp"

#include "core/text.hpp"
#include "report/files.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace limber {
namespace {

/// Liang-Barsky: the part of a-b inside the box, or false.
bool clip(PixelPoint& a, PixelPoint& b, const PixelBox& box) {
    const double dx = b.x - a.x, dy = b.y - a.y;
    const double p[4] = {-dx, dx, -dy, dy};
    const double q[4] = {a.x - box.left, box.right - a.x, a.y - box.top, box.bottom - a.y};
    double from = 0.0, to = 1.0;
    for (int i = 0; i < 4; ++i) {
        if (p[i] == 0.0) {
            if (q[i] < 0.0) return false;
            continue;
        }
        const double r = q[i] / p[i];
        if (p[i] < 0.0)
            from = std::max(from, r);
        else
            to = std::min(to, r);
        if (from > to) return false;
    }
    const PixelPoint start = a;
    a = {start.x + from * dx, start.y + from * dy};
    b = {start.x + to * dx, start.y + to * dy};
    return true;
}

/// Keeps the outline of a line with more points than pixels: first, lowest, highest and last per half pixel.
std::vector<PixelPoint> thinned(const std::vector<PixelPoint>& points) {
    if (points.size() < 3000) return points;
    std::vector<PixelPoint> out;
    for (std::size_t begin = 0; begin < points.size();) {
        const double column = std::floor(2 * points[begin].x);
        std::size_t end = begin, low = begin, high = begin;
        for (; end < points.size() && std::floor(2 * points[end].x) == column; ++end) {
            if (points[end].y < points[low].y) low = end;
            if (points[end].y > points[high].y) high = end;
        }
        const std::size_t kept[4] = {begin, std::min(low, high), std::max(low, high), end - 1};
        for (int i = 0; i < 4; ++i)
            if (i == 0 || kept[i] != kept[i - 1]) out.push_back(points[kept[i]]);
        begin = end;
    }
    return out;
}

}  // namespace

bool PixelBox::holds(const PixelPoint& p) const {
    return p.x >= left - 0.5 && p.x <= right + 0.5 && p.y >= top - 0.5 && p.y <= bottom + 0.5;
}

std::string pixel(double value) {
    if (!std::isfinite(value)) value = 0.0;  // never reached for drawable values; a number is always written
    std::string s = fmt::format("{:.2f}", value);
    while (s.back() == '0') s.pop_back();
    if (s.back() == '.') s.pop_back();
    return s == "-0" ? "0" : s;
}

double text_width(std::string_view text, double font_size) {
    return 0.57 * font_size * static_cast<double>(display_width(text));
}

std::vector<std::string> wrap_text(const std::string& text, double width, double font_size) {
    std::vector<std::string> lines;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (!lines.empty() && text_width(lines.back() + " " + word, font_size) <= width)
            lines.back() += " " + word;
        else
            lines.push_back(word);
    }
    return lines;
}

std::string svg_text(const PixelPoint& at, std::string_view content, const char* classes, const char* anchor) {
    return text("<text x=\"", pixel(at.x), "\" y=\"", pixel(at.y), "\" class=\"", classes, "\" text-anchor=\"", anchor,
                "\">", escape_markup(content), "</text>\n");
}

std::string svg_line(const PixelPoint& a, const PixelPoint& b, const char* classes) {
    return text("<line x1=\"", pixel(a.x), "\" y1=\"", pixel(a.y), "\" x2=\"", pixel(b.x), "\" y2=\"", pixel(b.y),
                "\" class=\"", classes, "\"/>\n");
}

std::string svg_marker(const PixelPoint& at, int style, bool large) {
    const std::string x = pixel(at.x), y = pixel(at.y);
    std::string shape;
    switch (style % 7) {
        case 0: shape = "m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0z"; break;
        case 1: shape = "m-3.2 -3.2h6.4v6.4h-6.4z"; break;
        case 2: shape = "m0 -4.2l4 7h-8z"; break;
        case 3: shape = "m0 -4.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z"; break;
        case 4: shape = "m0 4.2l4 -7h-8z"; break;
        case 5: shape = "m-1.3 -4h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7v-2.6h2.7z"; break;
        default: shape = "m-4.2 0l2.1 -3.6h4.2l2.1 3.6l-2.1 3.6h-4.2z"; break;
    }
    if (large) {
        return text("<path class=\"lp-m", style % plot_style_count(), " lp-rim\" transform=\"translate(", x, " ", y,
                    ") scale(1.7)\" d=\"M0 0", shape, "\"/>\n");
    }
    return text("<path class=\"lp-m", style % plot_style_count(), "\" d=\"M", x, " ", y, shape, "\"/>\n");
}

std::string clipped_path(const std::vector<PixelPoint>& all, const PixelBox& box) {
    const std::vector<PixelPoint> points = thinned(all);
    std::string path;
    bool joined = false;  // the last written point is the start of the next segment
    for (std::size_t i = 1; i < points.size(); ++i) {
        PixelPoint a = points[i - 1], b = points[i];
        if (!clip(a, b, box)) {
            joined = false;
            continue;
        }
        if (!joined) path += text("M", pixel(a.x), " ", pixel(a.y));
        path += text("L", pixel(b.x), " ", pixel(b.y));
        joined = b.x == points[i].x && b.y == points[i].y;
    }
    return path;
}

int plot_style_count() { return 7; }

const char* plot_style_sheet() {
    // Hues after Okabe and Ito, darkened on white and lightened on black to a contrast of at least 4:1.
    return R"css(
.lp text{font-family:system-ui,-apple-system,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif;font-size:13px;fill:#26292e}
.lp .lp-title{font-size:15px;font-weight:600}.lp .lp-note{font-size:12px;fill:#5b616a}
.lp .lp-bg{fill:#fff}.lp .lp-grid{stroke:#dfe2e6;stroke-width:1}.lp .lp-minor{stroke:#f0f1f3;stroke-width:1}
.lp .lp-frame{fill:none;stroke:#8a9099;stroke-width:1}.lp .lp-guide{stroke:#5b616a;stroke-width:1.2;stroke-dasharray:2 3}
.lp .lp-shade{fill:#5b616a;fill-opacity:.16}.lp .lp-thin{fill:none;stroke-width:1.3;stroke-opacity:.55;stroke-linejoin:round}
.lp .lp-rim{stroke:#fff;stroke-width:.7}.lp .lp-line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:butt}
.lp .lp-l0{stroke:#0069a8}.lp .lp-m0{fill:#0069a8}
.lp .lp-l1{stroke:#c04f00;stroke-dasharray:9 4}.lp .lp-m1{fill:#c04f00}
.lp .lp-l2{stroke:#007a5a;stroke-dasharray:3 3}.lp .lp-m2{fill:#007a5a}
.lp .lp-l3{stroke:#a1478a;stroke-dasharray:10 3 2 3}.lp .lp-m3{fill:#a1478a}
.lp .lp-l4{stroke:#8a6500;stroke-dasharray:5 3}.lp .lp-m4{fill:#8a6500}
.lp .lp-l5{stroke:#3c4148;stroke-dasharray:12 3 2 3 2 3}.lp .lp-m5{fill:#3c4148}
.lp .lp-l6{stroke:#5a58c4;stroke-dasharray:1.5 3}.lp .lp-m6{fill:#5a58c4}
@media (prefers-color-scheme:dark){
.lp text{fill:#e6e8eb}.lp .lp-note{fill:#a4abb5}.lp .lp-bg{fill:#16191d}.lp .lp-grid{stroke:#343a42}.lp .lp-minor{stroke:#23272d}
.lp .lp-shade{fill:#a4abb5;fill-opacity:.2}.lp .lp-rim{stroke:#16191d}.lp .lp-frame{stroke:#7d858f}.lp .lp-guide{stroke:#a4abb5}
.lp .lp-l0{stroke:#58b2ee}.lp .lp-m0{fill:#58b2ee}.lp .lp-l1{stroke:#ff8f4d}.lp .lp-m1{fill:#ff8f4d}
.lp .lp-l2{stroke:#3fcfa5}.lp .lp-m2{fill:#3fcfa5}.lp .lp-l3{stroke:#e69acb}.lp .lp-m3{fill:#e69acb}
.lp .lp-l4{stroke:#e6bf57}.lp .lp-m4{fill:#e6bf57}.lp .lp-l5{stroke:#d3d7dc}.lp .lp-m5{fill:#d3d7dc}
.lp .lp-l6{stroke:#a9a7ff}.lp .lp-m6{fill:#a9a7ff}}
)css";
}

}  // namespace limber
