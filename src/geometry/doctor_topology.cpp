#include "geometry/doctor_topology.hpp"

#include "core/joined.hpp"

#include <algorithm>

namespace limber {
namespace {

/// The number of a triangle's corner among all corners.
std::int32_t corner_at(const Triangles& triangles, const EdgeUse& use, std::int32_t vertex) {
    const auto& c = triangles.corners[static_cast<std::size_t>(use.triangle)];
    const auto k = static_cast<std::size_t>(use.side), n = (k + 1) % 3;
    return 3 * use.triangle + static_cast<std::int32_t>(c[k] == vertex ? k : n);
}

}  // namespace

std::vector<Hole> find_holes(const Triangles& triangles, const SurfaceEdges& edges) {
    Joined joined(triangles.vertices.size());
    for (std::size_t e = 0; e < edges.size(); ++e)
        if (edges.users(e) == 1) joined.join(edges.use(e, 0).low, edges.use(e, 0).high);
    std::vector<std::int32_t> number(triangles.vertices.size(), -1);
    std::vector<Hole> holes;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (edges.users(e) != 1) continue;
        const EdgeUse& use = edges.use(e, 0);
        std::int32_t& n = number[static_cast<std::size_t>(joined.root(use.low))];
        if (n < 0) {
            n = static_cast<std::int32_t>(holes.size());
            holes.push_back({0.0, {}, use.triangle, 0});
        }
        Hole& hole = holes[static_cast<std::size_t>(n)];
        const Vec3 &a = triangles.vertices[static_cast<std::size_t>(use.low)],
                   &b = triangles.vertices[static_cast<std::size_t>(use.high)];
        hole.perimeter += norm(b - a);
        hole.middle += norm(b - a) * 0.5 * (a + b);
        ++hole.sides;
    }
    for (Hole& h : holes)
        if (h.perimeter > 0.0) h.middle = h.middle / h.perimeter;
    std::stable_sort(holes.begin(), holes.end(),
                     [](const Hole& a, const Hole& b) { return a.perimeter > b.perimeter; });
    return holes;
}

std::vector<std::int32_t> crowded_edges(const SurfaceEdges& edges) {
    std::vector<std::int32_t> out;
    for (std::size_t e = 0; e < edges.size(); ++e)
        if (edges.users(e) > 2) out.push_back(static_cast<std::int32_t>(e));
    return out;
}

std::vector<std::int32_t> pinched_vertices(const Triangles& triangles, const SurfaceEdges& edges) {
    Joined fans(3 * triangles.size());
    std::vector<char> crowded(triangles.vertices.size(), 0);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const EdgeUse& first = edges.use(e, 0);
        if (edges.users(e) > 2)
            crowded[static_cast<std::size_t>(first.low)] = crowded[static_cast<std::size_t>(first.high)] = 1;
        for (std::size_t k = 1; k < edges.users(e); ++k) {
            for (const std::int32_t v : {first.low, first.high})
                fans.join(corner_at(triangles, first, v), corner_at(triangles, edges.use(e, k), v));
        }
    }
    std::vector<std::int32_t> count(triangles.vertices.size(), 0);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto corner = static_cast<std::int32_t>(3 * t + k);
            if (fans.root(corner) == corner) ++count[static_cast<std::size_t>(triangles.corners[t][k])];
        }
    }
    std::vector<std::int32_t> out;
    for (std::size_t v = 0; v < count.size(); ++v)
        if (count[v] > 1 && !crowded[v]) out.push_back(static_cast<std::int32_t>(v));
    return out;
}

std::vector<Island> find_islands(const Triangles& triangles) {
    Joined joined(triangles.vertices.size());
    for (const auto& c : triangles.corners) {
        joined.join(c[0], c[1]);
        joined.join(c[0], c[2]);
    }
    std::vector<std::int32_t> number(triangles.vertices.size(), -1);
    std::vector<Island> islands;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        std::int32_t& n = number[static_cast<std::size_t>(joined.root(triangles.corners[t][0]))];
        if (n < 0) {
            n = static_cast<std::int32_t>(islands.size());
            islands.push_back({0, static_cast<std::int32_t>(t), 0.0});
        }
        Island& island = islands[static_cast<std::size_t>(n)];
        ++island.triangles;
        island.area += norm(triangles.area_vector(t));
    }
    std::stable_sort(islands.begin(), islands.end(),
                     [](const Island& a, const Island& b) { return a.triangles > b.triangles; });
    return islands;
}

}  // namespace limber
