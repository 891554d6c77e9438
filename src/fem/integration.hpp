// How volume change is measured, as options name it.
#pragma once

#include "fem/assembly.hpp"

#include <limber/options.hpp>

namespace limber {

/// The options "mass", "damping" and "integration" that every method over these elements has.
OptionTable assembly_options();
/// Throws Error{bad_option} for integration that contradicts the body. Other options are ignored.
AssemblySettings read_assembly_options(const Body& body, const Options& options);

/// What "auto" means for a body: bbar for quad4 and hex8, for tri3 and tet4 from nu = 0.4, for tet10 from nu = 0.45;
/// full where the mean dilatation has no meaning (plane stress).
Integration automatic_integration(const Body& body);

}  // namespace limber
