// Triangles: a surface cut into triangles, the form in which geometry asks about inside and outside.
#pragma once

#include <limber/mesh.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace limber {

struct Triangles {
    std::vector<Vec3> vertices;                        ///< [m]
    std::vector<std::array<std::int32_t, 3>> corners;  ///< counter-clockwise from outside
    std::vector<std::int32_t> face;                    ///< the surface's face each came from

    std::size_t size() const { return corners.size(); }
    const Vec3& at(std::size_t triangle, int corner) const {
        return vertices[static_cast<std::size_t>(corners[triangle][static_cast<std::size_t>(corner)])];
    }
    /// Area times normal [m^2].
    Vec3 area_vector(std::size_t t) const { return 0.5 * cross(at(t, 1) - at(t, 0), at(t, 2) - at(t, 0)); }
    Vec3 centroid(std::size_t t) const { return (at(t, 0) + at(t, 1) + at(t, 2)) / 3.0; }
};

/// Polygons become fans around the corner from which every triangle of the fan turns the same way (the first if there
/// is none).
Triangles triangulate(const Surface& surface);

struct Box3 {
    Vec3 low, high;
    Vec3 size() const { return high - low; }
    double diagonal() const { return norm(high - low); }
};
/// Of no points: a box of size 0 at the origin.
Box3 box_of(const std::vector<Vec3>& points);
/// Signed volume enclosed, meaningful for closed surfaces [m^3].
double enclosed_volume(const Triangles& triangles);

}  // namespace limber
