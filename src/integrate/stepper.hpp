// Stepper: one time step of any scheme, in stages, so that live constraints can act between the solve and the update.
//
// Every scheme here has the form: with an unknown x (the acceleration; the displacement when quasi-static)
//     evaluation point   u_e + eval_u x,  v_e + eval_v x      (where equilibrium is asked for)
//     end of the step    u_b + end_u x,   v_b + end_v x
//     (M + eval_v C + eval_u K) x = f - M a_e - C v_e - K u_e
// and differs only in these numbers and in how the base vectors are predicted.
#pragma once

#include "integrate/shifted_cg.hpp"
#include "integrate/system.hpp"
#include "linalg/solvers.hpp"

#include <limber/progress.hpp>

#include <memory>

namespace limber {

enum class Scheme : std::uint8_t {
    newmark_implicit,
    newmark_explicit,
    symplectic_euler,
    backward_euler,
    bdf2,
    implicit_midpoint,
    quasi_static
};
const char* to_string(Scheme scheme);
bool parse_scheme(const std::string& name, Scheme& out);
/// Order of the error in the step, smooth loads.
int order_of(Scheme scheme);

struct SchemeSettings {
    Scheme scheme = Scheme::newmark_implicit;
    double step = 1.0 / 60.0;   ///< [s]
    double newmark_beta = 0.5;  ///< the paper's: twice the textbook's; stable for beta >= gamma >= 1/2
    double newmark_gamma = 0.5;
    double past_step = 0.0;  ///< BDF2: how long the step before was [s]; 0 = as long as this one
};

/// A step of BDF2 longer than this many times the one before does not look back on it: differences over the short step
/// would grow r^2/(1
/// + 2 r) times.
constexpr double kLongestAfterLast = 4.0;

struct Coefficients {
    double eval_u = 0.0, eval_v = 0.0, end_u = 0.0, end_v = 0.0;
    bool inertia = true;  ///< false: K alone
};
Coefficients coefficients(const SchemeSettings& settings);

/// Largest stable step by the highest angular frequency [s]; infinity for implicit schemes.
/// alpha, beta: Rayleigh damping as the scheme sees it.
double critical_step(Scheme scheme, double omega_max, double alpha, double beta);

/// The motion's vectors, each size() long, owned by the caller.
struct Motion {
    double* u;
    double* v;
    double* a;
    double* force_old;  ///< external force at the last step's end
    double* u_old;      ///< BDF2 only, else null
    double* v_old;
};

/// Prescribed unknowns at the end of the step, in the order of System::prescribed.
struct Prescribed {
    const double* u;
    const double* v;
    const double* a;
};

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
    void predict_free(Motion motion, double* scratch) const noexcept;
    void place_prescribed(Motion motion, Prescribed end, double* scratch) const noexcept;
    std::shared_ptr<Core> core_;
    SchemeSettings scheme_;
    Coefficients form_;
};

}  // namespace limber
