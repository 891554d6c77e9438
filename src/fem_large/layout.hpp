// Where each vector of an ElasticDeformer lies in a State and in a Workspace: the only file that knows.
#pragma once

#include "fem_large/deformer.hpp"

namespace limber {

struct ElasticDeformer::Layout {
    explicit Layout(const ElasticDeformer& d)
        : n(d.system_.size()),
          np(d.system_.supports().prescribed().size()),
          supports(d.system_.supports().count()),
          past(d.settings_.scheme == Scheme::bdf2 ? 2 * n : 0),
          term_reals(d.terms_.state_reals()),
          term_marks(d.terms_.state_marks()),
          term_scratch(d.terms_.scratch_size()),
          newton_scratch(d.newton_.scratch_size()) {}
    std::size_t n, np, supports, past, term_reals, term_marks, term_scratch, newton_scratch;

    // In State::reals
    std::size_t u() const { return 0; }
    std::size_t v() const { return n; }
    std::size_t a() const { return 2 * n; }
    std::size_t force_old() const { return 3 * n; }
    std::size_t u_old() const { return 4 * n; }  // BDF2: the step before, and how long it was
    std::size_t last_step() const { return 4 * n + past; }
    // Energy that steps made out of nothing, less what they lost [J].
    std::size_t gained() const { return last_step() + 1; }
    std::size_t terms() const { return last_step() + 2; }
    std::size_t reactions() const { return terms() + term_reals; }
    std::size_t tangents() const { return reactions() + 6 * supports; }
    std::size_t state_reals() const { return tangents() + 9 * supports; }
    // In State::marks; then the terms'.
    // kGainParts: parts that the last step was cut into because it gained energy.
    static constexpr std::size_t kStarted = 0, kSubSteps = 1, kTangents = 2, kGainParts = 3, kTerms = 4;
    std::size_t state_marks() const { return kTerms + term_marks; }

    // In Workspace::reals; the marks of the backup are in Workspace::marks
    StepCourse course(double* w) const { return {n, np, w}; }
    double* vector(double* w, std::size_t i) const { return w + StepCourse::size(n, np) + i * n; }
    StepVectors step(double* w) const {
        return {vector(w, 0), vector(w, 1), vector(w, 2), vector(w, 3), vector(w, 4), vector(w, 5)};
    }
    double* x(double* w) const { return vector(w, 6); }
    double* backup(double* w) const { return vector(w, 7); }
    double* terms(double* w) const { return backup(w) + state_reals(); }
    double* newton(double* w) const { return terms(w) + term_scratch; }
    std::size_t work_reals() const {
        return StepCourse::size(n, np) + 7 * n + state_reals() + term_scratch + newton_scratch;
    }
};

}  // namespace limber
