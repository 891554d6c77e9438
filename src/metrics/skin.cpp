#include "metrics/skin.hpp"

#include <cmath>
#include <utility>

namespace limber {
namespace {

struct Triangle {
    Vec3 a, b, c;
    Vec3 area_vector() const { return 0.5 * cross(b - a, c - a); }
};

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

Triangle gather(std::span<const Vec3> points, const std::array<std::int32_t, 3>& t) {
    return {points[at(t[0])], points[at(t[1])], points[at(t[2])]};
}

// Mean over a triangle of |linear function| with corner values a, b, c: the corner that stands alone cuts off a similar
// triangle, and both parts are added with their own sign.
double mean_absolute(double a, double b, double c) {
    if ((a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0)) return std::abs(a + b + c) / 3;
    const auto sign = [](double v) { return (v > 0) - (v < 0); };
    const int lone = sign(a) + sign(b) + sign(c) >= 0 ? -1 : 1;
    if (sign(b) == lone)
        std::swap(a, b);
    else if (sign(c) == lone)
        std::swap(a, c);
    const double tip = a * (a / (a - b)) * (a / (a - c)) / 3;
    return std::abs(tip) + std::abs((a + b + c) / 3 - tip);
}

}  // namespace

Skin make_skin(const Mesh& mesh) {
    const Boundary boundary = boundary_of(mesh);
    Skin skin;
    skin.mesh_vertices = mesh.vertices.size();
    for (std::size_t f = 0; f < boundary.facet_count(); ++f) {
        const std::int32_t* v = boundary.facets.data() + f * at(boundary.corners);
        if (boundary.corners == 3) {
            skin.triangles.push_back({v[0], v[1], v[2]});
            continue;
        }
        const auto centre = static_cast<std::int32_t>(skin.point_count());
        skin.quads.push_back({v[0], v[1], v[2], v[3]});
        for (int k = 0; k < 4; ++k) skin.triangles.push_back({v[k], v[(k + 1) % 4], centre});
    }
    return skin;
}

std::vector<Vec3> on_skin(const Skin& skin, std::span<const Vec3> per_vertex) {
    std::vector<Vec3> out(per_vertex.begin(), per_vertex.end());
    out.reserve(skin.point_count());
    for (const auto& q : skin.quads) {
        out.push_back(0.25 *
                      ((per_vertex[at(q[0])] + per_vertex[at(q[2])]) + (per_vertex[at(q[1])] + per_vertex[at(q[3])])));
    }
    return out;
}

double enclosed_volume(const Skin& skin, std::span<const Vec3> points) {
    if (skin.triangles.empty()) return 0.0;
    const Vec3 origin = points[at(skin.triangles.front()[0])];  // near the body: far away the tetrahedra would cancel
    double sum = 0.0;
    for (const auto& t : skin.triangles) {
        const Triangle p = gather(points, t);
        sum += dot(p.a - origin, cross(p.b - origin, p.c - origin));
    }
    return sum / 6;
}

double swept_volume(const Skin& skin, std::span<const Vec3> points, std::span<const Vec3> delta) {
    double sum = 0.0;
    for (const auto& t : skin.triangles) {
        const Vec3 n = gather(points, t).area_vector();
        sum += mean_absolute(dot(delta[at(t[0])], n), dot(delta[at(t[1])], n), dot(delta[at(t[2])], n));
    }
    return sum;
}

int sweep_axis(const Skin& skin, std::span<const Vec3> points, std::span<const Vec3> delta) {
    Vec3 sum;
    for (const auto& t : skin.triangles) {
        const Vec3 n = gather(points, t).area_vector();
        for (const std::int32_t v : t)
            for (int k = 0; k < 3; ++k) sum[k] += std::abs(delta[at(v)][k] * n[k]);
    }
    const int largest = sum.y > sum.x ? 1 : 0;
    return sum.z > sum[largest] ? 2 : largest;
}

}  // namespace limber
