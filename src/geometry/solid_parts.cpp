#include "geometry/solid_parts.hpp"

#include "core/joined.hpp"
#include "core/text.hpp"
#include "geometry/tet_neighbours.hpp"
#include "geometry/triangle_tree.hpp"

#include <algorithm>
#include <map>

namespace limber {
namespace {

/// The part of every tetrahedron, numbered from 0; neighbours share a face.
std::vector<std::int32_t> face_parts(const Mesh& mesh, std::int32_t& count) {
    Joined joined(mesh.cell_count());
    const auto neighbours = tet_neighbours(mesh);
    for (std::size_t c = 0; c < neighbours.size(); ++c)
        for (const std::int32_t other : neighbours[c])
            if (other >= 0) joined.join(static_cast<std::int32_t>(c), other);
    return joined.groups(count);
}

/// The mesh of the kept cells; a vertex used by two parts becomes two.
void rebuild(Mesh& mesh, const std::vector<std::int32_t>& part, const std::vector<char>& keep, std::size_t& hinges) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> number;   // (vertex, part)
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

void keep_parts(Mesh& mesh, double least, std::size_t& parts, std::vector<SolidFinding>& findings) {
    std::int32_t count = 0;
    const std::vector<std::int32_t> part = face_parts(mesh, count);
    parts = static_cast<std::size_t>(count);
    if (count <= 1) return;
    std::vector<double> volume(parts, 0.0);
    double total = 0.0;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        const double v = cell_measure(mesh, c);
        volume[static_cast<std::size_t>(part[c])] += v;
        total += v;
    }
    std::vector<char> keep(parts, 1);
    std::size_t dropped = 0, hinges = 0;
    double lost = 0.0;
    for (std::size_t p = 0; p < parts; ++p)
        if (volume[p] < least * total) keep[p] = 0, ++dropped, lost += volume[p];
    rebuild(mesh, part, keep, hinges);
    parts -= dropped;
    if (dropped > 0)
        findings.push_back({SolidFinding::Kind::island, text(counted(dropped, "loose crumb"), " with ", fmt::format("{:.2g}", 100.0 * lost / total), " % of the volume left out")});
    if (parts > 1)
        findings.push_back({SolidFinding::Kind::loose_parts, text("the solid has ", parts, " separate parts; each needs anchors of its own",
                                                                  hinges > 0 ? text(" (some touched in single points or edges, ", hinges, " vertices, and were parted there)") : std::string())});
}

void report_thin(const Triangles& surface, const InsideTest& inside, const Mesh& mesh, double cell_size, std::vector<SolidFinding>& findings) {
    const Boundary boundary = boundary_of(mesh);
    Triangles skin;
    skin.vertices = mesh.vertices;
    for (std::size_t f = 0; f < boundary.facet_count(); ++f) skin.corners.push_back({boundary.facets[3 * f], boundary.facets[3 * f + 1], boundary.facets[3 * f + 2]});
    const TriangleTree tree(skin);
    double lost = 0.0, area = 0.0, worst = 0.0;
    Vec3 where;
    for (std::size_t t = 0; t < surface.size(); ++t) {
        const double a = norm(surface.area_vector(t)), distance = tree.nearest(surface.centroid(t)).distance;
        area += a;
        if (distance <= 0.5 * cell_size || is_inner(surface, t, inside, cell_size)) continue;
        lost += a;
        if (distance > worst) worst = distance, where = surface.centroid(t);
    }
    if (lost > 0.0)
        findings.push_back({SolidFinding::Kind::thin, text(fmt::format("{:.2g}", 100.0 * lost / area), " % of the surface lies more than half a cell from the solid (worst ", fmt::format("{:.3g}", worst),
                                                           " m at (", fmt::format("{:.4g}, {:.4g}, {:.4g}", where.x, where.y, where.z), ")): parts thinner than a cell of ", fmt::format("{:.3g}", cell_size), " m are lost; use more cells")});
}

}  // namespace limber
