// Where each vector of a LinearDeformer lies in a State and in a Workspace: the only place that knows.
#pragma once

#include "linear/deformer.hpp"

namespace limber {

struct LinearDeformer::Pieces {
    explicit Pieces(const LinearDeformer& d)
        : n(d.stepper_->system().size()), np(d.supports_.prescribed().size()), supports(d.supports_.count()),
          past(d.settings_.scheme.scheme == Scheme::bdf2 ? 2 * n : 0), frame_reals(d.frame_ ? FloatingFrame::kReals : 0) {}
    std::size_t n, np, supports, past, frame_reals;

    // In State::reals
    std::size_t u() const { return 0; }
    std::size_t v() const { return n; }
    std::size_t a() const { return 2 * n; }
    std::size_t force_old() const { return 3 * n; }
    std::size_t u_old() const { return 4 * n; }
    std::size_t frame() const { return 4 * n + past; }
    std::size_t reactions() const { return frame() + frame_reals; }
    std::size_t live() const { return reactions() + 6 * supports; }
    // In State::marks: 0 = started, 1 = sub-steps of the last step, then the live constraints' marks
    static constexpr std::size_t kLiveMarks = 2;

    // In Workspace::reals
    double* force_end(double* p) const { return p; }
    double* force_start(double* p) const { return p + n; }
    double* force_now(double* p) const { return p + 2 * n; }
    double* end_u(double* p) const { return p + 3 * n; }        // prescribed values at the end of the whole step: u, v, a
    double* start_u(double* p) const { return end_u(p) + 3 * np; }   // and at its start: u, v
    double* now_u(double* p) const { return start_u(p) + 2 * np; }   // and at the end of the sub-step: u, v, a
    double* stepper(double* p) const { return now_u(p) + 3 * np; }
    std::size_t fixed_size() const { return 3 * n + 8 * np; }
    Prescribed prescribed(const double* from) const { return {from, from + np, from + 2 * np}; }
};

}  // namespace limber
