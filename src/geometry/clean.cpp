#include "geometry/clean.hpp"

#include "geometry/weld.hpp"

#include <algorithm>
#include <utility>

namespace limber {
namespace {

using Corners = std::array<std::int32_t, 3>;

Corners sorted(Corners c) {
    std::sort(c.begin(), c.end());
    return c;
}

/// Keeps the triangles for which `keep` holds, in order.
template <class Keep>
std::size_t filter(Triangles& triangles, Keep&& keep) {
    std::size_t kept = 0;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        if (!keep(t)) continue;
        triangles.corners[kept] = triangles.corners[t];
        triangles.face[kept++] = triangles.face[t];
    }
    const std::size_t dropped = triangles.size() - kept;
    triangles.corners.resize(kept);
    triangles.face.resize(kept);
    return dropped;
}

std::size_t drop_repeated(Triangles& triangles) {
    std::vector<std::pair<Corners, std::size_t>> all;
    for (std::size_t t = 0; t < triangles.size(); ++t) all.emplace_back(sorted(triangles.corners[t]), t);
    std::sort(all.begin(), all.end());
    std::vector<char> repeated(triangles.size(), 0);
    for (std::size_t i = 1; i < all.size(); ++i)
        if (all[i].first == all[i - 1].first) repeated[all[i].second] = 1;
    return filter(triangles, [&](std::size_t t) { return !repeated[t]; });
}

bool sound(const Triangles& triangles, std::size_t t) {
    const auto count = static_cast<std::int32_t>(triangles.vertices.size());
    for (int k = 0; k < 3; ++k) {
        const std::int32_t v = triangles.corners[t][static_cast<std::size_t>(k)];
        if (v < 0 || v >= count || !is_finite(triangles.vertices[static_cast<std::size_t>(v)])) return false;
    }
    return true;
}

/// Vertices nobody uses would still stretch boxes around the surface.
void drop_unused_vertices(Triangles& triangles) {
    std::vector<std::int32_t> number(triangles.vertices.size(), -1);
    std::vector<Vec3> kept;
    for (Corners& c : triangles.corners) {
        for (std::int32_t& v : c) {
            std::int32_t& n = number[static_cast<std::size_t>(v)];
            if (n < 0) {
                n = static_cast<std::int32_t>(kept.size());
                kept.push_back(triangles.vertices[static_cast<std::size_t>(v)]);
            }
            v = n;
        }
    }
    triangles.vertices = std::move(kept);
}

}  // namespace

Triangles clean(const Surface& surface, double reach, CleanReport& report) {
    Triangles triangles = triangulate(surface);
    report.not_finite = filter(triangles, [&](std::size_t t) { return sound(triangles, t); });
    const std::vector<std::int32_t> joined = weld(triangles.vertices, reach);
    for (std::size_t v = 0; v < joined.size(); ++v)
        if (joined[v] != static_cast<std::int32_t>(v)) ++report.joined_vertices;
    for (Corners& c : triangles.corners)
        for (std::int32_t& v : c) v = joined[static_cast<std::size_t>(v)];
    report.flat = filter(triangles, [&](std::size_t t) { return norm2(triangles.area_vector(t)) > 0.0; });
    report.repeated = drop_repeated(triangles);
    drop_unused_vertices(triangles);
    report.orientation = orient(triangles);
    return triangles;
}

}  // namespace limber
