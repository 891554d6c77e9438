// Stepper: one time step of any scheme, in stages, so that live constraints can act between the solve and the update.
//     (M + eval_v C + eval_u K) x = f - M a_e - C v_e - K u_e
// in the form of integrate/schemes.hpp.
#pragma once

#include "integrate/schemes.hpp"
#include "integrate/shifted_cg.hpp"
#include "integrate/system.hpp"
#include "linalg/solvers.hpp"

#include <limber/progress.hpp>

#include <memory>

namespace limber {

/// Light to copy: what is large is shared.
class Stepper {
public:
    /// Factors. Throws Error when the effective matrix is not positive definite.
    Stepper(System system, const SchemeSettings& scheme, const SolverSettings& solver, Progress& progress);
    /// The same with a solver saved earlier.
    Stepper(System system, const SchemeSettings& scheme, std::unique_ptr<LinearSolver> solver);
    /// Factors nothing: every step is iterated, so that it may have any size.
    Stepper(System system, const SchemeSettings& scheme, const ShiftedCgSettings& solver);
    /// The same with another step, and another one before it [s]. Only for one that iterates; never allocates.
    Stepper with_step(double step, double past_step) const noexcept;

    const System& system() const { return core_->system; }
    const SchemeSettings& settings() const { return scheme_; }
    const Coefficients& form() const { return form_; }
    const LinearSolver& solver() const { return *core_->solver; }
    std::size_t solver_bytes() const;
    std::size_t free_count() const { return system().free.size(); }
    std::size_t scratch_size() const;

    /// Accelerations at the motion's own time from M a = f - C v - K u, and what BDF2's first step takes for its past.
    /// Quasi-static has no initial state: its first answer is the first step's, and nothing happens here.
    SolveReport start(Motion motion, const double* force, Prescribed now, double* scratch) const noexcept;

    /// BDF2 without a step to look back on: puts a past into the motion with which its coming step is one of the theta
    /// rule,
    ///     u1 = u0 + h (v0 + 2 v1)/3,    v1 = v0 + h (a0 + 2 a1)/3,
    /// which has the same matrix and, as theta = 2/3 is above 1/2, never adds energy. One such step leaves the order
    /// at 2.
    void imagine_past(Motion motion) const noexcept;

    /// Base vectors and right-hand side. `rhs` (free_count()) may be changed before solve().
    void predict(Motion motion, const double* force, Prescribed end, double* scratch) const noexcept;
    double* rhs(double* scratch) const noexcept;
    double* unknown(double* scratch) const noexcept;
    const double* base_u(const double* scratch) const noexcept;
    const double* base_v(const double* scratch) const noexcept;
    /// x = (M + eval_v C + eval_u K)^-1 b over the free unknowns; x holds a first guess. b may be rhs().
    SolveReport solve_for(const double* b, double* x, double* scratch) const noexcept;
    /// rhs -> unknown
    SolveReport solve(Motion motion, double* scratch) const noexcept;
    /// Takes the unknown into the motion.
    void finish(Motion motion, const double* force, Prescribed end, double* scratch) const noexcept;
    /// M a + C v + K u - f in the prescribed rows, at the motion's own time.
    double* reactions_now(Motion motion, const double* force, double* scratch) const noexcept;
    /// The same after predict(), solve() and finish(), at the point where the scheme balances (its middle for implicit
    /// midpoint).
    double* reactions(Motion motion, const double* force, double* scratch) const noexcept;

private:
    struct Layout;
    struct Core {
        System system;
        std::unique_ptr<LinearSolver> solver;
        std::unique_ptr<LinearSolver> mass_solver;  ///< consistent mass only: first accelerations
        std::unique_ptr<ShiftedCg> shifted;         ///< instead of `solver`, when the step is free
    };
    Stepper(System system, const SchemeSettings& scheme);
    std::shared_ptr<Core> core_;
    SchemeSettings scheme_;
    Coefficients form_;
};

}  // namespace limber
