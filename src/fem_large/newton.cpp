#include "fem_large/newton_vectors.hpp"

#include "linalg/vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr int kMostHalvings = 14;
constexpr double kArmijo = 1e-4;
constexpr double kRounding = 1e-13;  // what sums over a body may be off by, relative to their terms
constexpr double kLoosest = 1e-2;    // of a linear solve
constexpr double kRough = 0.3;       // of one that only measures how much is left to move
constexpr double kOfStepError =
    1e-2;  // of a linear solve, relative to the error allowed: the estimate of that sees what the solve leaves
constexpr double kUsable = 0.1;        // what a linear solve may leave
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

// A linear solve that was stopped at its limit, or by float or rounding here, still leads downhill.
bool usable(const SolveReport& r, int max_iterations) {
    return r.converged || r.iterations >= max_iterations || r.residual <= kUsable;
}

}  // namespace

Newton::Newton(const ElasticSystem& system, const TangentSolver& solver, const TermList& terms,
               const ElasticSettings& settings)
    : system_(system),
      solver_(solver),
      terms_(terms),
      settings_(settings),
      by_error_(settings.tolerance == 0.0 || settings.max_newton == 1),
      residual_goal_(settings.tolerance > 0.0 ? settings.tolerance : kExactGoal) {}

std::size_t Newton::scratch_size() const { return Vectors::size(*this); }

TermMatrix Newton::matrix_of(Tangent tangent, const Vectors& s) const noexcept {
    return {s.values, &system_.pattern(), tangent == Tangent::positive, tangent == Tangent::cheap};
}

void Newton::add_terms(const TermStep& step, const TermPoint& at, const TermMatrix& matrix,
                       const TermList::Storage& memory, TermSum& sum, std::size_t n) const noexcept {
    std::fill_n(sum.residual, n, 0.0);
    terms_.each(memory, [&](const Term& term, TermMemory own) { term.add(step, at, matrix, own, sum); });
}

Newton::Point Newton::evaluate(const StepProblem& p, const double* x, Want want, Tangent tangent,
                               Vectors& s) const noexcept {
    for (std::size_t i = 0; i < s.n; ++i) s.u[i] = p.at.eval_u[i] + p.form.eval_u * x[i];
    for (std::size_t i = 0; p.form.inertia && i < s.n; ++i) {
        s.v_[i] = p.at.eval_v[i] + p.form.eval_v * x[i];
        s.a[i] = p.at.eval_a[i] + x[i];
    }
    TermSum sum{s.r, s.g};
    const TermMatrix matrix = want == Want::tangent ? matrix_of(tangent, s) : TermMatrix{};
    add_terms(p.step, {s.u, s.v_, s.a}, matrix, p.memory, sum, s.n);
    if (want == Want::tangent) system_.project(s.values, s.kept);
    Point at;
    free_residual(sum, at, s);
    return at;
}

void Newton::free_residual(const TermSum& sum, Point& at, const Vectors& s) const noexcept {
    at.energy = sum.energy;
    at.scale = sum.scale;
    at.rounding = sum.rounding;
    double squares = 0.0;
    for (const std::int32_t f : system_.supports().free()) squares += s.r[f] * s.r[f];
    at.residual = std::sqrt(squares);
}

// Where forces are nothing but rounding, what rounding may leave counts as the goal of an exact solution.
double Newton::relative(const Point& at) const noexcept {
    const double whole = at.scale + at.rounding / kExactGoal;
    return whole > 0.0 ? at.residual / whole : 0.0;
}

bool Newton::balanced(const Point& at) const noexcept { return at.residual <= residual_goal_ * at.scale + at.rounding; }

// For terms with rows of their own.
class Newton::Columns final : public ColumnSolver {
public:
    Columns(const Newton& newton, const double* values, double tolerance, double* scratch)
        : newton_(newton), values_(values), tolerance_(tolerance), scratch_(scratch) {}
    SolveReport solve(const double* b, double* x) noexcept override {
        const int most = newton_.settings_.max_iterations;
        const SolveReport one = newton_.solver_.solve(values_, b, x, tolerance_, most, scratch_);
        iterations += one.iterations;
        usable_ = usable_ && limber::usable(one, most);
        return one;
    }
    bool usable() const noexcept override { return usable_; }
    int iterations = 0;

private:
    const Newton& newton_;
    const double* values_;
    double tolerance_;
    double* scratch_;
    bool usable_ = true;
};

// False when there is none that leads downhill.
bool Newton::direction(const StepProblem& p, double tolerance, Iteration& it, StepOutcome& out,
                       Vectors& s) const noexcept {
    for (std::size_t i = 0; i < s.n; ++i) s.b[i] = -s.r[i];
    if (!it.guessed) std::fill_n(s.dx, s.n, 0.0);
    system_.clear_prescribed(s.b);
    if (it.fresh) solver_.refresh(s.values, s.u, s.solver);
    const SolveReport solved = solver_.solve(s.values, s.b, s.dx, tolerance, settings_.max_iterations, s.solver);
    out.iterations += solved.iterations;
    it.solved = solved.converged || solved.iterations < settings_.max_iterations;
    if (!usable(solved, settings_.max_iterations)) return false;
    const bool rows = terms_.has_rows(p.step);
    if (rows) {
        Columns columns(*this, s.values, std::min(tolerance, settings_.linear_tolerance), s.solver);
        const TermCorrection correction{p.x, it.fresh, columns, s.dx};
        out.trouble = Trouble::none;
        terms_.each(p.memory, [&](const Term& term, TermMemory own) {
            if (term.has_rows(p.step)) out.trouble |= term.correct(p.step, correction, own);
        });
        out.iterations += columns.iterations;
        if (!columns.usable()) return false;
    }
    const double length = norm_n(s.n, s.dx);
    return std::isfinite(length) && (rows || length == 0.0 || dot_n(s.n, s.r, s.dx) < 0.0);
}

// Of the incremental potential along dx, but for energies, from where the search begins. Uses b.
double Newton::curvature(const StepProblem& p, Vectors& s) const noexcept {
    for (std::size_t i = 0; i < s.n; ++i) s.b[i] = p.at.eval_u[i] + p.form.eval_u * p.x[i];
    double sum = 0.0;
    terms_.each(p.memory, [&](const Term& term, TermMemory own) {
        if (term.value(p.step) == TermValue::quadratic) sum += term.curvature(p.step, s.b, s.dx, own);
    });
    return sum;
}

// How much of dx all terms let pass.
double Newton::longest_share(const StepProblem& p, Vectors& s) const noexcept {
    double share = 1.0;
    terms_.each(p.memory, [&](const Term& term, TermMemory own) {
        share = std::min(share, term.bound(p.step, {s.u, s.v_, s.a}, s.dx, own));
    });
    return share;
}

// The potential along dx is a parabola but for the terms' energies, which each trial evaluates. With a term that has no
// value, or whose forces jump, the residual decides instead.
bool Newton::search(const StepProblem& p, Iteration& it, Point& to, Vectors& s) const noexcept {
    const Point& from = it.now;
    const double cu = p.form.eval_u;
    const bool by_residual = terms_.any(p.step, TermValue::none);
    const double slope = dot_n(s.n, s.r, s.dx), linear = slope - dot_n(s.n, s.g, s.dx), length = norm_n(s.n, s.dx);
    const double longest = longest_share(p, s);
    if (longest >= 1.0 && try_mixed(p, it, to, s)) return true;
    double curved = -1.0;  // not known yet
    double t = longest;
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
        const double u = p.at.base_u[i] + p.form.end_u * p.x[i], moved = u - p.start_u[i];
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
    for (std::size_t i = 0; i < s.n; ++i) s.b[i] = -s.r[i];
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
        for (std::size_t i = 0; i < s.n; ++i)
            s.x_try[i] = still ? (p.start_u[i] - p.at.eval_u[i]) / p.form.eval_u : 0.0;
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
    out.good = it.now.residual == 0.0 && !terms_.has_rows(p.step);
    for (int k = 0; finite && !out.good && k < settings_.max_newton; ++k)
        if (!iterate(p, it, out, s)) break;
    if (out.good) return out;
    out.residual = relative(it.now);
    out.trouble |= std::isfinite(it.now.residual) && finite ? Trouble::not_converged : Trouble::non_finite;
    double worst = -1.0;
    for (const std::int32_t f : system_.supports().free()) {
        if (!(std::fabs(s.r[f]) <= worst)) {
            worst = std::fabs(s.r[f]);
            out.where = f / system_.dimension();
        }
    }
    return out;
}

}  // namespace limber
