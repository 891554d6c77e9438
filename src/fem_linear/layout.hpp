// Where each vector of a LinearDeformer lies in a State and in a Workspace: the only file that knows.
#pragma once

#include "fem/step_course.hpp"
#include "fem_linear/deformer.hpp"

namespace limber {

constexpr double kStepSafety = 0.9;  ///< share of the critical step that an automatic sub-step may use
constexpr int kMaxSubSteps = 100000;

struct LinearDeformer::Layout {
    explicit Layout(const LinearDeformer& d)
        : n(d.stepper_->system().size()),
          np(d.supports_.prescribed().size()),
          supports(d.supports_.count()),
          past(d.settings_.scheme.scheme == Scheme::bdf2 ? 2 * n : 0),
          axes_reals(d.axes_ ? FloatingAxes::kReals : 0),
          slots(static_cast<std::size_t>(d.settings_.max_live)),
          any_step(d.any_step_) {}
    std::size_t n, np, supports, past, axes_reals, slots;
    bool any_step;

    // In State::reals
    std::size_t u() const { return 0; }
    std::size_t v() const { return n; }
    std::size_t a() const { return 2 * n; }
    std::size_t force_old() const { return 3 * n; }
    std::size_t u_old() const { return 4 * n; }
    std::size_t axes() const { return 4 * n + past; }
    std::size_t reactions() const { return axes() + axes_reals; }
    // Where any step is taken: the last step's dt and the one it took for the dt before (both 0 = none yet), whether
    // the tangents below are of such a step (1 or 0), 9 per support.
    std::size_t last_step() const { return reactions() + 6 * supports; }
    std::size_t past_step() const { return last_step() + 1; }
    std::size_t tangents_known() const { return last_step() + 2; }
    std::size_t tangents() const { return last_step() + 3; }
    std::size_t live() const { return last_step() + (any_step ? 3 + 9 * supports : 0); }
    std::size_t state_reals() const { return live() + LivePoints::kSlotReals * slots; }
    // In State::marks; then one per live slot: whether it acts
    static constexpr std::size_t kStarted = 0, kSubSteps = 1, kActive = 2;
    std::size_t state_marks() const { return kActive + slots; }

    // In Workspace::reals
    StepCourse course(double* p) const { return {n, np, p}; }
    double* stepper(double* p) const { return p + fixed_size(); }
    std::size_t fixed_size() const { return StepCourse::size(n, np); }
    /// A motion and reactions beside the state's, at the workspace's end.
    std::size_t trial_size() const { return 6 * n + 6 * supports; }
    Prescribed prescribed(const double* from) const { return {from, from + np, from + 2 * np}; }
};

}  // namespace limber
