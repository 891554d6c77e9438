#include "core/text.hpp"
#include "deform/loads_fit.hpp"
#include "deform/option_specs.hpp"
#include "fem/vertex_fields.hpp"
#include "fem_large/body_terms.hpp"
#include "fem_large/layout.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kLargestGain = 1e-3;  // energy that a step may make out of nothing, of what the body has,
constexpr double kLargestSum = 1e-2;   // once it has made so much in all
constexpr double kGainLeft = 1e-4;     // where damping takes it back, it takes all but this
constexpr double kMostLetPass = 1e-2;  // the same where there is no way to take it back
constexpr int kMostRounds = 8;

std::vector<std::array<std::int32_t, 2>> couplings_of(const std::vector<std::unique_ptr<const Term>>& terms) {
    std::vector<std::array<std::int32_t, 2>> all;
    for (const auto& term : terms) {
        const auto own = term->couplings();
        all.insert(all.end(), own.begin(), own.end());
    }
    return all;
}

}  // namespace

ElasticDeformer::ElasticDeformer(const char* method_name, std::shared_ptr<const Body> body, OptionValues options,
                                 const ElasticSettings& settings, std::unique_ptr<const ElasticModel> model,
                                 Progress& progress, std::vector<std::string> remarks,
                                 std::vector<std::unique_ptr<const Term>> more)
    : name_(method_name),
      body_(std::move(body)),
      options_(std::move(options)),
      settings_(settings),
      couplings_(couplings_of(more)),
      system_(*body_, std::move(model), settings.assembly, couplings_, progress),
      terms_(list_terms(std::move(more))),
      solver_(make_tangent_solver(*body_, system_.pattern(), system_.supports().prescribed(), system_.model().apart())),
      newton_(system_, *solver_, terms_, settings_),
      remarks_(std::move(remarks)),
      far_(1e6 * diagonal_of(body_->mesh())) {}

TermList ElasticDeformer::list_terms(std::vector<std::unique_ptr<const Term>> more) {
    auto elastic = std::make_unique<ElasticTerm>(system_);
    auto damping = std::make_unique<DampingTerm>(*elastic);
    auto live = std::make_unique<LiveTerm>(*body_, system_.supports().free(), settings_.max_live);
    live_ = live.get();
    std::vector<std::unique_ptr<const Term>> terms;
    terms.push_back(std::move(elastic));
    terms.push_back(std::make_unique<LoadTerm>(system_.size()));
    terms.push_back(std::make_unique<InertiaTerm>(system_));
    terms.push_back(std::move(damping));
    terms.push_back(std::move(live));
    for (auto& term : more) terms.push_back(std::move(term));
    return TermList(std::move(terms), system_.size());
}

void ElasticDeformer::save(ByteWriter& out) const { save_options(out, options_); }

std::vector<std::pair<std::string, double>> ElasticDeformer::facts() const {
    return {{"unknowns", static_cast<double>(system_.supports().free().size())},
            {"bbar", settings_.assembly.integration == Integration::bbar ? 1.0 : 0.0}};
}

State ElasticDeformer::rest_state() const {
    const Layout at(*this);
    State state;
    state.reals.assign(at.state_reals(), 0.0);
    state.marks.assign(at.state_marks(), 0);
    terms_.each(storage(state, nullptr), [](const Term& term, TermMemory own) { term.rest(own); });
    return state;
}

Workspace ElasticDeformer::make_workspace() const {
    const Layout at(*this);
    Workspace w;
    w.reals.assign(at.work_reals(), 0.0);
    w.marks.assign(at.state_marks(), 0);
    return w;
}

bool ElasticDeformer::state_fits(const State& state, const Workspace& scratch) const noexcept {
    const Layout at(*this);
    return state.reals.size() == at.state_reals() && state.marks.size() == at.state_marks() &&
           scratch.reals.size() >= at.work_reals() && scratch.marks.size() >= at.state_marks();
}

Motion ElasticDeformer::motion(State& state) const noexcept {
    const Layout at(*this);
    double* p = state.reals.data();
    double* past = at.past > 0 ? p + at.u_old() : nullptr;
    return {p + at.u(), p + at.v(), p + at.a(), p + at.force_old(), past, past != nullptr ? past + at.n : nullptr};
}

TermList::Storage ElasticDeformer::storage(State& state, double* w) const noexcept {
    const Layout at(*this);
    return {state.reals.data() + at.terms(), state.marks.data() + Layout::kTerms, w != nullptr ? at.terms(w) : w};
}

// Accelerations of the state as it is under force_end(w).
void ElasticDeformer::start_motion(State& state, StepReport& report, const Layout& at, double* w) const noexcept {
    double* p = state.reals.data();
    const double* force = at.course(w).force_end;
    std::copy_n(force, at.n, p + at.force_old());
    state.marks[Layout::kStarted] = 1;
    p[at.last_step()] = 0.0;
    p[at.gained()] = 0.0;
    if (settings_.scheme == Scheme::quasi_static) return;
    const SolveReport solved = newton_.accelerate(p + at.u(), p + at.v(), p + at.a(), force, storage(state, w),
                                                  at.newton(w));
    report.iterations += solved.iterations;
    if (!solved.converged) report.trouble |= Trouble::not_converged;
}

StepReport ElasticDeformer::start(State& state, const Loads& now, Workspace& scratch) const noexcept {
    StepReport report;
    if (!state_fits(state, scratch)) report.trouble |= Trouble::bad_state;
    if (!loads_fit(*body_, now) || !terms_.fits(now)) report.trouble |= Trouble::bad_loads;
    if (report.trouble != Trouble::none) return report;
    const Layout at(*this);
    double *p = state.reals.data(), *w = scratch.reals.data();
    const bool moves = settings_.scheme != Scheme::quasi_static;
    const auto& held = system_.supports().prescribed();
    const StepCourse course = at.course(w);
    external_forces(system_.weight(), now, system_.dimension(), course.force_end);
    system_.supports().targets(now, nullptr, 0.0, course.end, course.end + at.np, course.end + 2 * at.np);
    for (std::size_t i = 0; i < at.np; ++i) {
        const auto dof = static_cast<std::size_t>(held[i]);
        p[at.u() + dof] = course.end[i];
        p[at.v() + dof] = moves ? course.end[at.np + i] : 0.0;
        p[at.a() + dof] = moves ? course.end[2 * at.np + i] : 0.0;
    }
    start_motion(state, report, at, w);
    if (!moves) return report;
    const double* r = newton_.balance({p + at.u(), p + at.v(), p + at.a()}, course.force_end, storage(state, w),
                                      at.newton(w));
    system_.supports().sum_reactions(r, {reinterpret_cast<Wrench*>(p + at.reactions()), at.supports}, p + at.u());
    return report;
}

void ElasticDeformer::lay_out_course(const State& state, const Loads& loads, double dt,
                                     const StepCourse& course) const noexcept {
    const Layout at(*this);
    const double* p = state.reals.data();
    course.start_from(system_.supports().prescribed(), p + at.u(), p + at.v(), p + at.force_old());
    // A body at rest is in balance without loads: parts of its first static step bring them on one after the other.
    if (settings_.scheme == Scheme::quasi_static && p[at.last_step()] == 0.0 &&
        std::all_of(p + at.u(), p + at.u() + at.n, [](double u) { return u == 0.0; })) {
        std::fill_n(course.force_start, at.n, 0.0);
    }
    system_.supports().targets(loads, course.start + at.np, dt, course.end, course.end + at.np, course.end + 2 * at.np);
}

StepReport ElasticDeformer::step(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept {
    StepReport report;
    if (!(dt > 0.0) || !std::isfinite(dt)) report.trouble |= Trouble::wrong_step;
    if (!state_fits(state, scratch)) report.trouble |= Trouble::bad_state;
    if (!loads_fit(*body_, loads) || !terms_.fits(loads)) report.trouble |= Trouble::bad_loads;
    if (report.trouble != Trouble::none) return report;
    const Layout at(*this);
    double *p = state.reals.data(), *w = scratch.reals.data();
    report.solver = solver_->name();
    external_forces(system_.weight(), loads, system_.dimension(), at.course(w).force_end);
    std::copy(state.marks.begin(), state.marks.end(), scratch.marks.begin());
    std::copy(state.reals.begin(), state.reals.end(), at.backup(w));
    // A state that nobody started: its own displacements and velocities, the forces of the coming step.
    if (state.marks[Layout::kStarted] == 0) {
        for (const std::int32_t h : system_.supports().prescribed()) p[at.a() + static_cast<std::size_t>(h)] = 0.0;
        start_motion(state, report, at, w);
        std::copy(state.marks.begin(), state.marks.end(), scratch.marks.begin());
        std::copy(state.reals.begin(), state.reals.end(), at.backup(w));
    }
    lay_out_course(state, loads, dt, at.course(w));
    const Trouble before = report.trouble;
    int parts_for_gain = 0;
    // Where the last step had to be cut because it gained energy, this one will have to be as well: it begins with half
    // as many parts.
    int count = std::clamp(state.marks[Layout::kGainParts] / 2, 1, settings_.max_sub_steps);
    while (count <= settings_.max_sub_steps) {
        report.trouble = before;
        double gained = 0.0;
        if (advance(state, loads, dt, count, scratch, report, gained)) {
            state.time += dt;
            state.marks[Layout::kGainParts] = parts_for_gain > 0 || state.marks[Layout::kGainParts] / 2 == count ? count
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

// The last acceleration (displacement) is the first guess.
StepProblem ElasticDeformer::pose_problem(State& state, const Loads& loads, const SchemeSettings& scheme,
                                          StepMoment end, double* w) const noexcept {
    const Layout at(*this);
    const Motion m = motion(state);
    const StepCourse course = at.course(w);
    const StepVectors step = at.step(w);
    const Coefficients form = coefficients(scheme);
    const auto& held = system_.supports().prescribed();
    predict_motion(scheme, m, course.force_now, {course.now, course.now + at.np, course.now + 2 * at.np}, held, at.n,
                   step);
    std::copy_n(form.inertia ? m.a : m.u, at.n, at.x(w));
    system_.clear_prescribed(at.x(w));
    const TermList::Storage memory = storage(state, w);
    terms_.each(memory, [&](const Term& term, TermMemory own) { term.aim(loads, end, m.a, own); });
    const TermStep of_terms{&loads,      step.force, step.base_u,    form.inertia, form.eval_u,
                            form.eval_v, form.end_u, system_.beta(), scheme.step};
    return {form, step, m.u, m.v, at.x(w), of_terms, memory};
}

// A stiff body that turns far within a step is thrown about by schemes that damp nothing: their elastic forces are
// those at one time (the middle's, or the mean of both ends'), and the work of those is not the energy stored. Steps
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
        problem.step.stiffness_damping = system_.beta() + extra;
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

// Then what a step made out of nothing is known.
bool ElasticDeformer::elastic_energy_only(const TermStep& step) const noexcept {
    return system_.model().has_energy() && terms_.count_of(step, TermValue::energy) == 1 &&
           !terms_.any(step, TermValue::none);
}

bool ElasticDeformer::advance(State& state, const Loads& loads, double dt, int count, Workspace& scratch,
                              StepReport& report, double& gained) const noexcept {
    const Layout at(*this);
    double *p = state.reals.data(), *w = scratch.reals.data();
    const StepCourse course = at.course(w);
    const Motion m = motion(state);
    terms_.each(storage(state, w), [&](const Term& term, TermMemory own) { term.begin(loads, m.u, m.v, own); });
    report.sub_steps = count;
    const double h = dt / count;
    const bool averages = averages_over_step(settings_.scheme), middle = settings_.scheme == Scheme::implicit_midpoint;
    for (int k = 1; k <= count; ++k) {
        course.move_to(k, count, dt);
        const SchemeSettings scheme = scheme_of(p[at.last_step()], h);
        StepProblem problem = pose_problem(state, loads, scheme, {static_cast<double>(k) / count, dt}, w);
        StepOutcome done = newton_.run(problem, at.newton(w));
        if (done.good && averages && elastic_energy_only(problem.step)) {
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
        finish_motion(problem.form, problem.x, course.force_now,
                      {course.now, course.now + at.np, course.now + 2 * at.np}, system_.supports().prescribed(), at.n,
                      problem.at, m);
        p[at.last_step()] = h;
        if (k == count) read_out(state, problem, count == 1, report, w);
        if (!averages) continue;
        double* const rings = settings_.scheme == Scheme::newmark_implicit ? m.a : nullptr;
        terms_.each(problem.memory,
                    [&](const Term& term, TermMemory own) { term.settle(problem.step, m.v, rings, own); });
    }
    if (const std::int32_t lost = lost_vertex(state); lost >= 0) {
        report.trouble |= Trouble::non_finite;
        report.where = lost;
        return false;
    }
    const std::int32_t inverted = system_.model().inverted_cell(m.u);
    if (inverted >= 0) {
        report.trouble |= Trouble::inverted_cell;
        report.where = inverted;
    }
    return true;
}

// A single linearisation that leads nowhere may grow without bound long before it overflows.
std::int32_t ElasticDeformer::lost_vertex(const State& state) const noexcept {
    const std::size_t n = system_.size();
    for (std::size_t i = 0; i < 3 * n; ++i) {
        const double value = state.reals[i];
        if (!std::isfinite(value) || (i < n && std::abs(value) > far_))
            return static_cast<std::int32_t>(i % n / static_cast<std::size_t>(system_.dimension()));
    }
    return -1;
}

void ElasticDeformer::read_out(State& state, const StepProblem& problem, bool whole, StepReport& report,
                               double* w) const noexcept {
    const Layout at(*this);
    double* p = state.reals.data();
    double* scratch = at.newton(w);
    const double* u = newton_.balanced_displacements(scratch);
    system_.supports().sum_reactions(newton_.residual(scratch),
                                     {reinterpret_cast<Wrench*>(p + at.reactions()), at.supports}, u);
    terms_.each(problem.memory, [&](const Term& term, TermMemory own) { term.read_out(problem.step, u, own); });
    state.marks[Layout::kSubSteps] = report.sub_steps;
    state.marks[Layout::kTangents] = 0;
    if (!settings_.handle_stiffness || !whole || terms_.has_rows(problem.step) || body_->handles().empty()) return;
    const double share = settings_.scheme == Scheme::implicit_midpoint ? 0.5 : 1.0;
    bool good = true;
    for (std::size_t s = body_->anchors().size(); s < at.supports; ++s) {
        Mat3 k;
        good = newton_.support_stiffness(problem, s, share, k, report.iterations, scratch) && good;
        for (int i = 0; i < 9; ++i) p[at.tangents() + 9 * s + static_cast<std::size_t>(i)] = k(i / 3, i % 3);
    }
    state.marks[Layout::kTangents] = good ? 1 : 0;
}

}  // namespace limber
