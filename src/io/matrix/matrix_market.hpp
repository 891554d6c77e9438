// Matrix Market files: the plain text that SciPy, MATLAB, Julia and most solvers read.
#pragma once

#include <limber/tools/matrices.hpp>

#include <span>
#include <string>

namespace limber {

/// "coordinate real symmetric": the lower half, numbered from 1, 17 digits (the same bits when read back).
/// `comments` become lines of their own; control characters in them become spaces. Throws Error{bad_file | bad_data |
/// interrupted}.
void write_matrix_market(const std::string& path, const SparseMatrix& matrix, std::span<const std::string> comments,
                         Progress& progress);
/// "array real general": a dense table of values.size() / columns rows; `values` lie column by column.
void write_matrix_market(const std::string& path, std::span<const double> values, std::size_t columns,
                         std::span<const std::string> comments);

}  // namespace limber
