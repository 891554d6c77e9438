// How a Plot is laid out: title, legend rows, frame, axis words, caption, from top to bottom, so nothing covers data.
#include "report/plot.hpp"

#include "core/text.hpp"
#include "report/files.hpp"
#include "report/svg_canvas.hpp"
#include "report/ticks.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kFont = 13, kTitleFont = 15, kNoteFont = 12;

struct Layout {
    FittedAxis x, y;
    PixelBox box;
    double height = 0.0;
    double legend_top = 0.0;
    std::vector<std::string> title, caption;

    PixelPoint at(double vx, double vy) const {
        // Far outside points are moved to a finite distance: the clipped part looks the same.
        const double px = std::clamp(x.fraction(vx), -1e6, 1e6), py = std::clamp(y.fraction(vy), -1e6, 1e6);
        return {box.left + px * box.width(), box.bottom - py * box.height()};
    }
};

int style_of(const Plot& plot, std::size_t i) {
    const int asked = plot.series[i].style;
    return (asked >= 0 ? asked : static_cast<int>(i)) % plot_style_count();
}
double box_height(const Plot& plot) { return plot.width < 500 ? 230 : 300; }

/// Series first, then shades.
std::vector<std::string> legend_names(const Plot& plot) {
    std::vector<std::string> names;
    for (const Series& s : plot.series) names.push_back(s.name);
    for (const Shade& s : plot.shades) names.push_back(s.label);
    return names;
}

/// Legend positions row by row; returns the number of rows.
int legend_rows(const Plot& plot, double left, double right, std::vector<PixelPoint>* positions, double top) {
    double x = left;
    int row = 0;
    const std::vector<std::string> names = legend_names(plot);
    for (const std::string& name : names) {
        const double width = 52 + text_width(name, kFont);
        if (x > left && x + width > right) {
            x = left;
            ++row;
        }
        if (positions) positions->push_back({x, top + 20.0 * row});
        x += width;
    }
    return names.empty() ? 0 : row + 1;
}

void fit_axes(const Plot& plot, Layout& layout) {
    std::vector<double> xs, ys;
    FittedAxis probe_x, probe_y;
    probe_x.scale = plot.x.scale;
    probe_y.scale = plot.y.scale;
    for (const Series& s : plot.series) {
        for (std::size_t i = 0; i < length_of(s); ++i) {
            if (!probe_x.drawable(s.x[i]) || !probe_y.drawable(s.y[i])) continue;
            xs.push_back(s.x[i]);
            ys.push_back(s.y[i]);
        }
    }
    for (const GuideLine& g : plot.guides) (g.vertical ? xs : ys).push_back(g.at);
    // A shaded curve may fall to nothing where nobody looks; a level that goes across is there to be seen.
    for (const Shade& shade : plot.shades)
        if (shade.x.empty() && !shade.y.empty()) ys.push_back(shade.y[0]);
    layout.x = fit_axis(plot.x, xs, plot.x.scale == Scale::log);
    layout.y = fit_axis(plot.y, ys, true);
}

Layout lay_out(const Plot& plot, SvgText words) {
    Layout layout;
    fit_axes(plot, layout);
    double labels = 0, guides = 0;
    for (const Tick& t : layout.y.ticks) labels = std::max(labels, text_width(t.label, kFont));
    bool above = layout.y.exponent != 0;
    for (const GuideLine& g : plot.guides) {
        if (!g.vertical) guides = std::max(guides, text_width(g.label, kNoteFont));
        above = above || g.vertical;
    }
    layout.box.left = 36 + std::min(labels, 160.0);
    layout.box.right = plot.width - std::max(16.0, std::min(guides, 180.0) + 12);
    double top = 10;
    if (words == SvgText::all) {
        layout.title = wrap_text(plot.title, plot.width - 24, kTitleFont);
        top += 20.0 * static_cast<double>(layout.title.size()) + (layout.title.empty() ? 0 : 4);
    }
    layout.legend_top = top + 10;
    if (words != SvgText::no_legend) top += 20.0 * legend_rows(plot, layout.box.left, plot.width - 8, nullptr, 0);
    top += above ? 18 : 6;
    layout.box.top = top;
    layout.box.bottom = top + box_height(plot);
    layout.height = layout.box.bottom + 46;
    if (words == SvgText::all && !plot.caption.empty()) {
        layout.caption = wrap_text(plot.caption, plot.width - 24, kNoteFont);
        layout.height += 8 + 16.0 * static_cast<double>(layout.caption.size());
    }
    return layout;
}

std::string axis_words(const Axis& axis) {
    return axis.unit.empty() ? axis.label : text(axis.label, " [", axis.unit, "]");
}

std::string draw_axes(const Plot& plot, const Layout& layout) {
    const PixelBox& f = layout.box;
    std::string minor, grid, labels;
    for (const Tick& t : layout.x.ticks) {
        const double x = f.left + layout.x.fraction(t.value) * f.width();
        (t.label.empty() ? minor : grid) += svg_line({x, f.top}, {x, f.bottom},
                                                     t.label.empty() ? "lp-minor" : "lp-grid");
        if (!t.label.empty()) labels += svg_text({x, f.bottom + 18}, t.label, "lp-tick", "middle");
    }
    for (const Tick& t : layout.y.ticks) {
        const double y = f.bottom - layout.y.fraction(t.value) * f.height();
        (t.label.empty() ? minor : grid) += svg_line({f.left, y}, {f.right, y},
                                                     t.label.empty() ? "lp-minor" : "lp-grid");
        if (!t.label.empty()) labels += svg_text({f.left - 7, y + 4.5}, t.label, "lp-tick", "end");
    }
    if (layout.y.exponent != 0)
        labels += svg_text({f.left - 7, f.top - 7}, text("×", power_of_ten(layout.y.exponent)), "lp-note", "end");
    std::string x_words = axis_words(plot.x);
    if (layout.x.exponent != 0) x_words += text("  ×", power_of_ten(layout.x.exponent));
    labels += svg_text({0.5 * (f.left + f.right), f.bottom + 38}, x_words, "lp-axis", "middle");
    labels += text("<text transform=\"translate(15 ", pixel(0.5 * (f.top + f.bottom)),
                   ") rotate(-90)\" text-anchor=\"middle\">", escape_markup(axis_words(plot.y)), "</text>\n");
    return text(minor, grid, "<rect class=\"lp-frame\" x=\"", pixel(f.left), "\" y=\"", pixel(f.top), "\" width=\"",
                pixel(f.width()), "\" height=\"", pixel(f.height()), "\"/>\n", labels);
}

std::string draw_guides(const Plot& plot, const Layout& layout) {
    const PixelBox& f = layout.box;
    std::string out;
    for (const GuideLine& g : plot.guides) {
        const FittedAxis& axis = g.vertical ? layout.x : layout.y;
        if (!axis.drawable(g.at) || g.at < axis.low || g.at > axis.high) continue;
        const double fraction = axis.fraction(g.at);
        if (g.vertical) {
            const double x = f.left + fraction * f.width();
            out += svg_line({x, f.top}, {x, f.bottom}, "lp-guide");
            const double half = 0.5 * text_width(g.label, kNoteFont);
            out += svg_text({std::clamp(x, f.left + half, std::max(f.left + half, plot.width - 6 - half)), f.top - 6},
                            g.label, "lp-note", "middle");
        } else {
            const double y = f.bottom - fraction * f.height();
            out += svg_line({f.left, y}, {f.right, y}, "lp-guide");
            out += svg_text({f.right + 6, y + 4}, g.label, "lp-note", "start");
        }
    }
    return out;
}

/// The runs of a series between its breaks.
std::vector<std::vector<PixelPoint>> runs_of(const Series& s, const Layout& layout) {
    std::vector<std::vector<PixelPoint>> runs(1);
    for (std::size_t i = 0; i < length_of(s); ++i) {
        if (layout.x.drawable(s.x[i]) && layout.y.drawable(s.y[i]))
            runs.back().push_back(layout.at(s.x[i], s.y[i]));
        else if (!runs.back().empty())
            runs.emplace_back();
    }
    return runs;
}

std::string draw_shades(const Plot& plot, const Layout& layout) {
    const PixelBox& f = layout.box;
    std::string out;
    for (const Shade& shade : plot.shades) {
        const auto height = [&](double y) {
            return layout.y.drawable(y) ? f.height() * std::clamp(layout.y.fraction(y), 0.0, 1.0) : 0.0;
        };
        if (shade.y.empty()) continue;
        if (shade.x.empty()) {
            const double h = height(shade.y[0]);
            out += text("<rect class=\"lp-shade\" x=\"", pixel(f.left), "\" y=\"", pixel(f.bottom - h), "\" width=\"",
                        pixel(f.width()), "\" height=\"", pixel(h), "\"/>\n");
            continue;
        }
        std::string path;
        double first = f.left, last = f.left;
        for (std::size_t i = 0; i < std::min(shade.x.size(), shade.y.size()); ++i) {
            if (!layout.x.drawable(shade.x[i])) continue;
            last = f.left + f.width() * std::clamp(layout.x.fraction(shade.x[i]), 0.0, 1.0);
            if (path.empty()) first = last;
            path += text(path.empty() ? "M" : "L", pixel(last), " ", pixel(f.bottom - height(shade.y[i])));
        }
        if (!path.empty()) {
            out += text("<path class=\"lp-shade\" d=\"", path, "L", pixel(last), " ", pixel(f.bottom), "L",
                        pixel(first), " ", pixel(f.bottom), "Z\"/>\n");
        }
    }
    return out;
}

std::string draw_markers(const std::vector<PixelPoint>& run, const Layout& layout, int style, double phase, bool all,
                         bool large) {
    std::string out;
    const std::size_t n = run.size(), count = all || n <= 12 ? n : 7;
    for (std::size_t k = 0; k < count; ++k) {
        // Markers of different series are shifted against each other, so that equal curves still show all of them.
        const double share = (static_cast<double>(k) + phase) / static_cast<double>(count);
        const std::size_t i = count == n ? k
                                         : std::min(n - 1, static_cast<std::size_t>(share * static_cast<double>(n)));
        if (layout.box.holds(run[i])) out += svg_marker(run[i], style, large);
    }
    return out;
}

std::string draw_series(const Plot& plot, const Layout& layout) {
    std::string lines, markers;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const Series& s = plot.series[i];
        const int style = style_of(plot, i);
        const double phase = (static_cast<double>(i) + 0.5) / static_cast<double>(plot.series.size());
        for (const std::vector<PixelPoint>& run : runs_of(s, layout)) {
            const std::string path = s.line ? clipped_path(run, layout.box) : std::string();
            if (!path.empty()) {
                lines += text("<path class=\"", s.thin ? "lp-thin" : "lp-line", " lp-l", style, "\" d=\"", path,
                              "\"/>\n");
            }
            markers += draw_markers(run, layout, style, phase, !s.line || s.thin || run.size() == 1, !s.line || s.thin);
        }
    }
    return lines + markers;
}

std::string draw_legend(const Plot& plot, double left, double right, double top) {
    std::vector<PixelPoint> positions;
    legend_rows(plot, left, right, &positions, top);
    std::string out;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const PixelPoint p = positions[i];
        const int style = style_of(plot, i);
        const Series& s = plot.series[i];
        if (s.line) {
            out += text("<path class=\"", s.thin ? "lp-thin" : "lp-line", " lp-l", style, "\" d=\"M", pixel(p.x), " ",
                        pixel(p.y), "h30\"/>\n");
        }
        out += svg_marker({p.x + 15, p.y}, style, !s.line || s.thin);
        out += svg_text({p.x + 36, p.y + 4.5}, s.name, "lp-key", "start");
    }
    for (std::size_t i = 0; i < plot.shades.size(); ++i) {
        const PixelPoint p = positions[plot.series.size() + i];
        out += text("<rect class=\"lp-shade\" x=\"", pixel(p.x), "\" y=\"", pixel(p.y - 6),
                    "\" width=\"30\" height=\"12\"/>\n");
        out += svg_text({p.x + 36, p.y + 4.5}, plot.shades[i].label, "lp-key", "start");
    }
    return out;
}

bool has_data(const Plot& plot, const Layout& layout) {
    for (const Series& s : plot.series) {
        for (std::size_t i = 0; i < length_of(s); ++i)
            if (layout.x.drawable(s.x[i]) && layout.y.drawable(s.y[i])) return true;
    }
    return false;
}

std::string draw_words(const Layout& layout) {
    std::string out;
    for (std::size_t i = 0; i < layout.title.size(); ++i)
        out += svg_text({12, 24 + 20.0 * static_cast<double>(i)}, layout.title[i], "lp-title", "start");
    for (std::size_t i = 0; i < layout.caption.size(); ++i) {
        out += svg_text({12, layout.box.bottom + 62 + 16.0 * static_cast<double>(i)}, layout.caption[i], "lp-note",
                        "start");
    }
    return out;
}

std::string svg_head(double width, double height, double widest) {
    return text("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lp\" role=\"img\" viewBox=\"0 0 ", pixel(width), " ",
                pixel(height), "\" width=\"100%\" style=\"max-width:", pixel(widest), "px;height:auto\">\n");
}

}  // namespace

std::string legend_svg(const Plot& plot, double width) {
    const int rows = legend_rows(plot, 0, width, nullptr, 0);
    return text(svg_head(width, 20.0 * rows + 4, width), "<title>Legend</title>\n<style>", plot_style_sheet(),
                "</style>\n", draw_legend(plot, 0, width, 12), "</svg>\n");
}

std::string to_svg(const Plot& plot, SvgText words) {
    const Layout layout = lay_out(plot, words);
    const std::string height = pixel(layout.height), width = pixel(plot.width);
    std::string out = svg_head(plot.width, layout.height, 1.5 * plot.width);
    out += text("<title>", escape_markup(plot.title), "</title>\n<desc>", escape_markup(plot.caption));
    if (!plot.about.empty()) out += text("\n", escape_markup(plot.about));
    if (!plot.command.empty()) out += text("\ncommand: ", escape_markup(plot.command));
    if (words == SvgText::all) out += text("\nmade by ", escape_markup(provenance_line()));
    out += text("</desc>\n<style>", plot_style_sheet(), "</style>\n<rect class=\"lp-bg\" width=\"", width,
                "\" height=\"", height, "\"/>\n");
    out += draw_shades(plot, layout);
    out += draw_axes(plot, layout);
    out += draw_guides(plot, layout);
    out += draw_series(plot, layout);
    if (!has_data(plot, layout)) {
        out += svg_text({0.5 * (layout.box.left + layout.box.right), 0.5 * (layout.box.top + layout.box.bottom)},
                        "no data", "lp-note", "middle");
    }
    if (words != SvgText::no_legend) out += draw_legend(plot, layout.box.left, plot.width - 8, layout.legend_top);
    out += draw_words(layout);
    return out + "</svg>\n";
}

}  // namespace limber
