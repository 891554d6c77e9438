#include "rig/flesh_thickness.hpp"

#include "core/rounded_up.hpp"
#include "core/text.hpp"
#include "geometry/cell_topology.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr std::size_t kSkinSamples = 500, kTrialSkinSamples = 120;  // on the skin: enough for a quartile
constexpr double kSpare = 1.3;      // more cells than the estimate, so that the advice holds
constexpr double kMostCells = 2e7;  // what --cells takes

}  // namespace

RegionThickness thickness_of(const FleshGround& ground, std::size_t region) {
    const Triangles& skin = ground.skin.triangles();
    const std::vector<double>& freedom = ground.freedom[region];
    std::vector<std::size_t> free;
    for (std::size_t t = 0; t < skin.size(); ++t) {
        double sum = 0.0;
        for (const std::int32_t v : skin.corners[t]) sum += freedom[static_cast<std::size_t>(v)] / 3.0;
        if (sum > ground.settings.threshold) free.push_back(t);
    }
    const std::size_t stride = std::max<std::size_t>(
        free.size() / (ground.meant_cells > 0.0 ? kTrialSkinSamples : kSkinSamples), 1);
    std::vector<std::pair<double, double>> ways;  // way, area
    RegionThickness out;
    double area = 0.0;
    for (std::size_t i = 0; i < free.size(); i += stride) {
        const Vec3 normal = skin.area_vector(free[i]);
        const double size = norm(normal), near = 1e-5 * ground.skin.box().diagonal();
        if (!(size > 0.0)) continue;
        const Vec3 in = normal * (-1.0 / size), at = skin.centroid(free[i]);
        // Mirrored characters have their triangles the other way round.
        const double way = std::max(ground.skin.way_out(at + in * near, in), ground.skin.way_out(at - in * near, -in));
        if (!(way > 0.0)) continue;
        ways.emplace_back(way, size);
        area += size;
        out.volume += 0.5 * way * size * static_cast<double>(stride);
    }
    std::sort(ways.begin(), ways.end());
    double below = 0.0;
    for (const auto& [way, size] : ways) {
        out.thick = way;
        below += size;
        if (below >= 0.75 * area) break;
    }
    return out;
}

std::string cells_for(double needed, double size, double now) {
    const double cells = needed > 0.0 ? kSpare * std::max(now, 1.0) * std::pow(size / needed, 3.0) : 2.0 * kMostCells;
    return cells > kMostCells ? std::string() : text("--cells ", fmt::format("{:.0f}", rounded_up(cells)));
}

std::string thinner_bones(const FleshSettings& settings) {
    const std::string share = text("--bone-share ", 0.4 * settings.bone_share);
    return settings.bone_radius >= 0.0 ? text("thinner bones (a smaller --bone-radius, or ", share, " instead of it)")
                                       : text("thinner bones (", share, ")");
}

void refuse_thin(const FleshGround& ground, std::size_t region, double thick, double size, double now) {
    const std::string cells = cells_for(thick / kThick, size, now);
    ground.refuse(region,
                  text("three quarters of it are thinner than ", fmt::format("{:.3g}", 1e3 * thick),
                       " mm, with cells of ", fmt::format("{:.3g}", 1e3 * size), " mm"),
                  cells.empty() ? "a region that reaches deeper: this one is too thin for a solid"
                                : text("three cells at least: ", cells, ", or a region that reaches deeper"));
}

RegionHull hull_of(const FleshCells& cells) {
    RegionHull out{{cells.mesh.vertices, {}, {}}, {}};
    for (std::size_t c = 0; c < cells.label.size(); ++c) {
        for (std::size_t f = 0; cells.label[c] != kRest && f < 4; ++f) {
            const std::int32_t behind = cells.neighbours[c][f];
            if (behind >= 0 && cells.label[static_cast<std::size_t>(behind)] != kRest) continue;
            std::array<std::int32_t, 3> corner{};
            for (std::size_t k = 0; k < 3; ++k) corner[k] = cells.mesh.cell(c)[facets_of(CellKind::tet4)[f].corner[k]];
            if (behind < 0 && cells.label[c] == kFlesh) out.skin.push_back(out.faces.corners.size());
            out.faces.corners.push_back(corner);
        }
    }
    return out;
}

}  // namespace limber
