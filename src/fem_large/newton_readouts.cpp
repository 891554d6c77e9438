// What is read from a step's balance beside its answer: first accelerations, reactions, stiffnesses of supports.
#include "fem_large/newton_vectors.hpp"
#include "linalg/vectors.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

double* Newton::residual(double* scratch) const noexcept { return Vectors(*this, scratch).r; }
const double* Newton::balanced_displacements(double* scratch) const noexcept { return Vectors(*this, scratch).u; }

double* Newton::balance(const TermPoint& at, const double* force, const TermList::Storage& memory,
                        double* scratch) const noexcept {
    Vectors s(*this, scratch);
    TermSum sum{s.r, s.g};
    add_terms({.force = force, .stiffness_damping = system_.beta()}, at, {}, memory, sum, s.n);
    return s.r;
}

SolveReport Newton::accelerate(const double* u, const double* v, double* a, const double* force,
                               const TermList::Storage& memory, double* scratch) const noexcept {
    Vectors s(*this, scratch);
    for (const std::int32_t f : system_.supports().free()) a[f] = 0.0;
    const double* r = balance({u, v, a}, force, memory, scratch);
    for (std::size_t i = 0; i < s.n; ++i) {
        s.b[i] = -r[i];
        s.dx[i] = 0.0;
    }
    system_.clear_prescribed(s.b);
    std::fill(s.values, s.kept, 0.0);
    system_.add_mass(1.0, 0.0, s.values);
    system_.project(s.values, s.kept);
    solver_.refresh(s.values, u, s.solver);
    const SolveReport solved = solver_.solve(s.values, s.b, s.dx, 1e-13, 2000, s.solver);
    for (const std::int32_t f : system_.supports().free()) a[f] = s.dx[f];
    return solved;
}

// out += d(beta D(u) v)/du dx, by a central difference: D is a polynomial of low degree in u, so its length does not
// matter.
void Newton::add_turned_damping(const StepProblem& p, double* out, Vectors& s) const noexcept {
    constexpr double kReach = 1e-3;  // [m] per metre of dx
    double* warm = terms_.memory(0, p.memory).state;
    for (const double side : {1.0, -1.0}) {
        for (std::size_t i = 0; i < s.n; ++i) {
            s.spare[i] = s.u[i] + side * kReach * s.dx[i];
            s.b[i] = p.at.eval_v[i] + p.form.eval_v * p.x[i];
        }
        system_.model().viscous(s.spare, s.b, warm, s.product, s.model);
        for (std::size_t i = 0; i < s.n; ++i) out[i] += side * p.step.stiffness_damping / (2 * kReach) * s.product[i];
    }
}

// out = dg/du s.dx at s.u by central differences; uses s.g and s.b.
void Newton::slope_along(const StepProblem& p, double* out, Vectors& s) const noexcept {
    double* warm = terms_.memory(0, p.memory).state;
    double largest = 0.0, size = 0.0;
    for (std::size_t i = 0; i < s.n; ++i) {
        largest = std::max(largest, std::fabs(s.dx[i]));
        size = std::max(size, std::fabs(s.u[i]));
    }
    const double e = 1e-6 * (size + 1e-3) / (largest > 0.0 ? largest : 1.0);
    for (std::size_t i = 0; i < s.n; ++i) s.b[i] = s.u[i] + e * s.dx[i];
    system_.model().gradient(s.b, warm, out, s.model);
    for (std::size_t i = 0; i < s.n; ++i) s.b[i] = s.u[i] - e * s.dx[i];
    system_.model().gradient(s.b, warm, s.g, s.model);
    for (std::size_t i = 0; i < s.n; ++i) out[i] = (out[i] - s.g[i]) / (2 * e);
}

bool Newton::support_stiffness(const StepProblem& p, std::size_t support, double share, Mat3& out, int& iterations,
                               double* scratch) const noexcept {
    Vectors s(*this, scratch);
    const int dim = system_.dimension();
    const auto& held = system_.supports().prescribed();
    double* warm = terms_.memory(0, p.memory).state;
    double* const pushed[3] = {s.x_try, s.last_x, s.last_dx};  // share K delta, axis by axis
    system_.model().linearise(s.u, {1.0, 0.0}, warm, s.g, s.values, s.model);
    for (int axis = 0; axis < dim; ++axis) {
        system_.supports().unit_translation(support, axis, s.spare);
        std::fill_n(s.dx, s.n, 0.0);
        for (std::size_t i = 0; i < held.size(); ++i) s.dx[held[i]] = share * s.spare[i];
        if (system_.model().exact_tangent())
            system_.multiply_tangent(s.values, s.dx, pushed[axis]);
        else
            slope_along(p, pushed[axis], s);
        if (p.form.inertia && p.step.stiffness_damping > 0.0) add_turned_damping(p, pushed[axis], s);
    }
    TermSum sum{s.r, s.g};
    add_terms(p.step, {s.u, s.v_, s.a}, matrix_of(Tangent::exact, s), p.memory, sum, s.n);
    system_.project(s.values, s.kept);
    solver_.refresh(s.values, s.u, s.solver);
    bool good = true;
    for (int axis = 0; axis < dim; ++axis) {
        for (std::size_t i = 0; i < s.n; ++i) {
            s.b[i] = -pushed[axis][i];
            s.dx[i] = 0.0;
        }
        system_.clear_prescribed(s.b);
        const SolveReport solved = solver_.solve(s.values, s.b, s.dx, settings_.linear_tolerance,
                                                 settings_.max_iterations, s.solver);
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
