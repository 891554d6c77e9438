// Where a body's mass is.
#pragma once

#include <limber/body.hpp>

#include <vector>

namespace limber {

/// [m]; exact for every kind of cell, with the density of each.
Vec3 centre_of_mass(const Body& body);

/// Integral of density times shape function per vertex [kg]: with v per vertex, sum m v is the finite-element momentum
/// exactly. Negative at the corners of tet10 cells, 0 where no cell is.
std::vector<double> vertex_masses(const Body& body);

}  // namespace limber
