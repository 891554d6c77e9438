// Cavities of a body in space, and what makes them safe near incompressibility.
// The normals n of a cavity's surface satisfy G n -> 0 as nu -> 1/2 (an even pressure on a closed surface moves nothing
// outside it), and area times n is then a left null vector of H: the answer to a pressure in the cavity is a ratio of
// two numbers that vanish with 1 - 2 nu, and errors of integration by collocation grow by 1 / (1 - 2 nu). Betti's
// theorem with the field of a dilating point in the cavity,
//   u* = r / R^3:    int t* . u = int u* . t + int over the volume of u* . b,
// fixes the same number without that loss (its right side is the flux of the point, 4 pi, for an even pressure whatever
// nu). It is added to the rows of the cavity's nodes, along their normals: exact for rigid motion and constant strain
// like the rows themselves, and no row more.
#pragma once

#include "bem/boundary_system.hpp"

#include <vector>

namespace limber {

struct Cavity {
    std::vector<std::int32_t> facets;
    Vec3 inside;          ///< a point of the cavity far from its walls, the dilating one [m]
    double volume = 0.0;  ///< [m^3]
    double area = 0.0;    ///< [m^2]
};

/// Surfaces that turn inwards and are wide enough to hold a point two facets away from their walls; narrower ones are
/// left as they are.
std::vector<Cavity> find_cavities(const BoundaryShape& shape);

/// Adds Betti's row of the cavity to the system's.
void add_cavity(BoundarySystem& system, const Cavity& cavity);

}  // namespace limber
