// A sweep as CSV, JSON, table and page.
#include "study/sweep.hpp"

#include "core/text.hpp"
#include "report/claims.hpp"
#include "report/csv.hpp"
#include "report/files.hpp"
#include "report/page.hpp"

#include <limber/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace limber {
namespace {

using nlohmann::json;
constexpr std::size_t kPageRows = 400;    ///< more than this nobody reads on a page
constexpr std::size_t kTableColumns = 5;  ///< quantities beside the parameters, in a table

std::string head_of(const SweepReport& report) {
    return csv_comment("sweep of ", text(report.scene, ", scene ", report.scene_hash, ", ",
                                         counted(report.points.size(), "point"), ", one thread each")) +
           csv_comment("command: ", report.command) + csv_comment("made by ", report.made_by);
}

std::string with_unit(const PointColumn& column) {
    return column.unit.empty() ? column.name : text(column.name, " [", column.unit, "]");
}

std::string parameter_title(const Parameter& p) {
    return p.target.unit.empty() ? p.path : text(p.path, " [", p.target.unit, "]");
}

std::string parameter_cells(const SweepReport& report, std::size_t point) {
    std::string out = text(point);
    for (std::size_t p = 0; p < report.parameters.size(); ++p)
        out += text(",", csv_cell(report.parameters[p].values[report.value_of(point, p)]));
    return out;
}

std::string parameter_titles(const SweepReport& report) {
    std::string out = "point";
    for (const Parameter& p : report.parameters) out += text(",", csv_cell(parameter_title(p)));
    return out;
}

bool varies(const SweepReport& report, std::size_t column) {
    const PointResult* first = nullptr;
    for (const PointResult& r : report.points) {
        if (r.status != PointStatus::done || !std::isfinite(r.values[column])) continue;
        if (first && r.values[column] != first->values[column]) return true;
        if (!first) first = &r;
    }
    return false;
}

/// What stands in a table: lengths and peaks rather than components, and only what changes from point to point.
std::vector<std::size_t> informative_columns(const SweepReport& report) {
    std::vector<std::size_t> out;
    for (const bool component : {false, true}) {
        for (std::size_t c = 0; c < report.columns.size() && out.size() < kTableColumns; ++c) {
            const std::string& name = report.columns[c].name;
            const std::string tail = name.size() > 2 ? name.substr(name.size() - 2) : name;
            const bool is_component = tail == "ux" || tail == "uy" || tail == "uz" || tail == "fx" || tail == "fy" ||
                                      tail == "fz";
            if (is_component == component && varies(report, c)) out.push_back(c);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::string failures_words(const SweepReport& report) {
    const std::size_t failed = report.points.size() - report.count(PointStatus::done);
    if (failed == 0) return "Every point ran to its end.";
    std::string out = text(counted(failed, "point"), " of ", report.points.size(),
                           " failed; each is a row with its cause.");
    for (const PointResult& r : report.points)
        if (r.status != PointStatus::done) return text(out, " The first: ", r.cause, ".");
    return out;
}

/// "a, b and c": what varies.
std::string varied_words(const SweepReport& report) {
    std::vector<std::string> names;
    for (const Parameter& p : report.parameters)
        if (p.values.size() > 1) names.push_back(p.path);
    if (names.empty()) return "nothing";
    const std::string last = names.back();
    names.pop_back();
    return names.empty() ? last : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

/// The plots of one quantity side by side.
void add_figures(Page& page, const SweepReport& report, const std::vector<Plot>& plots) {
    const auto group_of = [&](const Plot& plot) {
        for (const PointColumn& column : report.columns)
            if (column.name == plot.y.label) return column.quantity;
        return std::string("others");
    };
    for (std::size_t first = 0, last; first < plots.size(); first = last) {
        const std::string group = group_of(plots[first]);
        std::vector<Plot> panel;
        for (last = first; last < plots.size() && group_of(plots[last]) == group; ++last) {
            panel.push_back(plots[last]);
            panel.back().command.clear();  // told once, at the top
            panel.back().title = plots[last].y.label;
        }
        std::string title = text("Error: ", group);
        for (const PointQuantity& q : point_quantities())
            if (group == q.name) title = text(static_cast<char>(std::toupper(q.sentence[0])), q.sentence + 1);
        page.panels(panel, title,
                    panel[0].caption.substr(
                        panel[0].caption.find(" at ") == std::string::npos ? 0 : panel[0].caption.find(" at ") + 4));
    }
}

}  // namespace

std::string sweep_csv(const SweepReport& report) {
    std::string out = head_of(report) + parameter_titles(report) + ",status,cause,steps";
    for (const PointColumn& column : report.columns) out += text(",", csv_cell(with_unit(column)));
    out += "\n";
    for (std::size_t i = 0; i < report.points.size(); ++i) {
        const PointResult& r = report.points[i];
        out += text(parameter_cells(report, i), ",", to_string(r.status), ",", csv_cell(r.cause), ",", r.steps);
        for (const double v : r.values) out += text(",", csv_cell(v));
        out += "\n";
    }
    return out;
}

std::string sweep_timings_csv(const SweepReport& report) {
    std::string out = head_of(report) + "# wall clock, with other points running beside: not reproducible\n" +
                      parameter_titles(report) + ",prepare [ms],step median [ms],total [ms]\n";
    for (std::size_t i = 0; i < report.points.size(); ++i) {
        const PointResult& r = report.points[i];
        out += text(parameter_cells(report, i), ",", csv_cell(r.prepare_ms), ",", csv_cell(r.step_ms), ",",
                    csv_cell(r.total_ms), "\n");
    }
    return out;
}

Table sweep_table(const SweepReport& report, std::size_t rows) {
    const std::vector<std::size_t> shown = informative_columns(report);
    Table table{{{"point", Align::right}}, {}};
    for (const Parameter& p : report.parameters)
        if (p.values.size() > 1) table.columns.push_back({parameter_title(p), Align::right});
    for (const std::size_t c : shown) table.columns.push_back({with_unit(report.columns[c]), Align::right});
    table.columns.push_back({"status"});
    const std::size_t count = report.points.size();
    for (std::size_t i = 0; i < count; ++i) {
        // Of a long table both ends are shown.
        if (count > rows && i == rows / 2) {
            i = count - (rows - rows / 2);
            table.add({"..."});
        }
        const PointResult& r = report.points[i];
        std::vector<std::string> row{text(i)};
        for (std::size_t p = 0; p < report.parameters.size(); ++p) {
            if (report.parameters[p].values.size() < 2) continue;
            const std::size_t v = report.value_of(i, p);
            const double number = report.parameters[p].numbers[v];
            row.push_back(std::isfinite(number) ? short_number(number, 5) : report.parameters[p].values[v]);
        }
        for (const std::size_t c : shown) row.push_back(short_number(r.values[c]));
        row.push_back(r.status == PointStatus::done ? (r.cause.empty() ? "done" : text("done; ", r.cause))
                                                    : text(to_string(r.status), ": ", r.cause));
        table.add(std::move(row));
    }
    return table;
}

json sweep_json(const SweepReport& report) {
    json parameters = json::array(), columns = json::array(), points = json::array();
    for (const Parameter& p : report.parameters) {
        parameters.push_back(
            {{"path", p.path}, {"field", p.target.pointer}, {"unit", p.target.unit}, {"values", p.values}});
    }
    for (const PointColumn& c : report.columns)
        columns.push_back({{"name", c.name}, {"unit", c.unit}, {"quantity", c.quantity}});
    for (std::size_t i = 0; i < report.points.size(); ++i) {
        const PointResult& r = report.points[i];
        json values = json::array(), at = json::array();
        for (const double v : r.values) values.push_back(json_number(v));
        for (std::size_t p = 0; p < report.parameters.size(); ++p)
            at.push_back(report.parameters[p].values[report.value_of(i, p)]);
        points.push_back(
            {{"at", at}, {"status", to_string(r.status)}, {"cause", r.cause}, {"steps", r.steps}, {"values", values}});
    }
    const Provenance p = provenance();
    return {{"scene", report.scene},
            {"scene_hash", report.scene_hash},
            {"command", report.command},
            {"parameters", parameters},
            {"columns", columns},
            {"points", points},
            {"done", report.count(PointStatus::done)},
            {"resumed", report.resumed},
            {"provenance",
             {{"version", p.version},
              {"commit", p.commit},
              {"compiler", p.compiler},
              {"cpu", p.cpu},
              {"isa", p.isa},
              {"linked", p.linked},
              {"threads", 1}}}};
}

void write_sweep(const std::string& directory, const SweepReport& report) {
    std::vector<std::string> left_out;
    const std::vector<Plot> plots = sweep_plots(report, left_out);
    Page page(text("Sweep of ", report.scene), text("What changes with ", varied_words(report), ": ",
                                                    counted(report.points.size(), "run"), " of one scene."));
    page.section("What was run");
    page.command(report.command);
    page.paragraph(failures_words(report));
    page.paragraph(text("Scene ", report.scene_hash,
                        ". Each point ran on one thread, so the numbers are the same however many ran at once. All of "
                        "them are in sweep.csv, costs in timings.csv."));
    page.section("Figures");
    add_figures(page, report, plots);
    if (plots.empty()) page.paragraph("Nothing that was measured changes from point to point.");
    for (const std::string& line : left_out) page.paragraph(line);
    page.section("Points");
    page.table(sweep_table(report, kPageRows),
               report.points.size() > kPageRows
                   ? text("The first and last of ", report.points.size(), " points; all are in sweep.csv.")
                   : "");
    make_directories(directory);
    for (const Plot& plot : plots) write_plot(directory, plot);
    write_text_file(directory + "/timings.csv", sweep_timings_csv(report));
    write_page(directory + "/index.html", page);
    write_text_file(directory + "/sweep.csv", sweep_csv(report));
}

}  // namespace limber
