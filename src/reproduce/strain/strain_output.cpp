// The report of `reproduce strain` as JSON, table and page.
#include "reproduce/strain/strain.hpp"

#include "core/text.hpp"
#include "report/files.hpp"
#include "report/page.hpp"
#include "reproduce/strain/strain_pictures.hpp"

#include <limber/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

using nlohmann::json;

json limits_json(const StrainLimits& limits) {
    return {{"1_percent", json_number(limits.one)}, {"5_percent", json_number(limits.five)}};
}

json row_json(const StrainRow& row) {
    return {{"case", row.case_name},
            {"quantity", row.quantity},
            {"method", row.method},
            {"cells", row.cells},
            {"how", row.how},
            {"amplitude", json_numbers(row.amplitude)},
            {"measured", json_numbers(row.measured)},
            {"against_linear", json_numbers(row.against_linear)},
            {"against_green", json_numbers(row.against_green)},
            {"apart", json_numbers(row.apart)},
            {"exponent", json_number(row.exponent)},
            {"expected_exponent", row.expected_exponent},
            {"limits", limits_json(row.limits)},
            {"expected_limits", limits_json(row.expected)},
            {"follows", row.follows},
            {"failed", row.failed},
            {"trouble", row.trouble}};
}

double largest_finite(const std::vector<double>& values) {
    double out = 0.0;
    for (const double v : values)
        if (std::isfinite(v)) out = std::max(out, v);
    return out;
}

/// "0.1 (5.7°)" where the amplitude is an angle; ">= 0.8" where the error never got there.
std::string reached(const StrainCase& c, double amplitude) {
    if (!std::isfinite(amplitude)) return "nowhere";
    if (amplitude >= c.largest) return text("≥ ", short_number(c.largest, 3));
    const bool angle = c.amplitude.find("[rad]") != std::string::npos;
    return angle ? text(short_number(amplitude, 3), " (", short_number(amplitude * 180 / std::numbers::pi, 3), "°)")
                 : short_number(amplitude, 3);
}

Table answers(const StrainReport& report) {
    Table table{{{"case"},
                 {"what is measured"},
                 {"method"},
                 {"within 1 % up to", Align::right},
                 {"closed form", Align::right},
                 {"within 5 % up to", Align::right},
                 {"closed form", Align::right},
                 {"power", Align::right}},
                {}};
    for (const StrainRow& row : report.rows) {
        const StrainCase& c = strain_case(row.case_name);
        table.add({row.case_name, row.quantity, row.method, reached(c, row.limits.one), reached(c, row.expected.one),
                   reached(c, row.limits.five), reached(c, row.expected.five), short_number(row.exponent, 3)});
    }
    return table;
}

Table case_table() {
    Table table{{{"case"}, {"amplitude"}, {"quantity"}, {"in words"}}, {}};
    for (const StrainCase& c : strain_cases())
        for (const StrainQuantity& q : c.quantities) table.add({c.name, c.amplitude, q.name, q.words});
    return table;
}

void add_figures(Page& page, const std::vector<Plot>& plots, bool incompressible) {
    for (const Plot& plot : plots)
        if (plot.name.starts_with("incompressible") == incompressible) page.figure(plot);
}

void add_left_out(Page& page, const StrainReport& report) {
    if (report.left_out.empty()) return;
    Table table{{{"method"}, {"case"}, {"why it was left out"}}, {}};
    for (const StrainLeftOut& out : report.left_out) table.add({out.method, out.case_name, out.why});
    page.table(table);
}

Page page_of(const std::string& directory, const StrainReport& report, Progress& progress) {
    Page page("Strain matters",
              "Where linear strain stops being true, case by case and by how much; and what it takes to keep a body's "
              "volume.");
    page.section("In plain words");
    for (const StrainRow& row : report.rows) {
        if (row.method == "linear_fem" && row.quantity == strain_case(row.case_name).quantities[0].name)
            page.paragraph(answer_words(row));
    }
    for (const std::string& sentence : report.incompressible.advice) page.paragraph(sentence);
    page.command(report.settings.command);
    page.table(answers(report),
               "Error against Green strain with St. Venant-Kirchhoff material of the same E and ν. \"Closed form\" is "
               "linear strain's own formula. Power: how fast a method leaves Green strain; - where it does not.");
    if (report.settings.pictures) {
        page.section("In pictures");
        add_run_pictures(page, directory, strain_pictures(progress), progress);
    }
    page.section("Linear against Green strain");
    add_figures(page, report.plots, false);
    page.section("Near incompressibility");
    page.paragraph(
        "Two problems with closed solutions up to ν = 0.5, four ways to keep the volume, two kinds of cells. A penalty "
        "is a lower Poisson's ratio (0.45) with the missing bulk modulus added as an artificial force "
        "against each cell's volume change, once with Young's modulus kept (as proposed by Picinbono et al.), once "
        "with the shear modulus kept.");
    add_figures(page, report.plots, true);
    page.table(incompressible_summary(report.incompressible),
               "Relative L2 error of the displacement against the closed form of the same ν, finest mesh.");
    page.section("Claim by claim");
    page.paragraph(text(tally(report.claims), " This took ", short_number(report.elapsed, 2), " s."));
    page.claims(report.claims);
    page.section("Cases and runs");
    page.table(case_table());
    page.table(strain_summary(report));
    add_left_out(page, report);
    return page;
}

}  // namespace

std::string answer_words(const StrainRow& row) {
    const StrainCase& c = strain_case(row.case_name);
    const auto words_for = [&](double amplitude) {
        return !std::isfinite(amplitude) ? std::string("nowhere")
               : amplitude >= c.largest  ? text("the end, ", c.say(c.largest))
                                         : c.say(amplitude);
    };
    const auto both = [&](double measured, double expected) {
        const std::string here = words_for(measured), there = words_for(expected);
        return text(here, " (closed form: ", here == there ? "the same" : there, ")");
    };
    const auto quantity = std::find_if(c.quantities.begin(), c.quantities.end(),
                                       [&](const StrainQuantity& q) { return q.name == row.quantity; });
    // Where the truth is nothing at all, there is nothing to be near to.
    const bool spurious = quantity != c.quantities.end() && quantity->green(c.largest) == 0.0;
    const std::string who = row.method == "linear_fem" ? "linear strain" : row.method;
    return text(c.title, ": ", who, spurious ? " keeps the " : " gives the ", row.quantity,
                spurious ? " below 1 % up to " : " within 1 % up to ", both(row.limits.one, row.expected.one),
                spurious ? " and below 5 % up to " : " and within 5 % up to ", both(row.limits.five, row.expected.five),
                ".");
}

nlohmann::json strain_json(const StrainReport& report) {
    json rows = json::array(), claims = json::array(), left_out = json::array();
    for (const StrainRow& row : report.rows) rows.push_back(row_json(row));
    for (const Claim& claim : report.claims) claims.push_back(to_json(claim));
    for (const StrainLeftOut& out : report.left_out)
        left_out.push_back({{"case", out.case_name}, {"method", out.method}, {"why", out.why}});
    const Provenance p = provenance();
    return {{"rows", std::move(rows)},
            {"left_out", std::move(left_out)},
            {"incompressible", incompressible_json(report.incompressible)},
            {"claims", std::move(claims)},
            {"command", report.settings.command},
            {"provenance",
             {{"version", p.version},
              {"commit", p.commit},
              {"compiler", p.compiler},
              {"cpu", p.cpu},
              {"isa", p.isa},
              {"linked", p.linked},
              {"threads", p.threads}}}};
}

Table strain_summary(const StrainReport& report) {
    Table table{{{"case"},
                 {"quantity"},
                 {"method"},
                 {"cells"},
                 {"off linear", Align::right},
                 {"off Green", Align::right},
                 {"1 % at", Align::right},
                 {"5 % at", Align::right},
                 {"power", Align::right},
                 {"follows"}},
                {}};
    for (const StrainRow& row : report.rows) {
        table.add({row.case_name, row.quantity, row.method, row.cells,
                   short_number(largest_finite(row.against_linear), 2),
                   short_number(largest_finite(row.against_green), 2), short_number(row.limits.one, 3),
                   short_number(row.limits.five, 3), short_number(row.exponent, 3),
                   row.failed == 0 ? row.follows : text(row.follows, "; ", row.failed, " runs failed: ", row.trouble)});
    }
    return table;
}

void write_strain_pages(const std::string& directory, const StrainReport& report, Progress& progress) {
    make_directories(directory);
    const Page page = page_of(directory, report, progress);
    for (const Plot& plot : report.plots) write_plot(directory, plot);
    write_page(text(directory, "/index.html"), page);
}

}  // namespace limber
