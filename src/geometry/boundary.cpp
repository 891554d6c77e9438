// Facets that belong to exactly one cell. Sorting, not hashing: the same order on every machine.
#include "geometry/cell_topology.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace limber {

namespace {

/// A facet by its sorted corners. Three or more cells on one facet (a non-manifold mesh) make it inner, like two.
struct FacetKey {
    std::array<std::int32_t, 4> corner;
    std::int32_t cell;
    std::int32_t local;
};

std::vector<FacetKey> sorted_facets(const Mesh& mesh) {
    const auto locals = facets_of(mesh.kind);
    const auto corners = static_cast<std::size_t>(facet_corners_of(mesh.kind));
    std::vector<FacetKey> keys;
    keys.reserve(mesh.cell_count() * locals.size());
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        for (std::size_t f = 0; f < locals.size(); ++f) {
            FacetKey key{{-1, -1, -1, -1}, static_cast<std::int32_t>(c), static_cast<std::int32_t>(f)};
            for (std::size_t k = 0; k < corners; ++k) {  // insertion sort of at most four numbers
                std::size_t at = k;
                const std::int32_t vertex = mesh.cell(c)[locals[f].corner[k]];
                for (; at > 0 && key.corner[at - 1] > vertex; --at) key.corner[at] = key.corner[at - 1];
                key.corner[at] = vertex;
            }
            keys.push_back(key);
        }
    }
    std::sort(keys.begin(), keys.end(), [](const FacetKey& a, const FacetKey& b) {
        return std::tie(a.corner, a.cell, a.local) < std::tie(b.corner, b.cell, b.local);
    });
    return keys;
}

std::vector<FacetKey> unshared_facets(const Mesh& mesh) {
    std::vector<FacetKey> keys = sorted_facets(mesh);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < keys.size();) {
        std::size_t end = i + 1;
        while (end < keys.size() && keys[end].corner == keys[i].corner) ++end;
        if (end == i + 1) keys[kept++] = keys[i];
        i = end;
    }
    keys.resize(kept);
    std::sort(keys.begin(), keys.end(), [](const FacetKey& a, const FacetKey& b) {
        return std::tie(a.cell, a.local) < std::tie(b.cell, b.local);
    });
    return keys;
}

/// The mid-edge node between local corners p and q of a tet10.
std::int32_t mid_node(const std::int32_t* cell, int p, int q) {
    for (std::size_t e = 0; e < kTetEdges.size(); ++e) {
        if ((kTetEdges[e][0] == p && kTetEdges[e][1] == q) || (kTetEdges[e][0] == q && kTetEdges[e][1] == p))
            return cell[4 + e];
    }
    return cell[p];
}

/// A curved face as four flat triangles: three at the corners, one in the middle.
void append_tet10_face(const std::int32_t* cell, const LocalFacet& face, std::int32_t owner, Boundary& out) {
    const auto [p, q, r, unused] = face.corner;
    (void)unused;
    const std::int32_t a = cell[p], b = cell[q], c = cell[r];
    const std::int32_t ab = mid_node(cell, p, q), bc = mid_node(cell, q, r), ca = mid_node(cell, r, p);
    for (const std::int32_t v : {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca}) out.facets.push_back(v);
    out.owner.insert(out.owner.end(), 4, owner);
}

}  // namespace

Boundary boundary_of(const Mesh& mesh) {
    Boundary boundary;
    boundary.corners = facet_corners_of(mesh.kind);
    const auto locals = facets_of(mesh.kind);
    for (const FacetKey& key : unshared_facets(mesh)) {
        const std::int32_t* cell = mesh.cell(static_cast<std::size_t>(key.cell));
        const LocalFacet& local = locals[static_cast<std::size_t>(key.local)];
        if (mesh.kind == CellKind::tet10) {
            append_tet10_face(cell, local, key.cell, boundary);
            continue;
        }
        for (int k = 0; k < boundary.corners; ++k)
            boundary.facets.push_back(cell[local.corner[static_cast<std::size_t>(k)]]);
        boundary.owner.push_back(key.cell);
    }
    boundary.vertices = boundary.facets;
    std::sort(boundary.vertices.begin(), boundary.vertices.end());
    boundary.vertices.erase(std::unique(boundary.vertices.begin(), boundary.vertices.end()), boundary.vertices.end());
    return boundary;
}

}  // namespace limber
