#include "geometry/triangles.hpp"

#include <algorithm>

namespace limber {
namespace {

/// Triangles that are looked at for one polygon's best fan: all fans of 2000 corners.
constexpr std::size_t kMostTurns = 4'000'000;

/// How well a fan around corner `k` turns: the smallest share that a triangle's area vector has along the polygon's
/// own.
double worst_turn(const std::vector<Vec3>& p, const std::int32_t* corner, std::size_t n, std::size_t k,
                  const Vec3& normal) {
    double worst = 1e300;
    const Vec3& apex = p[static_cast<std::size_t>(corner[k])];
    for (std::size_t i = 1; i + 1 < n; ++i) {
        const Vec3& a = p[static_cast<std::size_t>(corner[(k + i) % n])];
        const Vec3& b = p[static_cast<std::size_t>(corner[(k + i + 1) % n])];
        worst = std::min(worst, dot(cross(a - apex, b - apex), normal));
    }
    return worst;
}

std::size_t best_apex(const std::vector<Vec3>& p, const std::int32_t* corner, std::size_t n) {
    if (n == 3) return 0;
    Vec3 normal;
    for (std::size_t i = 0; i < n; ++i)
        normal += cross(p[static_cast<std::size_t>(corner[i])], p[static_cast<std::size_t>(corner[(i + 1) % n])]);
    std::size_t best = 0;
    double best_worst = -1e300;
    // Every corner of an honest polygon; of one with a hundred thousand corners as many as there is time for, evenly
    // spread.
    const std::size_t stride = std::max<std::size_t>(1, n / std::max<std::size_t>(1, kMostTurns / n));
    for (std::size_t k = 0; k < n; k += stride) {
        const double worst = worst_turn(p, corner, n, k, normal);
        if (worst > best_worst) {
            best = k;
            best_worst = worst;
        }
        if (k == 0 && worst > 0.0) break;  // convex, the usual case: the first corner will do
    }
    return best;
}

}  // namespace

Triangles triangulate(const Surface& surface) {
    Triangles out;
    out.vertices = surface.vertices;
    for (std::size_t f = 0; f < surface.face_count(); ++f) {
        const std::int32_t* corner = surface.faces.data() + surface.face_starts[f];
        const auto n = static_cast<std::size_t>(surface.face_starts[f + 1] - surface.face_starts[f]);
        if (n < 3) continue;
        const std::size_t apex = best_apex(surface.vertices, corner, n);
        for (std::size_t i = 1; i + 1 < n; ++i) {
            out.corners.push_back({corner[apex], corner[(apex + i) % n], corner[(apex + i + 1) % n]});
            out.face.push_back(static_cast<std::int32_t>(f));
        }
    }
    return out;
}

Box3 box_of(const std::vector<Vec3>& points) {
    if (points.empty()) return {};
    Box3 box{points.front(), points.front()};
    for (const Vec3& p : points) {
        for (int i = 0; i < 3; ++i) {
            box.low[i] = std::min(box.low[i], p[i]);
            box.high[i] = std::max(box.high[i], p[i]);
        }
    }
    return box;
}

double enclosed_volume(const Triangles& triangles) {
    if (triangles.vertices.empty()) return 0.0;
    const Vec3 origin = triangles.vertices.front();  // near the surface: far away the tetrahedra would cancel
    double sum = 0.0;
    for (std::size_t t = 0; t < triangles.size(); ++t)
        sum += dot(triangles.at(t, 0) - origin, cross(triangles.at(t, 1) - origin, triangles.at(t, 2) - origin));
    return sum / 6.0;
}

}  // namespace limber
