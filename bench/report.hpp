// What a benchmark run leaves: a table for people, a file for later, and the comparison of two of them.
#pragma once

#include "bench.hpp"

#include <nlohmann/json_fwd.hpp>

namespace limber::bench {

/// "amd-epyc-7763": the processor's name as a file name.
std::string machine_name();
/// Results with the machine, the date and limber's provenance.
nlohmann::json to_json(const std::vector<Result>& results, const Settings& settings);
/// Throws Error{bad_file | bad_data}.
std::vector<Result> read_results(const std::string& path, nlohmann::json& head);

/// Ratios first.
std::string results_text(const std::vector<Result>& results);
/// Ratios of ratios, now over then; what moved by more than 15 % is marked. Nothing is judged: timings are no tests.
std::string comparison_text(const std::vector<Result>& now, const Settings& settings, const std::vector<Result>& then,
                            const nlohmann::json& head);

/// Today, UTC: "2026-11-15".
std::string today();

}  // namespace limber::bench
