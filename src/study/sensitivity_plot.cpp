// The tornado: one row per parameter, a bar from zero to the sensitivity, a whisker for what is not known of it.
#include "study/sensitivity.hpp"

#include "core/text.hpp"
#include "report/files.hpp"
#include "report/svg_canvas.hpp"
#include "report/ticks.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace limber {
namespace {

constexpr double kWidth = 640, kFont = 13, kBar = 13, kGap = 12;
constexpr double kLeastReach = 0.1;  ///< of the axis: where nothing matters, rounding must not look as if it did
constexpr double kRoom = 1.04;       ///< between the longest bar and the frame

struct Row {
    std::size_t parameter = 0;
    double strength = 0.0;  ///< of the strongest method
};

/// The strongest parameters first; those that nobody knows last.
std::vector<Row> rows_of(const SensitivityReport& report, std::size_t quantity) {
    std::vector<Row> rows;
    for (std::size_t p = 0; p < report.parameters.size(); ++p) {
        Row row{p, -1.0};
        for (std::size_t m = 0; m < report.methods.size(); ++m) {
            if (const Sensitivity& s = report.at(m, p, quantity); s.known)
                row.strength = std::max(row.strength, std::abs(s.value));
        }
        rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.strength > b.strength; });
    return rows;
}

struct Drawing {
    FittedAxis axis;
    PixelBox box;
    double row_height = 0.0;

    double x(double value) const { return box.left + std::clamp(axis.fraction(value), 0.0, 1.0) * box.width(); }
};

Drawing lay_out(const SensitivityReport& report, std::size_t quantity, const std::vector<Row>& rows) {
    Drawing out;
    std::vector<double> values{-kLeastReach, kLeastReach};
    double labels = 0.0;
    for (const Row& row : rows) {
        labels = std::max(labels, text_width(report.parameters[row.parameter].name, kFont));
        for (std::size_t m = 0; m < report.methods.size(); ++m) {
            if (const Sensitivity& s = report.at(m, row.parameter, quantity); s.known)
                values.push_back(kRoom * s.value);
        }
    }
    out.axis = fit_axis({"d ln Q / d ln p", ""}, values, true);
    out.row_height = kBar * static_cast<double>(report.methods.size()) + kGap;
    const double top = report.methods.size() > 1 ? 14.0 + 20.0 * static_cast<double>(report.methods.size()) : 12.0;
    // The number stands at the right of every row, outside of the frame.
    out.box = {24 + std::min(labels, 220.0), top, kWidth - 150,
               top + std::max(1.0, static_cast<double>(rows.size())) * out.row_height + kGap};
    return out;
}

std::string draw_ground(const Drawing& d) {
    const PixelBox& f = d.box;
    std::string out;
    double widest = 0.0, free_from = -kWidth;
    for (const Tick& t : d.axis.ticks) widest = std::max(widest, text_width(t.label, kFont));
    for (const Tick& t : d.axis.ticks) {
        if (t.label.empty()) continue;
        const double x = d.x(t.value);
        out += svg_line({x, f.top}, {x, f.bottom}, "lp-grid");
        if (x < free_from) continue;  // no room beside the last one
        out += svg_text({x, f.bottom + 18}, t.label, "lp-tick", "middle");
        free_from = x + widest + 8;
    }
    out += text("<rect class=\"lp-frame\" x=\"", pixel(f.left), "\" y=\"", pixel(f.top), "\" width=\"",
                pixel(f.width()), "\" height=\"", pixel(f.height()), "\"/>\n");
    std::string words = "d ln Q / d ln p";
    if (d.axis.exponent != 0) words += text("  ×", power_of_ten(d.axis.exponent));
    return out + svg_text({0.5 * (f.left + f.right), f.bottom + 38}, words, "lp-axis", "middle");
}

std::string draw_bar(const Drawing& d, const Sensitivity& s, double y, int style) {
    if (!s.known) return svg_text({d.box.right + 8, y + 0.5 * kBar + 4}, "not known", "lp-note", "start");
    const double zero = d.x(0.0), at = d.x(s.value), mid = y + 0.5 * (kBar - 2);
    std::string out = text("<rect class=\"lp-m", style, "\" x=\"", pixel(std::min(zero, at)), "\" y=\"", pixel(y),
                           "\" width=\"", pixel(std::max(1.0, std::abs(at - zero))), "\" height=\"", pixel(kBar - 2),
                           "\"/>\n");
    const double low = d.x(s.value - s.bar), high = d.x(s.value + s.bar);
    if (high - low > 2.0) {  // a whisker narrower than a line says nothing that the number does not
        out += svg_line({low, mid}, {high, mid}, "lp-whisker");
        for (const double x : {low, high}) out += svg_line({x, mid - 4}, {x, mid + 4}, "lp-whisker");
    }
    return out + svg_text({d.box.right + 8, mid + 4}, value_with_bar(s.value, s.bar), "lp-note", "start");
}

std::string draw_rows(const SensitivityReport& report, std::size_t quantity, const std::vector<Row>& rows,
                      const Drawing& d) {
    std::string out;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const double top = d.box.top + kGap + static_cast<double>(r) * d.row_height;
        const double middle = top + 0.5 * (d.row_height - kGap);
        out += svg_text({d.box.left - 8, middle + 4}, report.parameters[rows[r].parameter].name, "lp-tick", "end");
        for (std::size_t m = 0; m < report.methods.size(); ++m) {
            out += draw_bar(d, report.at(m, rows[r].parameter, quantity), top + kBar * static_cast<double>(m),
                            static_cast<int>(m) % plot_style_count());
        }
    }
    return out + svg_line({d.x(0.0), d.box.top}, {d.x(0.0), d.box.bottom}, "lp-frame");
}

std::string draw_legend(const SensitivityReport& report, const Drawing& d) {
    std::string out;
    for (std::size_t m = 0; report.methods.size() > 1 && m < report.methods.size(); ++m) {
        const double y = 10.0 + 20.0 * static_cast<double>(m);
        out += text("<rect class=\"lp-m", static_cast<int>(m) % plot_style_count(), "\" x=\"", pixel(d.box.left),
                    "\" y=\"", pixel(y), "\" width=\"22\" height=\"10\"/>\n");
        out += svg_text({d.box.left + 30, y + 10}, report.methods[m].name, "lp-key", "start");
    }
    return out;
}

}  // namespace

TornadoPlot tornado_plot(const SensitivityReport& report, std::size_t quantity) {
    TornadoPlot out;
    const PointColumn& q = report.quantities[quantity];
    std::set<std::string> taken;
    for (std::size_t i = 0; i <= quantity; ++i)
        out.name = file_name(text("tornado_", report.quantities[i].name), taken);
    out.title = text("What moves ", q.name);
    out.caption = text("d ln Q / d ln p of ", q.name,
                       ": per cent per per cent, the strongest on top. Whiskers are error bars; where there is none, "
                       "it is narrower than a line.");
    const std::vector<Row> rows = rows_of(report, quantity);
    const Drawing d = lay_out(report, quantity, rows);
    const std::string height = pixel(d.box.bottom + 46), width = pixel(kWidth);
    out.svg = text("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lp\" role=\"img\" viewBox=\"0 0 ", width, " ",
                   height, "\" width=\"100%\" style=\"max-width:", pixel(1.5 * kWidth), "px;height:auto\">\n<title>",
                   escape_markup(out.title), "</title>\n<desc>", escape_markup(out.caption), "\nscene ",
                   escape_markup(report.scene), " ", report.scene_hash, "\ncommand: ", escape_markup(report.command),
                   "\nmade by ", escape_markup(report.made_by), "</desc>\n<style>", plot_style_sheet(),
                   ".lp .lp-whisker{stroke:#26292e;stroke-width:1.5}@media (prefers-color-scheme:dark){.lp "
                   ".lp-whisker{stroke:#e6e8eb}}",
                   "</style>\n<rect class=\"lp-bg\" width=\"", width, "\" height=\"", height, "\"/>\n", draw_ground(d),
                   draw_rows(report, quantity, rows, d), draw_legend(report, d), "</svg>\n");
    return out;
}

}  // namespace limber
