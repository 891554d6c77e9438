// A small complete method for testing the suite beside linear_fem: springs between all vertices of a cell, dense
// matrices, average-acceleration Newmark, live constraints by a Schur complement. Linear, second order, slow.
#pragma once

#include "conformance/truss_matrix.hpp"

#include <limber/method.hpp>

#include <algorithm>
#include <array>

namespace limber::testing {

constexpr std::size_t kMostLive = 4;

class TrussDeformer : public Deformer {
public:
    TrussDeformer(std::shared_ptr<const Body> body, double step, int capacity, bool stiffness_damping);

    const Body& body() const override { return *body_; }
    const char* method_name() const override { return "truss"; }
    double prepared_step() const override { return h_; }
    int live_capacity() const override { return capacity_; }
    std::size_t memory() const override { return 8 * (k_.a.size() + a_.a.size()); }
    State rest_state() const override;
    Workspace make_workspace() const override;
    StepReport step(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept override;
    void displacements(const State& s, std::span<Vec3> out) const noexcept override { scatter(s.reals.data(), out); }
    void velocities(const State& s, std::span<Vec3> out) const noexcept override { scatter(s.reals.data() + n_, out); }
    Energies energies(const State& state, Workspace& scratch) const noexcept override;
    bool set_motion(State& state, std::span<const Vec3> u, std::span<const Vec3> v) const noexcept override;
    Wrench reaction(const State& state, SupportRef support) const noexcept override;
    bool tangent_stiffness(const State& state, SupportRef support, Mat3& out) const noexcept override;
    bool cell_stress(const State&, std::span<SymMat3>) const noexcept override { return false; }
    void save(ByteWriter& out) const override;

private:
    static constexpr std::size_t kRows = 3 * kMostLive;
    struct Row {
        std::size_t slot;
        Vec3 way;
        bool one_sided;
    };
    /// The rows of one pass and the small systems that they make, dense and row by row.
    struct RowSystem {
        std::array<Row, kRows> rows;
        std::size_t m = 0;                      ///< rows in use
        std::array<double, kRows * kRows> g{};  ///< J A^-1 J^T
        std::array<double, kRows * kRows> s{};  ///< the same per displacement, with the springs of soft ones
        /// Right-hand sides, then multiplier, velocity and acceleration corrections, and the inverse.
        std::array<double, kRows*(kRows + 3)> b{};

        std::size_t width() const noexcept { return m + 3; }
    };
    void assemble();
    void hold();
    void measure_tangents();
    bool fits(const Loads& loads) const noexcept;
    void scatter(const double* from, std::span<Vec3> out) const noexcept;
    void prescribe(const Loads& loads, double* u, double* v, double* a) const noexcept;
    double product(std::size_t row, const double* u, const double* v) const noexcept;  ///< (K u + C v) of a row
    std::size_t active_rows(const Loads& loads, const std::int32_t* closed,
                            std::array<Row, kRows>& rows) const noexcept;
    void solve_live(State& state, const Loads& loads, double* columns) const noexcept;
    bool solve_rows(State& state, const Loads& loads, double* columns) const noexcept;
    void solve_columns(const RowSystem& q, const Loads& loads, double* columns) const noexcept;
    void fill_system(RowSystem& q, const State& state, const Loads& loads, const double* columns) const noexcept;
    static bool open_one_that_pulls(const RowSystem& q, State& state) noexcept;
    void add_forces(const RowSystem& q, const Loads& loads, const double* columns, State& state) const noexcept;
    void match_velocities(RowSystem& q, const Loads& loads, const double* columns, State& state) const noexcept;
    double along(const PointConstraint& p, const Vec3& way, const double* field) const noexcept;
    Vec3 rest_of(const PointConstraint& p) const noexcept;
    void read_reactions(State& state, const double* force) const noexcept;
    bool is_own(const State& s) const noexcept;
    std::size_t live_at() const { return 3 * n_ + 6 * supports_; }

    std::shared_ptr<const Body> body_;
    double h_;
    int capacity_;
    double alpha_, beta_;
    std::size_t dim_, n_, supports_;
    Dense k_, a_;
    std::vector<double> mass_;
    std::vector<std::size_t> free_;
    std::vector<int> owner_;      ///< support that prescribes an unknown, -1 = free
    std::vector<Mat3> tangents_;  ///< per support
};

class Truss : public Method {
public:
    const char* name() const override { return "truss"; }
    const char* summary() const override { return "Springs between the vertices of every cell."; }
    Traits traits() const override {
        Traits t;
        t.cells = {CellKind::hex8, CellKind::tet4, CellKind::quad4, CellKind::tri3};
        t.free_bodies = true;
        t.small_load_tolerance = 0.99;  // springs are no continuum
        return t;
    }
    OptionTable options() const override {
        return {{"step", OptionType::real, "s", 1.0 / 60, 1e-6, 10.0, {}, false, "Length of a step."},
                {"max_live",
                 OptionType::integer,
                 "",
                 2.0,
                 0,
                 static_cast<double>(kMostLive),
                 {},
                 false,
                 "Live constraints at once."},
                {"damping",
                 OptionType::choice,
                 "",
                 std::string("rayleigh"),
                 0,
                 0,
                 {"rayleigh", "mass_only"},
                 false,
                 "What brakes."}};
    }
    std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body> body, const OptionValues& given,
                                      Progress&) const override {
        check_traits(*this, *body);
        const Options o(options(), given);
        return std::make_unique<TrussDeformer>(std::move(body), o.real("step"), o.integer("max_live"),
                                               o.choice("damping") == "rayleigh");
    }
    std::unique_ptr<Deformer> load(std::shared_ptr<const Body> body, ByteReader& in) const override {
        const double step = in.f64();
        const int capacity = in.i32();
        return std::make_unique<TrussDeformer>(std::move(body), step, capacity, in.u8() != 0);
    }
};

inline TrussDeformer::TrussDeformer(std::shared_ptr<const Body> body, double step, int capacity, bool stiffness_damping)
    : body_(std::move(body)),
      h_(step),
      capacity_(capacity),
      alpha_(body_->materials()[0].rayleigh_alpha),
      beta_(stiffness_damping ? body_->materials()[0].rayleigh_beta : 0.0),
      dim_(static_cast<std::size_t>(body_->mesh().dimension())),
      n_(dim_ * body_->vertex_count()),
      supports_(body_->anchors().size() + body_->handles().size()),
      k_(n_),
      mass_(n_),
      owner_(n_, -1) {
    assemble();
    hold();
    a_ = Dense(free_.size());
    for (std::size_t i = 0; i < free_.size(); ++i) {
        for (std::size_t j = 0; j < free_.size(); ++j) {
            const double k = k_(free_[i], free_[j]);
            a_(i, j) = (h_ * h_ / 4 + h_ / 2 * beta_) * k + (i == j ? mass_[free_[i]] * (1 + h_ / 2 * alpha_) : 0.0);
        }
    }
    factor(a_);
    measure_tangents();
}

inline void TrussDeformer::assemble() {
    const Mesh& mesh = body_->mesh();
    const std::size_t corners = static_cast<std::size_t>(corners_of(mesh.kind));
    const double depth = dim_ == 2 ? body_->thickness() : 1.0;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        const Material& m = body_->material_of(c);
        for (std::size_t i = 0; i < corners; ++i) {
            const std::size_t p = static_cast<std::size_t>(mesh.cell(c)[i]);
            for (std::size_t d = 0; d < dim_; ++d)
                mass_[dim_ * p + d] += m.density * cell_measure(mesh, c) * depth / static_cast<double>(corners);
            for (std::size_t j = 0; j < i; ++j) {
                const std::size_t q = static_cast<std::size_t>(mesh.cell(c)[j]);
                const Vec3 e = mesh.vertices[p] - mesh.vertices[q];
                const double s = 0.2 * m.young / norm(e);
                for (std::size_t a = 0; a < dim_; ++a) {
                    for (std::size_t b = 0; b < dim_; ++b) {
                        const double v = s * e[static_cast<int>(a)] * e[static_cast<int>(b)];
                        k_(dim_ * p + a, dim_ * p + b) += v;
                        k_(dim_ * q + a, dim_ * q + b) += v;
                        k_(dim_ * p + a, dim_ * q + b) -= v;
                        k_(dim_ * q + a, dim_ * p + b) -= v;
                    }
                }
            }
        }
    }
}

inline void TrussDeformer::hold() {
    int support = 0;
    const auto take = [&](const IndexSet& vertices, const Axes& axes) {
        for (const std::int32_t v : vertices) {
            for (std::size_t d = 0; d < dim_; ++d)
                if (axes[static_cast<int>(d)]) owner_[dim_ * static_cast<std::size_t>(v) + d] = support;
        }
        ++support;
    };
    for (const Anchor& a : body_->anchors()) take(a.vertices, a.axes);
    for (const Handle& h : body_->handles()) take(h.vertices, h.axes);
    for (std::size_t i = 0; i < n_; ++i)
        if (owner_[i] < 0) free_.push_back(i);
}

// A unit shift d of the support's target, velocity kept: A da = -K_fd, du = h^2/4 da, dv = h/2 da.
inline void TrussDeformer::measure_tangents() {
    tangents_.resize(supports_);
    std::vector<double> u(n_), v(n_), x(free_.size());
    for (std::size_t s = 0; s < supports_; ++s) {
        for (std::size_t axis = 0; axis < dim_; ++axis) {
            for (std::size_t i = 0; i < n_; ++i) {
                u[i] = owner_[i] == static_cast<int>(s) && i % dim_ == axis ? 1.0 : 0.0;
                v[i] = 0.0;
            }
            for (std::size_t i = 0; i < free_.size(); ++i) x[i] = -product(free_[i], u.data(), v.data());
            solve(a_, x.data());
            for (std::size_t i = 0; i < free_.size(); ++i) {
                u[free_[i]] = h_ * h_ / 4 * x[i];
                v[free_[i]] = h_ / 2 * x[i];
            }
            for (std::size_t i = 0; i < n_; ++i) {
                if (owner_[i] == static_cast<int>(s))
                    tangents_[s](static_cast<int>(i % dim_), static_cast<int>(axis)) += product(i, u.data(), v.data());
            }
        }
    }
}

inline double TrussDeformer::product(std::size_t row, const double* u, const double* v) const noexcept {
    double sum = mass_[row] * alpha_ * v[row];
    for (std::size_t j = 0; j < n_; ++j) sum += k_(row, j) * (u[j] + beta_ * v[j]);
    return sum;
}

inline bool TrussDeformer::is_own(const State& s) const noexcept {
    const auto slots = static_cast<std::size_t>(capacity_);
    return s.reals.size() == live_at() + 15 * slots && s.marks.size() == slots;
}

inline State TrussDeformer::rest_state() const {
    State s;
    s.reals.assign(live_at() + 15 * static_cast<std::size_t>(capacity_), 0.0);
    s.marks.assign(static_cast<std::size_t>(capacity_), 0);
    return s;
}

inline Workspace TrussDeformer::make_workspace() const {
    Workspace w;
    w.reals.assign(2 * n_ + kRows * free_.size(), 0.0);
    return w;
}

inline void TrussDeformer::scatter(const double* from, std::span<Vec3> out) const noexcept {
    for (std::size_t i = 0; i < n_; ++i) out[i / dim_][static_cast<int>(i % dim_)] = from[i];
    if (dim_ == 2)
        for (Vec3& p : out) p.z = 0.0;
}

inline bool TrussDeformer::fits(const Loads& loads) const noexcept {
    bool good = loads.force.empty() || loads.force.size() == body_->vertex_count();
    for (const Vec3& f : loads.force) good = good && is_finite(f);
    good = good && is_finite(loads.gravity) && loads.vertices.empty() &&
           (loads.handles.empty() || loads.handles.size() == body_->handles().size());
    for (const HandleTarget& t : loads.handles) {
        good = good && is_finite(t.translation) && is_finite(t.velocity) && is_finite(t.angular_velocity) &&
               is_finite(t.acceleration) && is_finite(t.angular_acceleration) &&
               std::isfinite(t.rotation.w + t.rotation.x + t.rotation.y + t.rotation.z);
    }
    good = good && loads.live.size() <= static_cast<std::size_t>(capacity_);
    for (const PointConstraint& p : loads.live) {
        if (p.kind == PointConstraint::Kind::off) continue;
        good = good && p.vertex_count > 0 && p.vertex_count <= PointConstraint::kMaxVertices && is_finite(p.target) &&
               is_finite(p.velocity) && is_finite(p.normal) &&
               (p.kind == PointConstraint::Kind::hard || p.stiffness > 0.0);
        for (std::size_t i = 0; good && i < static_cast<std::size_t>(p.vertex_count); ++i) {
            good = p.vertices[i] >= 0 && static_cast<std::size_t>(p.vertices[i]) < body_->vertex_count() &&
                   std::isfinite(p.weights[i]);
        }
    }
    return good;
}

inline void TrussDeformer::prescribe(const Loads& loads, double* u, double* v, double* a) const noexcept {
    const int anchors = static_cast<int>(body_->anchors().size());
    for (std::size_t i = 0; i < n_; ++i) {
        if (owner_[i] < 0) continue;
        u[i] = v[i] = a[i] = 0.0;
        if (owner_[i] < anchors || loads.handles.empty()) continue;
        const std::size_t h = static_cast<std::size_t>(owner_[i] - anchors);
        const HandleTarget& t = loads.handles[h];
        const int d = static_cast<int>(i % dim_);
        const Vec3 rest = body_->mesh().vertices[i / dim_], pivot = body_->handles()[h].pivot,
                   arm = to_matrix(t.rotation) * (rest - pivot);
        u[i] = (pivot + t.translation + arm - rest)[d];
        v[i] = (t.velocity + cross(t.angular_velocity, arm))[d];
        a[i] = (t.acceleration + cross(t.angular_acceleration, arm) +
                cross(t.angular_velocity, cross(t.angular_velocity, arm)))[d];
    }
}

inline StepReport TrussDeformer::step(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept {
    StepReport report;
    if (!is_own(state))
        report.trouble = Trouble::bad_state;
    else if (!(std::fabs(dt - h_) <= 1e-9 * h_))
        report.trouble = Trouble::wrong_step;
    else if (!fits(loads))
        report.trouble = Trouble::bad_loads;
    if (report.trouble != Trouble::none) return report;
    double* u = state.reals.data();
    double *v = u + n_, *a = v + n_, *force = scratch.reals.data(), *x = force + n_;
    for (std::size_t i = 0; i < n_; ++i) {
        const int d = static_cast<int>(i % dim_);
        force[i] = mass_[i] * loads.gravity[d] + (loads.force.empty() ? 0.0 : loads.force[i / dim_][d]);
        u[i] += h_ * v[i] + h_ * h_ / 4 * a[i];
        v[i] += h_ / 2 * a[i];
    }
    prescribe(loads, u, v, a);
    for (std::size_t i = 0; i < free_.size(); ++i) x[i] = force[free_[i]] - product(free_[i], u, v);
    solve(a_, x);
    for (std::size_t i = 0; i < free_.size(); ++i) {
        a[free_[i]] = x[i];
        u[free_[i]] += h_ * h_ / 4 * x[i];
        v[free_[i]] += h_ / 2 * x[i];
    }
    solve_live(state, loads, x + n_);
    read_reactions(state, force);
    state.time += h_;
    return report;
}

inline double TrussDeformer::along(const PointConstraint& p, const Vec3& way, const double* field) const noexcept {
    double sum = 0.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.vertex_count); ++i) {
        for (std::size_t d = 0; d < dim_; ++d)
            sum += p.weights[i] * way[static_cast<int>(d)] * field[dim_ * static_cast<std::size_t>(p.vertices[i]) + d];
    }
    return sum;
}

inline Vec3 TrussDeformer::rest_of(const PointConstraint& p) const noexcept {
    Vec3 rest;
    for (std::size_t j = 0; j < static_cast<std::size_t>(p.vertex_count); ++j)
        rest += body_->mesh().vertices[static_cast<std::size_t>(p.vertices[j])] * p.weights[j];
    return rest;
}

inline std::size_t TrussDeformer::active_rows(const Loads& loads, const std::int32_t* closed,
                                              std::array<Row, kRows>& rows) const noexcept {
    std::size_t m = 0;
    for (std::size_t s = 0; s < loads.live.size(); ++s) {
        const PointConstraint& p = loads.live[s];
        if (p.kind == PointConstraint::Kind::off || closed[s] == 0) continue;
        if (p.unilateral) {
            rows[m++] = {s, p.normal, true};
            continue;
        }
        for (std::size_t d = 0; d < dim_; ++d) {
            Vec3 e;
            e[static_cast<int>(d)] = 1.0;
            rows[m++] = {s, e, false};
        }
    }
    return m;
}

// One-sided constraints start closed and open for good, one per pass, where they would pull.
inline void TrussDeformer::solve_live(State& state, const Loads& loads, double* columns) const noexcept {
    std::fill(state.reals.begin() + static_cast<std::ptrdiff_t>(live_at()), state.reals.end(), 0.0);
    std::fill(state.marks.begin(), state.marks.end(), 0);
    for (std::size_t s = 0; s < loads.live.size(); ++s)
        state.marks[s] = loads.live[s].kind == PointConstraint::Kind::off ? 0 : 1;
    while (!solve_rows(state, loads, columns)) {}
}

inline bool TrussDeformer::solve_rows(State& state, const Loads& loads, double* columns) const noexcept {
    RowSystem q;
    q.m = active_rows(loads, state.marks.data(), q.rows);
    solve_columns(q, loads, columns);
    fill_system(q, state, loads, columns);
    eliminate(q.s.data(), q.b.data(), q.m, q.width());
    if (open_one_that_pulls(q, state)) return false;
    add_forces(q, loads, columns, state);
    match_velocities(q, loads, columns, state);
    return true;
}

// Per row the accelerations that a unit force along it gives: a column of A^-1 J^T.
inline void TrussDeformer::solve_columns(const RowSystem& q, const Loads& loads, double* columns) const noexcept {
    const std::size_t nf = free_.size();
    for (std::size_t r = 0; r < q.m; ++r) {
        const PointConstraint& p = loads.live[q.rows[r].slot];
        double* x = columns + r * nf;
        std::fill(x, x + nf, 0.0);
        for (std::size_t i = 0; i < nf; ++i) {
            for (std::size_t j = 0; j < static_cast<std::size_t>(p.vertex_count); ++j) {
                if (free_[i] / dim_ == static_cast<std::size_t>(p.vertices[j]))
                    x[i] += p.weights[j] * q.rows[r].way[static_cast<int>(free_[i] % dim_)];
            }
        }
        solve(a_, x);
    }
}

inline void TrussDeformer::fill_system(RowSystem& q, const State& state, const Loads& loads,
                                       const double* columns) const noexcept {
    const std::size_t m = q.m, width = q.width(), nf = free_.size();
    const double* u = state.reals.data();
    for (std::size_t r = 0; r < m; ++r) {
        const PointConstraint& p = loads.live[q.rows[r].slot];
        const Vec3& way = q.rows[r].way;
        for (std::size_t c = 0; c < m; ++c) {
            double sum = 0.0;
            for (std::size_t i = 0; i < nf; ++i) {
                for (std::size_t j = 0; j < static_cast<std::size_t>(p.vertex_count); ++j) {
                    if (free_[i] / dim_ == static_cast<std::size_t>(p.vertices[j]))
                        sum += p.weights[j] * way[static_cast<int>(free_[i] % dim_)] * columns[c * nf + i];
                }
            }
            q.g[r * m + c] = q.s[r * m + c] = sum;
            q.s[r * m + c] *= h_ * h_ / 4;
        }
        if (p.kind == PointConstraint::Kind::soft) q.s[r * m + r] += 1.0 / p.stiffness;
        q.b[r * width] = dot(p.target - rest_of(p), way) - along(p, way, u);
        for (std::size_t c = 0; c < m; ++c) q.b[r * width + 3 + c] = r == c ? 1.0 : 0.0;
    }
}

inline bool TrussDeformer::open_one_that_pulls(const RowSystem& q, State& state) noexcept {
    for (std::size_t r = 0; r < q.m; ++r) {
        if (q.rows[r].one_sided && q.b[r * q.width()] < 0.0) {
            state.marks[q.rows[r].slot] = 0;
            return true;
        }
    }
    return false;
}

// What the multipliers push, kept per slot: force, tangent stiffness, torque; and how the step answers to it.
inline void TrussDeformer::add_forces(const RowSystem& q, const Loads& loads, const double* columns,
                                      State& state) const noexcept {
    const std::size_t m = q.m, width = q.width(), nf = free_.size();
    double *u = state.reals.data(), *v = u + n_, *a = v + n_;
    for (std::size_t r = 0; r < m; ++r) {
        const Row& row = q.rows[r];
        double* force = state.reals.data() + live_at() + 15 * row.slot;
        const Vec3 push = row.way * q.b[r * width], torque = cross(rest_of(loads.live[row.slot]), push);
        for (std::size_t d = 0; d < 3; ++d) {
            force[d] += push[static_cast<int>(d)];
            force[12 + d] += torque[static_cast<int>(d)];
        }
        for (std::size_t c = 0; c < m; ++c) {
            if (q.rows[c].slot == row.slot) {
                for (int i = 0; i < 3; ++i) {
                    for (int j = 0; j < 3; ++j)
                        force[3 + 3 * i + j] += row.way[i] * q.b[r * width + 3 + c] * q.rows[c].way[j];
                }
            }
        }
        for (std::size_t i = 0; i < nf; ++i) {
            const double x = columns[r * nf + i] * q.b[r * width];
            u[free_[i]] += h_ * h_ / 4 * x;
            v[free_[i]] += h_ / 2 * x;
            a[free_[i]] += x;
        }
    }
}

// Hard ones also take the target's velocity and no acceleration: otherwise the point rings from step to step.
inline void TrussDeformer::match_velocities(RowSystem& q, const Loads& loads, const double* columns,
                                            State& state) const noexcept {
    const std::size_t m = q.m, nf = free_.size();
    double *v = state.reals.data() + n_, *a = v + n_;
    for (std::size_t r = 0; r < m; ++r) {
        const PointConstraint& p = loads.live[q.rows[r].slot];
        const Vec3& way = q.rows[r].way;
        const bool hard = p.kind == PointConstraint::Kind::hard;
        for (std::size_t c = 0; c < m && !hard; ++c) q.g[r * m + c] = r == c ? 1.0 : 0.0;
        q.b[2 * r] = hard ? dot(p.velocity, way) - along(p, way, v) : 0.0;
        q.b[2 * r + 1] = hard ? -along(p, way, a) : 0.0;
    }
    eliminate(q.g.data(), q.b.data(), m, 2);
    for (std::size_t r = 0; r < m; ++r) {
        for (std::size_t i = 0; i < nf; ++i) {
            v[free_[i]] += q.b[2 * r] * columns[r * nf + i];
            a[free_[i]] += q.b[2 * r + 1] * columns[r * nf + i];
        }
    }
}

inline void TrussDeformer::read_reactions(State& state, const double* force) const noexcept {
    double *u = state.reals.data(), *v = u + n_, *a = v + n_, *out = a + n_;
    std::fill(out, out + 6 * supports_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
        if (owner_[i] < 0) continue;
        Vec3 f;
        f[static_cast<int>(i % dim_)] = product(i, u, v) + mass_[i] * a[i] - force[i];
        const Vec3 t = cross(body_->mesh().vertices[i / dim_], f);
        double* w = out + 6 * static_cast<std::size_t>(owner_[i]);
        for (int d = 0; d < 3; ++d) {
            w[d] += f[d];
            w[3 + d] += t[d];
        }
    }
}

inline Energies TrussDeformer::energies(const State& state, Workspace&) const noexcept {
    const double *u = state.reals.data(), *v = u + n_;
    Energies e;
    for (std::size_t i = 0; i < n_; ++i) {
        e.kinetic += mass_[i] * v[i] * v[i] / 2;
        for (std::size_t j = 0; j < n_; ++j) e.elastic += u[i] * k_(i, j) * u[j] / 2;
    }
    return e;
}

inline bool TrussDeformer::set_motion(State& state, std::span<const Vec3> u, std::span<const Vec3> v) const noexcept {
    if (!is_own(state)) return false;
    for (const std::size_t i : free_) {
        state.reals[i] = u[i / dim_][static_cast<int>(i % dim_)];
        state.reals[n_ + i] = v[i / dim_][static_cast<int>(i % dim_)];
        state.reals[2 * n_ + i] = 0.0;
    }
    return true;
}

inline Wrench TrussDeformer::reaction(const State& state, SupportRef support) const noexcept {
    const std::size_t i = static_cast<std::size_t>(support.index);
    if (support.kind == SupportRef::Kind::live) {
        if (support.index >= capacity_) return {};
        const double* f = state.reals.data() + live_at() + 15 * i;
        return {{f[0], f[1], f[2]}, {f[12], f[13], f[14]}};
    }
    const std::size_t s = i + (support.kind == SupportRef::Kind::handle ? body_->anchors().size() : 0);
    const double* w = state.reals.data() + 3 * n_ + 6 * s;
    return {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}};
}

inline bool TrussDeformer::tangent_stiffness(const State& state, SupportRef support, Mat3& out) const noexcept {
    const std::size_t i = static_cast<std::size_t>(support.index);
    if (support.kind != SupportRef::Kind::live) {
        out = tangents_[i + (support.kind == SupportRef::Kind::handle ? body_->anchors().size() : 0)];
        return true;
    }
    if (support.index >= capacity_ || state.marks[i] == 0) return false;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c)
            out(r, c) = state.reals[live_at() + 15 * i + static_cast<std::size_t>(3 + 3 * r + c)];
    }
    return true;
}

inline void TrussDeformer::save(ByteWriter& out) const {
    out.f64(h_);
    out.i32(capacity_);
    out.u8(beta_ > 0.0 ? 1 : 0);
}

}  // namespace limber::testing
