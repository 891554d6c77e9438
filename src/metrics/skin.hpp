// Skin: the boundary of a volume mesh as flat triangles, and the volume measures of a deformed one.
#pragma once

#include <limber/mesh.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace limber {

/// Triangles over the mesh's vertices followed by one extra point per quadrilateral face (the mean of its corners).
/// Four triangles around that point enclose the same volume as the bilinear face, and no diagonal has to be chosen.
struct Skin {
    std::size_t mesh_vertices = 0;
    std::vector<std::array<std::int32_t, 4>> quads;      ///< extra point mesh_vertices + i belongs to quads[i]
    std::vector<std::array<std::int32_t, 3>> triangles;  ///< outward

    std::size_t point_count() const { return mesh_vertices + quads.size(); }
};
Skin make_skin(const Mesh& mesh);

/// A field on vertices, extended to the skin's extra points.
std::vector<Vec3> on_skin(const Skin& skin, std::span<const Vec3> per_vertex);
/// Signed volume enclosed [m^3].
double enclosed_volume(const Skin& skin, std::span<const Vec3> points);
/// Integral of |delta . n| over the skin, exact for the flat triangles with linear delta [m^3].
double swept_volume(const Skin& skin, std::span<const Vec3> points, std::span<const Vec3> delta);
/// The axis (0, 1, 2) along which most of that sweeping happens.
int sweep_axis(const Skin& skin, std::span<const Vec3> points, std::span<const Vec3> delta);

}  // namespace limber
