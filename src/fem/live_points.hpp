// LivePoints: live point constraints by a Schur complement, for bodies of small and of large strain. With A the matrix
// of the step (or of one linearisation), x its unknown and G the constraints' rows,
//     (c G A^-1 G^T + 1/k) lambda = target - G (u_b + end_u x),      x += A^-1 G^T lambda
// lambda is the whole force, not a correction, so a constraint's position at the end of the step is met at once and to
// rounding. The columns A^-1 G^T are the caller's: kept while A stays what it is, or found anew.
#pragma once

#include "fem/column_solver.hpp"
#include "fem/live_rows.hpp"
#include "fem/step_course.hpp"

#include <limber/body.hpp>

#include <span>
#include <vector>

namespace limber {

/// How points answer to forces on them beside what the columns tell (a free body moves as a whole).
class PointResponse {
public:
    virtual ~PointResponse() = default;
    /// Of the point of slot `row` per force on that of slot `column` [m/N].
    virtual Mat3 between(std::size_t row, std::size_t column) const noexcept = 0;
};

class LivePoints {
public:
    /// `free`: the unknowns that are not prescribed.
    LivePoints(const Body& body, std::span<const std::int32_t> free, int capacity);

    static constexpr std::size_t kSlotReals = 3 + 3 + 9;  ///< in a State: force, torque, stiffness
    static constexpr std::size_t kKeyReals = 1 +
                                             2 * PointConstraint::kMaxVertices;  ///< what a slot's columns belong to
    int capacity() const { return capacity_; }
    std::size_t slots() const { return static_cast<std::size_t>(capacity_); }
    std::size_t scratch_size() const;  ///< doubles
    std::size_t column_size() const;   ///< doubles of one slot's columns: `dimension` of them, over all unknowns
    bool fits(std::span<const PointConstraint> live) const noexcept;

    /// Slots that are off forget their force's sign, bilateral ones act. `active`: one mark per slot of a State.
    void mark_active(std::span<const PointConstraint> live, std::int32_t* active) const noexcept;
    /// True while a slot still shows a force of an earlier step.
    bool any_active(const std::int32_t* active) const noexcept;

    /// Where the run of sub-steps starts from. Hard points approach their targets on a cubic between present and
    /// asked-for motion; the other end of a soft one goes from where the last step left it, a surface that does not
    /// touch moves by its velocity. `reals`: the last step's readouts, whose forces the first solution goes on from.
    void begin(std::span<const PointConstraint> live, const double* u, const double* v, const std::int32_t* active,
               const double* reals, double* scratch) const noexcept;
    /// The same for one slot whose motion (displacement and velocity) the caller knows.
    void begin_at(const PointConstraint& c, std::size_t slot, const Vec3& displacement, const Vec3& velocity,
                  bool active, const double* reals, double* scratch) const noexcept;
    /// The goals of one sub-step. `a`: accelerations before it.
    void aim(std::span<const PointConstraint> live, StepMoment end, const double* a, double* scratch) const noexcept;
    struct Goal {
        Vec3 displacement, velocity;
    };
    Goal goal(std::size_t slot, const double* scratch) const noexcept;
    void set_goal(std::size_t slot, const Goal& goal, double* scratch) const noexcept;

    /// What columns are of: count, vertices and weights. False when `key` says the same already; else it does now.
    static bool renew_key(const PointConstraint& c, double* key) noexcept;
    /// Solves for the columns of one slot.
    SolveReport solve_columns(const PointConstraint& c, ColumnSolver& solver, double* columns,
                              double* scratch) const noexcept;
    double* columns_of(std::size_t slot, double* columns) const noexcept { return columns + slot * column_size(); }

    /// One solution of the small system.
    struct Solve {
        std::span<const PointConstraint> live;
        const double* columns;                    ///< all slots', one after the other
        double hard = 1.0, soft = 1.0;            ///< c in the rows of hard and of soft constraints
        const PointResponse* response = nullptr;  ///< beside the columns, or null
        const Mat3* turn = nullptr;               ///< normals are turned by it; null = not at all
    };
    /// Finds the forces anew. `reached`: 3 per slot, where the points would be with the forces as they are
    /// (displacements), to be compared with their goals.
    Trouble solve(const Solve& s, const double* reached, std::int32_t* active, double* scratch) const noexcept;
    /// x += what the change of forces in the last solve() does.
    void add_change(const Solve& s, double* x, double* scratch) const noexcept;
    /// Whether a hard point that acts is not where it should be, though the forces have been found: others hold it.
    bool is_missed(const Solve& s, const double* reached, const std::int32_t* active,
                   const double* scratch) const noexcept;
    void clear_forces(double* scratch) const noexcept;
    Vec3 force(std::size_t slot, const double* scratch) const noexcept;
    Vec3 change(std::size_t slot, const double* scratch) const noexcept;  ///< of the force in the last solve()
    /// r -= G^T lambda
    void subtract_force(std::span<const PointConstraint> live, double* r, const double* scratch) const noexcept;

    /// After the update. Rules that average over the step would let a held point's velocity ring for ever: there it
    /// takes its target's, and the acceleration its mean over the step. Both add columns to the field; `impulse` (3 per
    /// slot, out) may be null. A point that only touches is not pulled: of what its force did in the `step` [s] at most
    /// all is taken back.
    void settle_velocity(const Solve& s, const std::int32_t* active, double step, double* field, double* impulse,
                         double* scratch) const noexcept;
    void settle_acceleration(const Solve& s, const std::int32_t* active, double* field, double* scratch) const noexcept;

    /// Forces, torques about the points at rest + u (u null: at rest) and, with `stiffness`, the answer of each force
    /// to its target: kSlotReals per slot.
    void read_out(const Solve& s, const std::int32_t* active, const double* u, bool stiffness, double* reals,
                  double* scratch) const noexcept;
    static Wrench reaction(const double* reals, std::size_t slot) noexcept;
    static Mat3 stiffness(const double* reals, std::size_t slot) noexcept;

    /// sum of weights x entries of a field over all unknowns
    Vec3 gather(const PointConstraint& c, const double* field) const noexcept;
    Vec3 rest_point(const PointConstraint& c) const noexcept;

private:
    struct Layout;
    Mat3 coupling(const PointConstraint& row, const double* columns) const noexcept;
    /// `step` = 0: an acceleration, which pushes nobody.
    void settle(const Solve& s, const std::int32_t* active, const double* gap, double step, double* field,
                double* impulse, double* scratch) const noexcept;
    void add_columns(const Vec3& amount, const double* columns, double* field) const noexcept;

    const Body& body_;
    int capacity_, dim_;
    std::size_t size_;
    double length_;                      ///< of the body [m]
    std::vector<std::uint8_t> is_free_;  ///< per unknown
};

inline bool any_on(std::span<const PointConstraint> live) {
    for (const PointConstraint& c : live)
        if (is_on(c)) return true;
    return false;
}

}  // namespace limber
