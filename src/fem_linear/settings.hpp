// What a body of small strain is built with; the methods read it from their options.
#pragma once

#include "fem/assembly.hpp"
#include "integrate/stepper.hpp"

namespace limber {

struct LinearSettings {
    SchemeSettings scheme;
    SolverSettings solver;
    AssemblySettings assembly;
    int max_live = 4;
};

/// Throws Error for what no method of small strain can do: a free body of several parts, a quasi-static one that can
/// move as a whole, Newmark with numbers that have no stable step.
void check_linear_settings(const Body& body, const LinearSettings& settings);
bool is_explicit(Scheme scheme);

}  // namespace limber
