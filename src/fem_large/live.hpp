// Live point constraints inside Newton's method: at every linearisation, with A its matrix and G the constraints' rows,
//     (end_u G A^-1 G^T + 1/k) lambda = target - G (u_b + end_u (x + dx)),      dx += A^-1 G^T lambda
// lambda is the whole force, not a correction, so a constraint's place at the end of the step is met at once and to
// rounding.
#pragma once

#include "fem/live_rows.hpp"
#include "fem_large/system.hpp"
#include "fem_large/tangent_solver.hpp"

namespace limber {

/// Where a sub-step ends: `part` in (0, 1] of a step of `duration` [s].
struct StepMoment {
    double part = 1.0;
    double duration = 0.0;
};

class ElasticLive {
public:
    ElasticLive(const Body& body, const ElasticSystem& system, const TangentSolver& solver, int capacity);

    static constexpr std::size_t kSlotReals = 3 + 3 + 9;  ///< in a State: force, torque, stiffness
    int capacity() const { return capacity_; }
    std::size_t scratch_size() const;
    bool fits(std::span<const PointConstraint> live) const noexcept {
        return live_fits(live, body_.vertex_count(), capacity_);
    }

    /// Where the run of sub-steps starts from: targets are approached on a cubic between present and asked-for motion,
    /// forces start from those of the last step (`reals`: its readouts), so that a body at rest stays there to
    /// rounding.
    void begin(std::span<const PointConstraint> live, const double* u, const double* v, const std::int32_t* active,
               const double* reals, double* scratch) const noexcept;
    /// The goals of one sub-step. `a`: accelerations before it.
    void aim(std::span<const PointConstraint> live, StepMoment end, const double* a, double* scratch) const noexcept;
    /// The columns A^-1 G^T of the matrix that the solver was refreshed with.
    SolveReport solve_columns(std::span<const PointConstraint> live, const double* values, double tolerance,
                              int max_iterations, double* scratch, double* solver_scratch) const noexcept;
    /// Finds the forces anew and adds what their change does to dx; u_end = u_b + end_u (x + dx) before that.
    Trouble correct(std::span<const PointConstraint> live, double end_u, const double* u_end, std::int32_t* active,
                    double* dx, double* scratch) const noexcept;
    /// r -= G^T lambda
    void subtract_force(std::span<const PointConstraint> live, double* r, double* scratch) const noexcept;
    /// After the update. Rules that average over the step would let a held point's velocity ring for ever: there it
    /// takes its target's, and the acceleration its mean over the step. `a` may be null.
    void settle(std::span<const PointConstraint> live, const std::int32_t* active, double* v, double* a,
                double* scratch) const noexcept;
    /// Forces, torques about deformed points (u: displacements where the step balances) and stiffnesses, kSlotReals per
    /// slot.
    void read_out(std::span<const PointConstraint> live, const std::int32_t* active, const double* u, double* reals,
                  double* scratch) const noexcept;

private:
    struct Layout;
    Vec3 gather(const PointConstraint& c, const double* full) const noexcept;
    Vec3 rest_point(const PointConstraint& c) const noexcept;
    Mat3 coupling(const PointConstraint& row, std::size_t column_slot, const double* columns) const noexcept;
    void settle_field(std::span<const PointConstraint> live, const std::int32_t* active, double* field, bool velocity,
                      double* scratch) const noexcept;

    const Body& body_;
    const ElasticSystem& system_;
    const TangentSolver& solver_;
    int capacity_, dim_;
    std::vector<std::uint8_t> is_free_;  ///< per unknown
};

}  // namespace limber
