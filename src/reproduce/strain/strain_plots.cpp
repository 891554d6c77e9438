#include "reproduce/strain/strain.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace limber {
namespace {

constexpr int kCurvePoints = 60;
const std::vector<GuideLine> kPercents{{false, 0.01, "1 %"}, {false, 0.05, "5 %"}};

/// A function of the amplitude as a smooth line.
Series curve(const std::string& name, const StrainCase& c, bool logarithmic,
             const std::function<double(double)>& value) {
    Series out{name, {}, {}};
    for (int i = 0; i <= kCurvePoints; ++i) {
        const double part = static_cast<double>(i) / kCurvePoints;
        const double a = logarithmic ? 1e-3 * std::pow(c.largest / 1e-3, part) : c.largest * part;
        out.x.push_back(a);
        out.y.push_back(a > 0.0 ? value(a) : 0.0);
    }
    return out;
}

Plot error_plot(const StrainSettings& settings, const StrainCase& c, const std::vector<StrainRow>& rows) {
    Plot plot{
        "strain-" + c.name,
        text(c.title, ": error against Green strain"),
        text(c.about,
             " Lines: how far the two closed forms are apart. Markers: what methods measured, against Green strain."),
        settings.command,
        {c.amplitude, "", Scale::log},
        {"error against Green strain", "", Scale::log, 1e-7},
        {},
        kPercents};
    // Room for methods that stay near Green strain, but not a chart that is mostly empty.
    double least = 1e-4;
    for (const StrainQuantity& q : c.quantities) least = std::min(least, std::max(q.apart(1e-3), 1e-6));
    plot.y.low = std::pow(10.0, std::floor(std::log10(least)) - 1);
    for (const StrainQuantity& q : c.quantities) {
        plot.series.push_back(
            curve(text(q.name, ": linear strain, closed form"), c, true, [&](double a) { return q.apart(a); }));
    }
    for (const StrainRow& row : rows) {
        if (row.case_name == c.name)
            plot.series.push_back({text(row.quantity, ": ", row.method), row.amplitude, row.against_green, -1, false});
    }
    return plot;
}

/// What is measured itself, on plain axes: the truths as lines, the methods as markers.
Plot answer_plot(const StrainSettings& settings, const StrainCase& c, const StrainQuantity& q,
                 const std::vector<StrainRow>& rows) {
    Plot plot{"answer-" + c.name,
              text(c.title, ": ", q.name),
              c.about,
              settings.command,
              {c.amplitude, ""},
              {q.words, ""},
              {},
              {}};
    plot.series.push_back(curve("linear strain, closed form", c, false, q.linear));
    plot.series.push_back(
        curve(c.name == "bend" ? "Green strain, beam solver" : "Green strain, closed form", c, false, q.green));
    for (const StrainRow& row : rows) {
        if (row.case_name == c.name && row.quantity == q.name)
            plot.series.push_back({row.method, row.amplitude, row.measured, -1, false});
    }
    return plot;
}

Plot overview(const StrainSettings& settings, const std::vector<StrainRow>& rows) {
    Plot plot{"strain-overview",
              "How far linear strain goes",
              "Error of linear_fem against Green strain as each case's amplitude grows: parts of a length, radians, or "
              "load numbers. Lines that rise by one decade per decade are cases of first order (stretching), those "
              "that rise by two are of second order (turning, bending, shear force).",
              settings.command,
              {"amplitude", "", Scale::log},
              {"error against Green strain", "", Scale::log, 1e-7},
              {},
              kPercents};
    for (const StrainCase& c : strain_cases()) {
        for (const StrainRow& row : rows) {
            if (row.case_name == c.name && row.quantity == c.quantities[0].name && row.method == "linear_fem")
                plot.series.push_back({text(c.name, ", ", row.quantity), row.amplitude, row.against_green});
        }
    }
    return plot;
}

}  // namespace

std::vector<Plot> strain_plots(const StrainSettings& settings, const std::vector<StrainRow>& rows) {
    std::vector<Plot> out{overview(settings, rows)};
    for (const StrainCase& c : strain_cases()) {
        if (c.name == "squeeze" || c.name == "bend") out.push_back(answer_plot(settings, c, c.quantities[0], rows));
        if (c.name == "swing") out.push_back(answer_plot(settings, c, c.quantities[2], rows));
        out.push_back(error_plot(settings, c, rows));
    }
    return out;
}

}  // namespace limber
