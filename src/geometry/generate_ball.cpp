// The ball: a rounded lattice cube in the middle, shells of cells around it.
#include "geometry/generate.hpp"

#include <cmath>
#include <numbers>

namespace limber {

Vec3 cube_to_sphere(const Vec3& p) {
    const double quarter = std::numbers::pi / 4.0;
    const Vec3 q{std::tan(quarter * p.x), std::tan(quarter * p.y), std::tan(quarter * p.z)};
    return q / norm(q);
}

namespace {

/// A smooth map of the cube [-1,1]^3 onto the unit ball.
Vec3 cube_to_ball(const Vec3& p) {
    const double x = p.x * p.x, y = p.y * p.y, z = p.z * p.z;
    return {p.x * std::sqrt(1.0 - y / 2.0 - z / 2.0 + y * z / 3.0),
            p.y * std::sqrt(1.0 - z / 2.0 - x / 2.0 + z * x / 3.0),
            p.z * std::sqrt(1.0 - x / 2.0 - y / 2.0 + x * y / 3.0)};
}

// The core is halfway between a cube and a ball: as a cube its corners would be squeezed against the sphere, as a ball
// its own edge cells would be flattened.
constexpr double kCoreSize = 0.55, kCubeShare = 0.45, kBallShare = 0.5;

Vec3 core_point(const Vec3& p) { return kCoreSize * (kCubeShare * p + kBallShare * cube_to_ball(p)); }

}  // namespace

Mesh make_ball(CellKind kind, int cells_across, const Vec3& centre, double radius) {
    require_kind("make_ball", kind, {CellKind::tet4, CellKind::tet10, CellKind::hex8});
    require_count("make_ball", "cells_across", cells_across);
    require_size("make_ball", "radius", radius);
    require_point("make_ball", "centre", centre);
    const OGrid o = o_grid(cells_across, kind);
    require_cells("make_ball",
                  {o.core, o.core, std::int64_t{o.core} + 6 * std::int64_t{o.shells}, cells_per_hex(kind)});

    Mesh mesh = make_box(CellKind::hex8, o.core, o.core, o.core, {-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0});
    mesh.vertex_sets.clear();
    std::vector<Vec3> outer;
    for (const std::int32_t v : boundary_of(mesh).vertices)
        outer.push_back(cube_to_sphere(mesh.vertices[static_cast<std::size_t>(v)]));
    for (Vec3& p : mesh.vertices) p = core_point(p);
    mesh.vertex_sets["surface"] = add_shells(mesh, o.shells, outer);
    for (Vec3& p : mesh.vertices) p = centre + radius * p;

    mesh = convert_hexes(std::move(mesh), kind);
    if (kind == CellKind::tet10) {
        mesh.vertex_sets["surface"] = curve_surface(mesh, mesh.vertex_sets["surface"], {}, [&](const Vec3& p) {
            const Vec3 d = p - centre;
            return centre + d * (radius / norm(d));
        });
    }
    return mesh;
}

}  // namespace limber
