#include "sim/edge_change.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

double edge_change(const Mesh& mesh, std::size_t cell, std::span<const Vec3> displacement, bool stretched_only) {
    const int corners = mesh.kind == CellKind::tet10 ? 4 : corners_of(mesh.kind);
    const std::int32_t* v = mesh.cell(cell);
    double largest = 0.0;
    for (int a = 0; a < corners; ++a) {
        for (int b = 0; b < a; ++b) {
            const auto i = static_cast<std::size_t>(v[a]), j = static_cast<std::size_t>(v[b]);
            const Vec3 edge = mesh.vertices[i] - mesh.vertices[j], change = displacement[i] - displacement[j];
            const double length = norm(edge);
            const double moved = stretched_only ? std::fabs(norm(edge + change) - length) : norm(change);
            if (length > 0.0) largest = std::max(largest, moved / length);
        }
    }
    return largest;
}

}  // namespace limber
