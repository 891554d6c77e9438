#include "report/plot.hpp"

#include "core/text.hpp"
#include "report/csv.hpp"
#include "report/files.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

std::string named(const std::string& label, const std::string& unit) {
    return unit.empty() ? label : text(label, " [", unit, "]");
}

/// Shaded curves are numbers as well.
std::vector<Series> all_series(const Plot& plot) {
    std::vector<Series> out = plot.series;
    for (const Shade& shade : plot.shades)
        if (!shade.x.empty()) out.push_back({shade.label, shade.x, shade.y});
    return out;
}

std::string marks(const Plot& plot) {
    std::string out;
    for (const GuideLine& g : plot.guides)
        out += csv_comment(g.vertical ? "vertical line: " : "horizontal line: ", text(g.label, " at ", csv_cell(g.at)));
    for (const Shade& shade : plot.shades) {
        if (shade.x.empty() && !shade.y.empty())
            out += csv_comment("shaded below: ", text(shade.label, " ", csv_cell(shade.y[0])));
    }
    return out;
}

bool share_x(const std::vector<Series>& all) {
    for (const Series& s : all) {
        const Series& first = all.front();
        if (length_of(s) != length_of(first)) return false;
        // Bits, not values: a NaN in x must not make equal columns differ.
        for (std::size_t i = 0; i < length_of(s); ++i)
            if (s.x[i] != first.x[i] && !(std::isnan(s.x[i]) && std::isnan(first.x[i]))) return false;
    }
    return true;
}

void check_name(const std::string& name) {
    const bool fine = !name.empty() && name.size() < 100 && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
    if (!fine) throw Error(Fault::bad_usage, {}, text("plot name \"", name, "\""), "letters, digits, - and _");
}

}  // namespace

std::string to_csv(const Plot& plot) {
    std::string out = text(csv_comment("", plot.title), csv_comment("", plot.caption), csv_comment("", plot.about),
                           csv_comment("command: ", plot.command), csv_comment("made by ", provenance_line()),
                           marks(plot));
    const std::vector<Series> all = all_series(plot);
    const std::string x = csv_cell(named(plot.x.label, plot.x.unit));
    if (share_x(all)) {
        out += x;
        for (const Series& s : all) out += text(",", csv_cell(named(s.name, plot.y.unit)));
        out += "\n";
        for (std::size_t i = 0; !all.empty() && i < length_of(all[0]); ++i) {
            out += csv_cell(all[0].x[i]);
            for (const Series& s : all) out += text(",", csv_cell(s.y[i]));
            out += "\n";
        }
        return out;
    }
    out += text("series,", x, ",", csv_cell(named(plot.y.label, plot.y.unit)), "\n");
    for (const Series& s : all) {
        for (std::size_t i = 0; i < length_of(s); ++i)
            out += text(csv_cell(s.name), ",", csv_cell(s.x[i]), ",", csv_cell(s.y[i]), "\n");
    }
    return out;
}

void write_plot(const std::string& directory, const Plot& plot) {
    check_name(plot.name);
    make_directories(directory);
    write_text_file(text(directory, "/", plot.name, ".svg"), to_svg(plot));
    write_text_file(text(directory, "/", plot.name, ".csv"), to_csv(plot));
}

}  // namespace limber
