// Newton's method for one implicit step in the form of integrate/stepper.hpp: find x with
//     r(x) = M a + alpha M v + beta D(u) v + g(u) - f - G^T lambda = 0   at  u = u_e + eval_u x,  v = v_e + eval_v x,
//     a = a_e + x
// r is the gradient of an incremental potential (with D held still at each linearisation), which a line search takes
// downhill.
//
// Every answer's own r is known. When it is small enough is decided by one of two measures (ElasticSettings):
//   tolerance     |r| relative to the forces in it, and never below what rounding leaves there: bodies that are merely
//   turned have no forces step_error    how far one more correction would still move the body, relative to its motion
//   in the step
#pragma once

#include "fem_large/live.hpp"

namespace limber {

/// Vectors over all unknowns; x is zero and stays zero where something is prescribed.
struct StepProblem {
    Coefficients form;
    const double* eval_u;
    const double* eval_v;
    const double* eval_a;
    const double* base_u;
    const double* base_v;
    const double* start_u;  ///< displacements and velocities before the step
    const double* start_v;
    double beta;  ///< of stiffness damping [s]: the body's and what the scheme needs to take back its gain (EnergyGain)
    const double* force;
    double* x;     ///< first guess in, answer out
    double* warm;  ///< the model's part of the state
    std::span<const PointConstraint> live;
    std::int32_t* active;  ///< per live slot
    double* live_scratch;
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
    Newton(const ElasticSystem& system, const TangentSolver& solver, const ElasticLive& live,
           const ElasticSettings& settings);

    std::size_t scratch_size() const;
    StepOutcome run(const StepProblem& p, double* scratch) const noexcept;
    /// After run(): the residual (what supports exert, in the prescribed rows) and the displacements where it was
    /// taken.
    double* residual(double* scratch) const noexcept;
    const double* place(double* scratch) const noexcept;

    /// After run() of newmark_implicit or implicit_midpoint (`middle`), without live constraints. `extra`: how much of
    /// p.beta is not the body's.
    EnergyGain energy_gain(const StepProblem& p, bool middle, double extra, double* scratch) const noexcept;

    /// The free entries of `a` from M a = f - C v - g(u).
    SolveReport accelerate(const double* u, const double* v, double* a, const double* force, double* warm,
                           double* scratch) const noexcept;
    /// M a + C v + g - f at a given motion (v and a null: quasi-static).
    double* balance(const double* u, const double* v, const double* a, const double* force, double* warm,
                    double* scratch) const noexcept;
    /// d(reaction of one support)/d(its position at the step's end): `share` of that is seen where the step balances.
    bool support_stiffness(const StepProblem& p, std::size_t support, double share, Mat3& out, int& iterations,
                           double* scratch) const noexcept;

private:
    struct Vectors;
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
    double linearise(const StepProblem& p, Tangent tangent, double* damping, Vectors& s) const noexcept;
    Point evaluate(const StepProblem& p, const double* x, Want want, Tangent tangent, Vectors& s) const noexcept;
    void free_norms(const StepProblem& p, Point& point, Vectors& s) const noexcept;
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
    const ElasticLive& live_;
    ElasticSettings settings_;
    bool by_error_;         ///< step_error decides
    double residual_goal_;  ///< relative, at which nothing more is asked for
};

}  // namespace limber
