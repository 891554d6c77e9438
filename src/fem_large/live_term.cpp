#include "fem_large/live_term.hpp"

#include "fem/triples.hpp"

namespace limber {

std::size_t LiveTerm::scratch_size() const {
    return points_.slots() == 0 ? 0 : points_.scratch_size() + points_.slots() * (points_.column_size() + 3);
}

LivePoints::Solve LiveTerm::solve_of(const TermStep& step, TermMemory own) const {
    return {step.loads->live, columns(own), step.end_u, step.end_u, nullptr, nullptr};
}

// Forces go on from those of the last step, so that a body at rest stays there to rounding.
void LiveTerm::begin(const Loads& loads, const double* u, const double* v, TermMemory own) const noexcept {
    points_.mark_active(loads.live, own.marks);
    points_.begin(loads.live, u, v, own.marks, own.state, own.scratch);
}

void LiveTerm::aim(const Loads& loads, StepMoment end, const double* a, TermMemory own) const noexcept {
    points_.aim(loads.live, end, a, own.scratch);
}

void LiveTerm::add(const TermStep& step, const TermPoint&, const TermMatrix&, TermMemory own,
                   TermSum& sum) const noexcept {
    if (has_rows(step)) points_.subtract_force(step.loads->live, sum.residual, own.scratch);
}

Trouble LiveTerm::correct(const TermStep& step, const TermCorrection& c, TermMemory own) const noexcept {
    const std::span<const PointConstraint> live = step.loads->live;
    for (std::size_t s = 0; c.fresh && s < live.size(); ++s) {
        if (is_on(live[s])) points_.solve_columns(live[s], c.solver, points_.columns_of(s, columns(own)), own.scratch);
    }
    if (!c.solver.usable()) return Trouble::none;
    for (std::size_t s = 0; s < live.size(); ++s) {
        if (!is_on(live[s])) continue;
        const Vec3 base = points_.gather(live[s], step.base_u);
        put3(reached(own) + 3 * s, base + step.end_u * (points_.gather(live[s], c.x) + points_.gather(live[s], c.dx)));
    }
    const LivePoints::Solve solve = solve_of(step, own);
    const Trouble trouble = points_.solve(solve, reached(own), own.marks, own.scratch);
    points_.add_change(solve, c.dx, own.scratch);
    return trouble;
}

void LiveTerm::settle(const TermStep& step, double* v, double* a, TermMemory own) const noexcept {
    if (!has_rows(step)) return;
    const LivePoints::Solve solve = solve_of(step, own);
    points_.settle_velocity(solve, own.marks, step.duration, v, nullptr, own.scratch);
    if (a != nullptr) points_.settle_acceleration(solve, own.marks, a, own.scratch);
}

void LiveTerm::read_out(const TermStep& step, const double* u, TermMemory own) const noexcept {
    if (points_.slots() > 0) points_.read_out(solve_of(step, own), own.marks, u, true, own.state, own.scratch);
}

}  // namespace limber
