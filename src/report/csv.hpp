// Cells of a CSV file.
#pragma once

#include <string>

namespace limber {

/// Quoted where a comma, a quote or a line break (which becomes a space) asks for it.
std::string csv_cell(const std::string& words);
/// Shortest digits that read back to the same double; empty where there is no finite value.
std::string csv_cell(double value);

/// "# KEY WORDS" and a line break; one line whatever the words hold, or the rest would pass for a row. Nothing without
/// words.
std::string csv_comment(const std::string& key, const std::string& words);

}  // namespace limber
