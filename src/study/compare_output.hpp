// A Comparison for people and programs: words, tables, plots, JSON, CSV and the accuracy card.
#pragma once

#include "report/plot.hpp"
#include "report/table.hpp"
#include "study/compare.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace limber {

/// "relative error E_n"; the name itself for metrics without a better one.
std::string metric_title(const MetricSpec& metric);
/// "m³" for "m^d" in space; "" for "1".
std::string metric_unit(const MetricSpec& metric, const Comparison& comparison);

/// What came out, in plain sentences: the most accurate, the cheapest that is good enough, which keep up, which failed.
std::vector<std::string> verdict_lines(const Comparison& comparison);
/// The same in one paragraph.
std::string verdict(const Comparison& comparison);

/// For the terminal: the first metrics and the costs. Errors in parentheses are below the reference's own.
Table summary_table(const Comparison& comparison);
/// Every metric over the run; with `largest`, its largest value instead.
Table error_table(const Comparison& comparison, bool largest);
Table cost_table(const Comparison& comparison);
/// Causes of trouble and what else a reader should know, one row each.
Table note_table(const Comparison& comparison);
/// How well the reference itself is known.
Table floor_table(const Comparison& comparison);

/// Plots that belong together: the panels of one figure.
struct Figure {
    std::string title, caption;
    std::vector<Plot> plots;
};
/// Against the reference, or (first metric only) against the scene's own mesh stepped finely: all errors but the
/// mesh's.
enum class ErrorPart { all, same_mesh };
/// Error over time by one metric, at most seven curves in each panel.
Figure error_over_time(const Comparison& comparison, std::size_t metric, ErrorPart part = ErrorPart::all);
/// Error over cost per step with the budgets of 60 Hz and 1 kHz, and over cost per simulated second with real time.
Figure error_over_cost(const Comparison& comparison, std::size_t metric, ErrorPart part = ErrorPart::all);

nlohmann::json comparison_json(const Comparison& comparison);
/// One row per candidate.
std::string comparison_csv(const Comparison& comparison);
/// candidate, metric, t, value.
std::string series_csv(const Comparison& comparison);

/// index.html (the accuracy card), compare.json, compare.csv, series.csv, every plot as SVG and CSV, and the pictures
/// that were asked for. An interruption while they are drawn is told in `interrupted`. Throws Error{bad_file}.
void write_comparison(const std::string& directory, Comparison& comparison, Progress& progress);

}  // namespace limber
