// Line plots as SVG, each with its numbers as CSV and the command that made it.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace limber {

enum class Scale { linear, log };

struct Axis {
    std::string label;  ///< what is shown; the unit is added in brackets
    std::string unit;   ///< "" = none
    Scale scale = Scale::linear;
    std::optional<double> low{};  ///< fixed limits; fitted to the data when absent
    std::optional<double> high{};
};

/// A value that is not finite (or not positive on a log axis) breaks the line; it is never drawn.
struct Series {
    std::string name;
    std::vector<double> x, y;  ///< equal lengths; the shorter one counts
    int style = -1;            ///< colour, dash and marker; -1 = its place in the plot
    bool line = true;          ///< false: markers only, one per point
    bool thin = false;         ///< a faint line that only joins points, which get large markers
};
/// How many points it has.
inline std::size_t length_of(const Series& s) { return std::min(s.x.size(), s.y.size()); }

/// A grey area from the bottom of the frame up to a curve: where values mean nothing. One y without x goes across the
/// frame.
struct Shade {
    std::string label;
    std::vector<double> x, y;
};

/// A thin labelled line across the plot; its label stands outside the frame, so it never covers data.
struct GuideLine {
    bool vertical = false;
    double at = 0.0;
    std::string label;
};

struct Plot {
    std::string name;  ///< file name without ending; letters, digits, - and _
    std::string title;
    std::string caption;
    std::string command;  ///< what to type to get this plot again
    Axis x, y;
    std::vector<Series> series;
    std::vector<GuideLine> guides;
    std::vector<Shade> shades{};
    double width = 640;   ///< of the picture, in pixels of its own text; narrow ones are for grids
    std::string about{};  ///< for the files only: which scene, which data
};

/// How much of the words goes into the picture (a page shows title and caption as text of its own).
enum class SvgText { all, axes_only, no_legend };

/// Self-contained, readable on light and dark ground, scales with its container.
std::string to_svg(const Plot& plot, SvgText text = SvgText::all);
/// The legend alone, to stand above several plots of the same series.
std::string legend_svg(const Plot& plot, double width = 960);
/// One column per series when all share x, otherwise rows of (series, x, y). Missing values are empty cells.
std::string to_csv(const Plot& plot);
/// Writes NAME.svg and NAME.csv into an existing or new directory. Throws Error{bad_file}.
void write_plot(const std::string& directory, const Plot& plot);

}  // namespace limber
