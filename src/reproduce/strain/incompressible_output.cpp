// Plots, table and JSON of the study of near incompressibility.
#include "reproduce/strain/incompressible.hpp"

#include "core/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using nlohmann::json;
using IncompressibleMeasure = double IncompressibleRow::*;

Axis compressibility_axis() { return {"1 - 2ν", "", Scale::log}; }

Series line_of(const std::string& name, const std::vector<const IncompressibleRow*>& rows,
               IncompressibleMeasure measure) {
    Series out{name, {}, {}};
    for (const IncompressibleRow* row : rows) {
        out.x.push_back(1 - 2 * row->poisson);
        out.y.push_back(row->*measure);
    }
    return out;
}

/// Error against the closed form of the same nu: locking.
Plot locking_plot(const IncompressibleSettings& settings, const IncompressibleReport& report,
                  const std::string& problem) {
    const int cells = finest(report);
    Plot plot{"incompressible-locking-" + problem,
              text("Locking: ", problem),
              text("Error against the closed form of the same ν, ", cells,
                   " cells through the wall. To the left: less compressible. A line that rises to the left locks."),
              settings.command,
              compressibility_axis(),
              {"relative L2 error", "", Scale::log},
              {},
              {{false, 0.01, "1 %"}}};
    for (const CellKind kind : {CellKind::quad4, CellKind::tri3}) {
        for (const Treatment treatment : all_treatments()) {
            if (kind == CellKind::tri3 && treatment == Treatment::penalty_same_e) continue;
            plot.series.push_back(line_of(text(to_string(kind), ", ", treatment_words(treatment)),
                                          rows_of(report.rows, problem, kind, treatment, cells),
                                          &IncompressibleRow::against_same));
        }
    }
    return plot;
}

/// Error against the closed form of nu = 0.5: what a finite bulk modulus costs.
Plot model_plot(const IncompressibleSettings& settings, const IncompressibleReport& report,
                const std::string& problem) {
    const int cells = finest(report);
    Plot plot{"incompressible-model-" + problem,
              text("Distance to an incompressible body: ", problem),
              text("Error against the closed form of ν = 0.5, quads, ", cells,
                   " cells through the wall, and the distance of the closed forms themselves. The true material falls "
                   "in proportion to 1 - 2ν until the mesh is all that is left; a penalty that keeps Young's modulus "
                   "never arrives. Where a line dips, two errors cancel: a material too soft, a mesh too stiff."),
              settings.command,
              compressibility_axis(),
              {"relative L2 error against ν = 0.5", "", Scale::log},
              {},
              {{false, 0.01, "1 %"}}};
    for (const Treatment treatment : all_treatments()) {
        plot.series.push_back(line_of(treatment_words(treatment),
                                      rows_of(report.rows, problem, CellKind::quad4, treatment, cells),
                                      &IncompressibleRow::against_limit));
    }
    Series closed{"closed forms", {}, {}};
    for (const IncompressibleProblem& p : incompressible_problems()) {
        for (int i = 0; p.name == problem && i <= 24; ++i) {
            const double level = 1e-5 * std::pow(10.0, i / 6.0);
            closed.x.push_back(compressibility_allowed(p, level));
            closed.y.push_back(level);
        }
    }
    plot.series.push_back(std::move(closed));
    return plot;
}

Plot volume_plot(const IncompressibleSettings& settings, const IncompressibleReport& report) {
    Plot plot{"incompressible-volume",
              "Change of volume",
              "Root mean square over the cells of the volume change, in parts of the largest strain at ν = 0.5; B-bar "
              "quads on the finest mesh (markers) and the closed forms (lines).",
              settings.command,
              compressibility_axis(),
              {"volume change / strain", "", Scale::log},
              {},
              {}};
    for (const IncompressibleProblem& problem : incompressible_problems()) {
        const auto rows = rows_of(report.rows, problem.name, CellKind::quad4, Treatment::bbar, finest(report));
        plot.series.push_back(line_of(problem.name + ", closed form", rows, &IncompressibleRow::volume_expected));
        Series measured = line_of(problem.name + ", B-bar", rows, &IncompressibleRow::volume_change);
        measured.line = false;
        plot.series.push_back(std::move(measured));
    }
    return plot;
}

Plot mesh_plot(const IncompressibleSettings& settings, const IncompressibleReport& report, const std::string& problem) {
    Plot plot{"incompressible-mesh-" + problem,
              text("Refining the mesh at ν = 0.4999: ", problem),
              "Error against the closed form of ν = 0.4999. Elements that do not lock fall as the square of the cell "
              "size; plain ones hardly fall until the mesh is finer than anybody would use.",
              settings.command,
              {"cells through the wall", "", Scale::log},
              {"relative L2 error", "", Scale::log},
              {},
              {{false, 0.01, "1 %"}}};
    for (const CellKind kind : {CellKind::quad4, CellKind::tri3}) {
        for (const Treatment treatment : all_treatments()) {
            if (kind == CellKind::tri3 && treatment == Treatment::penalty_same_e) continue;
            Series line{text(to_string(kind), ", ", treatment_words(treatment)), {}, {}};
            for (const IncompressibleRow& row : report.rows) {
                if (row.problem == problem && row.kind == kind && row.treatment == treatment && row.poisson == 0.4999) {
                    line.x.push_back(row.cells);
                    line.y.push_back(row.against_same);
                }
            }
            plot.series.push_back(std::move(line));
        }
    }
    return plot;
}

Plot cost_plot(const IncompressibleSettings& settings, const IncompressibleReport& report) {
    Plot plot{"incompressible-cost",
              "The price of keeping volume",
              "The tube with 8 x 16 quads: the largest stable explicit step (lumped mass) and the conjugate-gradient "
              "iterations of one static solve to 1e-6, each over its value at ν = 0.3. A penalty that does the same "
              "work costs the same.",
              settings.command,
              compressibility_axis(),
              {"over the value at ν = 0.3", "", Scale::log},
              {},
              {}};
    for (const Treatment treatment : {Treatment::bbar, Treatment::full, Treatment::penalty_same_g}) {
        Series step{text("explicit step, ", treatment_words(treatment)), {}, {}},
            iterations{text("iterations, ", treatment_words(treatment)), {}, {}};
        double first_step = 0.0, first_iterations = 0.0;
        for (const IncompressibleCost& c : report.costs) {
            if (c.treatment != treatment) continue;
            if (step.x.empty()) {
                first_step = c.critical_step;
                first_iterations = c.iterations;
            }
            for (Series* s : {&step, &iterations}) s->x.push_back(1 - 2 * c.poisson);
            step.y.push_back(c.critical_step / first_step);
            iterations.y.push_back(c.iterations / first_iterations);
        }
        plot.series.push_back(std::move(step));
        plot.series.push_back(std::move(iterations));
    }
    return plot;
}

}  // namespace

std::vector<Plot> incompressible_plots(const IncompressibleSettings& settings, const IncompressibleReport& report) {
    std::vector<Plot> out;
    for (const IncompressibleProblem& problem : incompressible_problems()) {
        out.push_back(locking_plot(settings, report, problem.name));
        out.push_back(model_plot(settings, report, problem.name));
        out.push_back(mesh_plot(settings, report, problem.name));
    }
    out.push_back(volume_plot(settings, report));
    out.push_back(cost_plot(settings, report));
    return out;
}

Table incompressible_summary(const IncompressibleReport& report) {
    constexpr double shown[] = {0.3, 0.45, 0.49, 0.499, 0.4999, 0.49999};
    Table table{{{"problem"}, {"cells"}, {"treatment"}}, {}};
    for (const double nu : shown) table.columns.push_back({text("ν = ", nu), Align::right});
    for (const IncompressibleProblem& problem : incompressible_problems()) {
        for (const CellKind kind : {CellKind::quad4, CellKind::tri3}) {
            for (const Treatment treatment : all_treatments()) {
                std::vector<std::string> cells{problem.name, to_string(kind), treatment_words(treatment)};
                for (const double nu : shown) {
                    for (const IncompressibleRow* row :
                         rows_of(report.rows, problem.name, kind, treatment, finest(report))) {
                        if (row->poisson == nu) cells.push_back(short_number(row->against_same, 2));
                    }
                }
                table.add(std::move(cells));
            }
        }
    }
    return table;
}

nlohmann::json incompressible_json(const IncompressibleReport& report) {
    json rows = json::array(), costs = json::array();
    for (const IncompressibleRow& r : report.rows) {
        rows.push_back({{"problem", r.problem},
                        {"kind", to_string(r.kind)},
                        {"treatment", to_string(r.treatment)},
                        {"cells", r.cells},
                        {"poisson", r.poisson},
                        {"against_same", json_number(r.against_same)},
                        {"against_limit", json_number(r.against_limit)},
                        {"volume_change", json_number(r.volume_change)},
                        {"volume_expected", json_number(r.volume_expected)}});
    }
    for (const IncompressibleCost& c : report.costs) {
        costs.push_back({{"treatment", to_string(c.treatment)},
                         {"poisson", c.poisson},
                         {"critical_step", json_number(c.critical_step)},
                         {"iterations", json_number(c.iterations)}});
    }
    return {{"rows", std::move(rows)}, {"costs", std::move(costs)}, {"advice", report.advice}};
}

}  // namespace limber
