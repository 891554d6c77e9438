// Which tetrahedra share faces.
#pragma once

#include <limber/mesh.hpp>

#include <array>
#include <vector>

namespace limber {

/// Per tetrahedron: the one behind each of its faces, in the order of facets_of(); -1 where there is none. On a face of
/// three or more (a damaged mesh) the lower numbers find each other. tet4, or the corners of tet10.
std::vector<std::array<std::int32_t, 4>> tet_neighbours(const Mesh& mesh);

}  // namespace limber
