// Where each vector of a LinearDeformer lies in a State and in a Workspace: the only place that knows.
#pragma once

#include "fem_linear/deformer.hpp"

namespace limber {

constexpr double kStepSafety = 0.9;  ///< share of the critical step that an automatic sub-step may use
constexpr int kMaxSubSteps = 100000;

struct LinearDeformer::Pieces {
    explicit Pieces(const LinearDeformer& d)
        : n(d.stepper_->system().size()),
          np(d.supports_.prescribed().size()),
          supports(d.supports_.count()),
          past(d.settings_.scheme.scheme == Scheme::bdf2 ? 2 * n : 0),
          frame_reals(d.frame_ ? FloatingFrame::kReals : 0),
          free_step(d.any_step_) {}
    std::size_t n, np, supports, past, frame_reals;
    bool free_step;

    // In State::reals
    std::size_t u() const { return 0; }
    std::size_t v() const { return n; }
    std::size_t a() const { return 2 * n; }
    std::size_t force_old() const { return 3 * n; }
    std::size_t u_old() const { return 4 * n; }
    std::size_t frame() const { return 4 * n + past; }
    std::size_t reactions() const { return frame() + frame_reals; }
    // Where the step is free: the last step's dt and the one it took for the dt before (both 0 = none yet), whether the
    // tangents below are of such a step (1 or 0), 9 per support.
    std::size_t last_step() const { return reactions() + 6 * supports; }
    std::size_t past_step() const { return last_step() + 1; }
    std::size_t tangents_known() const { return last_step() + 2; }
    std::size_t tangents() const { return last_step() + 3; }
    std::size_t live() const { return last_step() + (free_step ? 3 + 9 * supports : 0); }
    // In State::marks: 0 = started, 1 = sub-steps of the last step, then the live constraints' marks
    static constexpr std::size_t kLiveMarks = 2;

    // In Workspace::reals
    double* force_end(double* p) const { return p; }
    double* force_start(double* p) const { return p + n; }
    double* force_now(double* p) const { return p + 2 * n; }
    double* end_u(double* p) const { return p + 3 * n; }  // prescribed values at the end of the whole step: u, v, a
    double* start_u(double* p) const { return end_u(p) + 3 * np; }  // and at its start: u, v
    double* now_u(double* p) const { return start_u(p) + 2 * np; }  // and at the end of the sub-step: u, v, a
    double* stepper(double* p) const { return now_u(p) + 3 * np; }
    std::size_t fixed_size() const { return 3 * n + 8 * np; }
    std::size_t trial_size() const {
        return 6 * n + 6 * supports;
    }  // a motion and reactions beside the state's, at the workspace's end
    Prescribed prescribed(const double* from) const { return {from, from + np, from + 2 * np}; }
};

}  // namespace limber
