// Hexes to tets, and tet4 to tet10.
#include "geometry/cell_topology.hpp"
#include "geometry/generate.hpp"

#include <limber/error.hpp>

#include "core/text.hpp"

#include <algorithm>
#include <limits>

namespace limber {

namespace {

/// Tets between `apex` and the two triangles of a face that does not touch it.
void append_cone(std::int32_t apex, const std::array<std::int32_t, 4>& face, std::vector<std::int32_t>& tets) {
    const auto first = static_cast<std::size_t>(std::min_element(face.begin(), face.end()) - face.begin());
    const std::int32_t a = face[first], b = face[(first + 1) % 4], c = face[(first + 2) % 4], d = face[(first + 3) % 4];
    tets.insert(tets.end(), {apex, a, b, c, apex, a, c, d});
}

std::uint64_t edge_key(std::int32_t p, std::int32_t q) {
    const auto low = static_cast<std::uint32_t>(std::min(p, q)), high = static_cast<std::uint32_t>(std::max(p, q));
    return (static_cast<std::uint64_t>(low) << 32) | high;
}

std::vector<std::uint64_t> edges_of_tets(const Mesh& mesh) {
    std::vector<std::uint64_t> edges;
    edges.reserve(mesh.cell_count() * kTetEdges.size());
    for (std::size_t c = 0; c < mesh.cell_count(); ++c)
        for (const auto& [p, q] : kTetEdges) edges.push_back(edge_key(mesh.cell(c)[p], mesh.cell(c)[q]));
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

/// A mid-edge node joins every set that holds both ends of its edge.
void grow_set(IndexSet& set, const std::vector<std::uint64_t>& edges, std::size_t vertex_count) {
    std::vector<char> member(vertex_count, 0);
    for (const std::int32_t v : set)
        if (v >= 0 && static_cast<std::size_t>(v) < vertex_count) member[static_cast<std::size_t>(v)] = 1;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (member[edges[e] >> 32] && member[edges[e] & 0xffffffffU])
            set.push_back(static_cast<std::int32_t>(vertex_count + e));
    }
}

void check_tet4(const Mesh& mesh) {
    if (mesh.kind != CellKind::tet4)
        throw Error(Fault::bad_usage, {}, text("to_tet10: cells of kind ", to_string(mesh.kind)), "tet4");
    for (const std::int32_t v : mesh.cells) {
        if (v < 0 || static_cast<std::size_t>(v) >= mesh.vertices.size()) {
            throw Error(Fault::bad_mesh, {},
                        text("to_tet10: a cell names vertex ", v, ", but the mesh has ", mesh.vertices.size()),
                        "vertex numbers within the mesh (numbered from 0)");
        }
    }
}

}  // namespace

Mesh split_hexes(const Mesh& hexes) {
    Mesh mesh;
    mesh.kind = CellKind::tet4;
    mesh.vertices = hexes.vertices;
    mesh.vertex_sets = hexes.vertex_sets;
    mesh.cells.reserve(hexes.cell_count() * 24);
    for (std::size_t c = 0; c < hexes.cell_count(); ++c) {
        const std::int32_t* cell = hexes.cell(c);
        const std::int32_t apex = *std::min_element(cell, cell + 8);
        for (const LocalFacet& facet : facets_of(CellKind::hex8)) {
            std::array<std::int32_t, 4> face{};
            for (std::size_t k = 0; k < 4; ++k) face[k] = cell[facet.corner[k]];
            if (std::find(face.begin(), face.end(), apex) == face.end()) append_cone(apex, face, mesh.cells);
        }
    }
    return mesh;
}

Mesh convert_hexes(Mesh hexes, CellKind kind) {
    if (kind == CellKind::hex8) return hexes;
    Mesh tets = split_hexes(hexes);
    return kind == CellKind::tet4 ? tets : to_tet10(tets);
}

Mesh to_tet10(const Mesh& tet4) {
    check_tet4(tet4);
    const std::vector<std::uint64_t> edges = edges_of_tets(tet4);
    const std::size_t corners = tet4.vertices.size();
    if (corners + edges.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw Error(Fault::bad_mesh, {}, text("to_tet10: ", corners + edges.size(), " vertices"), "fewer than 2^31");

    Mesh mesh;
    mesh.kind = CellKind::tet10;
    mesh.vertices = tet4.vertices;
    mesh.vertices.reserve(corners + edges.size());
    for (const std::uint64_t edge : edges)
        mesh.vertices.push_back(0.5 * tet4.vertices[edge >> 32] + 0.5 * tet4.vertices[edge & 0xffffffffU]);
    mesh.cells.reserve(tet4.cell_count() * 10);
    for (std::size_t c = 0; c < tet4.cell_count(); ++c) {
        const std::int32_t* cell = tet4.cell(c);
        mesh.cells.insert(mesh.cells.end(), cell, cell + 4);
        for (const auto& [p, q] : kTetEdges) {
            const auto at = std::lower_bound(edges.begin(), edges.end(), edge_key(cell[p], cell[q])) - edges.begin();
            mesh.cells.push_back(static_cast<std::int32_t>(static_cast<std::ptrdiff_t>(corners) + at));
        }
    }
    mesh.vertex_sets = tet4.vertex_sets;
    mesh.cell_sets = tet4.cell_sets;
    for (auto& [name, set] : mesh.vertex_sets) grow_set(set, edges, corners);
    return mesh;
}

}  // namespace limber
