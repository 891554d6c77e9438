// The boundary of isosurface stuffing is closed and has no tiny angles. What it lacks is evenness: vertices then slide
// along the surface towards the middle of their neighbours, edges flip where that evens out the triangles, and Newton
// steps put every vertex back onto the surface.
#include "assets/polygonise.hpp"

#include "assets/flip.hpp"
#include "geometry/stuffing.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr int kRounds = 8;
constexpr int kNewtonSteps = 2, kLastNewtonSteps = 5;  // while sliding, and at the end
constexpr double kSlide = 0.5;                         // of the way to the middle of the neighbours

Triangles boundary_triangles(const Mesh& mesh) {
    const Boundary boundary = boundary_of(mesh);
    std::vector<std::int32_t> number(mesh.vertices.size(), -1);
    Triangles out;
    for (const std::int32_t v : boundary.vertices) {
        number[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(out.vertices.size());
        out.vertices.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
    }
    for (std::size_t f = 0; f < boundary.facet_count(); ++f) {
        std::array<std::int32_t, 3> c{};
        for (std::size_t k = 0; k < 3; ++k) c[k] = number[static_cast<std::size_t>(boundary.facets[3 * f + k])];
        out.corners.push_back(c);
        out.face.push_back(static_cast<std::int32_t>(f));
    }
    return out;
}

}  // namespace

Vec3 onto_surface(const Field& field, Vec3 at, double cell_size, int newton_steps) {
    for (int step = 0; step < newton_steps; ++step) {
        const double value = field(at);
        const Vec3 slope = slope_of(field, at, 1e-4 * cell_size);
        const double steep = norm2(slope);
        if (steep < 1e-6) break;
        Vec3 move = (-value / steep) * slope;
        const double length = norm(move);
        if (length > 0.25 * cell_size) move *= 0.25 * cell_size / length;
        at += move;
        if (length < 1e-7 * cell_size) break;
    }
    return at;
}

void slide_even(const Field& field, Triangles& t, double cell_size, int newton_steps, const std::vector<char>& held) {
    std::vector<Vec3> middle(t.vertices.size()), normal(t.vertices.size());
    std::vector<double> weight(t.vertices.size(), 0.0);
    for (std::size_t i = 0; i < t.size(); ++i) {
        const Vec3 area = t.area_vector(i), centre = t.centroid(i);
        for (const std::int32_t c : t.corners[i]) {
            const auto v = static_cast<std::size_t>(c);
            middle[v] += norm(area) * centre;
            weight[v] += norm(area);
            normal[v] += area;
        }
    }
    for (std::size_t v = 0; v < t.vertices.size(); ++v) {
        if (weight[v] <= 0.0 || (!held.empty() && held[v] != 0)) continue;
        Vec3 move = middle[v] / weight[v] - t.vertices[v];
        const double steep = norm2(normal[v]);
        if (steep > 0.0) move -= (dot(move, normal[v]) / steep) * normal[v];
        t.vertices[v] = onto_surface(field, t.vertices[v] + kSlide * move, cell_size, newton_steps);
    }
}

Vec3 slope_of(const Field& field, const Vec3& at, double step) {
    Vec3 out;
    for (int k = 0; k < 3; ++k) {
        Vec3 low = at, high = at;
        low[k] -= step;
        high[k] += step;
        out[k] = (field(high) - field(low)) / (2.0 * step);
    }
    return out;
}

Triangles polygonise(const Field& field, const Box3& box, double cell_size, Evenness evenness) {
    Progress quiet;
    Triangles t = boundary_triangles(stuff([&](const Vec3& p) { return field(p) < 0.0; }, box, cell_size, quiet));
    for (int round = 0; round < (evenness == Evenness::even ? kRounds : 0); ++round) {
        if (round % 2 == 0) flip_edges(t);
        slide_even(field, t, cell_size, round + 1 < kRounds ? kNewtonSteps : kLastNewtonSteps);
    }
    return t;
}

}  // namespace limber
