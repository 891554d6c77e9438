// Schemes: how a motion is carried over one step, for any body. Each scheme stands here once; Stepper (small strain)
// and Newton's method (large strain) solve for the unknown in between.
//
// Every scheme here has the form: with an unknown x (the acceleration; the displacement when quasi-static)
//     evaluation point   u_e + eval_u x,  v_e + eval_v x      (where equilibrium is asked for)
//     end of the step    u_b + end_u x,   v_b + end_v x
// and differs only in these numbers and in how the base vectors are predicted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace limber {

enum class Scheme : std::uint8_t {
    newmark_implicit,
    newmark_explicit,
    symplectic_euler,
    backward_euler,
    bdf2,
    implicit_midpoint,
    quasi_static
};
const char* to_string(Scheme scheme);
bool parse_scheme(const std::string& name, Scheme& out);
/// Order of the error in the step, smooth loads.
int order_of(Scheme scheme);

struct SchemeSettings {
    Scheme scheme = Scheme::newmark_implicit;
    double step = 1.0 / 60.0;   ///< [s]
    double newmark_beta = 0.5;  ///< the paper's: twice the textbook's; stable for beta >= gamma >= 1/2
    double newmark_gamma = 0.5;
    double past_step = 0.0;  ///< BDF2: how long the step before was [s]; 0 = as long as this one
};

/// A step of BDF2 longer than this many times the one before does not look back on it: differences over the short step
/// would grow r^2/(1 + 2 r) times.
constexpr double kLongestAfterLast = 4.0;

struct Coefficients {
    double eval_u = 0.0, eval_v = 0.0, end_u = 0.0, end_v = 0.0;
    bool inertia = true;  ///< false: K alone
};
Coefficients coefficients(const SchemeSettings& settings);

/// Largest stable step by the highest angular frequency [s]; infinity for implicit schemes.
/// alpha, beta: Rayleigh damping as the scheme sees it.
double critical_step(Scheme scheme, double omega_max, double alpha, double beta);

/// The motion's vectors, each size() long, owned by the caller.
struct Motion {
    double* u;
    double* v;
    double* a;
    double* force_old;  ///< external force at the last step's end
    double* u_old;      ///< BDF2 only, else null
    double* v_old;
};

/// Prescribed unknowns at the end of the step, in the order of System::prescribed.
struct Prescribed {
    const double* u;
    const double* v;
    const double* a;
};

/// What predict_motion() makes and a solve works with; each vector is as long as the motion's, owned by the caller.
struct StepVectors {
    double* eval_u;
    double* eval_v;
    double* eval_a;  ///< zero but for prescribed unknowns
    double* base_u;
    double* base_v;
    double* force;  ///< external force where equilibrium is asked for
};

/// Base vectors of a step, prescribed values where they belong (`prescribed`: their unknowns). `force`: at the step's
/// end.
void predict_motion(const SchemeSettings& scheme, const Motion& motion, const double* force, Prescribed end,
                    std::span<const std::int32_t> prescribed, std::size_t size, const StepVectors& out) noexcept;
/// Takes the unknown x (over all unknowns, 0 where prescribed) into the motion.
void finish_motion(const Coefficients& form, const double* x, const double* force, Prescribed end,
                   std::span<const std::int32_t> prescribed, std::size_t size, const StepVectors& step,
                   const Motion& motion) noexcept;

/// The average over a step's two ends that a scheme balances, which lets velocities of held points ring.
constexpr bool averages_over_step(Scheme scheme) {
    return scheme == Scheme::newmark_implicit || scheme == Scheme::implicit_midpoint;
}

}  // namespace limber
