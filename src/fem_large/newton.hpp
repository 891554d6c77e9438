// Newton's method for one implicit step in the form of integrate/schemes.hpp: find x with
//     r(x) = sum of the terms' forces = 0   at  u = u_e + eval_u x,  v = v_e + eval_v x,  a = a_e + x
// What these terms are it does not know (fem/term.hpp). Where each has a value, r is the gradient of an incremental
// potential (what depends on the displacements is held still at each linearisation), and a line search goes downhill.
//
// Every answer's own r is known. When it is small enough is decided by one of two measures (ElasticSettings):
//   tolerance     |r| relative to the forces in it, and never below what rounding leaves there: bodies that are merely
//                 turned have no forces
//   step_error    how far one more correction would still move the body, relative to its motion in the step
#pragma once

#include "fem/term.hpp"
#include "fem_large/settings.hpp"
#include "fem_large/system.hpp"
#include "fem_large/tangent_solver.hpp"
#include "integrate/schemes.hpp"

namespace limber {

/// Vectors over all unknowns; x is zero and stays zero where something is prescribed.
struct StepProblem {
    Coefficients form;
    StepVectors at;         ///< x = 0
    const double* start_u;  ///< displacements and velocities before the step
    const double* start_v;
    double* x;      ///< first guess in, answer out
    TermStep step;  ///< stiffness_damping: the body's and what the scheme needs to take back its gain (EnergyGain)
    TermList::Storage memory;
};

struct StepOutcome {
    bool good = false;
    Trouble trouble = Trouble::none;
    int linearisations = 0, iterations = 0;
    double residual = 0.0;    ///< |r|, relative
    std::int32_t where = -1;  ///< vertex of the largest residual, when it failed
};

/// What a step that averages over its two ends (average acceleration, midpoint) makes out of nothing: the change of
/// elastic energy is not the work of the elastic forces as the scheme averages them, unless they are linear.
struct EnergyGain {
    double gain = 0.0;   ///< [J]; what damping beyond the body's own has taken is not in it any more
    double taken = 0.0;  ///< per second of such damping, by the midpoint rule [J/s]
    double whole = 0.0;  ///< kinetic and elastic energy before and after the step [J]
    double share() const { return whole > 0.0 ? gain / whole : 0.0; }
};

class Newton {
public:
    Newton(const ElasticSystem& system, const TangentSolver& solver, const TermList& terms,
           const ElasticSettings& settings);

    std::size_t scratch_size() const;
    StepOutcome run(const StepProblem& p, double* scratch) const noexcept;
    /// After run(): the residual (what supports exert, in the prescribed rows) and the displacements where it was
    /// taken.
    double* residual(double* scratch) const noexcept;
    const double* balanced_displacements(double* scratch) const noexcept;

    /// After run() of newmark_implicit or implicit_midpoint (`middle`), without terms of rows. `extra`: how much of the
    /// step's stiffness damping is not the body's.
    EnergyGain energy_gain(const StepProblem& p, bool middle, double extra, double* scratch) const noexcept;

    /// The free entries of `a` from M a = f - C v - g(u).
    SolveReport accelerate(const double* u, const double* v, double* a, const double* force,
                           const TermList::Storage& memory, double* scratch) const noexcept;
    /// M a + C v + g - f at a given motion.
    double* balance(const TermPoint& at, const double* force, const TermList::Storage& memory,
                    double* scratch) const noexcept;
    /// d(reaction of one support)/d(its position at the step's end): `share` of that is seen where the step balances.
    bool support_stiffness(const StepProblem& p, std::size_t support, double share, Mat3& out, int& iterations,
                           double* scratch) const noexcept;

private:
    struct Vectors;
    class Columns;
    /// cheap: the model's, where settings ask for it first; exact; positive: leads downhill for certain.
    enum class Tangent : std::uint8_t { cheap, exact, positive };
    enum class Want : std::uint8_t { gradient, tangent };
    struct Point {
        double energy = 0.0, residual = 0.0;
        double scale = 0.0;     ///< of the forces in the residual
        double rounding = 0.0;  ///< what the residual cannot fall below
    };
    struct Iteration {
        Tangent tangent = Tangent::exact;
        bool fresh = true;     ///< the matrix was made at the present x
        bool solved = true;    ///< the last linear solve was not given up
        bool guessed = false;  ///< dx holds a rough solution of the next correction
        int uphill = 0;        ///< corrections for which no exact tangent is tried: the last one led nowhere
        double best = 0.0;     ///< the smallest |r| so far, and how long ago it was halved
        int idle = 0;
        int remembered = 0;   ///< corrections since mixing began anew
        double before = 0.0;  ///< |r| before the last correction, 0 = there was none
        double rate = 1.0;    ///< what the last correction left, of |r| or of the distance
        double left = 1.0;    ///< how much of the present error is allowed to stay
        Point now;
    };

    double inner_energy(std::size_t n, const double* v, const double* momentum) const noexcept;
    void add_terms(const TermStep& step, const TermPoint& at, const TermMatrix& matrix, const TermList::Storage& memory,
                   TermSum& sum, std::size_t n) const noexcept;
    TermMatrix matrix_of(Tangent tangent, const Vectors& s) const noexcept;
    void free_residual(const TermSum& sum, Point& point, const Vectors& s) const noexcept;
    double longest_share(const StepProblem& p, Vectors& s) const noexcept;
    Point evaluate(const StepProblem& p, const double* x, Want want, Tangent tangent, Vectors& s) const noexcept;
    double relative(const Point& at) const noexcept;
    bool balanced(const Point& at) const noexcept;
    void begin(const StepProblem& p, Iteration& it, StepOutcome& out, Vectors& s) const noexcept;
    bool iterate(const StepProblem& p, Iteration& it, StepOutcome& out, Vectors& s) const noexcept;
    bool step_down(const StepProblem& p, double tolerance, Iteration& it, StepOutcome& out, Vectors& s) const noexcept;
    bool close_enough(const StepProblem& p, Iteration& it, StepOutcome& out, Vectors& s) const noexcept;
    double allowed_distance(const StepProblem& p) const noexcept;
    double solve_tolerance(const Iteration& it) const noexcept;
    Tangent next_tangent(const Iteration& it) const noexcept;
    bool direction(const StepProblem& p, double tolerance, Iteration& it, StepOutcome& out, Vectors& s) const noexcept;
    bool search(const StepProblem& p, Iteration& it, Point& to, Vectors& s) const noexcept;
    bool try_mixed(const StepProblem& p, Iteration& it, Point& to, Vectors& s) const noexcept;
    bool mix(const StepProblem& p, Iteration& it, Vectors& s) const noexcept;
    double curvature(const StepProblem& p, Vectors& s) const noexcept;
    void slope_along(const StepProblem& p, double* out, Vectors& s) const noexcept;
    void add_turned_damping(const StepProblem& p, double* out, Vectors& s) const noexcept;

    const ElasticSystem& system_;
    const TangentSolver& solver_;
    const TermList& terms_;
    ElasticSettings settings_;
    bool by_error_;         ///< step_error decides
    double residual_goal_;  ///< relative, at which nothing more is asked for
};

}  // namespace limber
