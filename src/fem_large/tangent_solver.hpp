// TangentSolver: linear systems whose numbers change at every linearisation and whose pattern never does.
#pragma once

#include "linalg/patch_operator.hpp"
#include "linalg/solvers.hpp"
#include "linalg/sparse.hpp"

#include <limber/body.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace limber {

/// Const and shareable; everything that changes lies in the caller's scratch. Nothing allocates, nothing throws; the
/// same bits for any number of threads.
class TangentSolver {
public:
    virtual ~TangentSolver() = default;
    virtual const char* name() const = 0;          ///< for StepReport
    virtual std::size_t scratch_size() const = 0;  ///< doubles
    virtual std::size_t bytes() const = 0;
    /// New numbers, in the pattern's order: symmetric, over all unknowns, prescribed ones decoupled from the rest. `u`:
    /// displacements now.
    virtual void refresh(const double* values, const double* u, double* scratch) const noexcept = 0;
    /// Of the numbers last given to refresh(). x holds a first guess; `tolerance` is relative to |b|. Not converged at
    /// the limit and where the matrix turns out not to be positive definite; x is then the best so far.
    virtual SolveReport solve(const double* values, const double* b, double* x, double tolerance, int max_iterations,
                              double* scratch) const noexcept = 0;
};

/// Conjugate gradients in float under residuals in double, preconditioned as suits the body's size
/// (linalg/block_cg.hpp). `held`: prescribed unknowns. Body and pattern must outlive the solver. `apart`: the part of
/// the matrix that is not written out, or null.
std::unique_ptr<TangentSolver> make_tangent_solver(const Body& body, const BlockCsr& pattern,
                                                   std::span<const std::int32_t> held,
                                                   const PatchOperator* apart = nullptr);

}  // namespace limber
