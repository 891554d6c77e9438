// Cells of a CSV file.
#pragma once

#include <string>

namespace limber {

/// Quoted where a comma, a quote or a line break (which becomes a space) asks for it.
std::string csv_cell(const std::string& words);
/// Shortest digits that read back to the same double; empty where there is no finite value.
std::string csv_cell(double value);

}  // namespace limber
