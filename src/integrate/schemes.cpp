// The numbers that tell one scheme from another, and how a motion is predicted and updated by them.
#include "integrate/schemes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace limber {
namespace {

constexpr std::array<std::pair<Scheme, const char*>, 7> kNames{{
    {Scheme::newmark_implicit, "newmark_implicit"},
    {Scheme::newmark_explicit, "newmark_explicit"},
    {Scheme::symplectic_euler, "symplectic_euler"},
    {Scheme::backward_euler, "backward_euler"},
    {Scheme::bdf2, "bdf2"},
    {Scheme::implicit_midpoint, "implicit_midpoint"},
    {Scheme::quasi_static, "quasi_static"},
}};

}  // namespace

const char* to_string(Scheme scheme) {
    for (const auto& [value, name] : kNames)
        if (value == scheme) return name;
    return "unknown";
}

bool parse_scheme(const std::string& name, Scheme& out) {
    for (const auto& [value, known] : kNames) {
        if (name == known) {
            out = value;
            return true;
        }
    }
    return false;
}

int order_of(Scheme scheme) { return scheme == Scheme::symplectic_euler || scheme == Scheme::backward_euler ? 1 : 2; }

Coefficients coefficients(const SchemeSettings& s) {
    const double h = s.step;
    switch (s.scheme) {
        case Scheme::newmark_implicit: {
            const double cu = s.newmark_beta * h * h / 2, cv = s.newmark_gamma * h;
            return {cu, cv, cu, cv, true};
        }
        case Scheme::newmark_explicit: return {0.0, s.newmark_gamma * h, 0.0, s.newmark_gamma * h, true};
        case Scheme::symplectic_euler: return {0.0, 0.0, h * h, h, true};
        case Scheme::backward_euler: return {h * h, h, h * h, h, true};
        case Scheme::bdf2: {
            if (s.past_step == 0.0 || s.past_step == h)
                return {4 * h * h / 9, 2 * h / 3, 4 * h * h / 9, 2 * h / 3, true};
            const double r = h / s.past_step, c = h * (1 + r) / (1 + 2 * r);
            return {c * c, c, c * c, c, true};
        }
        case Scheme::implicit_midpoint: return {h * h / 4, h / 2, h * h / 2, h, true};
        case Scheme::quasi_static: return {1.0, 0.0, 1.0, 0.0, false};
    }
    return {};
}

double critical_step(Scheme scheme, double omega_max, double alpha, double beta) {
    if (omega_max <= 0.0) return std::numeric_limits<double>::infinity();
    // Damping is averaged over the step (gamma = 1/2), so the limit does not move with it.
    if (scheme == Scheme::newmark_explicit) return 2.0 / omega_max;
    if (scheme == Scheme::symplectic_euler) {
        const double c = (alpha + beta * omega_max * omega_max) / (2 * omega_max);
        // (2/w)(sqrt(1 + c^2) - c), in the form that keeps its digits when c is large.
        return 2.0 / (omega_max * (std::sqrt(1 + c * c) + c));
    }
    return std::numeric_limits<double>::infinity();
}

namespace {

// Base vectors as if nothing were prescribed.
void predict_free(const SchemeSettings& s, const Motion& m, std::size_t size, const StepVectors& out) noexcept {
    const double h = s.step, ratio = s.past_step > 0.0 ? h / s.past_step : 1.0, all = 1 + 2 * ratio;
    const double here = (1 + ratio) * (1 + ratio) / all, there = ratio * ratio / all;
    const double beta = s.scheme == Scheme::newmark_explicit ? 0.0 : s.newmark_beta;
    const double accelerated = (1 - beta) * h * h / 2, sped_up = (1 - s.newmark_gamma) * h,
                 look_back = h * (1 + ratio) / all;
    double *ub = out.base_u, *vb = out.base_v;
    switch (s.scheme) {
        case Scheme::newmark_implicit:
        case Scheme::newmark_explicit:
            for (std::size_t i = 0; i < size; ++i) {
                ub[i] = m.u[i] + h * m.v[i] + accelerated * m.a[i];
                vb[i] = m.v[i] + sped_up * m.a[i];
            }
            return;
        case Scheme::bdf2:
            for (std::size_t i = 0; i < size; ++i) {
                vb[i] = here * m.v[i] - there * m.v_old[i];
                ub[i] = here * m.u[i] - there * m.u_old[i] + look_back * vb[i];
            }
            return;
        case Scheme::quasi_static:
            std::fill_n(ub, size, 0.0);
            std::fill_n(vb, size, 0.0);
            return;
        default:  // both Eulers and the midpoint start from free flight
            for (std::size_t i = 0; i < size; ++i) {
                ub[i] = m.u[i] + h * m.v[i];
                vb[i] = m.v[i];
            }
    }
}

// Share of the step's end in the evaluation point.
double end_share(Scheme scheme) {
    if (scheme == Scheme::symplectic_euler) return 0.0;
    return scheme == Scheme::implicit_midpoint ? 0.5 : 1.0;
}

}  // namespace

void predict_motion(const SchemeSettings& s, const Motion& m, const double* force, Prescribed end,
                    std::span<const std::int32_t> prescribed, std::size_t size, const StepVectors& out) noexcept {
    predict_free(s, m, size, out);
    const bool middle = s.scheme == Scheme::implicit_midpoint;
    if (middle) {
        for (std::size_t i = 0; i < size; ++i) out.eval_u[i] = m.u[i] + s.step / 2 * m.v[i];
    } else {
        std::copy_n(s.scheme == Scheme::symplectic_euler ? m.u : out.base_u, size, out.eval_u);
    }
    for (std::size_t i = 0; i < size; ++i) {
        out.eval_v[i] = out.base_v[i];
        out.eval_a[i] = 0.0;
        out.force[i] = middle ? (force[i] + m.force_old[i]) / 2 : force[i];
    }
    const double w = end_share(s.scheme);
    for (std::size_t k = 0; k < prescribed.size(); ++k) {
        const auto p = static_cast<std::size_t>(prescribed[k]);
        out.eval_u[p] = w * end.u[k] + (1 - w) * m.u[p];
        out.eval_v[p] = w * end.v[k] + (1 - w) * m.v[p];
        out.eval_a[p] = w * end.a[k] + (1 - w) * m.a[p];
        out.base_u[p] = end.u[k];
        out.base_v[p] = end.v[k];
    }
}

void finish_motion(const Coefficients& form, const double* x, const double* force, Prescribed end,
                   std::span<const std::int32_t> prescribed, std::size_t size, const StepVectors& step,
                   const Motion& m) noexcept {
    if (m.u_old != nullptr) {
        std::copy_n(m.u, size, m.u_old);
        std::copy_n(m.v, size, m.v_old);
    }
    for (std::size_t i = 0; i < size; ++i) {
        m.u[i] = step.base_u[i] + form.end_u * x[i];
        m.v[i] = form.inertia ? step.base_v[i] + form.end_v * x[i] : 0.0;
        m.a[i] = form.inertia ? x[i] : 0.0;
    }
    for (std::size_t k = 0; form.inertia && k < prescribed.size(); ++k) m.a[prescribed[k]] = end.a[k];
    std::copy_n(force, size, m.force_old);
}

}  // namespace limber
