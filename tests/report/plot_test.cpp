#include "report/plot.hpp"

#include "expect_error.hpp"
#include "report/files.hpp"
#include "report/ticks.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <regex>
#include <sstream>

namespace limber {
namespace {

constexpr double kNoPoint = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Plot plot_of(std::vector<double> x, std::vector<double> y, Scale scale = Scale::linear) {
    return {"p",
            "title",
            "caption",
            "limber x",
            {"time", "s"},
            {"error", "m", scale},
            {{"one", std::move(x), std::move(y)}},
            {}};
}

std::size_t count(const std::string& text, const std::string& piece) {
    std::size_t n = 0;
    for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++n;
    return n;
}

/// Every number inside path data and coordinates.
std::vector<double> coordinates(const std::string& svg) {
    std::vector<double> out;
    const std::regex line("d=\"M([^a-z\"]*)\"|(?:x|y|x1|y1|x2|y2)=\"([^\"]*)\""), number("-?[0-9.]+");
    for (std::sregex_iterator it(svg.begin(), svg.end(), line), end; it != end; ++it) {
        const std::string part = (*it)[1].matched ? (*it)[1].str() : (*it)[2].str();
        for (std::sregex_iterator n(part.begin(), part.end(), number); n != end; ++n)
            out.push_back(std::stod(n->str()));
    }
    return out;
}

struct Awkward {
    const char* what;
    Plot plot;
};
std::vector<Awkward> awkward_plots() {
    Plot none = plot_of({}, {});
    none.series.clear();
    Plot fixed = plot_of({0, 1, 2}, {0, 1e9, -1e9});
    fixed.y.low = 0.0;
    fixed.y.high = 1.0;
    Plot reversed = fixed;
    std::swap(reversed.y.low, reversed.y.high);
    return {{"no series", none},
            {"empty series", plot_of({}, {})},
            {"one point", plot_of({1}, {2})},
            {"one point at zero", plot_of({0}, {0})},
            {"constant", plot_of({0, 1, 2}, {5, 5, 5})},
            {"all not a number", plot_of({0, 1}, {kNoPoint, kInf})},
            {"x not a number", plot_of({kNoPoint, 1, kInf}, {1, 2, 3})},
            {"huge", plot_of({0, 1, 2}, {1e308, -1e308, 1e299})},
            {"tiny", plot_of({0, 1, 2}, {1e-308, 2e-308, 5e-324})},
            {"far apart", plot_of({0, 1, 2}, {1e-300, 1e299, 1})},
            {"on a large offset", plot_of({1e15, 1e15 + 1}, {1e15, 1e15 + 0.5})},
            {"log of zero and less", plot_of({0, 1, 2}, {0, -1, 1e-9}, Scale::log)},
            {"log of nothing", plot_of({0, 1}, {0, -1}, Scale::log)},
            {"log over all", plot_of({0, 1, 2}, {1e-280, 1, 1e290}, Scale::log)},
            {"far outside fixed limits", fixed},
            {"limits given backwards", reversed},
            {"lengths differ", plot_of({0, 1, 2, 3}, {1, 2})}};
}

TEST(Plot, NeverWritesAnythingButNumbersInsideThePicture) {
    // Every degenerate range divides by zero somewhere if not thought of.
    for (const Awkward& a : awkward_plots()) {
        const std::string svg = to_svg(a.plot);
        EXPECT_EQ(svg.find("nan"), std::string::npos) << a.what;
        EXPECT_EQ(svg.find("inf\""), std::string::npos) << a.what;
        EXPECT_EQ(svg.find("-inf"), std::string::npos) << a.what;
        for (const double v : coordinates(svg)) {
            EXPECT_GT(v, -1.0) << a.what;
            EXPECT_LT(v, 1000.0) << a.what;
        }
    }
}

TEST(Plot, SaysSoWhenThereIsNothingToDraw) {
    EXPECT_NE(to_svg(plot_of({}, {})).find("no data"), std::string::npos);
    EXPECT_NE(to_svg(plot_of({0, 1}, {kNoPoint, kNoPoint})).find("no data"), std::string::npos);
    EXPECT_EQ(to_svg(plot_of({0, 1}, {1, 2})).find("no data"), std::string::npos);
}

TEST(Plot, AMissingValueBreaksTheLine) {
    // Joining the neighbours would draw a value nobody computed. One path per run, plus one in the legend.
    const auto lines = [](const Plot& plot) { return count(to_svg(plot), "<path class=\"lp-line"); };
    EXPECT_EQ(lines(plot_of({0, 1, 2, 3, 4}, {1, 2, 3, 4, 5})), 2u);
    EXPECT_EQ(lines(plot_of({0, 1, 2, 3, 4}, {1, 2, kNoPoint, 4, 5})), 3u);
}

TEST(Plot, ALonelyPointIsVisible) {
    // A path of one point draws nothing: it needs its marker. The other marker is the legend's.
    EXPECT_EQ(count(to_svg(plot_of({0, 1, 2}, {kNoPoint, 2, kNoPoint})), "<path class=\"lp-m"), 2u);
}

TEST(Plot, TheLegendStandsAboveTheFrame) {
    Plot plot = plot_of({0, 1}, {0, 1});
    for (int i = 0; i < 12; ++i)
        plot.series.push_back({"a fairly long name of a series " + std::to_string(i), {0, 1}, {0, 1}});
    const std::string svg = to_svg(plot);
    std::smatch frame;
    ASSERT_TRUE(std::regex_search(svg, frame, std::regex("class=\"lp-frame\" x=\"[0-9.]+\" y=\"([0-9.]+)\"")));
    const std::regex key("y=\"([0-9.]+)\" class=\"lp-key\"");
    std::size_t keys = 0;
    for (std::sregex_iterator it(svg.begin(), svg.end(), key), end; it != end; ++it, ++keys)
        EXPECT_LT(std::stod((*it)[1]), std::stod(frame[1]));
    EXPECT_EQ(keys, plot.series.size());
}

TEST(Plot, WordsCannotBreakTheMarkup) {
    Plot plot = plot_of({0, 1}, {0, 1});
    plot.title = "a < b & \"c\" <script>";
    plot.series[0].name = std::string("bad \xff byte \x01 </svg>");
    const std::string svg = to_svg(plot);
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    EXPECT_EQ(count(svg, "</svg>"), 1u);
    EXPECT_EQ(svg.find('\xff'), std::string::npos);
    EXPECT_EQ(svg.find('\x01'), std::string::npos);
}

TEST(Plot, ManyPointsStayASmallFileWithTheSameExtremes) {
    std::vector<double> x, y;
    for (int i = 0; i < 200000; ++i) {
        x.push_back(i);
        y.push_back(i == 100000 ? 100.0 : std::sin(i));
    }
    const std::string svg = to_svg(plot_of(x, y));
    EXPECT_LT(svg.size(), 200000u);
    // The spike must survive thinning: somewhere the line comes close to the frame's top.
    std::smatch frame;
    ASSERT_TRUE(std::regex_search(svg, frame, std::regex("class=\"lp-frame\" x=\"[0-9.]+\" y=\"([0-9.]+)\"")));
    const std::string top = "L[0-9.]+ " + frame[1].str().substr(0, frame[1].str().find('.'));
    EXPECT_TRUE(std::regex_search(svg, std::regex(top)));
}

TEST(Ticks, AreNiceAscendingAndInsideTheAxis) {
    for (const double low : {-3e7, -1.0, 0.0, 1e-9, 0.37}) {
        for (const double width : {1e-7, 0.013, 1.0, 9.9, 12345.0}) {
            const FittedAxis axis = fit_axis({"v", "", Scale::linear, low, low + width}, {}, true);
            ASSERT_GE(axis.ticks.size(), 2u) << low << " " << width;
            ASSERT_LE(axis.ticks.size(), 14u) << low << " " << width;
            for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
                EXPECT_GE(axis.ticks[i].value, axis.low);
                EXPECT_LE(axis.ticks[i].value, axis.high);
                if (i > 0) {
                    EXPECT_GT(axis.ticks[i].value, axis.ticks[i - 1].value);
                    EXPECT_NE(axis.ticks[i].label, axis.ticks[i - 1].label) << "two ticks with one label";
                }
            }
        }
    }
}

TEST(Ticks, LabelsReadBackAsTheirValues) {
    // A label off by a power of ten is the worst thing a plot can do.
    for (const double scale : {1e-12, 1e-5, 1e-2, 1.0, 1e4, 1e9}) {
        const FittedAxis axis = fit_axis({"v", ""}, {0.0, 3.7 * scale}, true);
        for (const Tick& t : axis.ticks)
            EXPECT_NEAR(std::stod(t.label) * std::pow(10.0, axis.exponent), t.value, 1e-9 * scale) << t.label;
    }
}

TEST(Ticks, PowersOfTenAreWrittenWithSuperscripts) {
    EXPECT_EQ(power_of_ten(-12), "10⁻¹²");
    EXPECT_EQ(power_of_ten(0), "10⁰");
}

std::vector<std::string> data_lines(const std::string& csv) {
    std::vector<std::string> out;
    std::istringstream in(csv);
    for (std::string line; std::getline(in, line);)
        if (line.empty() || line[0] != '#') out.push_back(line);
    return out;
}

TEST(PlotCsv, HoldsTheNumbersToTheLastBitAndNoNan) {
    const double third = 1.0 / 3.0;
    const std::vector<std::string> lines = data_lines(to_csv(plot_of({0, third}, {kNoPoint, 2 * third})));
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0], "time [s],one [m]");
    EXPECT_EQ(lines[1], "0,");
    EXPECT_EQ(std::stod(lines[2].substr(0, lines[2].find(','))), third);
    EXPECT_EQ(std::stod(lines[2].substr(lines[2].find(',') + 1)), 2 * third);
}

TEST(PlotCsv, SeriesWithTheirOwnTimesBecomeRows) {
    Plot plot = plot_of({0, 1}, {2, 3});
    plot.series.push_back({"two, quoted \"so\"", {0.5}, {9}});
    const std::vector<std::string> lines = data_lines(to_csv(plot));
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0], "series,time [s],error [m]");
    EXPECT_EQ(lines[3], "\"two, quoted \"\"so\"\"\",0.5,9");
}

TEST(PlotFiles, CarryTheCommandAndTheProvenance) {
    const std::filesystem::path dir = std::filesystem::path(testing::TempDir()) / "limber_plot_test" / "deeper";
    std::filesystem::remove_all(dir);
    write_plot(dir.string(), plot_of({0, 1}, {0, 1}));
    for (const char* name : {"p.svg", "p.csv"}) {
        std::ifstream in(dir / name);
        std::stringstream all;
        all << in.rdbuf();
        EXPECT_NE(all.str().find("limber x"), std::string::npos) << name;
        EXPECT_NE(all.str().find("made by limber "), std::string::npos) << name;
    }
    std::filesystem::remove_all(dir);
}

TEST(PlotFiles, ANameThatIsAPathIsRefused) {
    Plot plot = plot_of({0, 1}, {0, 1});
    plot.name = "../up";
    expect_error(Fault::bad_usage, "plot name \"../up\"", [&] { write_plot(testing::TempDir(), plot); });
}

}  // namespace
}  // namespace limber
