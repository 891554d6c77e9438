// Where each vector of an ElasticDeformer lies in a State and in a Workspace: the only place that knows.
#pragma once

#include "fem_large/deformer.hpp"

namespace limber {

struct ElasticDeformer::Pieces {
    explicit Pieces(const ElasticDeformer& d)
        : n(d.system_.size()),
          np(d.system_.supports().prescribed().size()),
          supports(d.system_.supports().count()),
          slots(static_cast<std::size_t>(d.settings_.max_live)),
          past(d.settings_.scheme == Scheme::bdf2 ? 2 * n : 0),
          warm_size(d.system_.model().warm_size()),
          live_scratch(d.live_.scratch_size()),
          newton_scratch(d.newton_.scratch_size()) {}
    std::size_t n, np, supports, slots, past, warm_size, live_scratch, newton_scratch;

    // In State::reals
    std::size_t u() const { return 0; }
    std::size_t v() const { return n; }
    std::size_t a() const { return 2 * n; }
    std::size_t force_old() const { return 3 * n; }
    std::size_t u_old() const { return 4 * n; }  // BDF2: the step before, and how long it was
    std::size_t last_step() const { return 4 * n + past; }
    std::size_t gained() const {
        return last_step() + 1;
    }  // energy that steps made out of nothing, less what they lost [J]
    std::size_t warm() const { return last_step() + 2; }
    std::size_t reactions() const { return warm() + warm_size; }
    std::size_t tangents() const { return reactions() + 6 * supports; }
    std::size_t live() const { return tangents() + 9 * supports; }
    std::size_t state_reals() const { return live() + ElasticLive::kSlotReals * slots; }
    // In State::marks
    // kGainParts: parts that the last step was cut into because it gained energy.
    static constexpr std::size_t kStarted = 0, kSubSteps = 1, kTangents = 2, kGainParts = 3, kActive = 4;
    std::size_t state_marks() const { return kActive + slots; }

    // In Workspace::reals; the marks of the backup are in Workspace::marks
    double* force_end(double* w) const { return w; }
    double* force_start(double* w) const { return w + n; }
    double* force_now(double* w) const { return w + 2 * n; }
    double* force_eval(double* w) const { return w + 3 * n; }
    double* eval_u(double* w) const { return w + 4 * n; }
    double* eval_v(double* w) const { return w + 5 * n; }
    double* eval_a(double* w) const { return w + 6 * n; }
    double* base_u(double* w) const { return w + 7 * n; }
    double* base_v(double* w) const { return w + 8 * n; }
    double* x(double* w) const { return w + 9 * n; }
    double* end_u(double* w) const { return w + 10 * n; }  // prescribed values at the end of the whole step: u, v, a
    double* start_u(double* w) const { return end_u(w) + 3 * np; }  // at its start: u, v
    double* now_u(double* w) const { return start_u(w) + 2 * np; }  // at the end of the sub-step: u, v, a
    double* backup(double* w) const { return now_u(w) + 3 * np; }
    double* live(double* w) const { return backup(w) + state_reals(); }
    double* newton(double* w) const { return live(w) + live_scratch; }
    std::size_t work_reals() const { return 10 * n + 8 * np + state_reals() + live_scratch + newton_scratch; }
};

}  // namespace limber
