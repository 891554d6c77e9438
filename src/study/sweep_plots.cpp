// Plots of a sweep: a quantity over the first parameter that is a number, one curve per combination of the others.
#include "study/sweep.hpp"

#include "core/text.hpp"
#include "report/files.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace limber {
namespace {

constexpr std::size_t kMostSweepCurves = 7;  ///< as many as a plot has styles
constexpr std::size_t kMostPlots = 16;

/// What stands on the x axis: the first parameter with numbers, else the first with words; -1 = nothing varies.
int axis_parameter(const SweepReport& report) {
    for (const bool numeric : {true, false}) {
        for (std::size_t p = 0; p < report.parameters.size(); ++p) {
            if (report.parameters[p].values.size() > 1 && (report.parameters[p].is_numeric() || !numeric))
                return static_cast<int>(p);
        }
    }
    return -1;
}

/// A curve is a choice of value for every parameter but the one on the axis.
struct Curve {
    std::string name;
    std::vector<std::size_t> points;  ///< in the order of the axis
};

/// Words speak for themselves; numbers and flags need their parameter's name.
std::string curve_name(const SweepReport& report, std::size_t point, std::size_t axis) {
    std::vector<std::string> words;
    for (std::size_t p = 0; p < report.parameters.size(); ++p) {
        const Parameter& parameter = report.parameters[p];
        if (p == axis || parameter.values.size() < 2) continue;
        const std::size_t v = report.value_of(point, p);
        const bool number = std::isfinite(parameter.numbers[v]),
                   flag = parameter.values[v] == "true" || parameter.values[v] == "false";
        const std::string value = number ? short_number(parameter.numbers[v]) : parameter.values[v];
        const std::string last = parameter.path.substr(parameter.path.find_last_of("./") + 1);  // npos + 1 is 0
        words.push_back(number || flag ? text(last, " = ", value) : value);
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<Curve> curves_of(const SweepReport& report, std::size_t axis) {
    std::vector<Curve> curves;
    for (std::size_t i = 0; i < report.points.size(); ++i) {
        if (report.value_of(i, axis) != 0) continue;
        Curve curve{curve_name(report, i, axis), {}};
        std::size_t stride = 1;
        for (std::size_t p = axis + 1; p < report.parameters.size(); ++p) stride *= report.parameters[p].values.size();
        for (std::size_t v = 0; v < report.parameters[axis].values.size(); ++v) curve.points.push_back(i + v * stride);
        const auto x = [&](std::size_t point) { return report.parameters[axis].numbers[report.value_of(point, axis)]; };
        if (report.parameters[axis].is_numeric()) {
            std::stable_sort(curve.points.begin(), curve.points.end(),
                             [&](std::size_t a, std::size_t b) { return x(a) < x(b); });
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

/// Of too many curves, some from the first to the last.
std::vector<Curve> thinned(const std::vector<Curve>& all) {
    if (all.size() <= kMostSweepCurves) return all;
    std::vector<Curve> out;
    for (std::size_t i = 0; i < kMostSweepCurves; ++i)
        out.push_back(all[i * (all.size() - 1) / (kMostSweepCurves - 1)]);
    return out;
}

/// Values of one sign over three decades, or half of that over a log axis, are told apart on a log axis only.
bool wants_log(const Plot& plot) {
    double low = std::numeric_limits<double>::infinity(), high = 0.0;
    for (const Series& s : plot.series) {
        for (const double y : s.y) {
            if (!std::isfinite(y)) continue;
            if (!(y > 0.0)) return false;
            low = std::min(low, y);
            high = std::max(high, y);
        }
    }
    return high > (plot.x.scale == Scale::log ? 30.0 : 1e3) * low;
}

void set_x_axis(const Parameter& parameter, Plot& plot) {
    plot.x = {parameter.path, parameter.target.unit};
    if (parameter.is_numeric()) {
        if (parameter.log && parameter.numbers.front() > 0.0) plot.x.scale = Scale::log;
        return;
    }
    plot.x.label = text(parameter.path, ", by number");
    plot.x.unit.clear();
    plot.x.low = 0.5;
    plot.x.high = static_cast<double>(parameter.values.size()) + 0.5;
    for (std::size_t v = 0; v < parameter.values.size(); ++v)
        plot.caption += text(v > 0 ? ", " : " ", v + 1, " is ", parameter.values[v]);
    plot.caption += ".";
    for (Series& s : plot.series) s.line = false;
}

Plot plot_of(const SweepReport& report, std::size_t column, std::size_t axis, const std::vector<Curve>& curves) {
    const Parameter& parameter = report.parameters[axis];
    Plot plot;
    plot.title = text(report.columns[column].name, " over ", parameter.path);
    plot.command = report.command;
    plot.about = text("scene ", report.scene, " ", report.scene_hash);
    plot.y = {report.columns[column].name, report.columns[column].unit};
    std::size_t gaps = 0;
    for (const Curve& curve : curves) {
        Series series{curve.name.empty() ? report.columns[column].name : curve.name, {}, {}};
        for (const std::size_t point : curve.points) {
            const std::size_t v = report.value_of(point, axis);
            series.x.push_back(parameter.is_numeric() ? parameter.numbers[v] : static_cast<double>(v + 1));
            series.y.push_back(report.points[point].values[column]);
            gaps += !std::isfinite(series.y.back());
        }
        plot.series.push_back(std::move(series));
    }
    plot.caption = text(report.scene, ": ", report.columns[column].name, " at ", counted(report.points.size(), "point"),
                        ".");
    if (gaps > 0) {
        plot.caption += text(" ", counted(gaps, "point"), gaps == 1 ? " has" : " have", " no value and ",
                             gaps == 1 ? "is" : "are", " left out.");
    }
    set_x_axis(parameter, plot);
    if (wants_log(plot)) plot.y.scale = Scale::log;
    return plot;
}

/// Values that differ by less than rounding draw a picture of rounding.
bool changes(const SweepReport& report, std::size_t column) {
    double low = std::numeric_limits<double>::infinity(), high = -low, size = 0.0;
    for (const PointResult& r : report.points) {
        if (!std::isfinite(r.values[column])) continue;
        low = std::min(low, r.values[column]);
        high = std::max(high, r.values[column]);
        size = std::max(size, std::abs(r.values[column]));
    }
    return high - low > 1e-12 * size;
}

}  // namespace

std::vector<Plot> sweep_plots(const SweepReport& report, std::vector<std::string>& left_out) {
    std::vector<Plot> plots;
    const int axis = axis_parameter(report);
    if (axis < 0) return plots;
    const std::vector<Curve> all = curves_of(report, static_cast<std::size_t>(axis)), shown = thinned(all);
    std::string same, more;
    std::set<std::string> names;
    for (std::size_t c = 0; c < report.columns.size(); ++c) {
        const std::string& name = report.columns[c].name;
        if (!changes(report, c))
            same += text(same.empty() ? "" : ", ", name);
        else if (plots.size() >= kMostPlots)
            more += text(more.empty() ? "" : ", ", name);
        else {
            plots.push_back(plot_of(report, c, static_cast<std::size_t>(axis), shown));
            plots.back().name = file_name(name, names);
        }
    }
    if (all.size() > shown.size()) {
        left_out.push_back(text(shown.size(), " of ", all.size(),
                                " curves are shown, from the first to the last; all are in sweep.csv."));
    }
    if (!same.empty()) left_out.push_back(text("Not drawn because nothing changes: ", same, "."));
    if (!more.empty()) left_out.push_back(text("Not drawn because there are too many: ", more, "."));
    return plots;
}

}  // namespace limber
