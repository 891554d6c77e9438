// Discs, rings and ellipses in the plane; ellipsoids and hollow balls in space.
#include "geometry/cell_topology.hpp"
#include "geometry/generate.hpp"

#include <limber/error.hpp>
#include <limber/round.hpp>

#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {

namespace {

/// Quads as they are, or each cut along its shorter diagonal.
Mesh convert_quads(Mesh quads, CellKind kind) {
    if (kind == CellKind::quad4) return quads;
    std::vector<std::int32_t> triangles;
    for (std::size_t c = 0; c < quads.cell_count(); ++c) {
        const std::int32_t* v = quads.cell(c);
        const auto apart = [&](int a, int b) {
            return norm2(quads.vertices[static_cast<std::size_t>(v[a])] -
                         quads.vertices[static_cast<std::size_t>(v[b])]);
        };
        // Rounding must not choose between equal diagonals: the same disc at another place would be cut differently.
        if (apart(0, 2) <= apart(1, 3) * (1.0 + 1e-9))
            triangles.insert(triangles.end(), {v[0], v[1], v[2], v[0], v[2], v[3]});
        else
            triangles.insert(triangles.end(), {v[0], v[1], v[3], v[1], v[2], v[3]});
    }
    quads.cells = std::move(triangles);
    quads.kind = kind;
    return quads;
}

void require_radii(const char* generator, const Vec3& radii, int dimension) {
    static constexpr const char* kNames[] = {"radius along x", "radius along y", "radius along z"};
    for (int axis = 0; axis < dimension; ++axis) require_size(generator, kNames[axis], radii[axis]);
}

void require_wall(const char* generator, const Vec3& centre, double inner_radius, double radius) {
    require_point(generator, "centre", centre);
    require_size(generator, "inner_radius", inner_radius);
    require_size(generator, "radius", radius);
    require_less(generator, "inner_radius", inner_radius, "radius", radius);
}

/// Exact at both ends.
double wall_radius(double inner, double outer, int layer, int through) {
    return layer == through ? outer : inner + (outer - inner) * layer / through;
}

Mesh stretched_disc(const char* generator, CellKind kind, int around, const Vec3& centre, const Vec3& radii) {
    require_kind(generator, kind, {CellKind::tri3, CellKind::quad4});
    require_count(generator, "around", around, 4);
    if (around % 4 != 0) {
        throw Error(Fault::bad_usage, {}, text(generator, ": around = ", around),
                    text("a multiple of 4, such as ", around / 4 * 4, " or ", std::int64_t{around} / 4 * 4 + 4));
    }
    require_radii(generator, radii, 2);
    require_point(generator, "centre", centre);
    const OGrid o{around / 4, around / 8};
    require_cells(generator,
                  {o.core, std::int64_t{o.core} + 4 * std::int64_t{o.shells}, kind == CellKind::tri3 ? 2 : 1});
    Mesh disc = unit_disc(o);
    for (Vec3& p : disc.vertices) p = {centre.x + radii.x * p.x, centre.y + radii.y * p.y, 0.0};
    return convert_quads(std::move(disc), kind);
}

/// tet10: bends every edge around the centre, so that inner cells follow the curved outer ones instead of being folded
/// by them.
void bend_around(Mesh& mesh, const Vec3& centre) {
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        for (std::size_t e = 0; e < kTetEdges.size(); ++e) {
            const auto at = [&](std::size_t k) -> Vec3& {
                return mesh.vertices[static_cast<std::size_t>(mesh.cell(c)[k])];
            };
            const Vec3 a = at(static_cast<std::size_t>(kTetEdges[e][0])) - centre,
                       b = at(static_cast<std::size_t>(kTetEdges[e][1])) - centre;
            const Vec3 bisector = a / norm(a) + b / norm(b);
            at(4 + e) = centre + bisector * (0.5 * (norm(a) + norm(b)) / norm(bisector));
        }
    }
}

IndexSet counting_from(std::int32_t first, std::int32_t count) {
    IndexSet set;
    for (std::int32_t i = 0; i < count; ++i) set.push_back(first + i);
    return set;
}

}  // namespace

Mesh make_disc(CellKind kind, int around, const Vec3& centre, double radius) {
    return stretched_disc("make_disc", kind, around, centre, {radius, radius, 0.0});
}
Mesh make_ellipse(CellKind kind, int around, const Vec3& centre, const Vec3& radii) {
    return stretched_disc("make_ellipse", kind, around, centre, radii);
}

Mesh make_ring(CellKind kind, int around, int through, const Vec3& centre, double inner_radius, double radius) {
    require_kind("make_ring", kind, {CellKind::tri3, CellKind::quad4});
    require_count("make_ring", "around", around, 3);
    require_count("make_ring", "through", through);
    require_wall("make_ring", centre, inner_radius, radius);
    require_cells("make_ring", {around, through, kind == CellKind::tri3 ? 2 : 1});
    Mesh ring;
    ring.kind = CellKind::quad4;
    for (int j = 0; j <= through; ++j) {
        for (int i = 0; i < around; ++i) {
            const double angle = 2.0 * std::numbers::pi * i / around, r = wall_radius(inner_radius, radius, j, through);
            ring.vertices.push_back({centre.x + r * std::cos(angle), centre.y + r * std::sin(angle), 0.0});
        }
    }
    for (int j = 0; j < through; ++j) {
        for (int i = 0; i < around; ++i) {
            const std::int32_t a = j * around + i, b = j * around + (i + 1) % around;
            ring.cells.insert(ring.cells.end(), {a, a + around, b + around, b});
        }
    }
    ring.vertex_sets["inner"] = counting_from(0, around);
    ring.vertex_sets["outer"] = counting_from(through * around, around);
    return convert_quads(std::move(ring), kind);
}

Mesh make_ellipsoid(CellKind kind, int cells_across, const Vec3& centre, const Vec3& radii) {
    require_kind("make_ellipsoid", kind, {CellKind::tet4, CellKind::tet10, CellKind::hex8});
    require_count("make_ellipsoid", "cells_across", cells_across);
    require_radii("make_ellipsoid", radii, 3);
    require_point("make_ellipsoid", "centre", centre);
    Mesh mesh = make_ball(kind, cells_across, {}, 1.0);
    for (Vec3& p : mesh.vertices) p = {centre.x + radii.x * p.x, centre.y + radii.y * p.y, centre.z + radii.z * p.z};
    return mesh;
}

Mesh make_shell(CellKind kind, int across, int through, const Vec3& centre, double inner_radius, double radius) {
    require_kind("make_shell", kind, {CellKind::tet4, CellKind::tet10, CellKind::hex8});
    require_count("make_shell", "across", across);
    require_count("make_shell", "through", through);
    require_wall("make_shell", centre, inner_radius, radius);
    require_cells("make_shell", {6, across, across, through, cells_per_hex(kind)});
    require_cells("make_shell", {across, across, across});  // of the cube that lends its surface

    const Mesh cube = make_box(CellKind::hex8, across, across, across, {-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0});
    const Boundary hull = boundary_of(cube);
    const auto points = static_cast<std::int32_t>(hull.vertices.size());
    std::vector<std::int32_t> rank(cube.vertices.size(), -1);
    for (std::int32_t i = 0; i < points; ++i)
        rank[static_cast<std::size_t>(hull.vertices[static_cast<std::size_t>(i)])] = i;

    Mesh mesh;
    mesh.kind = CellKind::hex8;
    for (int j = 0; j <= through; ++j) {
        for (const std::int32_t v : hull.vertices) {
            mesh.vertices.push_back(centre + wall_radius(inner_radius, radius, j, through) *
                                                 cube_to_sphere(cube.vertices[static_cast<std::size_t>(v)]));
        }
    }
    for (int j = 0; j < through; ++j) {
        for (std::size_t f = 0; f < hull.facet_count(); ++f) {
            for (const int layer : {j, j + 1}) {
                for (std::size_t k = 0; k < 4; ++k)
                    mesh.cells.push_back(layer * points + rank[static_cast<std::size_t>(hull.facets[4 * f + k])]);
            }
        }
    }
    mesh.vertex_sets["inner"] = counting_from(0, points);
    mesh.vertex_sets["outer"] = counting_from(through * points, points);

    mesh = convert_hexes(std::move(mesh), kind);
    if (kind == CellKind::tet10) bend_around(mesh, centre);
    return mesh;
}

}  // namespace limber
