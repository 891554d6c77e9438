// `limber reproduce strain`: where linear strain stops being true, and what nearly incompressible materials cost. Every
// registered method appears by itself; the truths are closed forms and a beam solver (docs/strain.md).
#pragma once

#include "report/claims.hpp"
#include "report/plot.hpp"
#include "reproduce/strain/incompressible.hpp"
#include "reproduce/strain/strain_run.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace limber {

struct StrainSettings {
    bool quick = false;                               ///< half the amplitudes, coarser meshes
    bool pictures = false;                            ///< on the page, from runs of their own
    std::string command = "limber reproduce strain";  ///< written beside every plot

    int per_decade() const { return quick ? 4 : 8; }
};

/// Amplitudes up to which an error stays below 1 and 5 per cent; the largest amplitude when it always does.
struct StrainLimits {
    double one = 0.0, five = 0.0;
};

/// One quantity of one case by one method, against both truths.
struct StrainRow {
    std::string case_name, quantity, method, cells, how;
    std::vector<double> amplitude, measured, against_linear, against_green;  ///< not a number where the run failed
    std::vector<double> apart;                                               ///< of the two truths
    double exponent = 0.0;           ///< of the departure from Green strain; not a number when there is none to fit
    double expected_exponent = 0.0;  ///< of linear strain
    StrainLimits limits, expected;   ///< measured; of linear strain's closed form
    std::string follows;             ///< "linear strain", "Green strain" or "neither"
    std::size_t failed = 0;          ///< points without a value
    std::string trouble;             ///< of the first of them
};

struct StrainLeftOut {
    std::string case_name, method, why;
};

struct StrainReport {
    StrainSettings settings;
    std::vector<StrainRow> rows;
    std::vector<StrainLeftOut> left_out;
    IncompressibleReport incompressible;
    std::vector<Claim> claims;
    std::vector<Plot> plots;
    double elapsed = 0.0;  ///< [s]
};

/// Throws Error{interrupted}.
StrainReport reproduce_strain(const StrainSettings& settings, Progress& progress);

/// Adds the rows of every registered method on every case, and what was left out. Throws Error{interrupted}.
void run_every_method(const std::vector<StrainCase>& cases, StrainReport& report, Progress& progress);

/// Rows of one run.
std::vector<StrainRow> measured_rows(const StrainCase& c, const StrainRun& run);
/// Where `error` first rises through `level`, by interpolation in logarithms; the last amplitude when it never does,
/// not a number when it is above from the start.
double amplitude_at(const std::vector<double>& amplitude, const std::vector<double>& error, double level);
/// The same of the closed forms.
StrainLimits predicted_limits(const StrainCase& c, const StrainQuantity& quantity);
/// Slope in logarithms, by least squares; not a number for fewer than three points.
double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y);

std::vector<Claim> strain_claims(const std::vector<StrainRow>& rows);
std::vector<Plot> strain_plots(const StrainSettings& settings, const std::vector<StrainRow>& rows);
/// "Linear strain is within 1 % up to ..., 5 % up to ...": one sentence per case and quantity.
std::string answer_words(const StrainRow& row);

nlohmann::json strain_json(const StrainReport& report);
/// One row per case, quantity and method.
Table strain_summary(const StrainReport& report);
/// index.html and every plot as SVG and CSV; pictures where they were asked for. Throws Error{bad_file}.
void write_strain_pages(const std::string& directory, const StrainReport& report, Progress& progress);

}  // namespace limber
