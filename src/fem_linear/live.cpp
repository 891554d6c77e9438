#include "fem_linear/live.hpp"

#include "fem_linear/triples.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr std::size_t kKeyReals = PointConstraint::kMaxVertices;       // weights
constexpr std::size_t kReadReals = 3 + 3 + 9;                          // force, torque, stiffness
constexpr std::size_t kSlotMarks = 2 + PointConstraint::kMaxVertices;  // active, vertex count, vertices

bool is_on(const PointConstraint& c) { return c.kind != PointConstraint::Kind::off; }

// Solves the n x n system (row length `stride`) restricted to rows with use[i] != 0, in place, by elimination without
// exchanges: the matrix is positive definite, or block triangular with such blocks (soft rows of explicit schemes).
// A pivot that vanishes against its own diagonal means the row repeats others: it is dropped (use[i] = 0).
bool solve_dense(double* t, std::size_t n, std::size_t stride, const double* b, double* x, double* use) noexcept {
    bool complete = true;
    std::copy_n(b, n, x);
    for (std::size_t j = 0; j < n; ++j) {
        if (use[j] == 0.0) continue;
        const double original = t[j * stride + j];
        for (std::size_t k = 0; k < j; ++k) {
            if (use[k] != 0.0) {
                const double l = t[j * stride + k] / t[k * stride + k];
                for (std::size_t c = k + 1; c < n; ++c) t[j * stride + c] -= l * t[k * stride + c];
                t[j * stride + k] = 0.0;
                x[j] -= l * x[k];
            }
        }
        const double pivot = t[j * stride + j];
        if (!(pivot > 1e-12 * original) || !(original > 0.0)) {
            use[j] = 0.0;
            complete = false;
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        if (use[i] == 0.0) {
            x[i] = 0.0;
            continue;
        }
        for (std::size_t k = i + 1; k < n; ++k)
            if (use[k] != 0.0) x[i] -= t[i * stride + k] * x[k];
        x[i] /= t[i * stride + i];
    }
    return complete;
}

// The inverse, in place, of the rows and columns with use[i] != 0 (Gauss-Jordan without exchanges; the others are left
// alone).
void invert_dense(double* t, std::size_t n, std::size_t stride, const double* use) noexcept {
    for (std::size_t k = 0; k < n; ++k) {
        if (use[k] == 0.0) continue;
        const double pivot = 1.0 / t[k * stride + k];
        t[k * stride + k] = 1.0;
        for (std::size_t j = 0; j < n; ++j) t[k * stride + j] *= pivot;
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k || use[i] == 0.0) continue;
            const double f = t[i * stride + k];
            t[i * stride + k] = 0.0;
            for (std::size_t j = 0; j < n; ++j)
                if (use[j] != 0.0) t[i * stride + j] -= f * t[k * stride + j];
        }
    }
}

}  // namespace

// The small system's vectors in the scratch array. One row per axis, or one along the normal when unilateral.
struct Live::Rows {
    Rows(const Live& live, double* p) : capacity(static_cast<std::size_t>(3 * live.capacity_)) {
        const std::size_t r = capacity;
        from = p;           // 3 per slot: the point's displacement when the step began,
        from_v = p + r;     // its velocity,
        old_a = p + 2 * r;  // and its acceleration before this sub-step
        matrix = p + 3 * r;
        factor = matrix + r * r;
        gap = factor + r * r;
        lambda = gap + r;
        use = lambda + r;
        slot = use + r;
        direction = slot + r;  // 3 per row
    }
    static std::size_t size(std::size_t r) { return 2 * r * r + 10 * r; }
    std::size_t capacity, count = 0;
    double *from, *from_v, *old_a, *matrix, *factor, *gap, *lambda, *use, *slot, *direction;
    Vec3 dir(std::size_t i) const { return {direction[3 * i], direction[3 * i + 1], direction[3 * i + 2]}; }
};

Live::Live(const Body& body, const Stepper& stepper, int capacity)
    : body_(body), stepper_(stepper), capacity_(capacity), dim_(body.mesh().dimension()) {
    free_of_.assign(stepper.system().size(), -1);
    for (std::size_t i = 0; i < stepper.free_count(); ++i)
        free_of_[static_cast<std::size_t>(stepper.system().free[i])] = static_cast<std::int32_t>(i);
}

std::size_t Live::state_reals() const {
    return static_cast<std::size_t>(capacity_) *
           (kKeyReals + kReadReals + static_cast<std::size_t>(dim_) * stepper_.free_count());
}
std::size_t Live::state_marks() const { return static_cast<std::size_t>(capacity_) * kSlotMarks; }
std::size_t Live::scratch_size() const { return Rows::size(static_cast<std::size_t>(3 * capacity_)); }

double* Live::column(double* reals, std::size_t slot, int axis) const noexcept {
    const std::size_t n = stepper_.free_count();
    return reals + static_cast<std::size_t>(capacity_) * (kKeyReals + kReadReals) +
           (slot * static_cast<std::size_t>(dim_) + static_cast<std::size_t>(axis)) * n;
}
const double* Live::column(const double* reals, std::size_t slot, int axis) const noexcept {
    return column(const_cast<double*>(reals), slot, axis);
}

bool Live::well_formed(std::span<const PointConstraint> live) const noexcept {
    if (live.size() > static_cast<std::size_t>(capacity_)) return false;
    return std::all_of(live.begin(), live.end(), [&](const PointConstraint& c) {
        if (!is_on(c)) return true;
        if (c.vertex_count < 1 || c.vertex_count > PointConstraint::kMaxVertices) return false;
        double sum = 0.0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(c.vertex_count); ++i) {
            if (c.vertices[i] < 0 || static_cast<std::size_t>(c.vertices[i]) >= body_.vertex_count() ||
                !std::isfinite(c.weights[i])) {
                return false;
            }
            sum += c.weights[i];
        }
        if (std::abs(sum - 1.0) > 1e-6 || !is_finite(c.target) || !is_finite(c.velocity)) return false;
        if (c.unilateral && !(std::abs(norm(c.normal) - 1.0) < 1e-6)) return false;
        return c.kind != PointConstraint::Kind::soft || (std::isfinite(c.stiffness) && c.stiffness > 0.0);
    });
}

Vec3 Live::gather(const PointConstraint& c, const double* full) const noexcept {
    Vec3 sum;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.vertex_count); ++i)
        for (int k = 0; k < dim_; ++k) sum[k] += c.weights[i] * full[c.vertices[i] * dim_ + k];
    return sum;
}

void Live::begin(std::span<const PointConstraint> live, Motion m, double* scratch) const noexcept {
    const Rows rows(*this, scratch);
    for (std::size_t s = 0; s < live.size(); ++s) {
        if (!is_on(live[s])) continue;
        put3(rows.from + 3 * s, gather(live[s], m.u));
        put3(rows.from_v + 3 * s, gather(live[s], m.v));
    }
}

Live::Aim Live::aim(const PointConstraint& c, std::size_t slot, Moment end, const Rows& rows) const noexcept {
    Vec3 rest;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.vertex_count); ++i)
        rest += c.weights[i] * body_.mesh().vertices[static_cast<std::size_t>(c.vertices[i])];
    const Vec3 goal = c.target - rest;
    if (end.part >= 1.0) return {goal, c.velocity};
    const double t = end.part;
    const Vec3 from = get3(rows.from + 3 * slot), m0 = end.duration * get3(rows.from_v + 3 * slot),
               m1 = end.duration * c.velocity;
    const Vec3 c3 = m0 + m1 - 2.0 * (goal - from), c2 = 3.0 * (goal - from) - 2.0 * m0 - m1;
    return {from + t * (m0 + t * (c2 + t * c3)), (m0 + t * (2.0 * c2 + 3.0 * t * c3)) / end.duration};
}

bool Live::refresh_columns(const PointConstraint& c, const Stepper& stepper, std::size_t slot, double* reals,
                           std::int32_t* marks, double* step_scratch) const noexcept {
    double* weights = reals + slot * kKeyReals;
    std::int32_t* mark = marks + slot * kSlotMarks;
    const auto n = static_cast<std::size_t>(c.vertex_count);
    bool same = mark[1] == c.vertex_count;
    for (std::size_t i = 0; same && i < n; ++i) same = mark[2 + i] == c.vertices[i] && weights[i] == c.weights[i];
    if (same) return true;
    mark[0] = 0;
    mark[1] = c.vertex_count;
    for (std::size_t i = 0; i < n; ++i) {
        mark[2 + i] = c.vertices[i];
        weights[i] = c.weights[i];
    }
    double* rhs = stepper_.rhs(step_scratch);
    bool good = true;
    for (int axis = 0; axis < dim_; ++axis) {
        std::fill_n(rhs, stepper_.free_count(), 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t f = free_of_[static_cast<std::size_t>(c.vertices[i] * dim_ + axis)];
            if (f >= 0) rhs[f] += c.weights[i];
        }
        double* x = column(reals, slot, axis);
        std::fill_n(x, stepper_.free_count(), 0.0);
        good = stepper.solve_for(rhs, x, step_scratch).converged && good;
    }
    return good;
}

// G_row A^-1 G_slot^T, axis by axis.
Mat3 Live::coupling(const PointConstraint& row, std::size_t column_slot, const double* reals) const noexcept {
    Mat3 out;
    for (int j = 0; j < dim_; ++j) {
        const double* x = column(reals, column_slot, j);
        for (int i = 0; i < dim_; ++i) {
            for (std::size_t k = 0; k < static_cast<std::size_t>(row.vertex_count); ++k) {
                const std::int32_t f = free_of_[static_cast<std::size_t>(row.vertices[k] * dim_ + i)];
                if (f >= 0) out(i, j) += row.weights[k] * x[f];
            }
        }
    }
    return out;
}

void Live::build_rows(std::span<const PointConstraint> live, Moment end, const double* reals,
                      const double* step_scratch, Rows& rows) const noexcept {
    const Coefficients& form = end.stepper->form();
    const double h = end.stepper->settings().step;
    const double* x = stepper_.unknown(const_cast<double*>(step_scratch));
    rows.count = 0;
    for (std::size_t s = 0; s < live.size(); ++s) {
        const PointConstraint& c = live[s];
        if (!is_on(c)) continue;
        Vec3 change;
        for (std::size_t i = 0; i < static_cast<std::size_t>(c.vertex_count); ++i) {
            for (int k = 0; k < dim_; ++k) {
                const std::int32_t f = free_of_[static_cast<std::size_t>(c.vertices[i] * dim_ + k)];
                if (f >= 0) change[k] += c.weights[i] * x[f];
            }
        }
        const Aim goal = aim(c, s, end, rows);
        Vec3 gap = goal.displacement - (gather(c, stepper_.base_u(step_scratch)) + form.end_u * change);
        // An explicit scheme's end position is already decided: ask for the acceleration that puts the next one right.
        if (decided() && c.kind == PointConstraint::Kind::hard)
            gap += h * (goal.velocity - gather(c, stepper_.base_v(step_scratch))) - h * h * change;
        const int own_rows = c.unilateral ? 1 : dim_;
        for (int k = 0; k < own_rows; ++k) {
            Vec3 dir = c.normal;
            if (!c.unilateral) dir = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
            const std::size_t i = rows.count++;
            rows.slot[i] = static_cast<double>(s);
            for (int a = 0; a < 3; ++a) rows.direction[3 * i + static_cast<std::size_t>(a)] = dir[a];
            rows.gap[i] = dot(dir, gap);
        }
    }
    for (std::size_t i = 0; i < rows.count; ++i) {
        for (std::size_t j = 0; j < rows.count; ++j) {
            const auto si = static_cast<std::size_t>(rows.slot[i]), sj = static_cast<std::size_t>(rows.slot[j]);
            const bool hard = live[si].kind == PointConstraint::Kind::hard;
            const double scale = hard && decided() ? h * h : form.end_u;
            double t = scale * dot(rows.dir(i), coupling(live[si], sj, reals) * rows.dir(j));
            if (i == j && !hard) t += 1.0 / live[si].stiffness;
            rows.matrix[i * rows.capacity + j] = t;
        }
    }
}

// Bilateral rows always act; a unilateral one only while it pushes. Classic active set: drop the worst puller, else
// take in the worst penetrator.
Trouble Live::solve_rows(std::span<const PointConstraint> live, std::int32_t* marks, Rows& rows) const noexcept {
    const std::size_t n = rows.count, stride = rows.capacity;
    const auto unilateral = [&](std::size_t i) { return live[static_cast<std::size_t>(rows.slot[i])].unilateral; };
    const auto active = [&](std::size_t i) -> std::int32_t& {
        return marks[static_cast<std::size_t>(rows.slot[i]) * kSlotMarks];
    };
    Trouble trouble = Trouble::none;
    for (std::size_t round = 0; round < 4 * n + 4; ++round) {
        for (std::size_t i = 0; i < n; ++i) rows.use[i] = !unilateral(i) || active(i) != 0 ? 1.0 : 0.0;
        std::copy_n(rows.matrix, stride * n, rows.factor);
        if (!solve_dense(rows.factor, n, stride, rows.gap, rows.lambda, rows.use))
            trouble |= Trouble::constraint_conflict;
        std::size_t worst = n;
        for (std::size_t i = 0; i < n; ++i)
            if (unilateral(i) && rows.lambda[i] < 0.0 && (worst == n || rows.lambda[i] < rows.lambda[worst])) worst = i;
        if (worst < n) {
            active(worst) = 0;
            continue;
        }
        double most = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            if (!unilateral(i) || active(i) != 0) continue;
            double left = rows.gap[i];
            for (std::size_t j = 0; j < n; ++j) left -= rows.matrix[i * stride + j] * rows.lambda[j];
            if (left > most) {
                most = left;
                worst = i;
            }
        }
        if (worst == n) return trouble;
        active(worst) = 1;
    }
    return trouble | Trouble::not_converged;
}

void Live::read_out(std::span<const PointConstraint> live, double* reals, std::int32_t* marks,
                    Rows& rows) const noexcept {
    double* readouts = reals + static_cast<std::size_t>(capacity_) * kKeyReals;
    std::fill_n(readouts, static_cast<std::size_t>(capacity_) * kReadReals, 0.0);
    for (std::size_t i = 0; i < rows.count; ++i) {
        const auto s = static_cast<std::size_t>(rows.slot[i]);
        if (!live[s].unilateral) marks[s * kSlotMarks] = 1;
        double* r = readouts + s * kReadReals;
        Vec3 rest;
        for (std::size_t k = 0; k < static_cast<std::size_t>(live[s].vertex_count); ++k)
            rest += live[s].weights[k] * body_.mesh().vertices[static_cast<std::size_t>(live[s].vertices[k])];
        const Vec3 f = rows.lambda[i] * rows.dir(i);
        const Vec3 torque = cross(rest, f);
        for (int a = 0; a < 3; ++a) {
            r[a] += f[a];
            r[3 + a] += torque[a];
        }
    }
}

// The answer of lambda to each row's target: the inverse of the small matrix, block by block.
void Live::read_stiffness(double* reals, Rows& rows) const noexcept {
    double* readouts = reals + static_cast<std::size_t>(capacity_) * kKeyReals;
    std::copy_n(rows.matrix, rows.capacity * rows.count, rows.factor);
    invert_dense(rows.factor, rows.count, rows.capacity, rows.use);
    for (std::size_t j = 0; j < rows.count; ++j) {
        double* k = readouts + static_cast<std::size_t>(rows.slot[j]) * kReadReals + 6;
        for (std::size_t i = 0; i < rows.count; ++i) {
            if (rows.slot[i] == rows.slot[j] && rows.use[i] != 0.0 && rows.use[j] != 0.0) {
                for (int a = 0; a < 3; ++a) {
                    for (int b = 0; b < 3; ++b)
                        k[3 * a + b] += rows.factor[i * rows.capacity + j] * rows.dir(i)[a] * rows.dir(j)[b];
                }
            }
        }
    }
}

Trouble Live::apply(std::span<const PointConstraint> live, Moment end, Motion m, double* reals, std::int32_t* marks,
                    double* scratch, double* step_scratch) const noexcept {
    for (std::size_t s = 0; s < static_cast<std::size_t>(capacity_); ++s)
        if (s >= live.size() || !is_on(live[s])) marks[s * kSlotMarks] = 0;
    // The stepper's right-hand side is spent by now; columns borrow its place.
    Rows rows(*this, scratch);
    bool good = true;
    for (std::size_t s = 0; s < live.size(); ++s) {
        if (is_on(live[s])) {
            good = refresh_columns(live[s], *end.stepper, s, reals, marks, step_scratch) && good;
            put3(rows.old_a + 3 * s, gather(live[s], m.a));
        }
    }
    build_rows(live, end, reals, step_scratch, rows);
    Trouble trouble = solve_rows(live, marks, rows);
    if (!good) trouble |= Trouble::not_converged;
    double* x = stepper_.unknown(step_scratch);
    for (std::size_t i = 0; i < rows.count; ++i) {
        for (int axis = 0; axis < dim_; ++axis) {
            const double pull = rows.lambda[i] * rows.dir(i)[axis];
            if (pull == 0.0) continue;
            const double* c = column(reals, static_cast<std::size_t>(rows.slot[i]), axis);
            for (std::size_t k = 0; k < stepper_.free_count(); ++k) x[k] += pull * c[k];
        }
    }
    read_out(live, reals, marks, rows);
    if (end.part >= 1.0) read_stiffness(reals, rows);
    return trouble;
}

void Live::take_from_prescribed(const double* reals, const std::int32_t* marks, double* reactions) const noexcept {
    for (std::size_t s = 0; s < static_cast<std::size_t>(capacity_); ++s) {
        const std::int32_t* mark = marks + s * kSlotMarks;
        if (mark[0] == 0) continue;
        const Wrench w = reaction(static_cast<int>(s), reals);
        for (std::size_t i = 0; i < static_cast<std::size_t>(mark[1]); ++i) {
            for (int k = 0; k < dim_; ++k) {
                const auto dof = static_cast<std::size_t>(mark[2 + i] * dim_ + k);
                if (free_of_[dof] < 0) reactions[dof] -= reals[s * kKeyReals + i] * w.force[k];
            }
        }
    }
}

void Live::settle(std::span<const PointConstraint> live, Moment end, Motion m, const double* reals,
                  const std::int32_t* marks, double* scratch) const noexcept {
    Rows rows(*this, scratch);
    const Scheme scheme = stepper_.settings().scheme;
    if (scheme != Scheme::newmark_implicit && scheme != Scheme::implicit_midpoint) return;
    settle_field(live, end, m.v, true, reals, marks, rows);
    if (scheme == Scheme::newmark_implicit) settle_field(live, end, m.a, false, reals, marks, rows);
}

void Live::settle_field(std::span<const PointConstraint> live, Moment end, double* field, bool velocity,
                        const double* reals, const std::int32_t* marks, Rows& rows) const noexcept {
    rows.count = 0;
    for (std::size_t s = 0; s < live.size(); ++s) {
        const PointConstraint& c = live[s];
        if (c.kind != PointConstraint::Kind::hard || marks[s * kSlotMarks] == 0) continue;
        const Vec3 now = gather(c, field);
        const Vec3 gap = velocity ? aim(c, s, end, rows).velocity - now : 0.5 * (get3(rows.old_a + 3 * s) - now);
        for (int k = 0; k < (c.unilateral ? 1 : dim_); ++k) {
            const std::size_t i = rows.count++;
            const Vec3 dir = c.unilateral ? c.normal : Vec3{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
            rows.slot[i] = static_cast<double>(s);
            put3(rows.direction + 3 * i, dir);
            rows.gap[i] = dot(dir, gap);
            rows.use[i] = 1.0;
        }
    }
    for (std::size_t i = 0; i < rows.count; ++i) {
        for (std::size_t j = 0; j < rows.count; ++j) {
            rows.factor[i * rows.capacity + j] = dot(
                rows.dir(i),
                coupling(live[static_cast<std::size_t>(rows.slot[i])], static_cast<std::size_t>(rows.slot[j]), reals) *
                    rows.dir(j));
        }
    }
    solve_dense(rows.factor, rows.count, rows.capacity, rows.gap, rows.lambda, rows.use);
    for (std::size_t i = 0; i < rows.count; ++i) {
        for (int axis = 0; axis < dim_; ++axis) {
            const double push = rows.lambda[i] * rows.dir(i)[axis];
            const double* c = column(reals, static_cast<std::size_t>(rows.slot[i]), axis);
            if (push != 0.0)
                for (std::size_t k = 0; k < stepper_.free_count(); ++k) field[stepper_.system().free[k]] += push * c[k];
        }
    }
}

void Live::forget_columns(std::int32_t* marks) const noexcept {
    for (std::size_t s = 0; s < static_cast<std::size_t>(capacity_); ++s) marks[s * kSlotMarks + 1] = 0;
}

bool Live::remembers(const std::int32_t* marks) const noexcept {
    for (std::size_t s = 0; s < static_cast<std::size_t>(capacity_); ++s)
        if (marks[s * kSlotMarks] != 0) return true;
    return false;
}

Wrench Live::reaction(int slot, const double* reals) const noexcept {
    const double* r = reals + static_cast<std::size_t>(capacity_) * kKeyReals +
                      static_cast<std::size_t>(slot) * kReadReals;
    return {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}};
}

bool Live::tangent(int slot, const double* reals, const std::int32_t* marks, Mat3& out) const noexcept {
    if (marks[static_cast<std::size_t>(slot) * kSlotMarks] == 0) return false;
    const double* k = reals + static_cast<std::size_t>(capacity_) * kKeyReals +
                      static_cast<std::size_t>(slot) * kReadReals + 6;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) out(a, b) = k[3 * a + b];
    return true;
}

}  // namespace limber
