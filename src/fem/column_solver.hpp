// ColumnSolver: the step's matrix as constraints with rows of their own need it.
#pragma once

#include "linalg/solvers.hpp"

namespace limber {

/// x = A^-1 b over all unknowns of a body; prescribed ones are 0 in both. x holds a first guess of 0.
class ColumnSolver {
public:
    virtual ~ColumnSolver() = default;
    virtual SolveReport solve(const double* b, double* x) noexcept = 0;
    /// False once an answer was not one to go on with.
    virtual bool usable() const noexcept { return true; }
};

}  // namespace limber
