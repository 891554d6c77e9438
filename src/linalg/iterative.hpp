// Iterative solvers: conjugate gradients with a symmetric Gauss-Seidel preconditioner, and plain Gauss-Seidel sweeps.
#pragma once

#include "linalg/direct.hpp"

namespace limber {

/// Both keep a copy of the matrix. Throw Error{bad_mesh} when a diagonal entry is not positive.
std::unique_ptr<LinearSolver> make_iterative(const Csr& a, const SolverSettings& settings);
std::unique_ptr<LinearSolver> load_iterative(ByteReader& in, SolverTag tag);

}  // namespace limber
