// `limber sensitivity`: how a method's answer moves with each material, mesh and method parameter, as normalised
// derivatives with error bars.
#pragma once

#include "report/plot.hpp"
#include "report/table.hpp"
#include "study/parameter.hpp"
#include "study/sweep_point.hpp"

#include <limber/progress.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace limber {

struct SensitivitySettings {
    SceneText scene;
    /// "linear_fem", "linear_fem:scheme=bdf2,mass=lumped", "all"; empty = the scene's.
    std::vector<std::string> methods;
    /// Paths of numbers, "h" = cell size; empty = everything that is a number and not 0.
    std::vector<std::string> parameters;
    /// See make_point_request; empty = displacements, elastic energy, largest reaction, frequency.
    std::vector<std::string> quantities;
    int jobs = 0;  ///< runs at once; 0 = as the machine has
    std::string command = "limber sensitivity";
};

/// d ln Q / d ln p of one quantity by one parameter with one method.
struct Sensitivity {
    std::size_t method = 0, parameter = 0, quantity = 0;  ///< indices into the report's lists
    bool known = false;
    double value = 0.0;                       ///< d ln Q / d ln p [1]
    double bar = 0.0;                         ///< the truth is within value ± bar, as far as the differences can tell
    double truncation = 0.0, rounding = 0.0;  ///< the two parts of the bar
    double relative = 0.0;                    ///< (dQ/dp) / Q [1 / unit of p]; what is told of Poisson's ratio
    double relative_bar = 0.0;                ///< the same for `relative`
    std::string cause;                        ///< why it is not known, or what was left out
};

struct SensitivityParameter {
    std::string name;  ///< as asked for
    std::string unit;
    double value = 0.0;
    std::string way;  ///< how the differences were taken
};

struct SensitivityMethod {
    std::string name;            ///< as asked for
    std::vector<double> values;  ///< of the quantities at the unchanged parameters; not a number where there is none
    std::string cause;           ///< why it did not run
};

struct SensitivityReport {
    std::string scene, scene_hash, command, made_by;
    std::vector<SensitivityMethod> methods;
    std::vector<SensitivityParameter> parameters;
    std::vector<PointColumn> quantities;
    std::vector<Sensitivity> rows;  ///< method by method, parameter by parameter, quantity by quantity
    std::vector<std::pair<std::string, std::string>> left_out;  ///< parameters and why
    std::size_t runs = 0;

    const Sensitivity& at(std::size_t method, std::size_t parameter, std::size_t quantity) const;
};

/// Throws Error{bad_usage}, SceneError; Error{interrupted} when stopped.
SensitivityReport run_sensitivity(const SensitivitySettings& settings, Progress& progress);

/// "-1.0000 ± 2e-12"; "0 ± 3e-9" for what cannot be told from 0.
std::string value_with_bar(double value, double bar);
/// One table per method: parameters by quantities; a Poisson's ratio has a second row with (dQ/dnu) / Q.
Table sensitivity_table(const SensitivityReport& report, std::size_t method);
std::string sensitivity_csv(const SensitivityReport& report);
nlohmann::json sensitivity_json(const SensitivityReport& report);
/// Bars of all parameters for one quantity, the strongest on top, methods side by side; a whisker is the error bar.
struct TornadoPlot {
    std::string name, title, caption, svg;
};
TornadoPlot tornado_plot(const SensitivityReport& report, std::size_t quantity);
/// sensitivity.csv, sensitivity.json, one SVG per quantity and index.html. Throws Error{bad_file}.
void write_sensitivity(const std::string& directory, const SensitivityReport& report);

}  // namespace limber
