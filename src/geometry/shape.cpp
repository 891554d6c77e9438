#include "geometry/shape.hpp"

#include "geometry/cell_topology.hpp"

#include <array>

namespace limber {

namespace {

// Corner signs of [-1,1]^3 in VTK order; the first four are the quad's.
constexpr std::array<Vec3, 8> kHexCorner{
    {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}};
constexpr std::array<Vec3, 4> kSimplexCorner{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
// Gradients of the barycentric coordinates.
constexpr std::array<Vec3, 4> kTetGradient{{{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

std::array<double, 4> barycentric(const Vec3& xi) { return {1.0 - xi.x - xi.y - xi.z, xi.x, xi.y, xi.z}; }

void tet10_values(const Vec3& xi, double* n) {
    const std::array<double, 4> l = barycentric(xi);
    for (std::size_t a = 0; a < 4; ++a) n[a] = l[a] * (2.0 * l[a] - 1.0);
    for (std::size_t e = 0; e < 6; ++e)
        n[4 + e] = 4.0 * l[static_cast<std::size_t>(kTetEdges[e][0])] * l[static_cast<std::size_t>(kTetEdges[e][1])];
}

void tet10_gradients(const Vec3& xi, Vec3* dn) {
    const std::array<double, 4> l = barycentric(xi);
    for (std::size_t a = 0; a < 4; ++a) dn[a] = kTetGradient[a] * (4.0 * l[a] - 1.0);
    for (std::size_t e = 0; e < 6; ++e) {
        const auto p = static_cast<std::size_t>(kTetEdges[e][0]), q = static_cast<std::size_t>(kTetEdges[e][1]);
        dn[4 + e] = 4.0 * (kTetGradient[p] * l[q] + kTetGradient[q] * l[p]);
    }
}

}  // namespace

void shape_values(CellKind kind, const Vec3& xi, double* n) {
    switch (kind) {
        case CellKind::tri3: n[0] = 1.0 - xi.x - xi.y, n[1] = xi.x, n[2] = xi.y; break;
        case CellKind::quad4:
            for (std::size_t a = 0; a < 4; ++a)
                n[a] = 0.25 * (1.0 + kHexCorner[a].x * xi.x) * (1.0 + kHexCorner[a].y * xi.y);
            break;
        case CellKind::tet4: {
            const std::array<double, 4> l = barycentric(xi);
            for (std::size_t a = 0; a < 4; ++a) n[a] = l[a];
            break;
        }
        case CellKind::tet10: tet10_values(xi, n); break;
        case CellKind::hex8:
            for (std::size_t a = 0; a < 8; ++a) {
                n[a] = 0.125 * (1.0 + kHexCorner[a].x * xi.x) * (1.0 + kHexCorner[a].y * xi.y) *
                       (1.0 + kHexCorner[a].z * xi.z);
            }
            break;
    }
}

void shape_gradients(CellKind kind, const Vec3& xi, Vec3* dn) {
    switch (kind) {
        case CellKind::tri3: dn[0] = {-1, -1, 0}, dn[1] = {1, 0, 0}, dn[2] = {0, 1, 0}; break;
        case CellKind::quad4:
            for (std::size_t a = 0; a < 4; ++a) {
                const Vec3& s = kHexCorner[a];
                dn[a] = {0.25 * s.x * (1.0 + s.y * xi.y), 0.25 * s.y * (1.0 + s.x * xi.x), 0.0};
            }
            break;
        case CellKind::tet4:
            for (std::size_t a = 0; a < 4; ++a) dn[a] = kTetGradient[a];
            break;
        case CellKind::tet10: tet10_gradients(xi, dn); break;
        case CellKind::hex8:
            for (std::size_t a = 0; a < 8; ++a) {
                const Vec3& s = kHexCorner[a];
                const double fx = 1.0 + s.x * xi.x, fy = 1.0 + s.y * xi.y, fz = 1.0 + s.z * xi.z;
                dn[a] = {0.125 * s.x * fy * fz, 0.125 * s.y * fx * fz, 0.125 * s.z * fx * fy};
            }
            break;
    }
}

Vec3 reference_node(CellKind kind, int a) {
    const auto i = static_cast<std::size_t>(a);
    if (kind == CellKind::hex8) return kHexCorner[i];
    if (kind == CellKind::quad4) return {kHexCorner[i].x, kHexCorner[i].y, 0.0};
    if (a < 4) return kSimplexCorner[i];
    const auto& edge = kTetEdges[i - 4];
    return 0.5 *
           (kSimplexCorner[static_cast<std::size_t>(edge[0])] + kSimplexCorner[static_cast<std::size_t>(edge[1])]);
}

Vec3 reference_centre(CellKind kind) {
    switch (kind) {
        case CellKind::tri3: return {1.0 / 3.0, 1.0 / 3.0, 0.0};
        case CellKind::tet4:
        case CellKind::tet10: return {0.25, 0.25, 0.25};
        case CellKind::quad4:
        case CellKind::hex8: break;
    }
    return {};
}

Vec3 map_to_cell(CellKind kind, const Vec3* x, const Vec3& xi) {
    double n[kMaxCorners];
    shape_values(kind, xi, n);
    Vec3 point;
    for (int a = 0; a < corners_of(kind); ++a) point += n[a] * x[a];
    return point;
}

Mat3 cell_jacobian(CellKind kind, const Vec3* x, const Vec3& xi) {
    Vec3 dn[kMaxCorners];
    shape_gradients(kind, xi, dn);
    Mat3 j;
    for (int a = 0; a < corners_of(kind); ++a) {
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) j(r, c) += x[a][r] * dn[a][c];
    }
    if (dimension_of(kind) == 2) {
        j(2, 0) = j(2, 1) = j(0, 2) = j(1, 2) = 0.0;
        j(2, 2) = 1.0;
    }
    return j;
}

void gather_corners(const Mesh& mesh, std::size_t cell, Vec3* x) {
    const std::int32_t* corner = mesh.cell(cell);
    for (int a = 0; a < corners_of(mesh.kind); ++a) x[a] = mesh.vertices[static_cast<std::size_t>(corner[a])];
}

}  // namespace limber
