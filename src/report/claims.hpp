// Claims: what a paper says, what was measured here, and whether the two agree. Every `reproduce` verb reports in this
// form.
#pragma once

#include "report/table.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace limber {

/// How `measured` stands to `expected` when the claim holds.
enum class Relation { equal, at_most, at_least };

struct Claim {
    std::string id;          ///< short, lower case with dashes
    std::string paper;       ///< the paper's words in short
    double measured = 0.0;   ///< not finite = could not be measured
    std::string unit;        ///< "" = dimensionless
    double expected = 0.0;   ///< what the paper's words amount to
    double tolerance = 0.0;  ///< absolute, in the same unit
    Relation relation = Relation::equal;
    bool holds = false;
    std::string why;  ///< one or two sentences
};

/// |measured - expected| <= tolerance, or the one-sided comparison widened by it; false for what is not finite.
bool agrees(double measured, Relation relation, double expected, double tolerance);
/// Fills in `holds`.
Claim judged(Claim claim);

nlohmann::json to_json(const Claim& claim);
/// For the terminal and the page.
Table claims_table(const std::vector<Claim>& claims);
/// "5 of 6 claims hold; 1 differ, each with the reason."
std::string tally(const std::vector<Claim>& claims);
/// "= 4.2 ± 0.1 s"
std::string expected_words(const Claim& claim);

/// A number for JSON: null when it is not finite.
nlohmann::json json_number(double value);
/// A list of them.
nlohmann::json json_numbers(const std::vector<double>& values);

}  // namespace limber
