#include "body/flesh_draft.hpp"

#include "geometry/cell_topology.hpp"
#include "geometry/triangle_tree.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kThickPart = 0.75;  // of the ways in: as make_flesh judges thickness
constexpr std::size_t kLooks = 64;   // places on the skin
constexpr int kSteps = 32;           // along the region's diagonal

double thick_way(std::vector<double>& ways) {
    if (ways.empty()) return 0.0;
    std::sort(ways.begin(), ways.end());
    return ways[static_cast<std::size_t>(kThickPart * static_cast<double>(ways.size() - 1))];
}

bool is_free(const FleshGround& ground, std::size_t region, const Vec3& p) {
    if (!ground.skin.inside(p)) return false;
    const CharacterSkin::Place at = ground.skin.nearest(p);
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k)
        sum += at.weight[k] * ground.freedom[region][static_cast<std::size_t>(at.vertex[k])];
    return sum > ground.settings.threshold;
}

/// Straight in from vertices of the skin that are in the region: minus the sum of the areas around them.
std::vector<Vec3> ways_in(const FleshGround& ground, const std::vector<char>& caught) {
    const std::vector<Vec3>& x = ground.skin.vertices();
    std::vector<Vec3> out(x.size());
    for (std::size_t p = 0; p < ground.rig.parts.size(); ++p)
        for (const auto& t : ground.rig.parts[p].triangles) {
            std::array<std::size_t, 3> v{};
            for (std::size_t k = 0; k < 3; ++k) v[k] = ground.skin.first_of(p) + static_cast<std::size_t>(t[k]);
            if (!caught[v[0]] && !caught[v[1]] && !caught[v[2]]) continue;
            const Vec3 area = cross(x[v[1]] - x[v[0]], x[v[2]] - x[v[0]]);
            for (const std::size_t i : v) out[i] += area * -1.0;
        }
    return out;
}

}  // namespace

double draft_size(const FleshGround& ground, std::size_t region) {
    const std::vector<double>& freedom = ground.freedom[region];
    std::vector<char> caught(freedom.size(), 0);
    std::vector<std::size_t> vertices;
    std::vector<Vec3> places;
    for (std::size_t v = 0; v < freedom.size(); ++v) {
        caught[v] = freedom[v] > ground.settings.threshold;
        if (!caught[v]) continue;
        vertices.push_back(v);
        places.push_back(ground.skin.vertices()[v]);
    }
    const std::vector<Vec3> in = ways_in(ground, caught);
    const double diagonal = box_of(places).diagonal(), step = diagonal / kSteps;
    std::vector<double> ways;
    for (std::size_t i = 0; i < vertices.size(); i += std::max<std::size_t>(vertices.size() / kLooks, 1)) {
        const Vec3 way = in[vertices[i]];
        const double length = norm(way);
        double far = 0.5 * step;
        while (length > 0.0 && far < diagonal && is_free(ground, region, places[i] + way * (far / length))) far += step;
        if (far > 0.5 * step) ways.push_back(far - 0.5 * step);
    }
    const double thick = thick_way(ways);
    return (thick > 0.0 ? thick : step) / kDraftAcross;
}

double region_thickness(const FleshCells& cells) {
    Triangles around{cells.mesh.vertices, {}, {}};
    std::vector<std::size_t> skin;  // faces of flesh with nothing behind them
    for (std::size_t c = 0; c < cells.label.size(); ++c)
        for (std::size_t f = 0; cells.label[c] != kRest && f < 4; ++f) {
            const std::int32_t behind = cells.neighbours[c][f];
            if (behind >= 0 && cells.label[static_cast<std::size_t>(behind)] != kRest) continue;
            std::array<std::int32_t, 3> corner{};
            for (std::size_t k = 0; k < 3; ++k) corner[k] = cells.mesh.cell(c)[facets_of(CellKind::tet4)[f].corner[k]];
            if (behind < 0 && cells.label[c] == kFlesh) skin.push_back(around.corners.size());
            around.corners.push_back(corner);
        }
    if (skin.empty()) return 0.0;
    const TriangleTree tree(around);
    std::vector<double> ways;
    for (const std::size_t t : skin) {
        const Vec3 area = around.area_vector(t), in = area * (-1.0 / norm(area));
        const double way = tree.first_hit(around.centroid(t) + in * (1e-6 * cells.cell_size), in);
        if (std::isfinite(way)) ways.push_back(way);
    }
    return thick_way(ways);
}

}  // namespace limber
