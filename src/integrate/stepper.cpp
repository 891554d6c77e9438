#include "integrate/stepper.hpp"

#include <algorithm>

namespace limber {

// Where each vector lies in the scratch array.
struct Stepper::Layout {
    explicit Layout(const Stepper& s) : n(s.system().size()), nf(s.free_count()), np(product_scratch(s.system())) {}
    std::size_t n, nf, np;
    double* eval_u(double* p) const { return p; }
    double* eval_v(double* p) const { return p + n; }
    double* eval_a(double* p) const { return p + 2 * n; }
    double* base_u(double* p) const { return p + 3 * n; }
    double* base_v(double* p) const { return p + 4 * n; }
    double* force(double* p) const { return p + 5 * n; }
    double* internal(double* p) const { return p + 6 * n; }
    double* products(double* p) const { return p + 7 * n; }  // np
    double* rhs(double* p) const { return p + 7 * n + np; }
    double* unknown(double* p) const { return p + 7 * n + np + nf; }
    double* solver(double* p) const { return p + 7 * n + np + 2 * nf; }
    std::size_t size() const { return 7 * n + np + 2 * nf; }
    StepVectors vectors(double* p) const { return {eval_u(p), eval_v(p), eval_a(p), base_u(p), base_v(p), force(p)}; }
};

Stepper::Stepper(System system, const SchemeSettings& scheme)
    : core_(std::make_shared<Core>()), scheme_(scheme), form_(coefficients(scheme)) {
    core_->system = std::move(system);
    if (form_.inertia && !core_->system.is_lumped()) {
        // Consistent mass is well conditioned on sane meshes: a few dozen iterations, once, instead of a second factor.
        Progress silent;
        core_->mass_solver = make_solver(effective_matrix(core_->system, 1.0, 0.0, 0.0), {SolverKind::pcg, 1e-14, 2000},
                                         silent);
    }
}

Stepper::Stepper(System system, const SchemeSettings& scheme, const SolverSettings& solver, Progress& progress)
    : Stepper(std::move(system), scheme) {
    const System& s = core_->system;
    const Csr a = form_.inertia ? effective_matrix(s, 1.0, form_.eval_v, form_.eval_u)
                                : effective_matrix(s, 0.0, 0.0, 1.0);
    core_->solver = make_solver(a, solver, progress);
}

Stepper::Stepper(System system, const SchemeSettings& scheme, std::unique_ptr<LinearSolver> solver)
    : Stepper(std::move(system), scheme) {
    core_->solver = std::move(solver);
}

Stepper::Stepper(System system, const SchemeSettings& scheme, const ShiftedCgSettings& solver)
    : Stepper(std::move(system), scheme) {
    core_->shifted = std::make_unique<ShiftedCg>(core_->system, solver);
}

Stepper Stepper::with_step(double step, double past_step) const noexcept {
    Stepper other(*this);
    other.scheme_.step = step;
    other.scheme_.past_step = past_step;
    other.form_ = coefficients(other.scheme_);
    return other;
}

std::size_t Stepper::solver_bytes() const { return core_->solver ? core_->solver->bytes() : core_->shifted->bytes(); }

std::size_t Stepper::scratch_size() const {
    const std::size_t solver = core_->solver ? core_->solver->scratch_size() : core_->shifted->scratch_size();
    return Layout(*this).size() + std::max(solver, core_->mass_solver ? core_->mass_solver->scratch_size() : 0);
}

SolveReport Stepper::solve_for(const double* b, double* x, double* scratch) const noexcept {
    double* own = Layout(*this).solver(scratch);
    if (core_->solver) return core_->solver->solve(b, x, own);
    const ShiftedCg::Shift shift = form_.inertia ? ShiftedCg::Shift{1.0, form_.eval_v, form_.eval_u}
                                                 : ShiftedCg::Shift{0.0, 0.0, 1.0};
    return core_->shifted->solve(shift, b, x, own);
}

double* Stepper::rhs(double* scratch) const noexcept { return Layout(*this).rhs(scratch); }
double* Stepper::unknown(double* scratch) const noexcept { return Layout(*this).unknown(scratch); }
const double* Stepper::base_u(const double* scratch) const noexcept {
    return Layout(*this).base_u(const_cast<double*>(scratch));
}
const double* Stepper::base_v(const double* scratch) const noexcept {
    return Layout(*this).base_v(const_cast<double*>(scratch));
}

SolveReport Stepper::start(Motion m, const double* force, Prescribed now, double* scratch) const noexcept {
    const Layout at(*this);
    SolveReport report;
    std::copy_n(force, at.n, m.force_old);
    if (!form_.inertia) return report;
    for (std::size_t i = 0; i < system().prescribed.size(); ++i) {
        const auto p = static_cast<std::size_t>(system().prescribed[i]);
        m.u[p] = now.u[i];
        m.v[p] = now.v[i];
        m.a[p] = now.a[i];
    }
    for (const std::int32_t f : system().free) m.a[f] = 0.0;
    double* r = at.internal(scratch);
    internal_force(system(), m.u, m.v, m.a, r, at.products(scratch));
    double* b = at.rhs(scratch);
    double* x = at.unknown(scratch);
    const auto block = static_cast<std::size_t>(system().stiffness.block);
    for (std::size_t i = 0; i < at.nf; ++i) {
        const auto f = static_cast<std::size_t>(system().free[i]);
        b[i] = force[f] - r[f];
        x[i] = system().is_lumped() ? b[i] / system().lumped[f / block] : 0.0;
    }
    if (core_->mass_solver) report = core_->mass_solver->solve(b, x, at.solver(scratch));
    for (std::size_t i = 0; i < at.nf; ++i) m.a[system().free[i]] = x[i];
    imagine_past(m);
    return report;
}

void Stepper::imagine_past(Motion m) const noexcept {
    if (m.u_old == nullptr) return;
    const double h = scheme_.step;
    for (std::size_t i = 0; i < system().size(); ++i) {
        m.u_old[i] = m.u[i] - h * m.v[i];  // h^2/2 a would be more accurate, and grow without bound with h^2 K
        m.v_old[i] = m.v[i] - h * m.a[i];
    }
}

void Stepper::predict(Motion m, const double* force, Prescribed end, double* scratch) const noexcept {
    const Layout at(*this);
    predict_motion(scheme_, m, force, end, system().prescribed, at.n, at.vectors(scratch));
    const bool moves = form_.inertia;
    double* r = at.internal(scratch);
    internal_force(system(), at.eval_u(scratch), moves ? at.eval_v(scratch) : nullptr,
                   moves ? at.eval_a(scratch) : nullptr, r, at.products(scratch));
    const double* external = at.force(scratch);
    for (std::size_t i = 0; i < at.nf; ++i) {
        const auto f = static_cast<std::size_t>(system().free[i]);
        at.rhs(scratch)[i] = external[f] - r[f];
    }
}

SolveReport Stepper::solve(Motion m, double* scratch) const noexcept {
    const Layout at(*this);
    double* x = at.unknown(scratch);
    const double* guess = form_.inertia ? m.a : m.u;  // iterative solvers start from the last step's answer
    for (std::size_t i = 0; i < at.nf; ++i) x[i] = guess[system().free[i]];
    return solve_for(at.rhs(scratch), x, scratch);
}

void Stepper::finish(Motion m, const double* force, Prescribed end, double* scratch) const noexcept {
    const Layout at(*this);
    double* x = at.internal(scratch);  // spent since predict()
    std::fill_n(x, at.n, 0.0);
    for (std::size_t i = 0; i < at.nf; ++i) x[system().free[i]] = at.unknown(scratch)[i];
    finish_motion(form_, x, force, end, system().prescribed, at.n, at.vectors(scratch), m);
}

double* Stepper::reactions_now(Motion m, const double* force, double* scratch) const noexcept {
    const Layout at(*this);
    double* r = at.internal(scratch);
    internal_force_prescribed(system(), m.u, form_.inertia ? m.v : nullptr, form_.inertia ? m.a : nullptr, r,
                              at.products(scratch));
    for (const std::int32_t p : system().prescribed) r[p] -= force[p];
    return r;
}

double* Stepper::reactions(Motion m, const double* force, double* scratch) const noexcept {
    if (scheme_.scheme != Scheme::implicit_midpoint) return reactions_now(m, force, scratch);
    const Layout at(*this);  // balance holds in the middle of the step
    double *ue = at.eval_u(scratch), *ve = at.eval_v(scratch), *ae = at.eval_a(scratch);
    const double* x = at.unknown(scratch);
    for (std::size_t i = 0; i < at.nf; ++i) {
        const auto k = static_cast<std::size_t>(system().free[i]);
        ue[k] += form_.eval_u * x[i];
        ve[k] += form_.eval_v * x[i];
        ae[k] = x[i];
    }
    return reactions_now({ue, ve, ae, nullptr, nullptr, nullptr}, at.force(scratch), scratch);
}

}  // namespace limber
