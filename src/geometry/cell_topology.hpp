// Which corners make up the facets and edges of each cell kind.
#pragma once

#include <limber/mesh.hpp>

#include <array>
#include <span>

namespace limber {

/// Local corner numbers of one facet: an edge with the body on its left (2D) or a face seen counter-clockwise from
/// outside.
struct LocalFacet {
    std::array<int, 4> corner;
};
/// Corner facets; a tet10's are those of its four corners.
std::span<const LocalFacet> facets_of(CellKind kind);
/// 2 (2D), 3 (tets), 4 (hexes)
int facet_corners_of(CellKind kind);
/// Corners without mid-edge nodes: 3, 4, 4, 4, 8.
int simplex_corners_of(CellKind kind);
/// False for values outside the enum (damaged input).
bool is_known(CellKind kind);

/// Corner pairs of a tet's six edges, in the order of tet10's nodes 4 to 9.
inline constexpr std::array<std::array<int, 2>, 6> kTetEdges{{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};

}  // namespace limber
