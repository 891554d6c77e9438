// Closed forms of the homogeneous strain cases: a St. Venant-Kirchhoff material, which is Green's strain with Hooke's
// law between it and the second Piola-Kirchhoff stress. Linear strain is the same law to first order. Stresses are
// force per *rest* area [Pa], what a reaction divided by the rest face gives.
#pragma once

#include <limber/material.hpp>

namespace limber {

/// The pull that holds a bar with free sides at `stretch` (length over rest length): E s (s^2 - 1) / 2. Not monotone:
/// it has a minimum at 1/sqrt(3), below which a pressed bar gives way.
double stvk_pull_stress(const Material& material, double stretch);
/// Width over rest width of that bar; not a number where the sides would have vanished.
double stvk_side_stretch(const Material& material, double stretch);
/// The stretch under a given pull, on the branch through the rest state; not a number beyond the limit load in
/// compression.
double stvk_stretch_under(const Material& material, double pull_stress);
/// The greatest shortening that a pressed bar resists with growing force: 1 - 1/sqrt(3).
double stvk_critical_shortening();

/// Traction on the top face of a block sheared by gamma: x -> x + gamma y.
struct ShearTraction {
    double along = 0.0;   ///< in the direction of shear
    double normal = 0.0;  ///< outward: what is needed to keep the block's height; linear strain has none
};
ShearTraction stvk_shear_traction(const Material& material, double gamma);

/// Elastic energy density [J/m^3] that linear strain sees in a rigid rotation by `angle` about an axis.
double linear_energy_of_rotation(const Material& material, double angle);

}  // namespace limber
