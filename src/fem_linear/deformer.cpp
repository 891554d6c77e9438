#include "core/text.hpp"
#include "deform/loads_fit.hpp"
#include "fem/vertex_fields.hpp"
#include "fem_linear/layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {

std::size_t LinearDeformer::memory() const {
    const System& s = stepper_->system();
    const auto of = [](const BlockCsr& m) {
        return m.values.size() * sizeof(double) + (m.columns.size() + m.starts.size()) * sizeof(std::int32_t);
    };
    return of(s.stiffness) + of(s.mass) + of(s.damping) + stepper_->solver_bytes() +
           (s.product ? s.product->bytes() : 0) + (s.lumped.size() + weight_.size()) * sizeof(double);
}

std::vector<std::pair<std::string, double>> LinearDeformer::facts() const {
    std::vector<std::pair<std::string, double>> f{
        {"unknowns", static_cast<double>(stepper_->free_count())},
        {"solver_bytes", static_cast<double>(stepper_->solver_bytes())},
        {"bbar", settings_.assembly.integration == Integration::bbar ? 1.0 : 0.0},
        {"sub_steps", static_cast<double>(sub_steps_)},
    };
    if (omega_max_ > 0.0) {
        f.emplace_back("omega_max", omega_max_);
        f.emplace_back("critical_step", critical_step_);
    }
    if (const auto& product = stepper_->system().product) {
        f.emplace_back("product_bytes", static_cast<double>(product->bytes()));
        f.emplace_back("product_error", product->error());
    }
    return f;
}

std::vector<std::string> LinearDeformer::remarks() const {
    std::vector<std::string> lines;
    const double step = settings_.scheme.step;
    if (!any_step_ && settings_.scheme.scheme == Scheme::newmark_explicit && critical_step_ > 0.0 &&
        step > critical_step_) {
        lines.push_back(text("newmark_explicit is stable below ", plain_number(critical_step_, 3),
                             " s for this body; the step is ", plain_number(step, 3), " s, so it will blow up"));
    }
    if (settings_.scheme.scheme == Scheme::newmark_implicit &&
        settings_.scheme.newmark_beta < settings_.scheme.newmark_gamma) {
        lines.push_back(text("newmark_beta ", settings_.scheme.newmark_beta, " is below newmark_gamma ",
                             settings_.scheme.newmark_gamma,
                             ": large steps are not stable (the paper's beta is twice the textbook's)"));
    }
    if (body_->support() == Support::partial) {
        lines.push_back(
            "anchors and handles leave some rigid motion free: with small strain the body grows as it turns");
    }
    if (sub_steps_ > 1) {
        lines.push_back(text("symplectic_euler takes ", sub_steps_, " sub-steps per step (stable below ",
                             plain_number(critical_step_, 3), " s)"));
    }
    if (any_step_ && critical_step_ > 0.0) {
        lines.push_back(text(to_string(settings_.scheme.scheme), " takes a sub-step for every ",
                             plain_number(kStepSafety * critical_step_, 3), " s (stable below ",
                             plain_number(critical_step_, 3), " s), at most ", kMaxSubSteps, " in a step"));
    }
    if (const auto& product = stepper_->system().product; product && product->error() > 0.0) {
        lines.push_back(text("single precision: a product is off by ", product->error(),
                             " of its size for a random motion, more of it where the body moves as a whole"));
    }
    return lines;
}

State LinearDeformer::rest_state() const {
    const Layout at(*this);
    State state;
    state.reals.assign(at.state_reals(), 0.0);
    state.marks.assign(at.state_marks(), 0);
    if (axes_) axes_->reset(state.reals.data() + at.axes());
    return state;
}

Workspace LinearDeformer::make_workspace() const {
    const Layout at(*this);
    Workspace w;
    w.reals.assign(
        at.fixed_size() + stepper_->scratch_size() + live_->scratch_size() + (any_step_ ? at.trial_size() : 0), 0.0);
    w.cached.assign(live_->cache_size(), 0.0);
    w.cache_keys.assign(live_->key_size(), 0.0);
    return w;
}

Motion LinearDeformer::motion(State& state) const noexcept {
    const Layout at(*this);
    double* p = state.reals.data();
    double* past = at.past > 0 ? p + at.u_old() : nullptr;
    return {p + at.u(), p + at.v(), p + at.a(), p + at.force_old(), past, past != nullptr ? past + at.n : nullptr};
}

bool LinearDeformer::can_take(const Loads& loads) const noexcept {
    return loads_fit(*body_, loads) && live_->points().fits(loads.live);
}

bool LinearDeformer::state_fits(const State& state, const Workspace& scratch) const noexcept {
    const Layout at(*this);
    return state.reals.size() == at.state_reals() && state.marks.size() == at.state_marks() &&
           scratch.cached.size() >= live_->cache_size() && scratch.cache_keys.size() >= live_->key_size() &&
           scratch.reals.size() >=
               at.fixed_size() + stepper_->scratch_size() + live_->scratch_size() + (any_step_ ? at.trial_size() : 0);
}

int LinearDeformer::step_count(double dt) const noexcept {
    if (any_step_) {
        if (!(dt > 0.0) || !std::isfinite(dt)) return 0;
        if (critical_step_ == 0.0 || std::isinf(critical_step_)) return 1;
        const double needed = std::ceil(dt / (kStepSafety * critical_step_));
        return needed <= kMaxSubSteps ? std::max(1, static_cast<int>(needed)) : 0;
    }
    const double ratio = dt / settings_.scheme.step;
    if (!(ratio > 0.5) || ratio > 1000.5) return 0;
    const double whole = std::round(ratio);
    return std::abs(ratio - whole) <= 1e-9 * whole ? static_cast<int>(whole) : 0;
}

void LinearDeformer::external_force(const Loads& loads, const double* axes, double* out) const noexcept {
    if (axes_) return axes_->deforming_force(axes, loads.force, out);  // gravity moves a free body as a whole
    external_forces(weight_, loads, body_->mesh().dimension(), out);
}

StepReport LinearDeformer::start(State& state, const Loads& now, Workspace& scratch) const noexcept {
    StepReport report;
    if (!state_fits(state, scratch)) report.trouble |= Trouble::bad_state;
    if (!can_take(now)) report.trouble |= Trouble::bad_loads;
    if (report.trouble != Trouble::none) return report;
    const Layout at(*this);
    double* p = scratch.reals.data();
    double* axes = state.reals.data() + at.axes();
    if (axes_) axes_->remember(axes, axes_->total(axes, state.reals.data() + at.u(), now.force, now.gravity));
    const StepCourse course = at.course(p);
    external_force(now, axes, course.force_end);
    supports_.targets(now, nullptr, 0.0, course.end, course.end + at.np, course.end + 2 * at.np);
    const SolveReport solved = stepper_->start(motion(state), course.force_end, at.prescribed(course.end),
                                               at.stepper(p));
    if (axes_) axes_->remove_rigid(state.reals.data() + at.a());
    report.iterations = solved.iterations;
    report.residual = solved.residual;
    if (!solved.converged) report.trouble |= Trouble::not_converged;
    supports_.sum_reactions(stepper_->reactions_now(motion(state), course.force_end, at.stepper(p)),
                            reaction_slots(state));
    state.marks[Layout::kStarted] = 1;
    if (any_step_) state.reals[at.last_step()] = 0.0;
    return report;
}

StepReport LinearDeformer::step(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept {
    StepReport report;
    const int steps = step_count(dt);
    if (steps == 0) report.trouble |= Trouble::wrong_step;
    if (!state_fits(state, scratch)) report.trouble |= Trouble::bad_state;
    if (!can_take(loads)) report.trouble |= Trouble::bad_loads;
    if (report.trouble != Trouble::none) return report;
    const Layout at(*this);
    double* p = scratch.reals.data();
    double* axes = state.reals.data() + at.axes();
    const int count = any_step_ ? steps : steps * sub_steps_;
    StepReport first;
    if (state.marks[Layout::kStarted] == 0) first = start_in_place(state, loads, scratch);
    const double past = any_step_ ? past_of(state, dt) : 0.0;
    const Stepper stepper = any_step_ ? stepper_->with_step(dt / steps, past) : *stepper_;
    const bool again = any_step_ && state.reals[at.last_step()] == dt && state.reals[at.past_step()] == past;
    if (any_step_ && !again) change_step(state, stepper, dt, past);

    const bool tied = any_on(loads.live);
    if (axes_ && steps > 1 && !any_step_ && !tied) return repeat(state, loads, steps, scratch);
    const Motion m = motion(state);
    const StepCourse course = at.course(p);
    course.start_from(supports_.prescribed(), m.u, m.v, m.force_old);
    if (axes_) {
        std::array<double, FloatingAxes::kReals> before{};
        std::copy_n(axes, before.size(), before.begin());
        axes_->advance_under(axes, before.data(), m.u, loads.force, loads.gravity, {}, dt);
        external_force(loads, axes, course.force_end);
        // A pull on a point turns the axes, so that each sub-step has to move them itself.
        if (tied) std::copy(before.begin(), before.end(), axes);
    } else {
        external_force(loads, axes, course.force_end);
    }
    supports_.targets(loads, course.start + at.np, dt, course.end, course.end + at.np, course.end + 2 * at.np);
    report = advance(stepper, state, loads, count, scratch);
    report.trouble |= first.trouble;
    report.iterations += first.iterations;
    state.time += dt;
    state.marks[Layout::kSubSteps] = count;
    // Only for a step that is likely to come again: they cost as much as several steps.
    if (again && at.supports > 0 && state.reals[at.tangents_known()] == 0.0) {
        measure_tangents(stepper, count, scratch, state.reals.data() + at.tangents());
        state.reals[at.tangents_known()] = 1.0;
    }
    return report;
}

// Only BDF2 looks back. A step much longer than the last would make it unstable: then it starts anew.
double LinearDeformer::past_of(const State& state, double dt) const noexcept {
    const double last = state.reals[Layout(*this).last_step()];
    return settings_.scheme.scheme == Scheme::bdf2 && last > 0.0 && dt <= kLongestAfterLast * last ? last : dt;
}

void LinearDeformer::change_step(State& state, const Stepper& stepper, double dt, double past) const noexcept {
    const Layout at(*this);
    if (state.reals[at.last_step()] != past) stepper.imagine_past(motion(state));
    state.reals[at.last_step()] = dt;
    state.reals[at.past_step()] = past;
    state.reals[at.tangents_known()] = 0.0;
}

// The axes turn within a step: several steps are taken one by one, under the same loads.
StepReport LinearDeformer::repeat(State& state, const Loads& loads, int steps, Workspace& scratch) const noexcept {
    StepReport sum;
    sum.sub_steps = 0;
    for (int i = 0; i < steps; ++i) {
        const StepReport one = step(state, loads, settings_.scheme.step, scratch);
        sum.trouble |= one.trouble;
        sum.sub_steps += one.sub_steps;
        sum.iterations += one.iterations;
        sum.residual = one.residual;
        sum.where = one.where;
    }
    state.marks[Layout::kSubSteps] = sum.sub_steps;
    return sum;
}

// A state that nobody started: its own displacements and velocities, the forces of the coming step.
StepReport LinearDeformer::start_in_place(State& state, const Loads& loads, Workspace& scratch) const noexcept {
    const Layout at(*this);
    double* p = scratch.reals.data();
    double* axes = state.reals.data() + at.axes();
    const Motion m = motion(state);
    if (axes_) axes_->remember(axes, axes_->total(axes, m.u, loads.force, loads.gravity));
    const StepCourse course = at.course(p);
    external_force(loads, axes, course.force_end);
    for (std::size_t i = 0; i < at.np; ++i) {
        const auto dof = static_cast<std::size_t>(supports_.prescribed()[i]);
        course.end[i] = m.u[dof];
        course.end[at.np + i] = m.v[dof];
        course.end[2 * at.np + i] = 0.0;
    }
    const SolveReport solved = stepper_->start(m, course.force_end, at.prescribed(course.end), at.stepper(p));
    if (axes_) axes_->remove_rigid(m.a);
    state.marks[Layout::kStarted] = 1;
    if (any_step_) state.reals[at.last_step()] = 0.0;
    StepReport report;
    report.iterations = solved.iterations;
    if (!solved.converged) report.trouble |= Trouble::not_converged;
    return report;
}

// The k-th of `count` sub-steps, up to the solution for its unknown.
SolveReport LinearDeformer::begin_sub_step(const Stepper& stepper, const Motion& m, int k, int count,
                                           double* p) const noexcept {
    const Layout at(*this);
    const StepCourse course = at.course(p);
    course.move_to(k, count, count * stepper.settings().step);
    stepper.predict(m, course.force_now, at.prescribed(course.now), at.stepper(p));
    return stepper.solve(m, at.stepper(p));
}

LinearLive::Step LinearDeformer::live_step(const Stepper& stepper, State& state, const Loads& loads,
                                           Workspace& scratch) const noexcept {
    const Layout at(*this);
    double *p = scratch.reals.data(), *s = state.reals.data();
    return {.live = loads.live,
            .end = {},
            .stepper = stepper,
            .motion = motion(state),
            .readouts = s + at.live(),
            .active = state.marks.data() + Layout::kActive,
            .scratch = at.stepper(p) + stepper.scratch_size(),
            .step_scratch = at.stepper(p),
            .columns = scratch.cached.data(),
            .keys = scratch.cache_keys.data(),
            .axes = axes_ ? s + at.axes() : nullptr,
            .loads = &loads};
}

StepReport LinearDeformer::advance(const Stepper& stepper, State& state, const Loads& loads, int count,
                                   Workspace& scratch) const noexcept {
    const Layout at(*this);
    double* p = scratch.reals.data();
    const StepCourse course = at.course(p);
    const double h = stepper.settings().step;
    std::array<double, FloatingAxes::kReals> axes_before{};
    LinearLive::Step live = live_step(stepper, state, loads, scratch);
    live.axes_before = axes_before.data();
    const Motion& m = live.motion;
    const bool tied = any_on(loads.live);
    StepReport report;
    report.sub_steps = count;
    report.solver = any_step_ ? "" : stepper.solver().name();  // of any step: nothing is factored
    if (tied) live_->begin(live);
    for (int k = 1; k <= count; ++k) {
        if (axes_ && tied) {
            std::copy_n(live.axes, axes_before.size(), axes_before.begin());
            axes_->advance_under(live.axes, live.axes_before, m.u, loads.force, loads.gravity, {}, h);
        }
        const SolveReport solved = begin_sub_step(stepper, m, k, count, p);
        report.iterations += solved.iterations;
        report.residual = solved.residual;
        if (!solved.converged) report.trouble |= Trouble::not_converged;
        live.end = {static_cast<double>(k) / count, count * h};
        // Called also when nothing is tied, so that a released slot forgets its force and stiffness.
        if (tied || live_->points().any_active(live.active)) report.trouble |= live_->apply(live);
        stepper.finish(m, course.force_now, at.prescribed(course.now), at.stepper(p));
        if (k == count) read_reactions(live, state, course.force_now);  // of the step's own balance, before it settles
        if (tied) live_->settle(live);
        if (axes_) {
            axes_->remove_rigid(m.u);
            axes_->remove_rigid(m.v);
        }
    }
    if (any_step_ && report.iterations > 0) report.solver = "cg";
    for (std::size_t i = 0; i < at.n; ++i) {
        if (!std::isfinite(m.u[i]) || !std::isfinite(m.v[i])) {
            report.trouble |= Trouble::non_finite;
            report.where = static_cast<std::int32_t>(i / static_cast<std::size_t>(body_->mesh().dimension()));
            break;
        }
    }
    return report;
}

void LinearDeformer::read_reactions(const LinearLive::Step& live, State& state, const double* force) const noexcept {
    double* r = live.stepper.reactions(live.motion, force, live.step_scratch);
    // A live point in a cell with held corners pulls on those too.
    if (any_on(live.live)) live_->points().subtract_force(live.live, r, live.scratch);
    supports_.sum_reactions(r, reaction_slots(state));
}

std::span<Wrench> LinearDeformer::reaction_slots(State& state) const noexcept {
    const Layout at(*this);
    static_assert(sizeof(Wrench) == 6 * sizeof(double));
    return {reinterpret_cast<Wrench*>(state.reals.data() + at.reactions()), at.supports};
}

}  // namespace limber
