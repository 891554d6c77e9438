// Shapes to draw, for tests and benchmarks.
#pragma once

#include "render/draw_list.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace limber::pictures {

inline constexpr double kPi = 3.14159265358979323846;

inline DrawMesh mesh_of(std::vector<Vec3> positions, const std::vector<std::int32_t>& triangles) {
    DrawPolygons polygons;
    polygons.faces = triangles;
    polygons.vertex_count = positions.size();
    DrawMesh mesh;
    mesh.topology = make_topology(polygons);
    mesh.positions = std::move(positions);
    return mesh;
}

/// Rings and pieces: a closed sphere with exact normals.
inline DrawMesh sphere(const Vec3& centre, double radius, int rings = 48) {
    const int pieces = 2 * rings;
    std::vector<Vec3> points;
    for (int i = 1; i < rings; ++i) {
        for (int j = 0; j < pieces; ++j) {
            const double a = kPi * i / rings, b = 2.0 * kPi * j / pieces;
            points.push_back(centre + radius * Vec3{std::sin(a) * std::sin(b), std::cos(a), std::sin(a) * std::cos(b)});
        }
    }
    const auto top = static_cast<std::int32_t>(points.size());
    points.push_back(centre + Vec3{0.0, radius, 0.0});
    points.push_back(centre - Vec3{0.0, radius, 0.0});
    std::vector<std::int32_t> faces;
    for (int i = 0; i + 2 < rings; ++i) {
        for (int j = 0; j < pieces; ++j) {
            const int a = i * pieces + j, b = i * pieces + (j + 1) % pieces, c = a + pieces, d = b + pieces;
            faces.insert(faces.end(), {a, c, d, a, d, b});
        }
    }
    for (int j = 0; j < pieces; ++j) {
        const int k = (j + 1) % pieces;
        faces.insert(faces.end(), {top, j, k, top + 1, top - pieces + k, top - pieces + j});
    }
    DrawMesh mesh = mesh_of(points, faces);
    for (const Vec3& p : points) mesh.normals.push_back((p - centre) / radius);
    return mesh;
}

}  // namespace limber::pictures
