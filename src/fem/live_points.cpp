#include "fem/live_points.hpp"

#include "fem/triples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr double kMissed = 1e-7;  // of the body's size and of the way: farther from its target a hard point missed it

}  // namespace

// In the scratch array, three numbers per slot: where the point was when the step began and how fast, the goal's
// displacement and velocity, the point's acceleration before the sub-step, the force, its last change, one more; then
// the rows and one right-hand side.
struct LivePoints::Layout {
    Layout(const LivePoints& live, double* p) {
        const std::size_t r = 3 * live.slots();
        from = p;
        from_v = p + r;
        goal = p + 2 * r;
        goal_v = p + 3 * r;
        old_a = p + 4 * r;
        force = p + 5 * r;
        change = p + 6 * r;
        gap = p + 7 * r;
        approaches = p + 8 * r;
        rows = approaches + live.slots();
        rhs = rows + LiveRows::scratch_size(live.capacity_);
    }
    double *from, *from_v, *goal, *goal_v, *old_a, *force, *change, *gap;
    double* approaches;  // one per slot: 0 where a surface does not touch
    double *rows, *rhs;
};

LivePoints::LivePoints(const Body& body, std::span<const std::int32_t> free, int capacity)
    : body_(body),
      capacity_(capacity),
      dim_(body.mesh().dimension()),
      size_(body.vertex_count() * static_cast<std::size_t>(dim_)),
      length_(diagonal_of(body.mesh())),
      is_free_(size_, 0) {
    for (const std::int32_t f : free) is_free_[static_cast<std::size_t>(f)] = 1;
}

std::size_t LivePoints::scratch_size() const {
    return capacity_ == 0 ? 0 : 25 * slots() + LiveRows::scratch_size(capacity_) + size_;
}
// A planar body is not pushed out of its plane.
bool LivePoints::fits(std::span<const PointConstraint> live) const noexcept {
    const auto in_space = [&](const PointConstraint& c) {
        return dim_ == 3 || !is_on(c) || !c.unilateral || std::abs(c.normal.z) < 1e-6;
    };
    return live_fits(live, body_.vertex_count(), capacity_) && std::all_of(live.begin(), live.end(), in_space);
}

std::size_t LivePoints::column_size() const { return static_cast<std::size_t>(dim_) * size_; }

Vec3 LivePoints::gather(const PointConstraint& c, const double* field) const noexcept {
    Vec3 sum;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.vertex_count); ++i)
        for (int k = 0; k < dim_; ++k) sum[k] += c.weights[i] * field[c.vertices[i] * dim_ + k];
    return sum;
}

Vec3 LivePoints::rest_point(const PointConstraint& c) const noexcept {
    Vec3 rest;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.vertex_count); ++i)
        rest += c.weights[i] * body_.mesh().vertices[static_cast<std::size_t>(c.vertices[i])];
    return rest;
}

void LivePoints::mark_active(std::span<const PointConstraint> live, std::int32_t* active) const noexcept {
    for (std::size_t s = 0; s < slots(); ++s) {
        if (s >= live.size() || !is_on(live[s]))
            active[s] = 0;
        else if (!live[s].unilateral)
            active[s] = 1;
    }
}

bool LivePoints::any_active(const std::int32_t* active) const noexcept {
    return std::any_of(active, active + slots(), [](std::int32_t mark) { return mark != 0; });
}

void LivePoints::begin(std::span<const PointConstraint> live, const double* u, const double* v,
                       const std::int32_t* active, const double* reals, double* scratch) const noexcept {
    const Layout at(*this, scratch);
    for (std::size_t s = 0; s < live.size(); ++s) {
        Vec3 force = active[s] != 0 ? get3(reals + s * kSlotReals) : Vec3{};
        // What the slot's rows cannot hold would be taken away at the first solution without being counted.
        if (is_on(live[s]) && live[s].unilateral) force = dot(force, live[s].normal) * live[s].normal;
        put3(at.force + 3 * s, force);
        if (is_on(live[s]))
            begin_at(live[s], s, gather(live[s], u), gather(live[s], v), active[s] != 0, reals, scratch);
    }
}

// What pulls a soft point has not left its target since: its last force says where that was.
void LivePoints::begin_at(const PointConstraint& c, std::size_t slot, const Vec3& displacement, const Vec3& velocity,
                          bool active, const double* reals, double* scratch) const noexcept {
    const Layout at(*this, scratch);
    const bool soft = c.kind == PointConstraint::Kind::soft;
    at.approaches[slot] = active || !c.unilateral ? 1.0 : 0.0;
    put3(at.from + 3 * slot,
         soft && active ? displacement + get3(reals + slot * kSlotReals) / c.stiffness : displacement);
    put3(at.from_v + 3 * slot, soft ? c.velocity : velocity);
}

void LivePoints::aim(std::span<const PointConstraint> live, StepMoment end, const double* a,
                     double* scratch) const noexcept {
    const Layout at(*this, scratch);
    for (std::size_t s = 0; s < live.size(); ++s) {
        if (!is_on(live[s])) continue;
        put3(at.old_a + 3 * s, gather(live[s], a));
        Goal goal{live[s].target - rest_point(live[s]), live[s].velocity};
        if (end.part < 1.0 && at.approaches[s] == 0.0) {
            goal.displacement -= (1.0 - end.part) * end.duration * goal.velocity;
        } else if (end.part < 1.0) {
            const double t = end.part;
            const Vec3 from = get3(at.from + 3 * s), m0 = end.duration * get3(at.from_v + 3 * s),
                       m1 = end.duration * goal.velocity, way = goal.displacement - from;
            const Vec3 c3 = m0 + m1 - 2.0 * way, c2 = 3.0 * way - 2.0 * m0 - m1;
            goal.displacement = from + t * (m0 + t * (c2 + t * c3));
            goal.velocity = (m0 + t * (2.0 * c2 + 3.0 * t * c3)) / end.duration;
        }
        set_goal(s, goal, scratch);
    }
}

LivePoints::Goal LivePoints::goal(std::size_t slot, const double* scratch) const noexcept {
    const Layout at(*this, const_cast<double*>(scratch));
    return {get3(at.goal + 3 * slot), get3(at.goal_v + 3 * slot)};
}

void LivePoints::set_goal(std::size_t slot, const Goal& goal, double* scratch) const noexcept {
    const Layout at(*this, scratch);
    put3(at.goal + 3 * slot, goal.displacement);
    put3(at.goal_v + 3 * slot, goal.velocity);
}

bool LivePoints::renew_key(const PointConstraint& c, double* key) noexcept {
    constexpr auto kMost = static_cast<std::size_t>(PointConstraint::kMaxVertices);
    double now[kKeyReals] = {static_cast<double>(c.vertex_count)};
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.vertex_count); ++i) {
        now[1 + i] = c.vertices[i];
        now[1 + kMost + i] = c.weights[i];
    }
    if (std::equal(now, now + kKeyReals, key)) return false;
    std::copy_n(now, kKeyReals, key);
    return true;
}

SolveReport LivePoints::solve_columns(const PointConstraint& c, ColumnSolver& solver, double* columns,
                                      double* scratch) const noexcept {
    const Layout at(*this, scratch);
    SolveReport all;
    for (int axis = 0; axis < dim_; ++axis) {
        std::fill_n(at.rhs, size_, 0.0);
        for (std::size_t i = 0; i < static_cast<std::size_t>(c.vertex_count); ++i) {
            const auto unknown = static_cast<std::size_t>(c.vertices[i] * dim_ + axis);
            if (is_free_[unknown] != 0) at.rhs[unknown] += c.weights[i];
        }
        double* x = columns + static_cast<std::size_t>(axis) * size_;
        std::fill_n(x, size_, 0.0);
        const SolveReport one = solver.solve(at.rhs, x);
        all.iterations += one.iterations;
        all.residual = std::max(all.residual, one.residual);
        all.converged = all.converged && one.converged;
    }
    return all;
}

// G_row A^-1 G_slot^T, axis by axis.
Mat3 LivePoints::coupling(const PointConstraint& row, const double* columns) const noexcept {
    Mat3 out;
    for (int j = 0; j < dim_; ++j) {
        const Vec3 answer = gather(row, columns + static_cast<std::size_t>(j) * size_);
        for (int i = 0; i < dim_; ++i) out(i, j) = answer[i];
    }
    return out;
}

Trouble LivePoints::solve(const Solve& s, const double* reached, std::int32_t* active, double* scratch) const noexcept {
    const Layout at(*this, scratch);
    LiveRows rows(capacity_, at.rows, length_);
    rows.begin(s.live, dim_, s.turn);
    for (std::size_t i = 0; i < rows.count; ++i) {
        const std::size_t si = rows.slot_of(i);
        const bool hard = s.live[si].kind == PointConstraint::Kind::hard;
        rows.gap[i] = dot(rows.dir(i), get3(at.goal + 3 * si) - get3(reached + 3 * si));
        for (std::size_t j = 0; j < rows.count; ++j) {
            const std::size_t sj = rows.slot_of(j);
            Mat3 answer = coupling(s.live[si], s.columns + sj * column_size());
            double t = (hard ? s.hard : s.soft) * dot(rows.dir(i), answer * rows.dir(j));
            if (s.response != nullptr) t += dot(rows.dir(i), s.response->between(si, sj) * rows.dir(j));
            rows.gap[i] += t *
                           dot(rows.dir(j), get3(at.force + 3 * sj));  // where it has got to has the old force in it
            if (i == j && !hard) t += 1.0 / s.live[si].stiffness;
            rows.matrix[i * rows.capacity + j] = t;
        }
    }
    const Trouble trouble = rows.solve(s.live, active);
    for (std::size_t k = 0; k < s.live.size(); ++k) {
        Vec3 force;
        for (std::size_t i = 0; i < rows.count; ++i)
            if (rows.slot_of(i) == k) force += rows.lambda[i] * rows.dir(i);
        put3(at.change + 3 * k, force - get3(at.force + 3 * k));
        put3(at.force + 3 * k, force);
    }
    return trouble;
}

// What lies on the way cannot be met better than to rounding of the whole way.
bool LivePoints::is_missed(const Solve& s, const double* reached, const std::int32_t* active,
                           const double* scratch) const noexcept {
    const Layout at(*this, const_cast<double*>(scratch));
    for (std::size_t k = 0; k < s.live.size(); ++k) {
        const PointConstraint& c = s.live[k];
        if (!is_on(c) || c.kind != PointConstraint::Kind::hard || active[k] == 0) continue;
        const Vec3 goal = get3(at.goal + 3 * k), there = get3(reached + 3 * k);
        double left = norm(goal - there);
        if (c.unilateral) left = std::abs(dot(goal - there, s.turn != nullptr ? *s.turn * c.normal : c.normal));
        if (!(left <= kMissed * (length_ + norm(goal)))) return true;
    }
    return false;
}

void LivePoints::add_columns(const Vec3& amount, const double* columns, double* field) const noexcept {
    for (int axis = 0; axis < dim_; ++axis) {
        const double* c = columns + static_cast<std::size_t>(axis) * size_;
        for (std::size_t k = 0; amount[axis] != 0.0 && k < size_; ++k) field[k] += amount[axis] * c[k];
    }
}

void LivePoints::add_change(const Solve& s, double* x, double* scratch) const noexcept {
    const Layout at(*this, scratch);
    for (std::size_t k = 0; k < s.live.size(); ++k)
        if (is_on(s.live[k])) add_columns(get3(at.change + 3 * k), s.columns + k * column_size(), x);
}

void LivePoints::clear_forces(double* scratch) const noexcept {
    std::fill_n(Layout(*this, scratch).force, 3 * slots(), 0.0);
}

Vec3 LivePoints::change(std::size_t slot, const double* scratch) const noexcept {
    return get3(Layout(*this, const_cast<double*>(scratch)).change + 3 * slot);
}

Vec3 LivePoints::force(std::size_t slot, const double* scratch) const noexcept {
    return get3(Layout(*this, const_cast<double*>(scratch)).force + 3 * slot);
}

void LivePoints::subtract_force(std::span<const PointConstraint> live, double* r,
                                const double* scratch) const noexcept {
    const Layout at(*this, const_cast<double*>(scratch));
    for (std::size_t s = 0; s < live.size(); ++s) {
        for (std::size_t i = 0; is_on(live[s]) && i < static_cast<std::size_t>(live[s].vertex_count); ++i) {
            for (int k = 0; k < dim_; ++k)
                r[live[s].vertices[i] * dim_ + k] -= live[s].weights[i] * at.force[3 * s + static_cast<std::size_t>(k)];
        }
    }
}

// A point that only touches was pushed by force x step; no more than that can be taken back.
void LivePoints::settle(const Solve& s, const std::int32_t* active, const double* gap, double step, double* field,
                        double* impulse, double* scratch) const noexcept {
    const Layout at(*this, scratch);
    LiveRows rows(capacity_, at.rows, length_);
    rows.begin(s.live, dim_, s.turn);
    for (std::size_t i = 0; i < rows.count; ++i) {
        const std::size_t si = rows.slot_of(i);
        const bool holds = s.live[si].kind == PointConstraint::Kind::hard && active[si] != 0;
        rows.use[i] = holds ? 1.0 : 0.0;
        const bool may_pull = !s.live[si].unilateral || step == 0.0;
        rows.least[i] = may_pull ? -kNoLimit : -step * dot(rows.dir(i), get3(at.force + 3 * si));
        rows.gap[i] = dot(rows.dir(i), get3(gap + 3 * si));
        for (std::size_t j = 0; j < rows.count; ++j) {
            const std::size_t sj = rows.slot_of(j);
            Mat3 answer = coupling(s.live[si], s.columns + sj * column_size());
            double t = dot(rows.dir(i), answer * rows.dir(j));
            if (s.response != nullptr) t += dot(rows.dir(i), s.response->between(si, sj) * rows.dir(j));
            rows.matrix[i * rows.capacity + j] = t;
        }
    }
    rows.solve_above();
    if (impulse != nullptr) std::fill_n(impulse, 3 * slots(), 0.0);
    for (std::size_t i = 0; i < rows.count; ++i) {
        const std::size_t si = rows.slot_of(i);
        const Vec3 push = rows.lambda[i] * rows.dir(i);
        if (impulse != nullptr) put3(impulse + 3 * si, get3(impulse + 3 * si) + push);
        add_columns(push, s.columns + si * column_size(), field);
    }
}

void LivePoints::settle_velocity(const Solve& s, const std::int32_t* active, double step, double* field,
                                 double* impulse, double* scratch) const noexcept {
    const Layout at(*this, scratch);
    for (std::size_t k = 0; k < s.live.size(); ++k) {
        if (is_on(s.live[k])) put3(at.gap + 3 * k, get3(at.goal_v + 3 * k) - gather(s.live[k], field));
    }
    settle(s, active, at.gap, step, field, impulse, scratch);
}

void LivePoints::settle_acceleration(const Solve& s, const std::int32_t* active, double* field,
                                     double* scratch) const noexcept {
    const Layout at(*this, scratch);
    for (std::size_t k = 0; k < s.live.size(); ++k)
        if (is_on(s.live[k])) put3(at.gap + 3 * k, 0.5 * (get3(at.old_a + 3 * k) - gather(s.live[k], field)));
    settle(s, active, at.gap, 0.0, field, nullptr, scratch);
}

void LivePoints::read_out(const Solve& s, const std::int32_t* active, const double* u, bool stiffness, double* reals,
                          double* scratch) const noexcept {
    std::fill_n(reals, slots() * kSlotReals, 0.0);
    const Layout at(*this, scratch);
    for (std::size_t k = 0; k < s.live.size(); ++k) {
        if (!is_on(s.live[k]) || active[k] == 0) continue;
        const Vec3 force = get3(at.force + 3 * k);
        const Vec3 point = rest_point(s.live[k]) + (u != nullptr ? gather(s.live[k], u) : Vec3{});
        put3(reals + k * kSlotReals, force);
        put3(reals + k * kSlotReals + 3, cross(point, force));
    }
    if (!stiffness) return;
    // The matrix is still that of the last solution: only the rows' names are made anew.
    LiveRows rows(capacity_, at.rows, length_);
    rows.begin(s.live, dim_, s.turn);
    for (std::size_t i = 0; i < rows.count; ++i) rows.use[i] = active[rows.slot_of(i)] != 0 ? 1.0 : 0.0;
    rows.invert();
    for (std::size_t i = 0; i < rows.count; ++i) {
        for (std::size_t j = 0; j < rows.count; ++j) {
            if (rows.slot[i] != rows.slot[j] || rows.use[i] == 0.0 || rows.use[j] == 0.0) continue;
            double* k = reals + rows.slot_of(i) * kSlotReals + 6;
            for (int a = 0; a < 3; ++a) {
                for (int b = 0; b < 3; ++b)
                    k[3 * a + b] += rows.factor[i * rows.capacity + j] * rows.dir(i)[a] * rows.dir(j)[b];
            }
        }
    }
}

Wrench LivePoints::reaction(const double* reals, std::size_t slot) noexcept {
    const double* r = reals + slot * kSlotReals;
    return {get3(r), get3(r + 3)};
}

Mat3 LivePoints::stiffness(const double* reals, std::size_t slot) noexcept {
    Mat3 out;
    for (int i = 0; i < 9; ++i) out(i / 3, i % 3) = reals[slot * kSlotReals + 6 + static_cast<std::size_t>(i)];
    return out;
}

}  // namespace limber
