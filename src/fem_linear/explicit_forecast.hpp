// How many sub-steps an explicit scheme will take, told before anything is prepared: from single cells, in one pass.
#pragma once

#include "fem/assembly.hpp"
#include "integrate/stepper.hpp"

namespace limber {

struct ExplicitForecast {
    double critical_step = 0.0;    ///< [s]; infinity for implicit schemes
    double sub_steps = 1.0;        ///< in one step
    double without_damping = 1.0;  ///< the same if there were no stiffness damping
};

/// No mode of a body is faster than the fastest of its cells alone. What is told is therefore not too few: up to about
/// twice as many as will be taken.
ExplicitForecast forecast_explicit(const Body& body, const AssemblySettings& assembly, Scheme scheme, double step);

/// That fastest cell's angular frequency [rad/s].
double fastest_cell(const Body& body, const AssemblySettings& assembly);

}  // namespace limber
