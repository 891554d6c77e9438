// The numbers that tell one scheme from another.
#include "integrate/stepper.hpp"

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

}  // namespace limber
