#include "geometry/solid_parts.hpp"

#include "core/rounded_up.hpp"
#include "core/text.hpp"
#include "geometry/triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace limber {
namespace {

constexpr double kTip =
    0.1;  // of the volume: larger parts that came off are no tips, and half a body is better than none

/// The mesh of the kept cells; a vertex used by two parts becomes two.
void rebuild(Mesh& mesh, const std::vector<std::int32_t>& part, const std::vector<char>& keep, std::size_t& hinges) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> number;  // (vertex, part)
    std::vector<char> on_surface(mesh.vertices.size(), 0), used(mesh.vertices.size(), 0);
    for (const std::int32_t v : mesh.vertex_sets["surface"]) on_surface[static_cast<std::size_t>(v)] = 1;
    Mesh out;
    IndexSet surface;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        if (!keep[static_cast<std::size_t>(part[c])]) continue;
        for (int k = 0; k < 4; ++k) {
            const std::int32_t v = mesh.cell(c)[k];
            const auto [it, fresh] = number.try_emplace({v, part[c]}, static_cast<std::int32_t>(out.vertices.size()));
            if (fresh) {
                hinges += used[static_cast<std::size_t>(v)] ? 1 : 0;
                used[static_cast<std::size_t>(v)] = 1;
                out.vertices.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
                if (on_surface[static_cast<std::size_t>(v)]) surface.push_back(it->second);
            }
            out.cells.push_back(it->second);
        }
    }
    out.vertex_sets["surface"] = std::move(surface);
    mesh = std::move(out);
}

}  // namespace

bool is_inner(const Triangles& surface, std::size_t t, const InsideTest& inside, double cell_size) {
    const Vec3 area = surface.area_vector(t), step = area * (1e-3 * cell_size / norm(area)), at = surface.centroid(t);
    return inside(at + step) && inside(at - step);
}

void keep_parts(Mesh& mesh, double least, const TornParts& fallen, std::size_t& parts,
                std::vector<SolidFinding>& findings) {
    parts = fallen.volume.size();
    if (parts <= 1) return;
    const double total = std::accumulate(fallen.volume.begin(), fallen.volume.end(), 0.0);
    std::vector<char> keep(parts, 1);
    std::size_t crumbs = 0, tips = 0, halves = 0, hinges = 0;
    double crumbled = 0.0, cut = 0.0;
    for (std::size_t p = 0; p < fallen.volume.size(); ++p) {
        const double share = fallen.volume[p] / total;
        if (share < least) {
            keep[p] = 0;
            ++crumbs;
            crumbled += share;
        } else if (fallen.torn[p] && share < kTip) {
            keep[p] = 0;
            ++tips;
            cut += share;
        } else if (fallen.torn[p])
            ++halves;
    }
    rebuild(mesh, fallen.part, keep, hinges);
    parts -= crumbs + tips;
    const auto percent = [](double share) { return plain_number(100.0 * share, 2) + " %"; };
    if (crumbs > 0) {
        findings.push_back({SolidFinding::Kind::island, text(counted(crumbs, "loose crumb"), " with ",
                                                             percent(crumbled), " of the volume left out")});
    }
    if (tips > 0) {
        findings.push_back({SolidFinding::Kind::torn,
                            text(counted(tips, "part"), " with ", percent(cut), " of the volume ",
                                 tips == 1 ? "hangs" : "hang", " on something thinner than a cell and ",
                                 tips == 1 ? "is" : "are", " left out, or would fall off: more cells keep them")});
    }
    if (halves > 0) {
        findings.push_back(
            {SolidFinding::Kind::torn,
             text("the solid is torn into ", halves + 1,
                  " large parts, where the surface is thinner than a cell: more cells hold them together")});
    }
    if (parts > 1) {
        findings.push_back({SolidFinding::Kind::loose_parts,
                            text("the solid has ", parts, " separate parts; each needs anchors of its own",
                                 hinges > 0 ? text(" (some touched in single points or edges, ", hinges,
                                                   " vertices, and were parted there)")
                                            : std::string())});
    }
}

namespace {

constexpr double kCellsAcross = 1.5;  // cells that a lost part wants across
constexpr double kMostWanted = 5e6;   // cells: more are no advice
constexpr double kClearlyMore = 1.3;  // times those that are there: fewer are none either

/// How thick the shape is behind a triangle [m]; infinite where nothing is behind it.
double thickness_behind(const TriangleTree& shape, const Triangles& surface, std::size_t t) {
    const Vec3 area = surface.area_vector(t);
    const double size = norm(area);
    if (!(size > 0.0)) return std::numeric_limits<double>::infinity();
    return shape.first_hit(surface.centroid(t), area * (-1.0 / size), static_cast<std::int32_t>(t));
}

/// "; about 30000 cells keep most of it", from what a middle one of the lost triangles has behind it.
std::string cells_that_keep(std::vector<double>& behind, const Mesh& mesh) {
    if (behind.empty()) return {};
    std::sort(behind.begin(), behind.end());
    const double cell = behind[behind.size() / 2] / kCellsAcross,
                 cells = kTetsPerCube * measure_of(mesh) / (cell * cell * cell);
    const double made = static_cast<double>(mesh.cell_count());
    if (!(cell > 0.0) || !(cells <= kMostWanted) || cells < kClearlyMore * made) return {};
    return text("; about ", fmt::format("{:.0f}", rounded_up(cells)), " cells keep most of it");
}

}  // namespace

void report_thin(const Triangles& surface, const InsideTest& inside, const Mesh& mesh, double cell_size,
                 std::vector<SolidFinding>& findings) {
    const Boundary boundary = boundary_of(mesh);
    Triangles skin;
    skin.vertices = mesh.vertices;
    for (std::size_t f = 0; f < boundary.facet_count(); ++f)
        skin.corners.push_back({boundary.facets[3 * f], boundary.facets[3 * f + 1], boundary.facets[3 * f + 2]});
    const TriangleTree tree(skin), shape(surface);
    double lost = 0.0, area = 0.0, worst = 0.0;
    Vec3 where;
    std::vector<double> behind;
    for (std::size_t t = 0; t < surface.size(); ++t) {
        const double a = norm(surface.area_vector(t)), distance = tree.nearest(surface.centroid(t)).distance;
        area += a;
        if (distance <= 0.5 * cell_size || is_inner(surface, t, inside, cell_size)) continue;
        lost += a;
        behind.push_back(thickness_behind(shape, surface, t));
        if (distance > worst) {
            worst = distance;
            where = surface.centroid(t);
        }
    }
    if (lost > 0.0) {
        findings.push_back(
            {SolidFinding::Kind::thin,
             text(plain_number(100.0 * lost / area, 2),
                  " % of the surface lies more than half a cell from the solid (worst ", fmt::format("{:.3g}", worst),
                  " m at (", fmt::format("{:.4g}, {:.4g}, {:.4g}", where.x, where.y, where.z),
                  ")): parts thinner than a cell of ", fmt::format("{:.3g}", cell_size), " m are lost; use more cells",
                  cells_that_keep(behind, mesh))});
    }
}

void report_ends(const Box3& shape, const Mesh& mesh, double cell_size, std::vector<SolidFinding>& findings) {
    const Box3 box = box_of(mesh.vertices);
    int axis = -1;
    bool low = false;
    double worst = 1.0;  // of what is allowed
    for (int a = 0; a < 3; ++a) {
        const double allowed = std::max(1.5 * cell_size, 0.02 * shape.size()[a]);
        for (const bool under : {true, false}) {
            const double missing = (under ? box.low[a] - shape.low[a] : shape.high[a] - box.high[a]) / allowed;
            if (missing <= worst) continue;
            worst = missing;
            axis = a;
            low = under;
        }
    }
    if (axis < 0) return;
    findings.push_back({SolidFinding::Kind::thin,
                        text("the surface reaches ", "xyz"[axis], " = ",
                             fmt::format("{:.3g}", low ? shape.low[axis] : shape.high[axis]), " m and the solid only ",
                             fmt::format("{:.3g}", low ? box.low[axis] : box.high[axis]),
                             " m: what ends there is thinner than a cell and lost, and sets by place (bottom, top, "
                             "...) are on what is left")});
}

}  // namespace limber
