#include "elastic/newton.hpp"

#include "elastic/vectors.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr int kMostHalvings = 14;
constexpr double kArmijo = 1e-4;
constexpr double kRounding = 1e-13;     // what sums over a body may be off by, relative to their terms
constexpr double kLoosest = 1e-2;       // of a linear solve

bool any_on(std::span<const PointConstraint> live) { return std::any_of(live.begin(), live.end(), is_on); }

}  // namespace

struct Newton::Vectors {
    Vectors(const Newton& newton, double* p) : n(newton.system_.size()) {
        for (double** v : {&u, &v_, &a, &g, &r, &balance, &x_try, &dx, &product, &spare, &b}) *v = p, p += n;
        values = p, p += newton.system_.pattern().columns.size() * static_cast<std::size_t>(newton.system_.dimension() * newton.system_.dimension());
        kept = p, p += newton.system_.kept_size();
        model = p, p += newton.system_.model().scratch_size();
        solver = p;
    }
    static std::size_t size(const Newton& newton) {
        const ElasticSystem& s = newton.system_;
        return 11 * s.size() + s.pattern().columns.size() * static_cast<std::size_t>(s.dimension() * s.dimension()) + s.kept_size() +
               s.model().scratch_size() + newton.solver_.scratch_size();
    }
    std::size_t n;
    double *u, *v_, *a, *g;     // where the step balances
    double *r, *balance;        // residual without and with live forces
    double *x_try, *dx, *product, *spare, *b;
    double *values, *kept, *model, *solver;
};

Newton::Newton(const ElasticSystem& system, const TangentSolver& solver, const ElasticLive& live, const ElasticSettings& settings)
    : system_(system), solver_(solver), live_(live), settings_(settings) {}

std::size_t Newton::scratch_size() const { return Vectors::size(*this); }
double* Newton::residual(double* scratch) const noexcept { return Vectors(*this, scratch).balance; }
const double* Newton::place(double* scratch) const noexcept { return Vectors(*this, scratch).u; }

// At s.u: forces, energy, and the step's matrix without its prescribed unknowns; with `damping` also D(u) v.
double Newton::linearise(const StepProblem& p, bool positive, double* damping, Vectors& s) const noexcept {
    const bool moves = p.form.inertia;
    const TangentWeights weights{p.form.eval_u, moves ? p.form.eval_v * system_.beta() : 0.0, positive};
    const ElasticModel& model = system_.model();
    const double energy = damping != nullptr ? model.linearise_moving(s.u, s.v_, weights, p.warm, s.g, damping, s.values, s.model)
                                             : model.linearise(s.u, weights, p.warm, s.g, s.values, s.model);
    if (moves) system_.add_mass(1.0, p.form.eval_v, s.values);
    system_.project(s.values, s.kept);
    return energy;
}

Newton::Point Newton::evaluate(const StepProblem& p, const double* x, Want want, Vectors& s) const noexcept {
    const bool moves = p.form.inertia;
    for (std::size_t i = 0; i < s.n; ++i) s.u[i] = p.eval_u[i] + p.form.eval_u * x[i];
    for (std::size_t i = 0; moves && i < s.n; ++i) s.v_[i] = p.eval_v[i] + p.form.eval_v * x[i], s.a[i] = p.eval_a[i] + x[i];
    Point at;
    double* const damping = moves && system_.beta() > 0.0 ? s.b : nullptr;      // b is made anew for every direction
    at.energy = want == Want::gradient ? system_.model().gradient(s.u, p.warm, s.g, s.model) : linearise(p, want == Want::positive, damping, s);
    if (want == Want::gradient && damping != nullptr) system_.model().viscous(s.u, s.v_, p.warm, damping, s.model);
    at.scale = norm_n(s.n, s.g) + norm_n(s.n, p.force);
    for (std::size_t i = 0; i < s.n; ++i) s.r[i] = s.g[i] - p.force[i];
    if (moves) {
        system_.inertia(s.a, s.v_, s.product, s.spare);
        at.scale += norm_n(s.n, s.product);
        for (std::size_t i = 0; i < s.n; ++i) s.r[i] += s.product[i];
    }
    if (damping != nullptr) {
        at.scale += system_.beta() * norm_n(s.n, damping);
        for (std::size_t i = 0; i < s.n; ++i) s.r[i] += system_.beta() * damping[i];
    }
    free_norms(p, at, s);
    return at;
}

void Newton::free_norms(const StepProblem& p, Point& at, Vectors& s) const noexcept {
    std::copy_n(s.r, s.n, s.balance);
    if (live_.capacity() > 0) live_.subtract_force(p.live, s.balance, p.live_scratch);
    double sum = 0.0;
    for (const std::int32_t f : system_.supports().free()) sum += s.balance[f] * s.balance[f];
    at.residual = std::sqrt(sum);
}

// False when there is none that leads downhill.
bool Newton::direction(const StepProblem& p, double tolerance, StepOutcome& out, Vectors& s) const noexcept {
    for (std::size_t i = 0; i < s.n; ++i) s.b[i] = -s.balance[i], s.dx[i] = 0.0;
    system_.clear_prescribed(s.b);
    solver_.refresh(s.values, s.u, s.solver);
    const SolveReport solved = solver_.solve(s.values, s.b, s.dx, tolerance, settings_.max_iterations, s.solver);
    out.iterations += solved.iterations;
    out.residual = solved.residual;
    if (!solved.converged && solved.iterations < settings_.max_iterations) return false;
    if (any_on(p.live)) {
        const SolveReport columns = live_.solve_columns(p.live, s.values, std::min(tolerance, settings_.linear_tolerance), settings_.max_iterations,
                                                        p.live_scratch, s.solver);
        out.iterations += columns.iterations;
        if (!columns.converged && columns.iterations < settings_.max_iterations) return false;
        for (std::size_t i = 0; i < s.n; ++i) s.product[i] = p.base_u[i] + p.form.end_u * (p.x[i] + s.dx[i]);
        out.trouble = live_.correct(p.live, p.form.end_u, s.product, p.active, s.dx, p.live_scratch);
    }
    if (!solved.converged && settings_.max_newton == 1) out.trouble |= Trouble::not_converged;
    const double length = norm_n(s.n, s.dx);
    return std::isfinite(length) && (any_on(p.live) || length == 0.0 || dot_n(s.n, s.r, s.dx) < 0.0);
}

// The potential along dx is exact but for the elastic energy, which each trial evaluates; D stays that of the linearisation. With live
// constraints, whose forces jump, the residual decides instead.
bool Newton::search(const StepProblem& p, const Point& from, bool first, Point& to, Vectors& s) const noexcept {
    const double cu = p.form.eval_u, cv = p.form.eval_v;
    const bool tied = any_on(p.live), moves = p.form.inertia;
    const double slope = dot_n(s.n, s.r, s.dx), linear = slope - dot_n(s.n, s.g, s.dx);
    double curved = 0.0;
    if (moves && !tied) {
        for (std::size_t i = 0; i < s.n; ++i) s.x_try[i] = cv * s.dx[i];
        system_.inertia(s.dx, s.x_try, s.product, s.spare);
        curved = dot_n(s.n, s.dx, s.product);
        if (system_.beta() > 0.0) {
            system_.model().viscous(s.u, s.dx, p.warm, s.product, s.model);
            curved += cv * system_.beta() * dot_n(s.n, s.dx, s.product);
        }
    }
    double t = 1.0;
    for (int k = 0; k < kMostHalvings; ++k, t /= 2) {
        for (std::size_t i = 0; i < s.n; ++i) s.x_try[i] = p.x[i] + t * s.dx[i];
        to = evaluate(p, s.x_try, Want::gradient, s);
        if (!std::isfinite(to.residual) || !std::isfinite(to.energy)) continue;
        const double change = t * linear + t * t / 2 * curved + (to.energy - from.energy) / cu;
        const double noise = kRounding * ((std::fabs(to.energy) + std::fabs(from.energy)) / cu + std::fabs(t * linear));
        const bool downhill = tied ? first || to.residual <= 2 * from.residual : change <= kArmijo * t * slope + noise;
        if (!downhill && !(to.residual <= 0.1 * from.residual)) continue;
        std::copy_n(s.x_try, s.n, p.x);
        return true;
    }
    return false;
}

// One linearisation, accepted as it is: the linearised residual is what it leaves.
void Newton::take_as_it_comes(const StepProblem& p, const Point& now, StepOutcome& out, Vectors& s) const noexcept {
    const double tolerance = settings_.linear_tolerance;
    out.good = direction(p, tolerance, out, s);
    if (!out.good) {
        evaluate(p, p.x, Want::positive, s);
        ++out.linearisations;
        out.good = direction(p, tolerance, out, s);
    }
    if (!out.good) return;
    for (std::size_t i = 0; i < s.n; ++i) p.x[i] += s.dx[i], s.u[i] += p.form.eval_u * s.dx[i];
    system_.add_kept_rows(s.kept, s.dx, s.r);
    Point end = now;
    free_norms(p, end, s);
}

StepOutcome Newton::run(const StepProblem& p, double* scratch) const noexcept {
    Vectors s(*this, scratch);
    StepOutcome out;
    const bool tied = any_on(p.live), single = settings_.max_newton == 1;
    bool positive = false;
    Point now = evaluate(p, p.x, Want::tangent, s);
    out.linearisations = 1;
    double before = 0.0;
    if (!std::isfinite(now.residual) || !std::isfinite(now.energy)) out.trouble |= Trouble::non_finite;
    else if (now.residual == 0.0 && !tied) out.good = true;
    else if (single) take_as_it_comes(p, now, out, s);
    for (int k = 0; !single && !out.good && std::isfinite(now.residual); ++k) {
        // No further than the next residual can go: as far as wanted, and not beyond what the last one's curvature allows.
        double tolerance = now.residual > 0.0 ? 0.3 * settings_.tolerance * now.scale / now.residual : 0.0;
        if (before > 0.0) tolerance = std::max(tolerance, 0.5 * (now.residual / before) * (now.residual / before));
        tolerance = std::clamp(tolerance, settings_.linear_tolerance, std::max(kLoosest, settings_.linear_tolerance));
        Point next;
        const bool down = direction(p, tolerance, out, s) && search(p, now, k == 0, next, s);
        if (!down && positive) break;
        if (down) {
            before = now.residual;
            now = next;
            out.residual = now.scale > 0.0 ? now.residual / now.scale : 0.0;
            out.good = out.residual <= settings_.tolerance || (out.residual <= 1e-8 && now.residual >= 0.9 * before);
        }
        if (out.good || out.linearisations >= settings_.max_newton) break;
        positive = !down;
        now = evaluate(p, p.x, positive ? Want::positive : Want::tangent, s);
        ++out.linearisations;
    }
    if (out.good) return out;
    out.trouble |= std::isfinite(now.residual) ? Trouble::not_converged : Trouble::non_finite;
    double worst = -1.0;
    for (const std::int32_t f : system_.supports().free())
        if (!(std::fabs(s.balance[f]) <= worst)) worst = std::fabs(s.balance[f]), out.where = f / system_.dimension();
    return out;
}

double* Newton::balance(const double* u, const double* v, const double* a, const double* force, double* warm, double* scratch) const noexcept {
    Vectors s(*this, scratch);
    system_.model().gradient(u, warm, s.g, s.model);
    for (std::size_t i = 0; i < s.n; ++i) s.balance[i] = s.g[i] - force[i];
    if (v == nullptr) return s.balance;
    system_.inertia(a, v, s.product, s.spare);
    for (std::size_t i = 0; i < s.n; ++i) s.balance[i] += s.product[i];
    if (system_.beta() > 0.0) {
        system_.model().viscous(u, v, warm, s.product, s.model);
        for (std::size_t i = 0; i < s.n; ++i) s.balance[i] += system_.beta() * s.product[i];
    }
    return s.balance;
}

SolveReport Newton::accelerate(const double* u, const double* v, double* a, const double* force, double* warm, double* scratch) const noexcept {
    Vectors s(*this, scratch);
    for (const std::int32_t f : system_.supports().free()) a[f] = 0.0;
    const double* r = balance(u, v, a, force, warm, scratch);
    for (std::size_t i = 0; i < s.n; ++i) s.b[i] = -r[i], s.dx[i] = 0.0;
    system_.clear_prescribed(s.b);
    std::fill(s.values, s.kept, 0.0);
    system_.add_mass(1.0, 0.0, s.values);
    system_.project(s.values, s.kept);
    solver_.refresh(s.values, u, s.solver);
    const SolveReport solved = solver_.solve(s.values, s.b, s.dx, 1e-13, 2000, s.solver);
    for (const std::int32_t f : system_.supports().free()) a[f] = s.dx[f];
    return solved;
}

// out += d(beta D(u) v)/du dx, by a central difference: D is a polynomial of low degree in u, so its length does not matter.
void Newton::add_turned_damping(const StepProblem& p, double* out, Vectors& s) const noexcept {
    constexpr double kReach = 1e-3;     // [m] per metre of dx
    for (const double side : {1.0, -1.0}) {
        for (std::size_t i = 0; i < s.n; ++i) s.spare[i] = s.u[i] + side * kReach * s.dx[i], s.b[i] = p.eval_v[i] + p.form.eval_v * p.x[i];
        system_.model().viscous(s.spare, s.b, p.warm, s.product, s.model);
        for (std::size_t i = 0; i < s.n; ++i) out[i] += side * system_.beta() / (2 * kReach) * s.product[i];
    }
}

// out = dg/du s.dx at s.u by central differences; uses s.g and s.b.
void Newton::slope_along(const StepProblem& p, double* out, Vectors& s) const noexcept {
    double largest = 0.0, size = 0.0;
    for (std::size_t i = 0; i < s.n; ++i) largest = std::max(largest, std::fabs(s.dx[i])), size = std::max(size, std::fabs(s.u[i]));
    const double e = 1e-6 * (size + 1e-3) / (largest > 0.0 ? largest : 1.0);
    for (std::size_t i = 0; i < s.n; ++i) s.b[i] = s.u[i] + e * s.dx[i];
    system_.model().gradient(s.b, p.warm, out, s.model);
    for (std::size_t i = 0; i < s.n; ++i) s.b[i] = s.u[i] - e * s.dx[i];
    system_.model().gradient(s.b, p.warm, s.g, s.model);
    for (std::size_t i = 0; i < s.n; ++i) out[i] = (out[i] - s.g[i]) / (2 * e);
}

bool Newton::support_stiffness(const StepProblem& p, std::size_t support, double share, Mat3& out, int& iterations, double* scratch) const noexcept {
    Vectors s(*this, scratch);
    const int dim = system_.dimension();
    const auto& held = system_.supports().prescribed();
    double* const pushed[3] = {s.a, s.v_, s.x_try};     // share K delta, axis by axis
    system_.model().linearise(s.u, {1.0, 0.0, false}, p.warm, s.g, s.values, s.model);
    for (int axis = 0; axis < dim; ++axis) {
        system_.supports().unit_translation(support, axis, s.spare);
        std::fill_n(s.dx, s.n, 0.0);
        for (std::size_t i = 0; i < held.size(); ++i) s.dx[held[i]] = share * s.spare[i];
        if (system_.model().exact_tangent()) system_.multiply_tangent(s.values, s.dx, pushed[axis]);
        else slope_along(p, pushed[axis], s);
        if (p.form.inertia && system_.beta() > 0.0) add_turned_damping(p, pushed[axis], s);
    }
    linearise(p, false, nullptr, s);
    solver_.refresh(s.values, s.u, s.solver);
    bool good = true;
    for (int axis = 0; axis < dim; ++axis) {
        for (std::size_t i = 0; i < s.n; ++i) s.b[i] = -pushed[axis][i], s.dx[i] = 0.0;
        system_.clear_prescribed(s.b);
        const SolveReport solved = solver_.solve(s.values, s.b, s.dx, settings_.linear_tolerance, settings_.max_iterations, s.solver);
        iterations += solved.iterations;
        good = good && solved.converged;
        system_.add_kept_rows(s.kept, s.dx, pushed[axis]);
        for (int i = 0; i < dim; ++i) {
            system_.supports().unit_translation(support, i, s.spare);
            out(i, axis) = 0.0;
            for (std::size_t k = 0; k < held.size(); ++k) out(i, axis) += s.spare[k] * pushed[axis][held[k]];
        }
    }
    return good;
}

}  // namespace limber
