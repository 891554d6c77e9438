// Live point constraints of bodies of small strain: what answers to a pull on a point, in a step by a Stepper, of a
// body that is held or that rides FloatingAxes.
#pragma once

#include "fem/live_points.hpp"
#include "fem_linear/floating_axes.hpp"
#include "integrate/stepper.hpp"

#include <limber/deformer.hpp>
#include <limber/loads.hpp>

namespace limber {

class LinearLive {
public:
    /// `axes`: null for a body that is held. All three outlive this.
    LinearLive(const Body& body, const Stepper& stepper, const FloatingAxes* axes, int capacity);

    const LivePoints& points() const { return points_; }
    std::size_t scratch_size() const;
    /// Columns A^-1 G^T are found when a slot is tied to another point or the step changes, and kept in the workspace.
    std::size_t cache_size() const { return points_.slots() * points_.column_size(); }
    std::size_t key_size() const { return points_.slots() * kKeyReals; }

    /// A sub-step and the memory it works in.
    struct Step {
        std::span<const PointConstraint> live;
        StepMoment end;
        const Stepper& stepper;  ///< the one that takes it
        Motion motion;
        double* readouts;      ///< LivePoints::kSlotReals per slot
        std::int32_t* active;  ///< one per slot
        double* scratch;
        double* step_scratch;
        double* columns;                      ///< cache_size()
        double* keys;                         ///< key_size()
        double* axes = nullptr;               ///< after the sub-step, without live forces
        const double* axes_before = nullptr;  ///< before it
        const Loads* loads = nullptr;         ///< with axes only
    };
    /// Once, before a run of sub-steps.
    void begin(const Step& s) const noexcept;
    /// Corrects the stepper's unknown (and the axes); the motion is still that before the sub-step.
    Trouble apply(const Step& s) const noexcept;
    /// After the update: velocities of held points are their targets' where they would ring.
    void settle(const Step& s) const noexcept;

private:
    static constexpr std::size_t kStepKey = 3;  // deformer, eval_u and eval_v of the step that columns belong to
    static constexpr std::size_t kKeyReals = kStepKey + LivePoints::kKeyReals;
    struct Memory;
    class Columns;
    class AsOneBody;
    bool refresh_columns(const Step& s) const noexcept;
    LivePoints::Solve solve_of(const Step& s) const noexcept;
    /// Where the points get to with the unknown `x`, seen from the axes, if there are any.
    void reach(const Step& s, const double* x, double* out) const noexcept;
    Vec3 rest_arm(const PointConstraint& c) const noexcept;
    void look_from(const FloatingAxes::Pose& pose, const Step& s, const Memory& at) const noexcept;
    void see_rate(std::size_t slot, const Vec3& arm, const FloatingAxes::Pose& pose, const Step& s,
                  const Memory& at) const noexcept;
    static void turn_readout(const FloatingAxes::Pose& pose, const Vec3& arm, double* readout) noexcept;
    bool is_met(const Step& s, const Memory& at, const FloatingAxes::Pose& pose,
                std::span<const Vec3> arms) const noexcept;
    Trouble apply_free(const Step& s, double* x, const Memory& at) const noexcept;
    void settle_free(const Step& s) const noexcept;
    /// Explicit Newmark: the position at the step's end does not depend on its unknown.
    static bool decided(const Step& s) { return s.stepper.form().end_u == 0.0; }

    const Stepper& stepper_;  ///< of any step: for what does not depend on it
    const FloatingAxes* axes_;
    LivePoints points_;
    double number_;  ///< tells the columns of one deformer from those of another
};

}  // namespace limber
