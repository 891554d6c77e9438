// The five cell kinds: names, corner counts, faces and edges.
#include "geometry/cell_topology.hpp"

#include <array>

namespace limber {

int corners_of(CellKind kind) {
    switch (kind) {
        case CellKind::tri3: return 3;
        case CellKind::quad4:
        case CellKind::tet4: return 4;
        case CellKind::tet10: return 10;
        case CellKind::hex8: return 8;
    }
    return 1;  // a value outside the enum, cast from damaged input: never divide by zero in cell_count()
}

int dimension_of(CellKind kind) { return kind == CellKind::tri3 || kind == CellKind::quad4 ? 2 : 3; }

const char* to_string(CellKind kind) {
    switch (kind) {
        case CellKind::tri3: return "tri3";
        case CellKind::quad4: return "quad4";
        case CellKind::tet4: return "tet4";
        case CellKind::tet10: return "tet10";
        case CellKind::hex8: return "hex8";
    }
    return "unknown";
}

bool parse_cell_kind(const std::string& name, CellKind& out) {
    for (const CellKind kind : {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8}) {
        if (name == to_string(kind)) {
            out = kind;
            return true;
        }
    }
    return false;
}

bool is_known(CellKind kind) { return kind <= CellKind::hex8; }

namespace {

constexpr std::array<LocalFacet, 3> kTriEdges{{{{0, 1}}, {{1, 2}}, {{2, 0}}}};
constexpr std::array<LocalFacet, 4> kQuadEdges{{{{0, 1}}, {{1, 2}}, {{2, 3}}, {{3, 0}}}};
constexpr std::array<LocalFacet, 4> kTetFaces{{{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{0, 3, 2}}}};
constexpr std::array<LocalFacet, 6> kHexFaces{
    {{{0, 3, 2, 1}}, {{4, 5, 6, 7}}, {{0, 1, 5, 4}}, {{1, 2, 6, 5}}, {{2, 3, 7, 6}}, {{3, 0, 4, 7}}}};

}  // namespace

std::span<const LocalFacet> facets_of(CellKind kind) {
    switch (kind) {
        case CellKind::tri3: return kTriEdges;
        case CellKind::quad4: return kQuadEdges;
        case CellKind::tet4:
        case CellKind::tet10: return kTetFaces;
        case CellKind::hex8: return kHexFaces;
    }
    return {};
}

int facet_corners_of(CellKind kind) {
    if (dimension_of(kind) == 2) return 2;
    return kind == CellKind::hex8 ? 4 : 3;
}

int simplex_corners_of(CellKind kind) { return kind == CellKind::tet10 ? 4 : corners_of(kind); }

}  // namespace limber
