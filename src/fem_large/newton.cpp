#include "fem_large/newton_vectors.hpp"

#include "fem_large/vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr int kMostHalvings = 14;
constexpr double kArmijo = 1e-4;
constexpr double kRounding = 1e-13;     // what sums over a body may be off by, relative to their terms
constexpr double kRoundingSteps = 8.0;  // of forces, in epsilons of stiffness times displacement
constexpr double kLoosest = 1e-2;       // of a linear solve
constexpr double kRough = 0.3;          // of one that only measures how much is left to move
constexpr double kOfStepError =
    1e-2;  // of a linear solve, relative to the error allowed: the estimate of that sees what the solve leaves
constexpr double kUsable = 0.1;        // a solve that float or rounding stopped here still leads downhill
constexpr double kClearlyLess = 0.25;  // of |r|: no need to ask the energy
constexpr double kExactGoal = 1e-9;    // relative |r| at which no estimate of the distance is worth its price
constexpr double kStalled = 1e-8;      // relative |r| that rounding may keep from falling further
constexpr double kSlowest = 0.5;       // rate at which an estimate of the distance left can still be believed
constexpr double kSingleError = 1e-2;  // step_error of a single linearisation, where none larger is asked for
constexpr double kOfShape = 1e-2;      // how much of the body's displacement counts beside its motion in the step
constexpr double kWildGuess =
    0.98;  // relative |r| of a first guess that is no guess: its stress is fifty times what it has to balance
constexpr int kMostIdle = 30;      // corrections within which |r| has to be halved
constexpr int kUphill = 4;         // corrections with a positive tangent before an exact one is tried again
constexpr double kPatience = 3.0;  // corrections more that a slower tangent may take

bool any_on(std::span<const PointConstraint> live) { return std::any_of(live.begin(), live.end(), is_on); }

}  // namespace

Newton::Newton(const ElasticSystem& system, const TangentSolver& solver, const ElasticLive& live,
               const ElasticSettings& settings)
    : system_(system),
      solver_(solver),
      live_(live),
      settings_(settings),
      by_error_(settings.tolerance == 0.0 || settings.max_newton == 1),
      residual_goal_(settings.tolerance > 0.0 ? settings.tolerance : kExactGoal) {}

std::size_t Newton::scratch_size() const { return Vectors::size(*this); }

// At s.u: forces, energy, and the step's matrix without its prescribed unknowns; with `damping` also D(u) v.
double Newton::linearise(const StepProblem& p, Tangent tangent, double* damping, Vectors& s) const noexcept {
    const bool moves = p.form.inertia;
    const TangentWeights weights{p.form.eval_u, moves ? p.form.eval_v * p.beta : 0.0, tangent == Tangent::positive,
                                 tangent == Tangent::cheap};
    const ElasticModel& model = system_.model();
    const double energy = damping != nullptr
                              ? model.linearise_moving(s.u, s.v_, weights, p.warm, s.g, damping, s.values, s.model)
                              : model.linearise(s.u, weights, p.warm, s.g, s.values, s.model);
    if (moves) system_.add_mass(1.0, p.form.eval_v, s.values);
    system_.project(s.values, s.kept);
    return energy;
}

Newton::Point Newton::evaluate(const StepProblem& p, const double* x, Want want, Tangent tangent,
                               Vectors& s) const noexcept {
    const bool moves = p.form.inertia;
    for (std::size_t i = 0; i < s.n; ++i) s.u[i] = p.eval_u[i] + p.form.eval_u * x[i];
    for (std::size_t i = 0; moves && i < s.n; ++i) {
        s.v_[i] = p.eval_v[i] + p.form.eval_v * x[i];
        s.a[i] = p.eval_a[i] + x[i];
    }
    Point at;
    const ElasticModel& model = system_.model();
    double* const damping = moves && p.beta > 0.0 ? s.b : nullptr;  // b is made anew for every direction
    if (want == Want::tangent)
        at.energy = linearise(p, tangent, damping, s);
    else if (damping != nullptr)
        at.energy = model.gradient_moving(s.u, s.v_, p.warm, s.g, damping, s.model);
    else
        at.energy = model.gradient(s.u, p.warm, s.g, s.model);
    at.scale = norm_n(s.n, s.g) + norm_n(s.n, p.force);
    for (std::size_t i = 0; i < s.n; ++i) s.r[i] = s.g[i] - p.force[i];
    if (moves) {
        system_.inertia(s.a, s.v_, s.product, s.spare);
        at.scale += norm_n(s.n, s.product);
        for (std::size_t i = 0; i < s.n; ++i) s.r[i] += s.product[i];
    }
    if (damping != nullptr) {
        at.scale += p.beta * norm_n(s.n, damping);
        for (std::size_t i = 0; i < s.n; ++i) s.r[i] += p.beta * damping[i];
    }
    at.rounding = kRoundingSteps * std::numeric_limits<double>::epsilon() *
                  system_.rest_force(s.u, s.v_, damping != nullptr ? p.beta : 0.0);
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

// Where forces are nothing but rounding, what rounding may leave counts as the goal of an exact solution.
double Newton::relative(const Point& at) const noexcept {
    const double whole = at.scale + at.rounding / kExactGoal;
    return whole > 0.0 ? at.residual / whole : 0.0;
}

bool Newton::balanced(const Point& at) const noexcept { return at.residual <= residual_goal_ * at.scale + at.rounding; }

// False when there is none that leads downhill.
bool Newton::direction(const StepProblem& p, double tolerance, Iteration& it, StepOutcome& out,
                       Vectors& s) const noexcept {
    for (std::size_t i = 0; i < s.n; ++i) s.b[i] = -s.balance[i];
    if (!it.guessed) std::fill_n(s.dx, s.n, 0.0);
    system_.clear_prescribed(s.b);
    if (it.fresh) solver_.refresh(s.values, s.u, s.solver);
    const SolveReport solved = solver_.solve(s.values, s.b, s.dx, tolerance, settings_.max_iterations, s.solver);
    out.iterations += solved.iterations;
    it.solved = solved.converged || solved.iterations < settings_.max_iterations;
    const auto usable = [&](const SolveReport& r) {
        return r.converged || r.iterations >= settings_.max_iterations || r.residual <= kUsable;
    };
    if (!usable(solved)) return false;
    if (any_on(p.live)) {
        SolveReport columns;
        if (it.fresh) {
            columns = live_.solve_columns(p.live, s.values, std::min(tolerance, settings_.linear_tolerance),
                                          settings_.max_iterations, p.live_scratch, s.solver);
        }
        out.iterations += columns.iterations;
        if (!usable(columns)) return false;
        for (std::size_t i = 0; i < s.n; ++i) s.product[i] = p.base_u[i] + p.form.end_u * (p.x[i] + s.dx[i]);
        out.trouble = live_.correct(p.live, p.form.end_u, s.product, p.active, s.dx, p.live_scratch);
    }
    const double length = norm_n(s.n, s.dx);
    return std::isfinite(length) && (any_on(p.live) || length == 0.0 || dot_n(s.n, s.r, s.dx) < 0.0);
}

// Of the incremental potential along dx, but for its elastic part; D where the search starts. Uses b, product and
// spare.
double Newton::curvature(const StepProblem& p, Vectors& s) const noexcept {
    const double cv = p.form.eval_v;
    if (!p.form.inertia) return 0.0;
    for (std::size_t i = 0; i < s.n; ++i) s.b[i] = cv * s.dx[i];
    system_.inertia(s.dx, s.b, s.product, s.spare);
    const double heavy = dot_n(s.n, s.dx, s.product);
    if (!(p.beta > 0.0)) return heavy;
    for (std::size_t i = 0; i < s.n; ++i) s.b[i] = p.eval_u[i] + p.form.eval_u * p.x[i];
    system_.model().viscous(s.b, s.dx, p.warm, s.product, s.model);
    return heavy + cv * p.beta * dot_n(s.n, s.dx, s.product);
}

// The potential along dx is exact but for the elastic energy, which each trial evaluates; D stays that of the
// linearisation. With live constraints, whose forces jump, and for forces without an energy, the residual decides
// instead.
bool Newton::search(const StepProblem& p, Iteration& it, Point& to, Vectors& s) const noexcept {
    const Point& from = it.now;
    const double cu = p.form.eval_u;
    const bool by_residual = any_on(p.live) || !system_.model().has_energy();
    const double slope = dot_n(s.n, s.r, s.dx), linear = slope - dot_n(s.n, s.g, s.dx), length = norm_n(s.n, s.dx);
    if (try_mixed(p, it, to, s)) return true;
    double curved = -1.0;  // not known yet
    double t = 1.0;
    for (int k = 0; k < kMostHalvings; ++k, t /= 2) {
        for (std::size_t i = 0; i < s.n; ++i) s.x_try[i] = p.x[i] + t * s.dx[i];
        to = evaluate(p, s.x_try, Want::gradient, Tangent::exact, s);
        if (!std::isfinite(to.residual) || !std::isfinite(to.energy)) continue;
        bool good = to.residual <= kClearlyLess * from.residual || to.residual <= to.rounding;
        if (!good && by_residual) good = it.before == 0.0 || to.residual <= 2 * from.residual;
        if (!good && !by_residual) {
            if (curved < 0.0) curved = curvature(p, s);
            const double change = t * linear + t * t / 2 * curved + (to.energy - from.energy) / cu;
            const double noise = kRounding *
                                     ((std::fabs(to.energy) + std::fabs(from.energy)) / cu + std::fabs(t * linear)) +
                                 to.rounding * t * length;
            good = change <= kArmijo * t * slope + noise;
        }
        if (!good) continue;
        std::copy_n(s.x_try, s.n, p.x);
        for (std::size_t i = 0; t < 1.0 && i < s.n; ++i) s.dx[i] *= t;
        if (t < 1.0) it.remembered = 0;
        return true;
    }
    return false;
}

// In displacements at the step's end, as a length over all unknowns [m]. The body's own shape (without its mean
// displacement) counts a little, or a body at rest would never be close enough to it.
double Newton::allowed_distance(const StepProblem& p) const noexcept {
    const auto d = static_cast<std::size_t>(system_.dimension());
    const std::size_t n = system_.size();
    double motion = 0.0, square = 0.0, sum[3] = {};
    for (std::size_t i = 0; i < n; ++i) {
        const double u = p.base_u[i] + p.form.end_u * p.x[i], moved = u - p.start_u[i];
        motion += moved * moved;
        square += u * u;
        sum[i % d] += u;
    }
    const double mean = (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) * static_cast<double>(d) /
                        static_cast<double>(n);
    const double error = settings_.max_newton == 1 ? std::max(kSingleError, settings_.step_error)
                                                   : settings_.step_error;
    return error * (std::sqrt(motion) + kOfShape * std::sqrt(std::max(0.0, square - mean)));
}

// After a correction, at its end. What one more with the same matrix would move is the distance left, where corrections
// shrink fast.
bool Newton::close_enough(const StepProblem& p, Iteration& it, StepOutcome& out, Vectors& s) const noexcept {
    out.residual = relative(it.now);
    it.guessed = false;
    it.rate = it.before > 0.0 ? it.now.residual / it.before : 1.0;
    it.left = out.residual > 0.0 ? residual_goal_ / out.residual : 1.0;
    const bool stalled = out.residual <= kStalled && it.now.residual >= 0.9 * it.before && it.solved;
    if (balanced(it.now) || stalled) return true;
    if (!by_error_) return false;
    const double moved = norm_n(s.n, s.dx);
    for (std::size_t i = 0; i < s.n; ++i) s.b[i] = -s.balance[i];
    std::fill_n(s.dx, s.n, 0.0);
    system_.clear_prescribed(s.b);
    const SolveReport rough = solver_.solve(s.values, s.b, s.dx, kRough, settings_.max_iterations, s.solver);
    out.iterations += rough.iterations;
    it.guessed = rough.converged;
    const double more = norm_n(s.n, s.dx);
    it.rate = rough.converged && moved > 0.0 ? more / moved : 1.0;
    const bool shrinks = it.rate < kSlowest;
    const double distance = p.form.end_u * more / (shrinks ? 1.0 - it.rate : 1.0), allowed = allowed_distance(p);
    if (rough.converged && distance > 0.0) it.left = allowed / distance;
    return shrinks && distance <= allowed;
}

// No further than the next residual can go: as far as wanted, and not beyond what the last one's curvature allows.
double Newton::solve_tolerance(const Iteration& it) const noexcept {
    const Point& now = it.now;
    if (by_error_) {
        const double wanted = it.before > 0.0 ? std::max(it.left, settings_.step_error) : settings_.step_error;
        return std::max(settings_.linear_tolerance,
                        it.before > 0.0 && !it.fresh ? kLoosest : std::min(kLoosest, kOfStepError * wanted));
    }
    double tolerance = now.residual > 0.0 ? 0.3 * (settings_.tolerance * now.scale + now.rounding) / now.residual : 0.0;
    if (it.before > 0.0) tolerance = std::max(tolerance, 0.5 * (now.residual / it.before) * (now.residual / it.before));
    return std::clamp(tolerance, settings_.linear_tolerance, std::max(kLoosest, settings_.linear_tolerance));
}

// The cheap one goes on, with the same matrix even, while that gets there soon.
Newton::Tangent Newton::next_tangent(const Iteration& it) const noexcept {
    if (settings_.tangent == TangentChoice::classic) return Tangent::cheap;
    if (it.tangent != Tangent::cheap) return it.uphill > 0 ? Tangent::positive : Tangent::exact;
    // Near nu = 0.5 a correction may hardly move the body and leave the residual as large as it was: volume changes
    // with the square of motion.
    const bool balances = it.now.residual < kSlowest * it.before;
    const bool soon = it.rate < kSlowest && std::log(std::min(it.left, 1.0)) > kPatience * std::log(it.rate);
    return soon && balances ? Tangent::cheap : Tangent::exact;
}

// One correction. False when no direction leads downhill; where another matrix may, that is made.
bool Newton::step_down(const StepProblem& p, double tolerance, Iteration& it, StepOutcome& out,
                       Vectors& s) const noexcept {
    Point next;
    const bool down = direction(p, tolerance, it, out, s) && search(p, it, next, s);
    if (!down) return false;
    it.before = it.now.residual;
    it.now = next;
    --it.uphill;
    const bool progress = it.best == 0.0 || next.residual <= 0.5 * it.best;
    if (progress) it.best = next.residual;
    it.idle = progress ? 0 : it.idle + 1;
    return true;
}

// False when it is over, one way or the other.
bool Newton::iterate(const StepProblem& p, Iteration& it, StepOutcome& out, Vectors& s) const noexcept {
    Tangent next = it.tangent;
    if (step_down(p, solve_tolerance(it), it, out, s)) {
        out.good = close_enough(p, it, out, s);
        if (out.good || it.idle > kMostIdle) return false;
        next = next_tangent(it);
        const bool same_matrix = it.tangent == Tangent::cheap && next == Tangent::cheap && it.rate < kSlowest;
        it.fresh = false;
        if (same_matrix) return true;
    } else if (it.fresh) {
        // From cheap to exact to positive, and no further. Without exact ones: the cheap one is positive already.
        if (it.tangent == Tangent::positive ||
            (it.tangent == Tangent::cheap && settings_.tangent == TangentChoice::classic)) {
            return false;
        }
        next = it.tangent == Tangent::cheap ? Tangent::exact : Tangent::positive;
        if (next == Tangent::positive) it.uphill = kUphill;
    }
    if (out.linearisations >= settings_.max_newton) return false;
    it.tangent = next;
    it.fresh = true;
    it.guessed = false;
    it.now = evaluate(p, p.x, Want::tangent, next, s);
    ++out.linearisations;
    return std::isfinite(it.now.residual);
}

// The first guess goes on with the last acceleration. A load that has just come may have made that so large that it
// would lead through the body itself: then going on without it, or staying where the body is, is tried as well.
void Newton::begin(const StepProblem& p, Iteration& it, StepOutcome& out, Vectors& s) const noexcept {
    it.tangent = settings_.tangent == TangentChoice::exact ? Tangent::exact : Tangent::cheap;
    it.now = evaluate(p, p.x, Want::tangent, it.tangent, s);
    ++out.linearisations;
    if (!p.form.inertia || it.now.residual <= kWildGuess * it.now.scale) return;
    bool better = false;
    for (const bool still : {false, true}) {
        for (std::size_t i = 0; i < s.n; ++i) s.x_try[i] = still ? (p.start_u[i] - p.eval_u[i]) / p.form.eval_u : 0.0;
        system_.clear_prescribed(s.x_try);
        const Point other = evaluate(p, s.x_try, Want::gradient, it.tangent, s);
        if (!std::isfinite(other.residual) || other.residual >= it.now.residual) continue;
        it.now = other;
        better = true;
        std::copy_n(s.x_try, s.n, p.x);
    }
    it.now = evaluate(p, p.x, Want::tangent, it.tangent, s);
    if (better) ++out.linearisations;
}

StepOutcome Newton::run(const StepProblem& p, double* scratch) const noexcept {
    Vectors s(*this, scratch);
    StepOutcome out;
    Iteration it;
    begin(p, it, out, s);
    const bool finite = std::isfinite(it.now.residual) && std::isfinite(it.now.energy);
    out.good = it.now.residual == 0.0 && !any_on(p.live);
    for (int k = 0; finite && !out.good && k < settings_.max_newton; ++k)
        if (!iterate(p, it, out, s)) break;
    if (out.good) return out;
    out.residual = relative(it.now);
    out.trouble |= std::isfinite(it.now.residual) && finite ? Trouble::not_converged : Trouble::non_finite;
    double worst = -1.0;
    for (const std::int32_t f : system_.supports().free()) {
        if (!(std::fabs(s.balance[f]) <= worst)) {
            worst = std::fabs(s.balance[f]);
            out.where = f / system_.dimension();
        }
    }
    return out;
}

}  // namespace limber
