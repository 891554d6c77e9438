#include "geometry/tet_neighbours.hpp"

#include "geometry/cell_topology.hpp"

#include <algorithm>
#include <tuple>

namespace limber {

std::vector<std::array<std::int32_t, 4>> tet_neighbours(const Mesh& mesh) {
    struct Face {
        std::array<std::int32_t, 3> corner;
        std::int32_t cell, local;
    };
    const auto locals = facets_of(CellKind::tet4);
    std::vector<Face> faces;
    faces.reserve(4 * mesh.cell_count());
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        for (std::size_t f = 0; f < locals.size(); ++f) {
            std::array<std::int32_t, 3> v{};
            for (std::size_t k = 0; k < 3; ++k) v[k] = mesh.cell(c)[locals[f].corner[k]];
            std::sort(v.begin(), v.end());
            faces.push_back({v, static_cast<std::int32_t>(c), static_cast<std::int32_t>(f)});
        }
    }
    std::sort(faces.begin(), faces.end(),
              [](const Face& a, const Face& b) { return std::tie(a.corner, a.cell) < std::tie(b.corner, b.cell); });
    std::vector<std::array<std::int32_t, 4>> out(mesh.cell_count(), {-1, -1, -1, -1});
    for (std::size_t i = 1; i < faces.size(); ++i) {
        const Face &a = faces[i - 1], &b = faces[i];
        if (a.corner != b.corner) continue;
        std::int32_t &of_a = out[static_cast<std::size_t>(a.cell)][static_cast<std::size_t>(a.local)],
                     &of_b = out[static_cast<std::size_t>(b.cell)][static_cast<std::size_t>(b.local)];
        if (of_a < 0) of_a = b.cell;
        of_b = a.cell;
    }
    return out;
}

}  // namespace limber
