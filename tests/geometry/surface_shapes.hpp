// Closed triangle surfaces for tests, and ways to spoil them.
#pragma once

#include "geometry/triangles.hpp"

#include <cmath>
#include <numbers>
#include <random>

namespace limber::testing {

inline Surface to_surface(const Triangles& t) {
    Surface s;
    s.vertices = t.vertices;
    for (const auto& c : t.corners) {
        s.faces.insert(s.faces.end(), c.begin(), c.end());
        s.face_starts.push_back(static_cast<std::int32_t>(s.faces.size()));
    }
    return s;
}

inline Triangles boundary_triangles(const Mesh& mesh) {
    const Boundary b = boundary_of(mesh);
    Triangles t;
    t.vertices = mesh.vertices;
    for (std::size_t f = 0; f < b.facet_count(); ++f) {
        t.corners.push_back({b.facets[3 * f], b.facets[3 * f + 1], b.facets[3 * f + 2]});
        t.face.push_back(static_cast<std::int32_t>(f));
    }
    return t;
}

inline Triangles ball(double radius = 0.5, int across = 12, const Vec3& centre = {}) {
    return boundary_triangles(make_ball(CellKind::tet4, across, centre, radius));
}
inline Triangles torus() { return boundary_triangles(make_torus(CellKind::tet4, 6, 40, 0.5, 0.2)); }
inline Triangles cube() { return boundary_triangles(make_box(CellKind::tet4, 2, 2, 2, {0, 0, 0}, {1, 1, 1})); }

inline void append(Triangles& to, Triangles more) {  // a copy: it may be the same
    const auto shift = static_cast<std::int32_t>(to.vertices.size());
    to.vertices.insert(to.vertices.end(), more.vertices.begin(), more.vertices.end());
    for (auto c : more.corners) {
        for (auto& v : c) v += shift;
        to.corners.push_back(c);
        to.face.push_back(static_cast<std::int32_t>(to.face.size()));
    }
}

inline void flip(Triangles& t, std::size_t i) { std::swap(t.corners[i][1], t.corners[i][2]); }

inline void flip_some(Triangles& t, double share, unsigned seed) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < t.size(); ++i)
        if (static_cast<double>(random() % 1000) < share * 1000) flip(t, i);
}

/// Triangles whose centroid is within `reach` of the point are removed.
inline void pierce(Triangles& t, const Vec3& at, double reach) {
    Triangles out;
    out.vertices = t.vertices;
    for (std::size_t i = 0; i < t.size(); ++i) {
        if (norm(t.centroid(i) - at) > reach) {
            out.corners.push_back(t.corners[i]);
            out.face.push_back(t.face[i]);
        }
    }
    t = out;
}

/// No two triangles share a vertex.
inline Triangles soup(const Triangles& t) {
    Triangles out;
    for (std::size_t i = 0; i < t.size(); ++i) {
        const auto v = static_cast<std::int32_t>(out.vertices.size());
        for (int k = 0; k < 3; ++k) out.vertices.push_back(t.at(i, k));
        out.corners.push_back({v, v + 1, v + 2});
        out.face.push_back(static_cast<std::int32_t>(i));
    }
    return out;
}

}  // namespace limber::testing
