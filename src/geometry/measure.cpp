// Areas, volumes and tributary shares, by quadrature that is exact for every kind (also curved tet10 and warped hex8).
#include "geometry/quadrature.hpp"
#include "geometry/shape.hpp"
#include "geometry/tributary.hpp"

#include <algorithm>

namespace limber {

namespace {

/// det J has degree 3 in a curved tet10 and degree 2 per axis in a hex8; straight simplices need one point.
int measure_degree(CellKind kind) { return kind == CellKind::tri3 || kind == CellKind::tet4 ? 1 : 3; }
/// One more factor N: degree 3 + 2 in a tet10, 1 per axis more in a hex8.
int tributary_degree(CellKind kind) {
    return kind == CellKind::tet10 ? 5 : kind == CellKind::tri3 || kind == CellKind::tet4 ? 1 : 3;
}

}  // namespace

double cell_measure(const Mesh& mesh, std::size_t cell) {
    Vec3 x[kMaxCorners];
    gather_corners(mesh, cell, x);
    double sum = 0.0;
    for (const QuadraturePoint& q : quadrature(mesh.kind, measure_degree(mesh.kind)))
        sum += q.weight * determinant(cell_jacobian(mesh.kind, x, q.xi));
    return sum;
}

double measure_of(const Mesh& mesh) {
    double sum = 0.0;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) sum += cell_measure(mesh, c);
    return sum;
}

double diagonal_of(const Mesh& mesh) {
    if (mesh.vertices.empty()) return 0.0;
    Vec3 low = mesh.vertices.front(), high = low;
    for (const Vec3& p : mesh.vertices) {
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    }
    return norm(high - low);
}

std::vector<double> tributary_measure(const Mesh& mesh) {
    std::vector<double> share(mesh.vertices.size(), 0.0);
    const int corners = corners_of(mesh.kind);
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        Vec3 x[kMaxCorners];
        gather_corners(mesh, c, x);
        for (const QuadraturePoint& q : quadrature(mesh.kind, tributary_degree(mesh.kind))) {
            double n[kMaxCorners];
            shape_values(mesh.kind, q.xi, n);
            const double weight = q.weight * determinant(cell_jacobian(mesh.kind, x, q.xi));
            for (int a = 0; a < corners; ++a) share[static_cast<std::size_t>(mesh.cell(c)[a])] += n[a] * weight;
        }
    }
    return share;
}

}  // namespace limber
