#include "geometry/thickness.hpp"

#include <algorithm>

namespace limber {

bool is_one_cell_thick(const Mesh& mesh) {
    constexpr double kNearlyAll = 0.9;
    const Boundary outer = boundary_of(mesh);
    const int corners = mesh.kind == CellKind::tet10 ? 4 : corners_of(mesh.kind);
    std::size_t shallow = 0;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        const std::int32_t* v = mesh.cell(c);
        shallow += std::all_of(v, v + corners,
                               [&](std::int32_t k) {
                                   return std::binary_search(outer.vertices.begin(), outer.vertices.end(), k);
                               })
                       ? 1
                       : 0;
    }
    return static_cast<double>(shallow) >= kNearlyAll * static_cast<double>(mesh.cell_count());
}

}  // namespace limber
