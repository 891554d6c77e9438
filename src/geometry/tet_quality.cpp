#include "geometry/tet_quality.hpp"

#include "geometry/cell_topology.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {

DihedralRange dihedral_range(const std::array<Vec3, 4>& p) {
    DihedralRange range;
    for (const auto& edge : kTetEdges) {
        std::size_t other[2], count = 0;
        for (int k = 0; k < 4; ++k)
            if (k != edge[0] && k != edge[1]) other[count++] = static_cast<std::size_t>(k);
        const Vec3& from = p[static_cast<std::size_t>(edge[0])];
        const Vec3 along = p[static_cast<std::size_t>(edge[1])] - from;
        const Vec3 left = cross(along, p[other[0]] - from), right = cross(along, p[other[1]] - from);
        const double angle = std::atan2(norm(cross(left, right)), dot(left, right)) * 180.0 / std::numbers::pi;
        range.smallest = std::min(range.smallest, angle);
        range.largest = std::max(range.largest, angle);
    }
    return range;
}

TetQuality tet_quality(const Mesh& mesh) {
    TetQuality quality;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        std::array<Vec3, 4> p;
        for (std::size_t k = 0; k < 4; ++k) p[k] = mesh.vertices[static_cast<std::size_t>(mesh.cell(c)[k])];
        const DihedralRange range = dihedral_range(p);
        quality.dihedral.smallest = std::min(quality.dihedral.smallest, range.smallest);
        quality.dihedral.largest = std::max(quality.dihedral.largest, range.largest);
        ++quality.histogram[static_cast<std::size_t>(std::clamp(range.smallest / 10.0, 0.0, 17.0))];
        if (!(dot(p[1] - p[0], cross(p[2] - p[0], p[3] - p[0])) > 0.0)) ++quality.negative;
    }
    return quality;
}

}  // namespace limber
