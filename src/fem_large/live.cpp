#include "fem_large/live.hpp"

#include <algorithm>

namespace limber {
namespace {

Vec3 three(const double* p) { return {p[0], p[1], p[2]}; }
void put_three(double* p, const Vec3& v) {
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
}

}  // namespace

// In the scratch array, three numbers per slot: where the point was when the step began and how fast, the goal's
// displacement and velocity, the point's acceleration before the sub-step, the force; then the rows, one right-hand
// side, and the columns.
struct ElasticLive::Layout {
    Layout(const ElasticLive& live, double* p)
        : slots(static_cast<std::size_t>(live.capacity_)), n(live.system_.size()) {
        const std::size_t r = 3 * slots;
        from = p;
        from_v = p + r;
        goal = p + 2 * r;
        goal_v = p + 3 * r;
        old_a = p + 4 * r;
        force = p + 5 * r;
        rows = p + 6 * r;
        rhs = rows + LiveRows::scratch_size(live.capacity_);
        columns = rhs + n;
    }
    static std::size_t size(const ElasticLive& live) {
        const auto slots = static_cast<std::size_t>(live.capacity_);
        if (slots == 0) return 0;
        return 18 * slots + LiveRows::scratch_size(live.capacity_) +
               live.system_.size() * (1 + slots * static_cast<std::size_t>(live.dim_));
    }
    std::size_t slots, n;
    double *from, *from_v, *goal, *goal_v, *old_a, *force, *rows, *rhs, *columns;
};

ElasticLive::ElasticLive(const Body& body, const ElasticSystem& system, const TangentSolver& solver, int capacity)
    : body_(body),
      system_(system),
      solver_(solver),
      capacity_(capacity),
      dim_(body.mesh().dimension()),
      is_free_(system.size(), 0) {
    for (const std::int32_t f : system.supports().free()) is_free_[static_cast<std::size_t>(f)] = 1;
}

std::size_t ElasticLive::scratch_size() const { return Layout::size(*this); }

Vec3 ElasticLive::gather(const PointConstraint& c, const double* full) const noexcept {
    Vec3 sum;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.vertex_count); ++i)
        for (int k = 0; k < dim_; ++k) sum[k] += c.weights[i] * full[c.vertices[i] * dim_ + k];
    return sum;
}

Vec3 ElasticLive::rest_point(const PointConstraint& c) const noexcept {
    Vec3 rest;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.vertex_count); ++i)
        rest += c.weights[i] * body_.mesh().vertices[static_cast<std::size_t>(c.vertices[i])];
    return rest;
}

void ElasticLive::begin(std::span<const PointConstraint> live, const double* u, const double* v,
                        const std::int32_t* active, const double* reals, double* scratch) const noexcept {
    const Layout at(*this, scratch);
    for (std::size_t s = 0; s < live.size(); ++s) {
        put_three(at.force + 3 * s, active[s] != 0 ? three(reals + s * kSlotReals) : Vec3{});
        if (!is_on(live[s])) continue;
        put_three(at.from + 3 * s, gather(live[s], u));
        put_three(at.from_v + 3 * s, gather(live[s], v));
    }
}

void ElasticLive::aim(std::span<const PointConstraint> live, StepMoment end, const double* a,
                      double* scratch) const noexcept {
    const Layout at(*this, scratch);
    for (std::size_t s = 0; s < live.size(); ++s) {
        if (!is_on(live[s])) continue;
        put_three(at.old_a + 3 * s, gather(live[s], a));
        Vec3 goal = live[s].target - rest_point(live[s]), rate = live[s].velocity;
        if (end.part < 1.0) {
            const double t = end.part;
            const Vec3 from = three(at.from + 3 * s), m0 = end.duration * three(at.from_v + 3 * s),
                       m1 = end.duration * rate;
            const Vec3 c3 = m0 + m1 - 2.0 * (goal - from), c2 = 3.0 * (goal - from) - 2.0 * m0 - m1;
            goal = from + t * (m0 + t * (c2 + t * c3));
            rate = (m0 + t * (2.0 * c2 + 3.0 * t * c3)) / end.duration;
        }
        put_three(at.goal + 3 * s, goal);
        put_three(at.goal_v + 3 * s, rate);
    }
}

SolveReport ElasticLive::solve_columns(std::span<const PointConstraint> live, const double* values, double tolerance,
                                       int max_iterations, double* scratch, double* solver_scratch) const noexcept {
    const Layout at(*this, scratch);
    SolveReport all;
    for (std::size_t s = 0; s < live.size(); ++s) {
        for (int axis = 0; is_on(live[s]) && axis < dim_; ++axis) {
            std::fill_n(at.rhs, at.n, 0.0);
            for (std::size_t i = 0; i < static_cast<std::size_t>(live[s].vertex_count); ++i) {
                const auto dof = static_cast<std::size_t>(live[s].vertices[i] * dim_ + axis);
                if (is_free_[dof] != 0) at.rhs[dof] += live[s].weights[i];
            }
            double* x = at.columns + (s * static_cast<std::size_t>(dim_) + static_cast<std::size_t>(axis)) * at.n;
            std::fill_n(x, at.n, 0.0);
            const SolveReport one = solver_.solve(values, at.rhs, x, tolerance, max_iterations, solver_scratch);
            all.iterations += one.iterations;
            all.residual = std::max(all.residual, one.residual);
            all.converged = all.converged && one.converged;
        }
    }
    return all;
}

// G_row A^-1 G_slot^T, axis by axis.
Mat3 ElasticLive::coupling(const PointConstraint& row, std::size_t slot, const double* columns) const noexcept {
    Mat3 out;
    for (int j = 0; j < dim_; ++j) {
        const Vec3 answer = gather(
            row, columns + (slot * static_cast<std::size_t>(dim_) + static_cast<std::size_t>(j)) * system_.size());
        for (int i = 0; i < dim_; ++i) out(i, j) = answer[i];
    }
    return out;
}

Trouble ElasticLive::correct(std::span<const PointConstraint> live, double end_u, const double* u_end,
                             std::int32_t* active, double* dx, double* scratch) const noexcept {
    const Layout at(*this, scratch);
    LiveRows rows(capacity_, at.rows);
    rows.begin(live, dim_);
    for (std::size_t i = 0; i < rows.count; ++i) {
        const std::size_t si = rows.slot_of(i);
        rows.gap[i] = dot(rows.dir(i), three(at.goal + 3 * si) - gather(live[si], u_end));
        for (std::size_t j = 0; j < rows.count; ++j) {
            double t = end_u * dot(rows.dir(i), coupling(live[si], rows.slot_of(j), at.columns) * rows.dir(j));
            rows.gap[i] += t * dot(rows.dir(j), three(at.force + 3 * rows.slot_of(j)));  // dx has the old force in it
            if (i == j && live[si].kind == PointConstraint::Kind::soft) t += 1.0 / live[si].stiffness;
            rows.matrix[i * rows.capacity + j] = t;
        }
    }
    const Trouble trouble = rows.solve(live, active, 1);
    for (std::size_t s = 0; s < live.size(); ++s) {
        Vec3 force;
        for (std::size_t i = 0; i < rows.count; ++i)
            if (rows.slot_of(i) == s) force += rows.lambda[i] * rows.dir(i);
        const Vec3 more = force - three(at.force + 3 * s);
        put_three(at.force + 3 * s, force);
        for (int axis = 0; axis < dim_; ++axis) {
            const double* c = at.columns + (s * static_cast<std::size_t>(dim_) + static_cast<std::size_t>(axis)) * at.n;
            for (std::size_t k = 0; more[axis] != 0.0 && k < at.n; ++k) dx[k] += more[axis] * c[k];
        }
    }
    return trouble;
}

void ElasticLive::subtract_force(std::span<const PointConstraint> live, double* r, double* scratch) const noexcept {
    const Layout at(*this, scratch);
    for (std::size_t s = 0; s < live.size(); ++s) {
        for (std::size_t i = 0; is_on(live[s]) && i < static_cast<std::size_t>(live[s].vertex_count); ++i) {
            for (int k = 0; k < dim_; ++k)
                r[live[s].vertices[i] * dim_ + k] -= live[s].weights[i] * at.force[3 * s + static_cast<std::size_t>(k)];
        }
    }
}

void ElasticLive::settle(std::span<const PointConstraint> live, const std::int32_t* active, double* v, double* a,
                         double* scratch) const noexcept {
    settle_field(live, active, v, true, scratch);
    if (a != nullptr) settle_field(live, active, a, false, scratch);
}

void ElasticLive::settle_field(std::span<const PointConstraint> live, const std::int32_t* active, double* field,
                               bool velocity, double* scratch) const noexcept {
    const Layout at(*this, scratch);
    LiveRows rows(capacity_, at.rows);
    rows.begin(live, dim_);
    for (std::size_t i = 0; i < rows.count; ++i) {
        const std::size_t s = rows.slot_of(i);
        rows.use[i] = live[s].kind == PointConstraint::Kind::hard && (!live[s].unilateral || active[s] != 0) ? 1.0
                                                                                                             : 0.0;
        const Vec3 now = gather(live[s], field);
        rows.gap[i] = dot(rows.dir(i),
                          velocity ? three(at.goal_v + 3 * s) - now : 0.5 * (three(at.old_a + 3 * s) - now));
        for (std::size_t j = 0; j < rows.count; ++j) {
            rows.matrix[i * rows.capacity + j] = dot(rows.dir(i),
                                                     coupling(live[s], rows.slot_of(j), at.columns) * rows.dir(j));
        }
    }
    rows.solve_in_use();
    for (std::size_t i = 0; i < rows.count; ++i) {
        for (int axis = 0; axis < dim_; ++axis) {
            const double push = rows.lambda[i] * rows.dir(i)[axis];
            const double* c = at.columns +
                              (rows.slot_of(i) * static_cast<std::size_t>(dim_) + static_cast<std::size_t>(axis)) *
                                  at.n;
            if (push != 0.0)
                for (std::size_t k = 0; k < at.n; ++k) field[k] += push * c[k];
        }
    }
}

void ElasticLive::read_out(std::span<const PointConstraint> live, const std::int32_t* active, const double* u,
                           double* reals, double* scratch) const noexcept {
    std::fill_n(reals, static_cast<std::size_t>(capacity_) * kSlotReals, 0.0);
    const Layout at(*this, scratch);
    LiveRows rows(capacity_, at.rows);
    // The matrix is still that of the last linearisation: only the rows' names are made anew.
    rows.begin(live, dim_);
    for (std::size_t i = 0; i < rows.count; ++i) rows.use[i] = active[rows.slot_of(i)] != 0 ? 1.0 : 0.0;
    rows.invert();
    for (std::size_t s = 0; s < live.size(); ++s) {
        if (!is_on(live[s]) || active[s] == 0) continue;
        const Vec3 force = three(at.force + 3 * s);
        put_three(reals + s * kSlotReals, force);
        put_three(reals + s * kSlotReals + 3, cross(rest_point(live[s]) + gather(live[s], u), force));
    }
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

}  // namespace limber
