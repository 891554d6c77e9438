// Rectangles and boxes: lattices numbered x fastest, then y, then z.
#include "geometry/generate.hpp"

namespace limber {

namespace {

/// Exact at both ends, and wherever the spacing is a whole number.
double along(double low, double high, int i, int n) { return i == n ? high : low + (high - low) * i / n; }

}  // namespace

Mesh make_grid(CellKind kind, int nx, int ny, const Vec3& low, const Vec3& high) {
    require_kind("make_grid", kind, {CellKind::tri3, CellKind::quad4});
    require_count("make_grid", "nx", nx);
    require_count("make_grid", "ny", ny);
    require_cells("make_grid", {nx, ny, kind == CellKind::tri3 ? 2 : 1});
    for (const int axis : {0, 1}) require_range("make_grid", axis, low, high);

    Mesh mesh;
    mesh.kind = kind;
    for (int j = 0; j <= ny; ++j) {
        for (int i = 0; i <= nx; ++i) {
            const auto vertex = static_cast<std::int32_t>(mesh.vertices.size());
            mesh.vertices.push_back({along(low.x, high.x, i, nx), along(low.y, high.y, j, ny), 0.0});
            if (i == 0) mesh.vertex_sets["left"].push_back(vertex);
            if (i == nx) mesh.vertex_sets["right"].push_back(vertex);
            if (j == 0) mesh.vertex_sets["bottom"].push_back(vertex);
            if (j == ny) mesh.vertex_sets["top"].push_back(vertex);
        }
    }
    for (int j = 0; j < ny; ++j) {
        for (int i = 0; i < nx; ++i) {
            const std::int32_t a = j * (nx + 1) + i, b = a + 1, c = b + nx + 1, d = a + nx + 1;
            if (kind == CellKind::quad4)
                mesh.cells.insert(mesh.cells.end(), {a, b, c, d});
            else
                mesh.cells.insert(mesh.cells.end(), {a, b, c, a, c, d});
        }
    }
    return mesh;
}

Mesh make_box(CellKind kind, int nx, int ny, int nz, const Vec3& low, const Vec3& high) {
    require_kind("make_box", kind, {CellKind::tet4, CellKind::tet10, CellKind::hex8});
    require_count("make_box", "nx", nx);
    require_count("make_box", "ny", ny);
    require_count("make_box", "nz", nz);
    require_cells("make_box", {nx, ny, nz, cells_per_hex(kind)});
    for (const int axis : {0, 1, 2}) require_range("make_box", axis, low, high);

    Mesh mesh;
    mesh.kind = CellKind::hex8;
    for (int k = 0; k <= nz; ++k) {
        for (int j = 0; j <= ny; ++j) {
            for (int i = 0; i <= nx; ++i) {
                const auto vertex = static_cast<std::int32_t>(mesh.vertices.size());
                mesh.vertices.push_back(
                    {along(low.x, high.x, i, nx), along(low.y, high.y, j, ny), along(low.z, high.z, k, nz)});
                if (i == 0) mesh.vertex_sets["left"].push_back(vertex);
                if (i == nx) mesh.vertex_sets["right"].push_back(vertex);
                if (j == 0) mesh.vertex_sets["bottom"].push_back(vertex);
                if (j == ny) mesh.vertex_sets["top"].push_back(vertex);
                if (k == 0) mesh.vertex_sets["back"].push_back(vertex);
                if (k == nz) mesh.vertex_sets["front"].push_back(vertex);
            }
        }
    }
    const std::int32_t row = nx + 1, layer = row * (ny + 1);
    for (int k = 0; k < nz; ++k) {
        for (int j = 0; j < ny; ++j) {
            for (int i = 0; i < nx; ++i) {
                const std::int32_t a = k * layer + j * row + i, b = a + layer;
                mesh.cells.insert(mesh.cells.end(), {a, a + 1, a + 1 + row, a + row, b, b + 1, b + 1 + row, b + row});
            }
        }
    }
    return convert_hexes(std::move(mesh), kind);
}

}  // namespace limber
