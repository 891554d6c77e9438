// The claims that are read off the runs themselves, and small helpers for series.
#pragma once

#include "reproduce/accuracy/accuracy_bench.hpp"

namespace limber {

/// The run of a scheme among `runs`; throws Error when it is not there.
const AccuracyRun& find_run(const std::vector<AccuracyRun>& runs, const std::string& material,
                            const std::string& scheme, const std::string& reference = "implicit");
/// Mean, largest and last of the finite values; NaN when there are none.
double mean_of(const std::vector<double>& values);
double largest_of(const std::vector<double>& values);
double last_of(const std::vector<double>& values);

/// Order of the schemes, sum rule, static limit, Fig. 11, the rod.
std::vector<Claim> run_claims(const AccuracySettings& settings, const std::vector<AccuracyRun>& runs,
                              PartOfProgress& progress);
/// Gauss-Seidel iterations and the order of speeds (Fig. 4).
std::vector<Claim> solver_claims(const AccuracySettings& settings, const std::vector<AccuracyRun>& runs,
                                 PartOfProgress& progress);
/// Locking with and without B-bar; the plot of needle forces is added to `plots`.
std::vector<Claim> locking_claims(const AccuracySettings& settings, const std::vector<AccuracyRun>& runs,
                                  std::vector<Plot>& plots, PartOfProgress& progress);
/// Linear strain against quadratic (part of --full); the plot over time is added to `plots`.
std::vector<Claim> quadratic_claims(const AccuracySettings& settings, const std::vector<AccuracyRun>& runs,
                                    std::vector<Plot>& plots, PartOfProgress& progress);
/// Figures 5 to 11 and the rod's tip.
std::vector<Plot> paper_figures(const AccuracySettings& settings, const std::vector<AccuracyRun>& runs);

/// When a series first crosses `level` from above, by linear interpolation; NaN when it never does.
double first_below(const std::vector<double>& t, const std::vector<double>& values, double level);

}  // namespace limber
