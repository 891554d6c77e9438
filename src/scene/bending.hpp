// Bodies that cells of straight edges bend too little, whatever their Poisson's ratio: plates and beams of too few
// layers.
#pragma once

#include <limber/body.hpp>

#include <string>

namespace limber {

/// The part of a body's bending that straight-edged cells withhold by parasitic shear, however volume change is
/// measured: 1 - (energy of a bending that keeps volume) / (what the cells take for it without its change of volume),
/// over the longest side across the shortest one. One pass over the cells (over some of them in large meshes), no
/// solve; 0 for tet10, and for bodies that are not slender.
double estimate_shear_locking(const Body& body);

/// One line where most of the bending is withheld, or where a single layer of bricks bends too far, with what helps; ""
/// for other bodies. `averaged`: by "integration": "bbar", or where "auto" means that.
std::string bending_warning(const Body& body, bool averaged);

}  // namespace limber
