// Where a body's mass is centred at rest.
#pragma once

#include <limber/body.hpp>

namespace limber {

/// [m]; exact for every kind of cell, with the density of each.
Vec3 centre_of_mass(const Body& body);

}  // namespace limber
