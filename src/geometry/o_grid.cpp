// The round generators' common parts: shells around a lattice core, and curved tet10 surfaces.
#include "geometry/cell_quality.hpp"
#include "geometry/generate.hpp"
#include "geometry/shape.hpp"

#include <algorithm>

namespace limber {

OGrid o_grid(int cells_across, CellKind kind) {
    // Up to three cells cannot afford a shell; beyond, about a quarter of the cells lie in the shell on either side,
    // which keeps the layers as thick as the core's cells are wide (the core is about half the diameter). A tet10
    // cannot have two curved faces in one smooth surface, so three of them get a shell all the same.
    const int shells = cells_across == 3 && kind == CellKind::tet10 ? 1 : cells_across / 4;
    return {cells_across - 2 * shells, shells};
}

IndexSet add_shells(Mesh& core, int shells, const std::vector<Vec3>& outer) {
    const Boundary boundary = boundary_of(core);
    if (shells == 0) {
        for (std::size_t i = 0; i < outer.size(); ++i)
            core.vertices[static_cast<std::size_t>(boundary.vertices[i])] = outer[i];
        return boundary.vertices;
    }
    const auto core_size = static_cast<std::int32_t>(core.vertices.size()),
               ring = static_cast<std::int32_t>(outer.size());
    std::vector<std::int32_t> rank(core.vertices.size(), -1);
    for (std::size_t i = 0; i < outer.size(); ++i)
        rank[static_cast<std::size_t>(boundary.vertices[i])] = static_cast<std::int32_t>(i);

    for (int layer = 1; layer <= shells; ++layer) {
        for (std::size_t i = 0; i < outer.size(); ++i) {
            const Vec3 inner = core.vertices[static_cast<std::size_t>(boundary.vertices[i])];
            const double t = static_cast<double>(layer) / shells;
            core.vertices.push_back(layer == shells ? outer[i] : (1.0 - t) * inner + t * outer[i]);
        }
    }
    const auto at_layer = [&](std::int32_t vertex, int layer) {
        return layer == 0 ? vertex : core_size + (layer - 1) * ring + rank[static_cast<std::size_t>(vertex)];
    };
    for (int layer = 0; layer < shells; ++layer) {
        for (std::size_t f = 0; f < boundary.facet_count(); ++f) {
            const std::int32_t* v = boundary.facets.data() + f * static_cast<std::size_t>(boundary.corners);
            if (boundary.corners == 2) {
                for (const std::int32_t w : {at_layer(v[0], layer), at_layer(v[0], layer + 1),
                                             at_layer(v[1], layer + 1), at_layer(v[1], layer)}) {
                    core.cells.push_back(w);
                }
            } else {
                for (int k = 0; k < 4; ++k) core.cells.push_back(at_layer(v[k], layer));
                for (int k = 0; k < 4; ++k) core.cells.push_back(at_layer(v[k], layer + 1));
            }
        }
    }
    IndexSet outermost(outer.size());
    for (std::size_t i = 0; i < outer.size(); ++i)
        outermost[i] = core_size + (shells - 1) * ring + static_cast<std::int32_t>(i);
    return outermost;
}

namespace {

std::vector<char> members(const IndexSet& set, std::size_t count) {
    std::vector<char> flags(count, 0);
    for (const std::int32_t v : set) flags[static_cast<std::size_t>(v)] = 1;
    return flags;
}

/// Corners and mid-edge nodes of one boundary face, from its four triangles (see boundary_of).
struct CurvedFace {
    std::array<std::int32_t, 3> corner, mid;
    explicit CurvedFace(const std::int32_t* t) : corner{t[0], t[4], t[8]}, mid{t[1], t[5], t[2]} {}
};

/// A curved cell's least det J, as a share of the straight cell's: below, it is no longer curved but folded.
constexpr double kLeastStretch = 0.02;

/// Takes projected nodes of folded cells back to where they were until no cell is folded.
void restore_folded_cells(Mesh& mesh, const std::vector<Vec3>& before, std::vector<char>& moved) {
    for (bool again = true; again;) {
        again = false;
        for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
            const std::int32_t* cell = mesh.cell(c);
            if (std::none_of(cell + 4, cell + 10,
                             [&](std::int32_t v) { return moved[static_cast<std::size_t>(v)] != 0; })) {
                continue;
            }
            Vec3 x[kMaxCorners];
            gather_corners(mesh, c, x);
            if (least_determinant(mesh.kind, x) > kLeastStretch * least_determinant(CellKind::tet4, x)) continue;
            for (int e = 4; e < 10; ++e) {
                const auto v = static_cast<std::size_t>(cell[e]);
                if (!moved[v]) continue;
                mesh.vertices[v] = before[v];
                moved[v] = 0;
                again = true;
            }
        }
    }
}

}  // namespace

IndexSet curve_surface(Mesh& mesh, const IndexSet& corners, const std::vector<IndexSet>& flat,
                       const std::function<Vec3(const Vec3&)>& project) {
    const std::size_t count = mesh.vertices.size();
    const std::vector<char> round = members(corners, count);
    std::vector<std::vector<char>> planes;
    planes.reserve(flat.size());
    for (const IndexSet& set : flat) planes.push_back(members(set, count));
    const auto all_in = [](const std::vector<char>& set, const CurvedFace& face) {
        return std::all_of(face.corner.begin(), face.corner.end(),
                           [&](std::int32_t v) { return set[static_cast<std::size_t>(v)] != 0; });
    };

    const Boundary boundary = boundary_of(mesh);
    std::vector<char> on_surface(count, 0), moved(count, 0);
    for (std::size_t f = 0; f + 3 < boundary.facet_count(); f += 4) {
        const CurvedFace face(boundary.facets.data() + 3 * f);
        if (!all_in(round, face)) continue;
        if (std::any_of(planes.begin(), planes.end(), [&](const auto& plane) { return all_in(plane, face); })) continue;
        for (const std::int32_t v : face.corner) on_surface[static_cast<std::size_t>(v)] = 1;
        for (const std::int32_t v : face.mid)
            on_surface[static_cast<std::size_t>(v)] = moved[static_cast<std::size_t>(v)] = 1;
    }
    const std::vector<Vec3> before = mesh.vertices;
    for (std::size_t v = 0; v < count; ++v)
        if (moved[v]) mesh.vertices[v] = project(mesh.vertices[v]);
    restore_folded_cells(mesh, before, moved);

    IndexSet surface;
    for (std::size_t v = 0; v < count; ++v)
        if (on_surface[v]) surface.push_back(static_cast<std::int32_t>(v));
    return surface;
}

}  // namespace limber
