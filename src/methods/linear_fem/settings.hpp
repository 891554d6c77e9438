// The options of linear_fem: one table, and the values read from it.
#pragma once

#include "fem/assembly.hpp"
#include "integrate/stepper.hpp"

#include <limber/method.hpp>

namespace limber {

struct LinearFemSettings {
    SchemeSettings scheme;
    SolverSettings solver;
    AssemblySettings assembly;
    int max_live = 4;
};

OptionTable linear_fem_options();

/// Throws Error for values that are in range but contradict each other or the body.
LinearFemSettings read_linear_fem_settings(const Body& body, const OptionValues& given);

}  // namespace limber
