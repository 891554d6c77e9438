// Refinement: the same rest shape in more cells. Vertices keep their numbers; new ones follow.
#pragma once

#include <limber/mesh.hpp>

namespace limber {

/// Every cell split in half along each of its directions: tri3 and quad4 into 4, tets and hexes into 8. A cell's parts
/// fill exactly the shape it had (curved tet10 and twisted hexes included), so rounded bodies keep the facets they were
/// meshed with. Cell sets go to the parts. A new vertex joins a vertex set when everything it lies between does; a set
/// of boundary vertices takes in boundary vertices only, so that a side or a skin stays one. Throws Error{bad_mesh}
/// where a cell names a vertex that is not there, Error{unsupported} beyond 50 million cells.
Mesh refine(const Mesh& mesh);

/// tet4 to tet10 as to_tet10 does, with vertex sets grown as refine() grows them.
Mesh raise_order(const Mesh& tet4);

}  // namespace limber
