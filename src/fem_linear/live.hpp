// Live point constraints by a Schur complement: with x the step's unknown and G the constraint's rows,
//     (c G A^-1 G^T + 1/k) lambda = target - G (u_b + end_u x),      x += A^-1 G^T lambda
// The columns A^-1 G^T are kept in the state and solved for again only when a slot is tied to another point, so moving,
// adding and removing constraints never refactors and never allocates.
#pragma once

#include "integrate/stepper.hpp"

#include <limber/deformer.hpp>
#include <limber/loads.hpp>

#include <span>

namespace limber {

class Live {
public:
    /// Where a sub-step ends: `part` in (0, 1] of a step of `duration` [s].
    struct Moment {
        double part = 1.0;
        double duration = 0.0;
        const Stepper* stepper = nullptr;  ///< the one that takes it
    };

    Live(const Body& body, const Stepper& stepper, int capacity);

    int capacity() const { return capacity_; }
    std::size_t state_reals() const;
    std::size_t state_marks() const;
    std::size_t scratch_size() const;

    /// Spoils nothing when a constraint is ill-formed: checked here first.
    bool well_formed(std::span<const PointConstraint> live) const noexcept;

    /// Where the run of sub-steps starts from: targets are approached on a cubic between present and asked-for motion.
    void begin(std::span<const PointConstraint> live, Motion motion, double* scratch) const noexcept;
    /// Corrects the stepper's unknown; `motion` is still that before the sub-step.
    Trouble apply(std::span<const PointConstraint> live, Moment end, Motion motion, double* reals, std::int32_t* marks,
                  double* scratch, double* step_scratch) const noexcept;
    /// After the update. Rules that average over the step (average acceleration, midpoint) would let a held point's
    /// velocity ring for ever: there it takes its target's, and the acceleration its mean over the step.
    void settle(std::span<const PointConstraint> live, Moment end, Motion motion, const double* reals,
                const std::int32_t* marks, double* scratch) const noexcept;
    /// Takes the live forces' share out of reactions on prescribed unknowns (full vector).
    void take_from_prescribed(const double* reals, const std::int32_t* marks, double* reactions) const noexcept;

    /// The step's size has changed: columns are solved for again where a slot is tied.
    void forget_columns(std::int32_t* marks) const noexcept;
    /// True while a slot still shows a force of an earlier step.
    bool remembers(const std::int32_t* marks) const noexcept;
    Wrench reaction(int slot, const double* reals) const noexcept;
    bool tangent(int slot, const double* reals, const std::int32_t* marks, Mat3& out) const noexcept;

private:
    struct Rows;
    Vec3 gather(const PointConstraint& c, const double* full) const noexcept;
    /// False when an iterative solver did not converge.
    bool refresh_columns(const PointConstraint& c, const Stepper& stepper, std::size_t slot, double* reals,
                         std::int32_t* marks, double* step_scratch) const noexcept;
    struct Aim {
        Vec3 displacement, velocity;
    };
    Aim aim(const PointConstraint& c, std::size_t slot, Moment end, const Rows& rows) const noexcept;
    void settle_field(std::span<const PointConstraint> live, Moment end, double* field, bool velocity,
                      const double* reals, const std::int32_t* marks, Rows& rows) const noexcept;
    double* column(double* reals, std::size_t slot, int axis) const noexcept;
    const double* column(const double* reals, std::size_t slot, int axis) const noexcept;
    Mat3 coupling(const PointConstraint& row, std::size_t column_slot, const double* reals) const noexcept;
    void build_rows(std::span<const PointConstraint> live, Moment end, const double* reals, const double* step_scratch,
                    Rows& rows) const noexcept;
    Trouble solve_rows(std::span<const PointConstraint> live, std::int32_t* marks, Rows& rows) const noexcept;
    void read_out(std::span<const PointConstraint> live, double* reals, std::int32_t* marks, Rows& rows) const noexcept;
    void read_stiffness(double* reals, Rows& rows) const noexcept;
    /// Explicit Newmark: the position at the step's end does not depend on its unknown.
    bool decided() const { return stepper_.form().end_u == 0.0; }

    const Body& body_;
    const Stepper& stepper_;  ///< of any step: for what does not depend on it
    int capacity_;
    int dim_;
    std::vector<std::int32_t> free_of_;  ///< free index of each unknown, -1 = prescribed
};

}  // namespace limber
