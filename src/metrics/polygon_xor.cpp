#include "metrics/even_odd.hpp"

#include <limber/tools/metrics.hpp>
#include "core/text.hpp"

namespace limber {
namespace {

std::size_t at_index(std::int32_t i) { return static_cast<std::size_t>(i); }

void check_outline(std::span<const Vec3> vertices, std::span<const std::int32_t> edges, const char* which) {
    if (edges.size() % 2 != 0) {
        throw Error(Fault::bad_usage, {}, text("outline ", which, " has ", edges.size(), " vertex numbers"),
                    "two per edge");
    }
    for (const std::int32_t v : edges) {
        if (v < 0 || at_index(v) >= vertices.size()) {
            throw Error(Fault::bad_usage, {}, text("outline ", which, " names vertex ", v),
                        text("one of ", counted(vertices.size(), "vertex number"), " from 0"));
        }
        if (!is_finite(vertices[at_index(v)])) {
            throw Error(Fault::bad_usage, {}, text("vertex ", v, " of outline ", which, " is not finite"),
                        "finite coordinates");
        }
    }
}

}  // namespace

double polygon_xor_area(std::span<const Vec3> a_vertices, std::span<const std::int32_t> a_edges,
                        std::span<const Vec3> b_vertices, std::span<const std::int32_t> b_edges) {
    check_outline(a_vertices, a_edges, "a");
    check_outline(b_vertices, b_edges, "b");
    std::vector<Edge2> edges;
    const auto add = [&](std::span<const Vec3> p, std::span<const std::int32_t> e) {
        for (std::size_t i = 0; i < e.size(); i += 2) {
            edges.push_back(
                {p[at_index(e[i])].x, p[at_index(e[i])].y, p[at_index(e[i + 1])].x, p[at_index(e[i + 1])].y});
        }
    };
    add(a_vertices, a_edges);
    add(b_vertices, b_edges);
    return static_cast<double>(even_odd_area(std::move(edges)).area);
}

}  // namespace limber
