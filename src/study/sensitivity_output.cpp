// Sensitivities as table, CSV, JSON and page.
#include "study/sensitivity.hpp"

#include "core/text.hpp"
#include "report/claims.hpp"
#include "report/csv.hpp"
#include "report/files.hpp"
#include "report/page.hpp"

#include <limber/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using nlohmann::json;

std::string with_unit(const std::string& name, const std::string& unit) {
    return unit.empty() ? name : text(name, " [", unit, "]");
}

std::string cell_of(const Sensitivity& s) { return s.known ? value_with_bar(s.value, s.bar) : "-"; }

json row_json(const SensitivityReport& report, const Sensitivity& s) {
    json out{{"method", report.methods[s.method].name},
             {"parameter", report.parameters[s.parameter].name},
             {"quantity", report.quantities[s.quantity].name},
             {"cause", s.cause}};
    if (!s.known) {
        out.update({{"value", nullptr}, {"bar", nullptr}});
        return out;
    }
    out.update({{"value", json_number(s.value)},
                {"bar", json_number(s.bar)},
                {"truncation", json_number(s.truncation)},
                {"rounding", json_number(s.rounding)},
                {"relative", json_number(s.relative)},
                {"relative_bar", json_number(s.relative_bar)}});
    return out;
}

/// Every row without a value, once per cause.
Table causes_table(const SensitivityReport& report) {
    Table table{{{"method"}, {"parameter"}, {"quantity"}, {"cause"}}, {}};
    for (const Sensitivity& s : report.rows) {
        if (!s.cause.empty()) {
            table.add({report.methods[s.method].name, report.parameters[s.parameter].name,
                       report.quantities[s.quantity].name, s.known ? text("left out: ", s.cause) : s.cause});
        }
    }
    return table;
}

Table values_table(const SensitivityReport& report) {
    Table table{{{"quantity"}}, {}};
    for (const SensitivityMethod& m : report.methods) table.columns.push_back({m.name, Align::right});
    for (std::size_t q = 0; q < report.quantities.size(); ++q) {
        std::vector<std::string> row{with_unit(report.quantities[q].name, report.quantities[q].unit)};
        for (const SensitivityMethod& m : report.methods)
            row.push_back(m.cause.empty() ? short_number(m.values[q], 6) : m.cause);
        table.add(std::move(row));
    }
    return table;
}

Table parameters_table(const SensitivityReport& report) {
    Table table{{{"parameter"}, {"value", Align::right}, {"differences"}}, {}};
    for (const SensitivityParameter& p : report.parameters)
        table.add({with_unit(p.name, p.unit), short_number(p.value, 6), p.way});
    for (const auto& [name, why] : report.left_out) table.add({name, "-", text("left out: ", why)});
    return table;
}

void add_words(Page& page) {
    page.section("How to read it");
    page.paragraph(
        "A sensitivity is d ln Q / d ln p: by how many per cent the quantity changes when the parameter grows by one "
        "per cent. -1 for a bar's stretch over its stiffness, 1/2 for a "
        "frequency over stiffness, 3 for a cantilever's tip over its length.");
    page.paragraph(
        "Real parameters: central differences at four steps, each half of the one before, extrapolated to zero. The "
        "bar adds twice the difference between the last two refinements and what "
        "rounding can do, measured by changing the parameter in its fourteenth digit. Whole numbers (cells, steps) "
        "cannot be moved closer: a polynomial through the neighbours, the bar "
        "being what the farther ones change.");
    page.paragraph(
        "Shapes: a probe given as a point stays there when the body grows; give a vertex number to follow the "
        "material. With another cell size a vertex probe is pinned to its place at rest.");
}

bool is_poisson(const SensitivityParameter& p) {
    const std::string last = p.name.substr(p.name.find_last_of("./") + 1);
    return last == "nu" || last.find("poisson") == 0;
}

/// One digit, and an exponent without a needless zero: "3e-8", "0.02", "30".
std::string bar_text(double bar) {
    const double digit = std::pow(10.0, std::floor(std::log10(bar)));
    if (bar >= 0.95 && bar < 1e5) return fmt::format("{:.0f}", std::round(bar / digit) * digit);
    std::string out = fmt::format("{:.1g}", bar);
    for (const char* zero : {"e-0", "e+0"})
        if (const std::size_t at = out.find(zero); at != std::string::npos) out.erase(at + 2, 1);
    return out;
}

}  // namespace

std::string value_with_bar(double value, double bar) {
    if (!std::isfinite(value) || !std::isfinite(bar)) return "-";
    const std::string width = bar_text(bar);
    if (std::abs(value) <= bar) return text("0 ± ", bar_text(std::abs(value) + bar));
    // As many decimals as the bar leaves standing, and no more than anybody reads.
    const int decimals = bar > 0.0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(bar))), 0, 5) : 5;
    if (std::abs(value) < 1e-3 || std::abs(value) >= 1e5) return text(short_number(value, 3), " ± ", width);
    return text(fmt::format("{:.{}f}", value, decimals), " ± ", width);
}

Table sensitivity_table(const SensitivityReport& report, std::size_t method) {
    Table table{{{"parameter"}, {"value", Align::right}}, {}};
    for (const PointColumn& q : report.quantities) table.columns.push_back({q.name, Align::right});
    for (std::size_t p = 0; p < report.parameters.size(); ++p) {
        std::vector<std::string> row{with_unit(report.parameters[p].name, report.parameters[p].unit),
                                     short_number(report.parameters[p].value)};
        for (std::size_t q = 0; q < report.quantities.size(); ++q) row.push_back(cell_of(report.at(method, p, q)));
        table.add(std::move(row));
        if (!is_poisson(report.parameters[p])) continue;
        row = {text(report.parameters[p].name, ": (dQ/dnu) / Q"), ""};
        for (std::size_t q = 0; q < report.quantities.size(); ++q) {
            const Sensitivity& s = report.at(method, p, q);
            row.push_back(s.known ? value_with_bar(s.relative, s.relative_bar) : "-");
        }
        table.add(std::move(row));
    }
    return table;
}

std::string sensitivity_csv(const SensitivityReport& report) {
    std::string out = text(csv_comment("sensitivities of ", text(report.scene, ", scene ", report.scene_hash)),
                           csv_comment("command: ", report.command), csv_comment("made by ", report.made_by),
                           "# value = d ln quantity / d ln parameter; relative = (d quantity / d parameter) / "
                           "quantity, per unit of the parameter\n"
                           "method,parameter,unit,parameter value,quantity,quantity unit,quantity "
                           "value,value,bar,truncation,rounding,relative,relative bar,cause\n");
    for (const Sensitivity& s : report.rows) {
        const SensitivityParameter& p = report.parameters[s.parameter];
        const PointColumn& q = report.quantities[s.quantity];
        out += text(csv_cell(report.methods[s.method].name), ",", csv_cell(p.name), ",", csv_cell(p.unit), ",",
                    csv_cell(p.value), ",", csv_cell(q.name), ",", csv_cell(q.unit), ",",
                    csv_cell(report.methods[s.method].values[s.quantity]));
        out += s.known ? text(",", csv_cell(s.value), ",", csv_cell(s.bar), ",", csv_cell(s.truncation), ",",
                              csv_cell(s.rounding), ",", csv_cell(s.relative), ",", csv_cell(s.relative_bar))
                       : ",,,,,,";
        out += text(",", csv_cell(s.cause), "\n");
    }
    return out;
}

json sensitivity_json(const SensitivityReport& report) {
    json methods = json::array(), parameters = json::array(), quantities = json::array(), rows = json::array(),
         left_out = json::array();
    for (const SensitivityMethod& m : report.methods) {
        methods.push_back({{"name", m.name}, {"values", json_numbers(m.values)}, {"cause", m.cause}});
    }
    for (const SensitivityParameter& p : report.parameters) {
        parameters.push_back(
            {{"name", p.name}, {"unit", p.unit}, {"value", json_number(p.value)}, {"differences", p.way}});
    }
    for (const PointColumn& q : report.quantities) quantities.push_back({{"name", q.name}, {"unit", q.unit}});
    for (const Sensitivity& s : report.rows) rows.push_back(row_json(report, s));
    for (const auto& [name, why] : report.left_out) left_out.push_back({{"parameter", name}, {"why", why}});
    const Provenance p = provenance();
    return {{"scene", report.scene},
            {"scene_hash", report.scene_hash},
            {"command", report.command},
            {"methods", methods},
            {"parameters", parameters},
            {"quantities", quantities},
            {"sensitivities", rows},
            {"left_out", left_out},
            {"runs", report.runs},
            {"provenance",
             {{"version", p.version},
              {"commit", p.commit},
              {"compiler", p.compiler},
              {"cpu", p.cpu},
              {"isa", p.isa},
              {"linked", p.linked},
              {"threads", 1}}}};
}

void write_sensitivity(const std::string& directory, const SensitivityReport& report) {
    Page page(text("Sensitivity of ", report.scene),
              text("How the answer moves with each parameter: normalised derivatives with error bars, from ",
                   counted(report.runs, "run"), "."));
    page.section("Figures");
    page.command(report.command);
    make_directories(directory);
    for (std::size_t q = 0; q < report.quantities.size(); ++q) {
        const TornadoPlot plot = tornado_plot(report, q);
        write_text_file(text(directory, "/", plot.name, ".svg"), plot.svg);
        page.picture(plot.name, plot.title, plot.caption, plot.svg, "sensitivity.csv");
    }
    page.section("Numbers");
    for (std::size_t m = 0; m < report.methods.size(); ++m)
        page.table(sensitivity_table(report, m), text("d ln Q / d ln p with ", report.methods[m].name, "."));
    page.table(values_table(report), "The quantities themselves.");
    const Table causes = causes_table(report);
    if (!causes.rows.empty()) {
        page.section("What could not be told");
        page.table(causes);
    }
    page.section("Parameters");
    page.table(parameters_table(report));
    add_words(page);
    page.paragraph(text("Scene ", report.scene_hash, "."));
    write_text_file(directory + "/sensitivity.csv", sensitivity_csv(report));
    write_text_file(directory + "/sensitivity.json",
                    sensitivity_json(report).dump(2, ' ', false, json::error_handler_t::replace) + "\n");
    write_page(directory + "/index.html", page);
}

}  // namespace limber
