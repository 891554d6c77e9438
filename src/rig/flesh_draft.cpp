#include "rig/flesh_draft.hpp"

#include "geometry/triangle_tree.hpp"
#include "rig/flesh_thickness.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kThickPart = 0.75;  // of the ways in: as make_flesh judges thickness
constexpr double kCoarsest = 30.0;   // cells along the character's diagonal where nothing is known of a region

double typical_width(std::vector<double>& ways) {
    if (ways.empty()) return 0.0;
    std::sort(ways.begin(), ways.end());
    return ways[static_cast<std::size_t>(kThickPart * static_cast<double>(ways.size() - 1))];
}

}  // namespace

double draft_size(const FleshGround& ground, std::size_t region) {
    const RegionThickness at = thickness_of(ground, region);
    const double least = std::cbrt(kTetsPerCube * at.volume / kMostDraftCells);
    return std::max(at.thick > 0.0 ? at.thick / kDraftAcross : ground.skin.box().diagonal() / kCoarsest, least);
}

double region_thickness(const FleshCells& cells) {
    const auto [around, skin] = hull_of(cells);
    if (skin.empty()) return 0.0;
    const TriangleTree tree(around);
    std::vector<double> ways;
    for (const std::size_t t : skin) {
        const Vec3 area = around.area_vector(t), in = area * (-1.0 / norm(area));
        const double way = tree.first_hit(around.centroid(t) + in * (1e-6 * cells.cell_size), in);
        if (std::isfinite(way)) ways.push_back(way);
    }
    return typical_width(ways);
}

}  // namespace limber
