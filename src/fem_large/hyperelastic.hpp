// Bodies with an energy density of large strain (laws.hpp), integrated over any of the five cell kinds.
#pragma once

#include "fem/element.hpp"
#include "fem_large/model.hpp"

#include <memory>

namespace limber {

enum class HyperLaw : std::uint8_t { stvk, neo_hookean };

/// Borrows the body. Damping's D is Kelvin and Voigt's: a stress linear in the rate of Green's strain with the moduli
/// of small strain, so it is positive semi-definite in any posture. bbar is linear_fem's: a cell's mean, or for tri3
/// and tet4 means around vertices.
std::unique_ptr<const ElasticModel> make_hyperelastic(const Body& body, HyperLaw law, Integration integration);

}  // namespace limber
