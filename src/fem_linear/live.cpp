#include "fem_linear/live.hpp"

#include "fem/triples.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>

namespace limber {
namespace {

constexpr int kMostRounds = 200;      // of a free body: its turn within a step is not linear in the forces
constexpr int kHopeless = 8;          // rounds in which the points contradicted each other
constexpr double kForceLeft = 1e-11;  // of the largest force: a change at which they have been found
constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();
constexpr std::size_t kMostSlots = 64;  // max_live goes no further

double next_number() {
    static std::atomic<std::uint32_t> last{0};
    return static_cast<double>(++last);
}

}  // namespace

// Behind the points' own scratch memory: vectors per slot, and one over all unknowns.
struct LinearLive::Memory {
    Memory(const LinearLive& live, double* p)
        : reached(p + live.points_.scratch_size()),
          impulse(reached + 3 * live.points_.slots()),
          target(impulse + 3 * live.points_.slots()),
          target_v(target + 3 * live.points_.slots()),
          x(target_v + 3 * live.points_.slots()) {}
    double *reached, *impulse;
    double *target, *target_v;  // of this sub-step, in the world: position and velocity
    double* x;
};

LinearLive::LinearLive(const Body& body, const Stepper& stepper, const FloatingAxes* axes, int capacity)
    : stepper_(stepper), axes_(axes), points_(body, stepper.system().free, capacity), number_(next_number()) {}

std::size_t LinearLive::scratch_size() const {
    return points_.slots() == 0 ? 0 : points_.scratch_size() + 12 * points_.slots() + stepper_.system().size();
}

// Over all unknowns by a solver over the free ones. Of a free body the columns hold deformation only: how it moves as a
// whole is the axes' business.
class LinearLive::Columns final : public ColumnSolver {
public:
    Columns(const Stepper& stepper, const FloatingAxes* axes, double* step_scratch, double* unknown)
        : stepper_(stepper), axes_(axes), scratch_(step_scratch), x_(unknown) {}
    SolveReport solve(const double* b, double* x) noexcept override {
        const auto& free = stepper_.system().free;
        double* rhs = stepper_.rhs(scratch_);  // spent by now
        for (std::size_t i = 0; i < free.size(); ++i) rhs[i] = b[free[i]];
        std::fill_n(x_, free.size(), 0.0);
        const SolveReport report = stepper_.solve_for(rhs, x_, scratch_);
        for (std::size_t i = 0; i < free.size(); ++i) x[free[i]] = x_[i];
        if (axes_ != nullptr) axes_->remove_rigid(x);
        return report;
    }

private:
    const Stepper& stepper_;
    const FloatingAxes* axes_;
    double *scratch_, *x_;
};

// How points of a free body follow forces on it as on a rigid body: arms at the end of the step, and those that a force
// turns the body by, which are the mean over the step.
class LinearLive::AsOneBody final : public PointResponse {
public:
    AsOneBody(const FloatingAxes& axes, double scale) : axes_(axes), scale_(scale) {}
    Mat3 between(std::size_t row, std::size_t column) const noexcept override {
        Mat3 out = axes_.rigid_response(arms[row], levers[column]);
        for (int i = 0; i < 9; ++i) out(i / 3, i % 3) *= scale_;
        return out;
    }
    std::array<Vec3, kMostSlots> arms, levers;

private:
    const FloatingAxes& axes_;
    double scale_;
};

bool LinearLive::refresh_columns(const Step& s) const noexcept {
    const Memory at(*this, s.scratch);
    const Coefficients& form = s.stepper.form();
    bool good = true;
    for (std::size_t k = 0; k < s.live.size(); ++k) {
        if (!is_on(s.live[k])) continue;
        double* key = s.keys + k * kKeyReals;
        const double step[kStepKey] = {number_, form.eval_u, form.eval_v};
        bool renew = !std::equal(step, step + kStepKey, key);
        std::copy_n(step, kStepKey, key);
        renew = LivePoints::renew_key(s.live[k], key + kStepKey) || renew;
        if (!renew) continue;
        Columns solver(s.stepper, axes_, s.step_scratch, at.x);
        const bool solved = points_.solve_columns(s.live[k], solver, points_.columns_of(k, s.columns), s.scratch)
                                .converged;
        if (!solved) *key = 0.0;  // tried again, and told again, in the next step
        good = good && solved;
    }
    return good;
}

LivePoints::Solve LinearLive::solve_of(const Step& s) const noexcept {
    const double h = s.stepper.settings().step, end_u = s.stepper.form().end_u;
    return {s.live, s.columns, decided(s) ? h * h : end_u, end_u, nullptr, nullptr};
}

void LinearLive::begin(const Step& s) const noexcept {
    points_.mark_active(s.live, s.active);
    points_.begin(s.live, s.motion.u, s.motion.v, s.active, s.readouts, s.scratch);
    if (axes_ == nullptr) return;
    const FloatingAxes::Pose pose = axes_->pose(s.axes);
    for (std::size_t k = 0; k < s.live.size(); ++k) {
        if (!is_on(s.live[k])) continue;
        const Vec3 rest = points_.rest_point(s.live[k]);
        const Vec3 arm = pose.turn * (rest - axes_->rest_centre() + points_.gather(s.live[k], s.motion.u));
        const Vec3 own = pose.turn * points_.gather(s.live[k], s.motion.v);
        points_.begin_at(s.live[k], k, pose.centre + arm - rest, pose.velocity + cross(pose.spin, arm) + own,
                         s.active[k] != 0, s.readouts, s.scratch);
    }
}

// An explicit scheme's end position is already decided: there the acceleration is asked for that puts the next one
// right.
void LinearLive::reach(const Step& s, const double* x, double* out) const noexcept {
    const Coefficients& form = s.stepper.form();
    const double h = s.stepper.settings().step;
    for (std::size_t k = 0; k < s.live.size(); ++k) {
        const PointConstraint& c = s.live[k];
        if (!is_on(c)) continue;
        const Vec3 change = points_.gather(c, x);
        Vec3 to = points_.gather(c, s.stepper.base_u(s.step_scratch)) + form.end_u * change;
        if (decided(s) && c.kind == PointConstraint::Kind::hard) {
            const Vec3 rate = points_.goal(k, s.scratch).velocity - points_.gather(c, s.stepper.base_v(s.step_scratch));
            to -= h * rate - h * h * change;
        }
        put3(out + 3 * k, to);
    }
}

Trouble LinearLive::apply(const Step& s) const noexcept {
    const Memory at(*this, s.scratch);
    const auto& free = s.stepper.system().free;
    points_.mark_active(s.live, s.active);
    if (!any_on(s.live)) {
        std::fill_n(s.readouts, points_.slots() * LivePoints::kSlotReals, 0.0);
        return Trouble::none;
    }
    double* unknown = s.stepper.unknown(s.step_scratch);
    const bool good = refresh_columns(s);
    std::fill_n(at.x, s.stepper.system().size(), 0.0);
    for (std::size_t i = 0; i < free.size(); ++i) at.x[free[i]] = unknown[i];
    points_.aim(s.live, s.end, s.motion.a, s.scratch);
    points_.clear_forces(s.scratch);
    Trouble trouble = Trouble::none;
    if (axes_ != nullptr) {
        trouble = apply_free(s, at.x, at);
    } else {
        const LivePoints::Solve solve = solve_of(s);
        reach(s, at.x, at.reached);
        trouble = points_.solve(solve, at.reached, s.active, s.scratch);
        points_.add_change(solve, at.x, s.scratch);
        reach(s, at.x, at.reached);
        if (points_.is_missed(solve, at.reached, s.active, s.scratch)) trouble |= Trouble::constraint_conflict;
        points_.read_out(solve, s.active, nullptr, s.end.part >= 1.0, s.readouts, s.scratch);
    }
    for (std::size_t i = 0; i < free.size(); ++i) unknown[i] = at.x[free[i]];
    return good ? trouble : trouble | Trouble::not_converged;
}

// Goals as the axes see them.
void LinearLive::look_from(const FloatingAxes::Pose& pose, const Step& s, const Memory& at) const noexcept {
    const Mat3 back = transpose(pose.turn);
    for (std::size_t k = 0; k < s.live.size(); ++k) {
        if (!is_on(s.live[k])) continue;
        const Vec3 arm = get3(at.target + 3 * k) - pose.centre;
        const Vec3 rate = get3(at.target_v + 3 * k) - pose.velocity - cross(pose.spin, arm);
        points_.set_goal(k, {back * arm - rest_arm(s.live[k]), back * rate}, s.scratch);
    }
}

// How fast the target of a point moves as seen from the axes there where the point is: one that only touches has slid
// away from its target, and the axes move differently there.
void LinearLive::see_rate(std::size_t slot, const Vec3& arm, const FloatingAxes::Pose& pose, const Step& s,
                          const Memory& at) const noexcept {
    LivePoints::Goal goal = points_.goal(slot, s.scratch);
    const Vec3 moves = pose.velocity + cross(pose.spin, pose.turn * arm);
    goal.velocity = transpose(pose.turn) * (get3(at.target_v + 3 * slot) - moves);
    points_.set_goal(slot, goal, s.scratch);
}

// With the forces as they are each point is where it should be, but for rounding. (Of points that only touch the forces
// themselves have to tell.)
bool LinearLive::is_met(const Step& s, const Memory& at, const FloatingAxes::Pose& pose,
                        std::span<const Vec3> arms) const noexcept {
    for (std::size_t k = 0; k < s.live.size(); ++k) {
        const PointConstraint& c = s.live[k];
        if (!is_on(c)) continue;
        if (c.unilateral) return false;
        Vec3 left = points_.goal(k, s.scratch).displacement - get3(at.reached + 3 * k);
        if (c.kind == PointConstraint::Kind::soft) left -= points_.force(k, s.scratch) / c.stiffness;
        const double length = norm(get3(at.target + 3 * k)) + norm(pose.centre) + norm(arms[k]);
        if (!(norm(left) <= kRounding * length)) return false;
    }
    return true;
}

// The forces move the axes too, and these turn: the same small system again and again, each time seen from where the
// axes have got to, until the forces stay.
Trouble LinearLive::apply_free(const Step& s, double* x, const Memory& at) const noexcept {
    const double h = s.stepper.settings().step;
    AsOneBody response(*axes_, axes_->reach_of(h) + (decided(s) ? h * h : 0.0));
    for (std::size_t k = 0; k < s.live.size(); ++k) {
        if (!is_on(s.live[k])) continue;
        const LivePoints::Goal goal = points_.goal(k, s.scratch);
        put3(at.target + 3 * k, points_.rest_point(s.live[k]) + goal.displacement);
        put3(at.target_v + 3 * k, goal.velocity);
    }
    const FloatingAxes::Pose start = axes_->pose(s.axes_before);
    Trouble trouble = Trouble::not_converged;
    bool conflict = false;
    int hopeless = 0;
    for (int round = 0; round < kMostRounds && hopeless < kHopeless && has(trouble, Trouble::not_converged); ++round) {
        const FloatingAxes::Pose pose = axes_->pose(s.axes);
        const Mat3 back = transpose(pose.turn);
        look_from(pose, s, at);
        reach(s, x, at.reached);
        for (std::size_t k = 0; k < s.live.size(); ++k) {
            if (!is_on(s.live[k])) continue;
            const Vec3 arm_before = start.turn * (rest_arm(s.live[k]) + points_.gather(s.live[k], s.motion.u));
            response.arms[k] = rest_arm(s.live[k]) + get3(at.reached + 3 * k);
            response.levers[k] = 0.5 * (response.arms[k] + back * arm_before);
            if (s.live[k].unilateral) see_rate(k, response.arms[k], pose, s, at);
        }
        if (decided(s)) reach(s, x, at.reached);
        LivePoints::Solve solve = solve_of(s);
        solve.response = &response;
        solve.turn = &back;
        const bool met = is_met(s, at, pose, response.arms);
        trouble = points_.solve(solve, at.reached, s.active, s.scratch);
        conflict = conflict || has(trouble, Trouble::constraint_conflict);
        hopeless += trouble != Trouble::none ? 1 : 0;
        points_.add_change(solve, x, s.scratch);
        Wrench push;
        double largest = 0.0, changed = 0.0;
        for (std::size_t k = 0; k < s.live.size(); ++k) {
            if (!is_on(s.live[k])) continue;
            const Vec3 force = points_.force(k, s.scratch);
            push.force += pose.turn * force;
            push.torque += pose.turn * cross(response.levers[k], force);
            largest = std::max(largest, norm(force));
            changed = std::max(changed, norm(points_.change(k, s.scratch)));
        }
        axes_->advance_under(s.axes, s.axes_before, s.motion.u, s.loads->force, s.loads->gravity, push, h);
        if (changed > kForceLeft * largest && !met) trouble |= Trouble::not_converged;
        points_.read_out(solve, s.active, nullptr, s.end.part >= 1.0, s.readouts, s.scratch);
    }
    const FloatingAxes::Pose pose = axes_->pose(s.axes);
    const Mat3 back = transpose(pose.turn);
    look_from(pose, s, at);
    reach(s, x, at.reached);
    LivePoints::Solve end = solve_of(s);
    end.turn = &back;
    if (points_.is_missed(end, at.reached, s.active, s.scratch)) conflict = true;
    if (conflict) trouble |= Trouble::constraint_conflict;
    for (std::size_t k = 0; k < s.live.size(); ++k)
        if (is_on(s.live[k])) turn_readout(pose, response.arms[k], s.readouts + k * LivePoints::kSlotReals);
    return trouble;
}

// From the axes to the world.
void LinearLive::turn_readout(const FloatingAxes::Pose& pose, const Vec3& arm, double* readout) noexcept {
    const Vec3 force = pose.turn * get3(readout);
    const Mat3 stiffness = pose.turn * LivePoints::stiffness(readout, 0) * transpose(pose.turn);
    put3(readout, force);
    put3(readout + 3, cross(pose.centre + pose.turn * arm, force));
    for (int i = 0; i < 9; ++i) readout[6 + i] = stiffness(i / 3, i % 3);
}

Vec3 LinearLive::rest_arm(const PointConstraint& c) const noexcept {
    return points_.rest_point(c) - axes_->rest_centre();
}

void LinearLive::settle(const Step& s) const noexcept {
    if (axes_ != nullptr) return settle_free(s);
    const Scheme scheme = s.stepper.settings().scheme;
    if (!averages_over_step(scheme)) return;
    const LivePoints::Solve solve = solve_of(s);
    points_.settle_velocity(solve, s.active, s.stepper.settings().step, s.motion.v, nullptr, s.scratch);
    if (scheme == Scheme::newmark_implicit) points_.settle_acceleration(solve, s.active, s.motion.a, s.scratch);
}

// The axes average over the step whatever the scheme.
void LinearLive::settle_free(const Step& s) const noexcept {
    const Memory at(*this, s.scratch);
    const FloatingAxes::Pose pose = axes_->pose(s.axes);
    const Mat3 back = transpose(pose.turn);
    AsOneBody response(*axes_, 1.0);
    look_from(pose, s, at);
    for (std::size_t k = 0; k < s.live.size(); ++k) {
        if (!is_on(s.live[k])) continue;
        response.arms[k] = response.levers[k] = rest_arm(s.live[k]) + points_.gather(s.live[k], s.motion.u);
        if (s.live[k].unilateral) see_rate(k, response.arms[k], pose, s, at);
    }
    LivePoints::Solve solve = solve_of(s);
    solve.response = &response;
    solve.turn = &back;
    points_.settle_velocity(solve, s.active, s.stepper.settings().step, s.motion.v, at.impulse, s.scratch);
    Wrench push;
    for (std::size_t k = 0; k < s.live.size(); ++k) {
        if (!is_on(s.live[k])) continue;
        const Vec3 impulse = get3(at.impulse + 3 * k);
        push.force += pose.turn * impulse;
        push.torque += pose.turn * cross(response.arms[k], impulse);
    }
    axes_->push(s.axes, push);
}

}  // namespace limber
