// Cylinder and torus: a disc of quads, swept.
#include "geometry/cell_topology.hpp"
#include "geometry/generate.hpp"

#include <limber/round.hpp>

#include <cmath>
#include <numbers>

namespace limber {

namespace {

constexpr double kQuarter = std::numbers::pi / 4.0;

Vec3 square_to_disc(const Vec3& p) {
    return {p.x * std::sqrt(1.0 - p.y * p.y / 2.0), p.y * std::sqrt(1.0 - p.x * p.x / 2.0), 0.0};
}

Vec3 square_to_circle(const Vec3& p) {
    const Vec3 q{std::tan(kQuarter * p.x), std::tan(kQuarter * p.y), 0.0};
    return q / norm(q);
}

}  // namespace

Mesh unit_disc(const OGrid& o) {
    Mesh disc = make_grid(CellKind::quad4, o.core, o.core, {-1.0, -1.0, 0.0}, {1.0, 1.0, 0.0});
    disc.vertex_sets.clear();
    std::vector<Vec3> outer;
    for (const std::int32_t v : boundary_of(disc).vertices)
        outer.push_back(square_to_circle(disc.vertices[static_cast<std::size_t>(v)]));
    for (Vec3& p : disc.vertices) p = 0.55 * (0.45 * p + 0.5 * square_to_disc(p));
    disc.vertex_sets["rim"] = add_shells(disc, o.shells, outer);
    return disc;
}

namespace {

/// Section s holds copies of the disc's vertices, placed by position_in_section(point, s). Cells join section s to s +
/// 1; a closed sweep joins the last to the first.
Mesh sweep(const Mesh& disc, int cells_along, bool closed,
           const std::function<Vec3(const Vec3&, int)>& position_in_section) {
    Mesh mesh;
    mesh.kind = CellKind::hex8;
    const auto section = static_cast<std::int32_t>(disc.vertices.size());
    const int sections = closed ? cells_along : cells_along + 1;
    for (int s = 0; s < sections; ++s)
        for (const Vec3& point : disc.vertices) mesh.vertices.push_back(position_in_section(point, s));
    for (int s = 0; s < cells_along; ++s) {
        const std::int32_t near = s * section, far = (s + 1 == sections ? 0 : s + 1) * section;
        for (std::size_t c = 0; c < disc.cell_count(); ++c) {
            for (int k = 0; k < 4; ++k) mesh.cells.push_back(near + disc.cell(c)[k]);
            for (int k = 0; k < 4; ++k) mesh.cells.push_back(far + disc.cell(c)[k]);
        }
    }
    return mesh;
}

/// `rim` in every one of `sections` sections.
IndexSet rims(const Mesh& disc, int sections) {
    IndexSet set;
    for (int s = 0; s < sections; ++s) {
        for (const std::int32_t v : disc.vertex_sets.at("rim"))
            set.push_back(s * static_cast<std::int32_t>(disc.vertices.size()) + v);
    }
    return set;
}

IndexSet one_section(const Mesh& disc, int s) {
    IndexSet set;
    const auto section = static_cast<std::int32_t>(disc.vertices.size());
    for (std::int32_t v = 0; v < section; ++v) set.push_back(s * section + v);
    return set;
}

/// tet10: bends every edge around the axis y, so that inner cells follow the curved outer ones instead of being folded
/// by them where the ring has few sections.
void bend_edges(Mesh& mesh) {
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        for (std::size_t e = 0; e < kTetEdges.size(); ++e) {
            const auto at = [&](std::size_t k) -> Vec3& {
                return mesh.vertices[static_cast<std::size_t>(mesh.cell(c)[k])];
            };
            const Vec3 &a = at(static_cast<std::size_t>(kTetEdges[e][0])),
                       &b = at(static_cast<std::size_t>(kTetEdges[e][1]));
            const double ra = std::hypot(a.x, a.z), rb = std::hypot(b.x, b.z);
            const Vec3 bisector{a.x / ra + b.x / rb, 0.0, a.z / ra + b.z / rb};
            const double stretch = 0.5 * (ra + rb) / norm(bisector);
            at(4 + e) = {bisector.x * stretch, 0.5 * (a.y + b.y), bisector.z * stretch};
        }
    }
}

void require_swept(const char* generator, CellKind kind, const OGrid& o, int cells_along) {
    require_cells(generator,
                  {o.core, std::int64_t{o.core} + 4 * std::int64_t{o.shells}, cells_along, cells_per_hex(kind)});
}

}  // namespace

Mesh make_cylinder(CellKind kind, int cells_across, int cells_along, double radius, double length) {
    require_kind("make_cylinder", kind, {CellKind::tet4, CellKind::tet10, CellKind::hex8});
    require_count("make_cylinder", "cells_across", cells_across);
    require_count("make_cylinder", "cells_along", cells_along);
    require_size("make_cylinder", "radius", radius);
    require_size("make_cylinder", "length", length);
    const OGrid o = o_grid(cells_across, kind);
    require_swept("make_cylinder", kind, o, cells_along);

    const Mesh disc = unit_disc(o);
    Mesh mesh = sweep(disc, cells_along, false, [&](const Vec3& p, int s) {
        return Vec3{s == cells_along ? length : length * (static_cast<double>(s) / cells_along), radius * p.x,
                    radius * p.y};
    });
    mesh.vertex_sets["left"] = one_section(disc, 0);
    mesh.vertex_sets["right"] = one_section(disc, cells_along);
    mesh.vertex_sets["side"] = rims(disc, cells_along + 1);

    mesh = convert_hexes(std::move(mesh), kind);
    if (kind == CellKind::tet10) {
        mesh.vertex_sets["side"] = curve_surface(
            mesh, mesh.vertex_sets["side"], {mesh.vertex_sets["left"], mesh.vertex_sets["right"]}, [&](const Vec3& p) {
                const double stretch = radius / std::hypot(p.y, p.z);
                return Vec3{p.x, p.y * stretch, p.z * stretch};
            });
    }
    return mesh;
}

Mesh make_frustum(CellKind kind, int cells_across, int cells_along, double radius, double end_radius, double length) {
    require_size("make_frustum", "end_radius", end_radius);
    Mesh mesh = make_cylinder(kind, cells_across, cells_along, radius, length);
    for (Vec3& p : mesh.vertices) {
        const double scale = 1.0 + (end_radius / radius - 1.0) * p.x / length;
        p.y *= scale;
        p.z *= scale;
    }
    return mesh;
}

Mesh make_torus(CellKind kind, int cells_across, int cells_around, double ring_radius, double tube_radius) {
    require_kind("make_torus", kind, {CellKind::tet4, CellKind::tet10, CellKind::hex8});
    require_count("make_torus", "cells_across", cells_across);
    require_count("make_torus", "cells_around", cells_around, 3);
    require_size("make_torus", "ring_radius", ring_radius);
    require_size("make_torus", "tube_radius", tube_radius);
    require_less("make_torus", "tube_radius", tube_radius, "ring_radius", ring_radius);
    const OGrid o = o_grid(cells_across, kind);
    require_swept("make_torus", kind, o, cells_around);

    const Mesh disc = unit_disc(o);
    Mesh mesh = sweep(disc, cells_around, true, [&](const Vec3& p, int s) {
        const double angle = 2.0 * std::numbers::pi * s / cells_around, r = ring_radius + tube_radius * p.x;
        return Vec3{r * std::cos(angle), tube_radius * p.y, r * std::sin(angle)};
    });
    mesh.vertex_sets["surface"] = rims(disc, cells_around);

    mesh = convert_hexes(std::move(mesh), kind);
    if (kind == CellKind::tet10) {
        bend_edges(mesh);
        mesh.vertex_sets["surface"] = curve_surface(mesh, mesh.vertex_sets["surface"], {}, [&](const Vec3& p) {
            // Towards the nearest point of the tube's centre circle.
            const double r = std::hypot(p.x, p.z);
            const Vec3 middle{p.x * ring_radius / r, 0.0, p.z * ring_radius / r};
            return middle + (p - middle) * (tube_radius / norm(p - middle));
        });
    }
    return mesh;
}

}  // namespace limber
