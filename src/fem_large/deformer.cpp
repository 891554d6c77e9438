#include "core/text.hpp"
#include "deform/loads_fit.hpp"
#include "deform/option_specs.hpp"
#include "fem_large/pieces.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kLargestGain = 1e-3;  // energy that a step may make out of nothing, of what the body has,
constexpr double kLargestSum = 1e-2;   // once it has made so much in all
constexpr double kGainLeft = 1e-4;     // where damping takes it back, it takes all but this
constexpr double kMostLetPass = 1e-2;  // the same where there is no way to take it back
constexpr int kMostRounds = 8;

bool averages_over_step(Scheme scheme) {
    return scheme == Scheme::newmark_implicit || scheme == Scheme::implicit_midpoint;
}

}  // namespace

ElasticDeformer::ElasticDeformer(const char* method_name, std::shared_ptr<const Body> body, OptionValues options,
                                 const ElasticSettings& settings, std::unique_ptr<const ElasticModel> model,
                                 Progress& progress, std::vector<std::string> remarks)
    : name_(method_name),
      body_(std::move(body)),
      options_(std::move(options)),
      settings_(settings),
      system_(*body_, std::move(model), settings.assembly, progress),
      solver_(make_tangent_solver(*body_, system_.pattern(), system_.supports().prescribed(), system_.model().apart())),
      live_(*body_, system_, *solver_, settings.max_live),
      newton_(system_, *solver_, live_, settings_),
      remarks_(std::move(remarks)),
      far_(1e6 * diagonal_of(body_->mesh())) {}

void ElasticDeformer::save(ByteWriter& out) const { save_options(out, options_); }

std::vector<std::pair<std::string, double>> ElasticDeformer::facts() const {
    return {{"unknowns", static_cast<double>(system_.supports().free().size())},
            {"bbar", settings_.assembly.integration == Integration::bbar ? 1.0 : 0.0}};
}

State ElasticDeformer::rest_state() const {
    const Pieces at(*this);
    State state;
    state.reals.assign(at.state_reals(), 0.0);
    state.marks.assign(at.state_marks(), 0);
    system_.model().warm_start(state.reals.data() + at.warm());
    return state;
}

Workspace ElasticDeformer::make_workspace() const {
    const Pieces at(*this);
    Workspace w;
    w.reals.assign(at.work_reals(), 0.0);
    w.marks.assign(at.state_marks(), 0);
    return w;
}

bool ElasticDeformer::state_fits(const State& state, const Workspace& scratch) const noexcept {
    const Pieces at(*this);
    return state.reals.size() == at.state_reals() && state.marks.size() == at.state_marks() &&
           scratch.reals.size() >= at.work_reals() && scratch.marks.size() >= at.state_marks();
}

void ElasticDeformer::external_force(const Loads& loads, double* out) const noexcept {
    const auto d = static_cast<std::size_t>(system_.dimension());
    for (std::size_t v = 0; v < system_.weight().size(); ++v) {
        for (std::size_t i = 0; i < d; ++i) {
            const int axis = static_cast<int>(i);
            out[v * d + i] = system_.weight()[v] * loads.gravity[axis] +
                             (loads.force.empty() ? 0.0 : loads.force[v][axis]);
        }
    }
}

// Accelerations of the state as it is under force_end(w).
void ElasticDeformer::start_motion(State& state, StepReport& report, const Pieces& at, double* w) const noexcept {
    double* p = state.reals.data();
    std::copy_n(at.force_end(w), at.n, p + at.force_old());
    state.marks[Pieces::kStarted] = 1;
    p[at.last_step()] = 0.0;
    p[at.gained()] = 0.0;
    if (settings_.scheme == Scheme::quasi_static) return;
    const SolveReport solved = newton_.accelerate(p + at.u(), p + at.v(), p + at.a(), at.force_end(w), p + at.warm(),
                                                  at.newton(w));
    report.iterations += solved.iterations;
    if (!solved.converged) report.trouble |= Trouble::not_converged;
}

StepReport ElasticDeformer::start(State& state, const Loads& now, Workspace& scratch) const noexcept {
    StepReport report;
    if (!state_fits(state, scratch)) report.trouble |= Trouble::bad_state;
    if (!loads_fit(*body_, now) || !live_.fits(now.live)) report.trouble |= Trouble::bad_loads;
    if (report.trouble != Trouble::none) return report;
    const Pieces at(*this);
    double *p = state.reals.data(), *w = scratch.reals.data();
    const bool moves = settings_.scheme != Scheme::quasi_static;
    const auto& held = system_.supports().prescribed();
    external_force(now, at.force_end(w));
    system_.supports().targets(now.handles, at.end_u(w), at.end_u(w) + at.np, at.end_u(w) + 2 * at.np);
    for (std::size_t i = 0; i < at.np; ++i) {
        const auto dof = static_cast<std::size_t>(held[i]);
        p[at.u() + dof] = at.end_u(w)[i];
        p[at.v() + dof] = moves ? at.end_u(w)[at.np + i] : 0.0;
        p[at.a() + dof] = moves ? at.end_u(w)[2 * at.np + i] : 0.0;
    }
    start_motion(state, report, at, w);
    if (!moves) return report;
    const double* r = newton_.balance(p + at.u(), p + at.v(), p + at.a(), at.force_end(w), p + at.warm(), at.newton(w));
    system_.supports().sum_reactions(r, {reinterpret_cast<Wrench*>(p + at.reactions()), at.supports}, p + at.u());
    return report;
}

StepReport ElasticDeformer::step(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept {
    StepReport report;
    if (!(dt > 0.0) || !std::isfinite(dt)) report.trouble |= Trouble::wrong_step;
    if (!state_fits(state, scratch)) report.trouble |= Trouble::bad_state;
    if (!loads_fit(*body_, loads) || !live_.fits(loads.live)) report.trouble |= Trouble::bad_loads;
    if (report.trouble != Trouble::none) return report;
    const Pieces at(*this);
    double *p = state.reals.data(), *w = scratch.reals.data();
    report.solver = solver_->name();
    external_force(loads, at.force_end(w));
    std::copy(state.marks.begin(), state.marks.end(), scratch.marks.begin());
    std::copy(state.reals.begin(), state.reals.end(), at.backup(w));
    const auto& held = system_.supports().prescribed();
    // A state that nobody started: its own displacements and velocities, the forces of the coming step.
    if (state.marks[Pieces::kStarted] == 0) {
        for (const std::int32_t h : held) p[at.a() + static_cast<std::size_t>(h)] = 0.0;
        start_motion(state, report, at, w);
        std::copy(state.marks.begin(), state.marks.end(), scratch.marks.begin());
        std::copy(state.reals.begin(), state.reals.end(), at.backup(w));
    }
    std::copy_n(p + at.force_old(), at.n, at.force_start(w));
    // A body at rest is in balance without loads: parts of its first static step bring them on one after the other.
    if (settings_.scheme == Scheme::quasi_static && p[at.last_step()] == 0.0 &&
        std::all_of(p + at.u(), p + at.u() + at.n, [](double u) { return u == 0.0; })) {
        std::fill_n(at.force_start(w), at.n, 0.0);
    }
    system_.supports().targets(loads.handles, at.end_u(w), at.end_u(w) + at.np, at.end_u(w) + 2 * at.np);
    for (std::size_t i = 0; i < at.np; ++i) {
        at.start_u(w)[i] = p[at.u() + static_cast<std::size_t>(held[i])];
        at.start_u(w)[at.np + i] = p[at.v() + static_cast<std::size_t>(held[i])];
    }
    const Trouble before = report.trouble;
    int parts_for_gain = 0;
    // Where the last step had to be cut because it gained energy, this one will have to be as well: it begins with half
    // as many parts.
    int count = std::clamp(state.marks[Pieces::kGainParts] / 2, 1, settings_.max_sub_steps);
    while (count <= settings_.max_sub_steps) {
        report.trouble = before;
        double gained = 0.0;
        if (advance(state, loads, dt, count, scratch, report, gained)) {
            state.time += dt;
            state.marks[Pieces::kGainParts] = parts_for_gain > 0 || state.marks[Pieces::kGainParts] / 2 == count ? count
                                                                                                                 : 0;
            return report;
        }
        std::copy_n(at.backup(w), state.reals.size(), state.reals.begin());
        std::copy_n(scratch.marks.begin(), state.marks.size(), state.marks.begin());
        count *= 2;
        // A gain falls with the fourth power of the part.
        for (double left = gained / 16; left > kLargestGain && 2 * count <= settings_.max_sub_steps; left /= 16)
            count *= 2;
        if (gained > 0.0) parts_for_gain = count;
    }
    return report;
}

// BDF2 looks back over one step, which may have had another length. At first there is none, and one that was much
// shorter would make it unstable: such a step is backward Euler's, which takes nothing from the past but u and v and so
// cannot put energy into the body. One step of it leaves the order at 2.
SchemeSettings ElasticDeformer::scheme_of(double last_step, double h) const noexcept {
    SchemeSettings scheme{settings_.scheme, h};
    if (settings_.scheme != Scheme::bdf2) return scheme;
    if (last_step > 0.0 && h <= kLongestAfterLast * last_step)
        scheme.past_step = last_step;
    else
        scheme.scheme = Scheme::backward_euler;
    return scheme;
}

// Base vectors of the scheme, prescribed values in their places, and the last acceleration (displacement) as first
// guess.
void ElasticDeformer::predict(State& state, const SchemeSettings& scheme, const Coefficients& form, const Pieces& at,
                              double* w) const noexcept {
    const double *u = state.reals.data() + at.u(), *v = state.reals.data() + at.v(), *a = state.reals.data() + at.a();
    const double *old_u = state.reals.data() + at.u_old(), *old_f = state.reals.data() + at.force_old();
    const bool middle = scheme.scheme == Scheme::implicit_midpoint;
    const double h = scheme.step, ratio = scheme.past_step > 0.0 ? h / scheme.past_step : 1.0;
    const double here = (1 + ratio) * (1 + ratio) / (1 + 2 * ratio), there = ratio * ratio / (1 + 2 * ratio);
    double *ue = at.eval_u(w), *ve = at.eval_v(w), *ub = at.base_u(w), *vb = at.base_v(w), *x = at.x(w);
    for (std::size_t i = 0; i < at.n; ++i) {
        switch (scheme.scheme) {
            case Scheme::newmark_implicit:
                ub[i] = u[i] + h * v[i] + h * h / 4 * a[i], vb[i] = v[i] + h / 2 * a[i];
                break;
            case Scheme::bdf2:
                vb[i] = here * v[i] - there * old_u[at.n + i];
                ub[i] = here * u[i] - there * old_u[i] + form.end_v * vb[i];
                break;
            case Scheme::quasi_static: ub[i] = vb[i] = 0.0; break;
            default: ub[i] = u[i] + h * v[i]; vb[i] = v[i];  // backward Euler and the midpoint start from free flight
        }
        ue[i] = middle ? u[i] + h / 2 * v[i] : ub[i];
        ve[i] = vb[i];
        x[i] = form.inertia ? a[i] : u[i];
        at.eval_a(w)[i] = 0.0;
        at.force_eval(w)[i] = middle ? (at.force_now(w)[i] + old_f[i]) / 2 : at.force_now(w)[i];
    }
    const double share = middle ? 0.5 : 1.0;
    const double *end_u = at.now_u(w), *end_v = end_u + at.np, *end_a = end_v + at.np;
    for (std::size_t k = 0; k < at.np; ++k) {
        const auto i = static_cast<std::size_t>(system_.supports().prescribed()[k]);
        ue[i] = share * end_u[k] + (1 - share) * u[i];
        ve[i] = share * end_v[k] + (1 - share) * v[i];
        at.eval_a(w)[i] = share * end_a[k] + (1 - share) * a[i];
        ub[i] = end_u[k];
        vb[i] = end_v[k];
        x[i] = 0.0;
    }
}

void ElasticDeformer::finish(State& state, double h, const Coefficients& form, const Pieces& at,
                             double* w) const noexcept {
    double *u = state.reals.data() + at.u(), *v = state.reals.data() + at.v(), *a = state.reals.data() + at.a();
    if (at.past > 0) {
        std::copy_n(u, at.n, state.reals.data() + at.u_old());
        std::copy_n(v, at.n, state.reals.data() + at.u_old() + at.n);
    }
    for (std::size_t i = 0; i < at.n; ++i) {
        u[i] = at.base_u(w)[i] + form.end_u * at.x(w)[i];
        v[i] = form.inertia ? at.base_v(w)[i] + form.end_v * at.x(w)[i] : 0.0;
        a[i] = form.inertia ? at.x(w)[i] : 0.0;
    }
    const double* end_a = at.now_u(w) + 2 * at.np;
    for (std::size_t k = 0; form.inertia && k < at.np; ++k) a[system_.supports().prescribed()[k]] = end_a[k];
    std::copy_n(at.force_now(w), at.n, state.reals.data() + at.force_old());
    state.reals[at.last_step()] = h;
}

// A stiff body that turns far within a step is thrown about by schemes that damp nothing: their elastic forces are
// those of one place (the middle's, or the mean of both ends'), and the work of those is not the energy stored. Steps
// that make too much energy in this way are cut; this is about a part that cannot be cut any more. By the midpoint rule
// it is solved again with as much stiffness damping as takes the gain back. At the end of a step of average
// acceleration the velocity rings about what the body does, and damping it may give instead of take: a little more is
// let pass there.
StepOutcome ElasticDeformer::take_back_gain(StepProblem& problem, const StepOutcome& first, EnergyGain& made,
                                            double* scratch) const noexcept {
    const bool middle = settings_.scheme == Scheme::implicit_midpoint;
    if (!middle && made.share() <= kMostLetPass) return first;
    StepOutcome done = first;
    double extra = 0.0;
    for (int round = 0; middle && round < kMostRounds; ++round) {
        made = newton_.energy_gain(problem, middle, extra, scratch);
        if (made.gain <= kGainLeft * made.whole) return done;
        if (!(made.taken > 0.0)) break;
        // What is left falls with the square of strong damping.
        if (extra == 0.0)
            extra = made.gain / made.taken;
        else
            extra *= std::clamp(std::sqrt(made.gain / (0.5 * kGainLeft * made.whole)), 1.5, 100.0);
        problem.beta = system_.beta() + extra;
        const StepOutcome again = newton_.run(problem, scratch);
        done.linearisations += again.linearisations;
        done.iterations += again.iterations;
        done.residual = again.residual;
        done.trouble |= again.trouble;
        done.where = again.where;
        if (!again.good) break;
    }
    done.good = false;
    done.trouble |= Trouble::not_converged;
    return done;
}

bool ElasticDeformer::advance(State& state, const Loads& loads, double dt, int count, Workspace& scratch,
                              StepReport& report, double& gained) const noexcept {
    const Pieces at(*this);
    double *p = state.reals.data(), *w = scratch.reals.data();
    std::int32_t* active = state.marks.data() + Pieces::kActive;
    for (std::size_t s = 0; s < at.slots; ++s) {
        if (s >= loads.live.size() || !is_on(loads.live[s]))
            active[s] = 0;
        else if (!loads.live[s].unilateral)
            active[s] = 1;
    }
    if (at.slots > 0) live_.begin(loads.live, p + at.u(), p + at.v(), active, p + at.live(), at.live(w));
    report.sub_steps = count;
    const double h = dt / count;
    const bool averages = averages_over_step(settings_.scheme) && system_.model().has_energy();
    const bool tied = std::any_of(loads.live.begin(), loads.live.end(), is_on),
               middle = settings_.scheme == Scheme::implicit_midpoint;
    for (int k = 1; k <= count; ++k) {
        const double part = static_cast<double>(k) / count;
        targets_within(at.np, part, dt, at.start_u(w), at.end_u(w), at.now_u(w));
        for (std::size_t i = 0; i < at.n; ++i) {
            at.force_now(w)[i] = k == count ? at.force_end(w)[i]
                                            : at.force_start(w)[i] + part * (at.force_end(w)[i] - at.force_start(w)[i]);
        }
        const SchemeSettings scheme = scheme_of(p[at.last_step()], h);
        const Coefficients form = coefficients(scheme);
        predict(state, scheme, form, at, w);
        if (at.slots > 0) live_.aim(loads.live, {part, dt}, p + at.a(), at.live(w));
        StepProblem problem{form,         at.eval_u(w),  at.eval_v(w), at.eval_a(w),   at.base_u(w),
                            at.base_v(w), p + at.u(),    p + at.v(),   system_.beta(), at.force_eval(w),
                            at.x(w),      p + at.warm(), loads.live,   active,         at.live(w)};
        StepOutcome done = newton_.run(problem, at.newton(w));
        if (done.good && averages && !tied) {
            EnergyGain made = newton_.energy_gain(problem, middle, 0.0, at.newton(w));
            gained = made.share();
            const bool too_much = gained > kLargestGain && p[at.gained()] + made.gain > kLargestSum * made.whole,
                       finest = 2 * count > settings_.max_sub_steps;
            if (too_much && !finest) return false;
            if (too_much) done = take_back_gain(problem, done, made, at.newton(w));
            p[at.gained()] = std::max(0.0, p[at.gained()] + made.gain);
        }
        report.linearisations += done.linearisations;
        report.iterations += done.iterations;
        report.residual = k == 1 ? done.residual : std::max(report.residual, done.residual);
        report.trouble |= done.trouble;
        report.where = done.where;
        if (!done.good) return false;
        finish(state, h, form, at, w);
        if (k == count) read_out(state, loads, problem, count == 1, report, at, w);
        if (averages_over_step(settings_.scheme) && at.slots > 0) {
            live_.settle(loads.live, active, p + at.v(),
                         settings_.scheme == Scheme::newmark_implicit ? p + at.a() : nullptr, at.live(w));
        }
    }
    for (std::size_t i = 0; i < 3 * at.n; ++i)
    // A single linearisation that leads nowhere may grow without bound long before it overflows.
    {
        if (!std::isfinite(p[i]) || (i < at.n && std::abs(p[i]) > far_)) {
            report.trouble |= Trouble::non_finite;
            report.where = static_cast<std::int32_t>(i % at.n / static_cast<std::size_t>(system_.dimension()));
            return false;
        }
    }
    const std::int32_t inverted = system_.model().inverted_cell(p + at.u());
    if (inverted >= 0) {
        report.trouble |= Trouble::inverted_cell;
        report.where = inverted;
    }
    return true;
}

void ElasticDeformer::read_out(State& state, const Loads& loads, const StepProblem& problem, bool whole,
                               StepReport& report, const Pieces& at, double* w) const noexcept {
    double* p = state.reals.data();
    double* scratch = at.newton(w);
    const double* place = newton_.place(scratch);
    system_.supports().sum_reactions(newton_.residual(scratch),
                                     {reinterpret_cast<Wrench*>(p + at.reactions()), at.supports}, place);
    if (at.slots > 0) live_.read_out(loads.live, problem.active, place, p + at.live(), at.live(w));
    state.marks[Pieces::kSubSteps] = report.sub_steps;
    state.marks[Pieces::kTangents] = 0;
    const bool tied = std::any_of(loads.live.begin(), loads.live.end(), is_on);
    if (!settings_.handle_stiffness || !whole || tied || body_->handles().empty()) return;
    const double share = settings_.scheme == Scheme::implicit_midpoint ? 0.5 : 1.0;
    bool good = true;
    for (std::size_t s = body_->anchors().size(); s < at.supports; ++s) {
        Mat3 k;
        good = newton_.support_stiffness(problem, s, share, k, report.iterations, scratch) && good;
        for (int i = 0; i < 9; ++i) p[at.tangents() + 9 * s + static_cast<std::size_t>(i)] = k(i / 3, i % 3);
    }
    state.marks[Pieces::kTangents] = good ? 1 : 0;
}

}  // namespace limber
