#include "geometry/surface_edges.hpp"

#include "core/joined.hpp"

#include <algorithm>

namespace limber {

SurfaceEdges surface_edges(const Triangles& triangles) {
    SurfaceEdges out;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& c = triangles.corners[t];
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
        for (std::uint8_t k = 0; k < 3; ++k) {
            const std::int32_t a = c[static_cast<std::size_t>(k)], b = c[static_cast<std::size_t>((k + 1) % 3)];
            out.uses.push_back({std::min(a, b), std::max(a, b), static_cast<std::int32_t>(t), k, a < b});
        }
    }
    std::sort(out.uses.begin(), out.uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
        return a.low != b.low             ? a.low < b.low
               : a.high != b.high         ? a.high < b.high
               : a.triangle != b.triangle ? a.triangle < b.triangle
                                          : a.side < b.side;
    });
    for (std::size_t i = 0; i < out.uses.size(); ++i) {
        if (i == 0 || out.uses[i].low != out.uses[i - 1].low || out.uses[i].high != out.uses[i - 1].high)
            out.starts.push_back(static_cast<std::int32_t>(i));
    }
    out.starts.push_back(static_cast<std::int32_t>(out.uses.size()));
    return out;
}

Patches find_patches(const Triangles& triangles, const SurfaceEdges& edges) {
    Joined joined(triangles.size());
    for (std::size_t e = 0; e < edges.size(); ++e)
        if (edges.users(e) == 2) joined.join(edges.use(e, 0).triangle, edges.use(e, 1).triangle);
    Patches out;
    out.of_triangle = joined.groups(out.count);
    return out;
}

}  // namespace limber
