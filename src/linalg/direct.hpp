// Direct solvers: sparse Cholesky, and plain division when the matrix is diagonal.
#pragma once

#include "linalg/factor.hpp"
#include "linalg/solvers.hpp"

#include <memory>

namespace limber {

/// make_solver() with a choice of engine: tests compare the two, benchmarks ask for the details.
std::unique_ptr<LinearSolver> make_cholesky(const Csr& a, FactorEngine engine, Progress& progress);
std::unique_ptr<LinearSolver> load_cholesky(ByteReader& in);

/// In single precision, refined in double to settings.tolerance: half the memory.
std::unique_ptr<LinearSolver> make_float_cholesky(const Csr& a, const SolverSettings& settings, Progress& progress);
std::unique_ptr<LinearSolver> load_float_cholesky(ByteReader& in);

bool is_diagonal(const Csr& a);
std::unique_ptr<LinearSolver> make_diagonal(const Csr& a);
std::unique_ptr<LinearSolver> load_diagonal(ByteReader& in);

/// The first byte of a saved solver.
enum class SolverTag : std::uint8_t { cholesky = 1, diagonal = 2, pcg = 3, gauss_seidel = 4, cholesky_float = 5 };

}  // namespace limber
