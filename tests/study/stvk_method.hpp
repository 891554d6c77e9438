// A method for tests: St. Venant-Kirchhoff solids at rest, by Newton's iteration with a banded factorisation. Slow,
// small, and written to be checked by eye; it shows what a nonlinear method looks like to the strain cases.
#pragma once

#include "fem/element.hpp"
#include "geometry/quadrature.hpp"

#include <limber/method.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace limber {

/// A symmetric matrix of which only the entries within `band` of the diagonal are kept (lower half).
class BandMatrix {
public:
    BandMatrix(std::size_t n, std::size_t band) : n_(n), band_(band), values_(n * (band + 1), 0.0) {}
    double& at(std::size_t row, std::size_t column) { return values_[row * (band_ + 1) + (column + band_ - row)]; }

    /// x := A^{-1} x by L D L^T; the matrix is overwritten.
    void solve(std::vector<double>& x) {
        for (std::size_t j = 0; j < n_; ++j) {
            for (std::size_t i = j + 1, end = std::min(n_, j + band_ + 1); i < end; ++i) {
                const double factor = at(i, j) / at(j, j);
                for (std::size_t k = j + 1; k <= i; ++k) at(i, k) -= factor * at(k, j);
            }
        }
        for (std::size_t j = 0; j < n_; ++j) {
            for (std::size_t i = j + 1, end = std::min(n_, j + band_ + 1); i < end; ++i)
                x[i] -= at(i, j) / at(j, j) * x[j];
        }
        for (std::size_t j = n_; j-- > 0;) {
            for (std::size_t i = j + 1, end = std::min(n_, j + band_ + 1); i < end; ++i) x[j] -= at(i, j) * x[i];
            x[j] /= at(j, j);
        }
    }

private:
    std::size_t n_, band_;
    std::vector<double> values_;
};

/// State::reals: displacement, force of the supports per vertex, elastic energy.
class StvkDeformer final : public Deformer {
public:
    explicit StvkDeformer(std::shared_ptr<const Body> body) : body_(std::move(body)) {
        const std::vector<Vec3>& x = body_->mesh().vertices;
        std::vector<std::size_t> order(x.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a].x < x[b].x; });
        place_.resize(x.size());
        for (std::size_t i = 0; i < order.size(); ++i) place_[order[i]] = i;
        held_.assign(3 * x.size(), 0);
        const auto hold = [&](const IndexSet& vertices, const Axes& axes) {
            for (const std::int32_t v : vertices) {
                for (int k = 0; k < 3; ++k)
                    if (axes[k]) held_[3 * static_cast<std::size_t>(v) + static_cast<std::size_t>(k)] = 1;
            }
        };
        for (const Anchor& a : body_->anchors()) hold(a.vertices, a.axes);
        for (const Handle& h : body_->handles()) hold(h.vertices, h.axes);
        for (std::size_t c = 0; c < body_->mesh().cell_count(); ++c) {
            for (const std::size_t a : corners(c)) {
                for (const std::size_t b : corners(c))
                    band_ = std::max(band_, 3 * (place_[a] - std::min(place_[a], place_[b])) + 2);
            }
        }
    }

    const Body& body() const override { return *body_; }
    const char* method_name() const override { return "test_stvk"; }
    double prepared_step() const override { return 0.0; }
    int live_capacity() const override { return 0; }
    std::size_t memory() const override { return 0; }
    State rest_state() const override { return {0.0, std::vector<double>(6 * body_->vertex_count() + 1), {}}; }
    Workspace make_workspace() const override { return {}; }

    StepReport step(State& state, const Loads& loads, double dt, Workspace&) const noexcept override {
        StepReport report;
        state.time += dt;
        const std::size_t n = 3 * body_->vertex_count();
        std::vector<double> target(state.reals.begin(), state.reals.begin() + static_cast<std::ptrdiff_t>(n));
        prescribe(loads, target);
        // The first iteration carries the supports' motion into the body through the tangent; the later ones have
        // nothing to carry.
        for (report.iterations = 0; report.iterations < 60; ++report.iterations) {
            const double moved = iterate(state, loads, target);
            if (!std::isfinite(moved)) break;
            if (moved < 1e-12) return report;
        }
        report.trouble = Trouble::not_converged;
        return report;
    }

    void displacements(const State& state, std::span<Vec3> out) const noexcept override {
        for (std::size_t v = 0; v < out.size(); ++v)
            out[v] = {state.reals[3 * v], state.reals[3 * v + 1], state.reals[3 * v + 2]};
    }
    void velocities(const State&, std::span<Vec3> out) const noexcept override {
        std::fill(out.begin(), out.end(), Vec3{});
    }
    Energies energies(const State& state, Workspace&) const noexcept override { return {0.0, state.reals.back()}; }
    bool set_motion(State&, std::span<const Vec3>, std::span<const Vec3>) const noexcept override { return false; }
    Wrench reaction(const State& state, SupportRef support) const noexcept override {
        const auto i = static_cast<std::size_t>(support.index);
        const bool handle = support.kind == SupportRef::Kind::handle;
        const Axes axes = handle ? body_->handles()[i].axes : body_->anchors()[i].axes;
        Wrench out;
        for (const std::int32_t v : handle ? body_->handles()[i].vertices : body_->anchors()[i].vertices) {
            for (int k = 0; k < 3; ++k) {
                if (axes[k]) {
                    out.force[k] += state.reals[3 * (body_->vertex_count() + static_cast<std::size_t>(v)) +
                                                static_cast<std::size_t>(k)];
                }
            }
        }
        return out;
    }
    bool tangent_stiffness(const State&, SupportRef, Mat3&) const noexcept override { return false; }
    bool cell_stress(const State&, std::span<SymMat3>) const noexcept override { return false; }
    void save(ByteWriter&) const override {}

private:
    std::vector<std::size_t> corners(std::size_t cell) const {
        const std::int32_t* first = body_->mesh().cell(cell);
        return {first, first + corners_of(body_->mesh().kind)};
    }

    void prescribe(const Loads& loads, std::vector<double>& u) const {
        for (std::size_t h = 0; h < loads.handles.size(); ++h) {
            const Handle& handle = body_->handles()[h];
            const Mat3 turn = to_matrix(loads.handles[h].rotation);
            for (const std::int32_t v : handle.vertices) {
                const Vec3 p = body_->mesh().vertices[static_cast<std::size_t>(v)];
                const Vec3 goal = handle.pivot + loads.handles[h].translation + turn * (p - handle.pivot) - p;
                for (int k = 0; k < 3; ++k)
                    if (handle.axes[k]) u[3 * static_cast<std::size_t>(v) + static_cast<std::size_t>(k)] = goal[k];
            }
        }
    }

    /// One Newton step towards equilibrium with the supports at `target`; returns the largest change.
    double iterate(State& state, const Loads& loads, const std::vector<double>& target) const {
        const std::size_t n = held_.size();
        BandMatrix tangent(n, band_);
        std::vector<double> inner(n, 0.0), rhs(n, 0.0);
        double energy = 0.0;
        for (std::size_t c = 0; c < body_->mesh().cell_count(); ++c)
            add_cell(c, state, target, tangent, inner, rhs, energy);
        for (std::size_t d = 0; d < n; ++d) {
            const std::size_t row = 3 * place_[d / 3] + d % 3;
            const double outer = loads.force.empty() ? 0.0 : loads.force[d / 3][static_cast<int>(d % 3)];
            if (held_[d]) {
                tangent.at(row, row) = 1.0;
                rhs[row] = target[d] - state.reals[d];
            } else {
                rhs[row] += outer - inner[d];
            }
            state.reals[n + d] = inner[d] - outer;
        }
        state.reals.back() = energy;
        tangent.solve(rhs);
        double moved = 0.0;
        for (std::size_t d = 0; d < n; ++d) {
            const double change = rhs[3 * place_[d / 3] + d % 3];
            state.reals[d] += change;
            moved = std::isfinite(change) ? std::max(moved, std::abs(change)) : change;
        }
        return moved;
    }

    void add_cell(std::size_t cell, const State& state, const std::vector<double>& target, BandMatrix& tangent,
                  std::vector<double>& inner, std::vector<double>& rhs, double& energy) const {
        const Mesh& mesh = body_->mesh();
        const Material& m = body_->material_of(cell);
        const std::vector<std::size_t> nodes = corners(cell);
        std::array<Vec3, 10> g;
        for (const QuadraturePoint& q : quadrature(mesh.kind, mesh.kind == CellKind::hex8 ? 3 : 2)) {
            const double w = q.weight * physical_gradients(mesh, cell, q.xi, g.data());
            Mat3 f = Mat3::identity();
            for (std::size_t a = 0; a < nodes.size(); ++a) {
                for (int i = 0; i < 3; ++i) {
                    for (int j = 0; j < 3; ++j)
                        f(i, j) += state.reals[3 * nodes[a] + static_cast<std::size_t>(i)] * g[a][j];
                }
            }
            const Mat3 c = transpose(f) * f, left = f * transpose(f);
            Mat3 s;
            const double trace = (c(0, 0) + c(1, 1) + c(2, 2) - 3) / 2;
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j) {
                    const double e = (c(i, j) - (i == j ? 1.0 : 0.0)) / 2;
                    s(i, j) = 2 * m.shear() * e + (i == j ? m.lame_lambda() * trace : 0.0);
                    energy += w * s(i, j) * e / 2;
                }
            }
            for (std::size_t a = 0; a < nodes.size(); ++a) {
                const Vec3 force = f * (s * g[a]), fa = f * g[a];
                for (int i = 0; i < 3; ++i) inner[3 * nodes[a] + static_cast<std::size_t>(i)] += w * force[i];
                for (std::size_t b = 0; b < nodes.size(); ++b) {
                    const Vec3 fb = f * g[b];
                    const double geometric = dot(g[a], s * g[b]), plain = m.shear() * dot(g[a], g[b]);
                    for (int i = 0; i < 3; ++i) {
                        for (int j = 0; j < 3; ++j) {
                            add(nodes[a], i, nodes[b], j,
                                w * ((i == j ? geometric : 0.0) + m.lame_lambda() * fa[i] * fb[j] + plain * left(i, j) +
                                     m.shear() * fb[i] * fa[j]),
                                state, target, tangent, rhs);
                        }
                    }
                }
            }
        }
    }

    void add(std::size_t a, int i, std::size_t b, int j, double k, const State& state,
             const std::vector<double>& target, BandMatrix& tangent, std::vector<double>& rhs) const {
        const std::size_t da = 3 * a + static_cast<std::size_t>(i), db = 3 * b + static_cast<std::size_t>(j);
        if (held_[da]) return;
        const std::size_t row = 3 * place_[a] + static_cast<std::size_t>(i),
                          column = 3 * place_[b] + static_cast<std::size_t>(j);
        if (held_[db])
            rhs[row] -= k * (target[db] - state.reals[db]);
        else if (column <= row)
            tangent.at(row, column) += k;
    }

    std::shared_ptr<const Body> body_;
    std::vector<std::size_t> place_;  // of a vertex in the band: sorted along x
    std::vector<char> held_;          // per component
    std::size_t band_ = 0;
};

class StvkMethod final : public Method {
public:
    const char* name() const override { return "test_stvk"; }
    const char* summary() const override { return "St. Venant-Kirchhoff at rest, for tests."; }
    Traits traits() const override {
        Traits traits;
        traits.cells = {CellKind::hex8, CellKind::tet10};
        traits.linear = traits.dynamic = traits.fixed_step = false;
        return traits;
    }
    OptionTable options() const override { return {}; }
    std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body> body, const OptionValues&, Progress&) const override {
        return std::make_unique<StvkDeformer>(std::move(body));
    }
    std::unique_ptr<Deformer> load(std::shared_ptr<const Body>, ByteReader& in) const override {
        in.fail("the test method cannot be loaded");
    }
};

}  // namespace limber
