// The boundary of a mesh as closed polygons or triangle surfaces, refused where it is pinched.
#include "bem/boundary_shape.hpp"

#include "core/joined.hpp"
#include "core/text.hpp"
#include "geometry/surface_edges.hpp"

#include <limber/error.hpp>

#include <algorithm>

namespace limber {

namespace {

/// Splits a quad along its shorter diagonal; of equal ones, the one from the lowest number.
void append_quad(const Mesh& mesh, const std::int32_t* q, std::vector<std::int32_t>& out) {
    const auto at = [&](int k) { return mesh.vertices[static_cast<std::size_t>(q[k])]; };
    const double first = norm2(at(2) - at(0)), second = norm2(at(3) - at(1));
    const bool lowest_is_odd = std::min(q[1], q[3]) < std::min(q[0], q[2]);
    const bool equal = std::abs(first - second) <= 1e-9 * (first + second);
    const int k = (equal ? lowest_is_odd : second < first) ? 1 : 0;
    for (const int c : {k, k + 1, k + 2, k, k + 2, k + 3}) out.push_back(q[c % 4]);
}

[[noreturn]] void throw_pinched(std::int32_t vertex, const std::string& how) {
    throw Error(
        Fault::unsupported, {}, text("the boundary is pinched at vertex ", vertex, ": ", how),
        "a closed boundary that touches itself nowhere, which boundary elements need: more cells, or another method");
}

/// One edge in and one edge out of every point.
void check_loops(const BoundaryShape& shape) {
    std::vector<int> starts(shape.points.size(), 0), ends(shape.points.size(), 0);
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        ++starts[static_cast<std::size_t>(shape.facets[2 * f])];
        ++ends[static_cast<std::size_t>(shape.facets[2 * f + 1])];
    }
    for (std::size_t p = 0; p < shape.points.size(); ++p) {
        if (starts[p] != 1 || ends[p] != 1)
            throw_pinched(shape.vertex[p], text(starts[p] + ends[p], " boundary edges meet there"));
    }
}

/// Two triangles with opposite directions at every edge, and one fan of triangles at every point.
void check_surface(const BoundaryShape& shape) {
    Triangles triangles;
    triangles.vertices = shape.points;
    for (std::size_t f = 0; f < shape.facet_count(); ++f)
        triangles.corners.push_back({shape.facets[3 * f], shape.facets[3 * f + 1], shape.facets[3 * f + 2]});
    const SurfaceEdges edges = surface_edges(triangles);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const EdgeUse& use = edges.use(e, 0);
        if (edges.users(e) != 2 || use.forward == edges.use(e, 1).forward) {
            throw_pinched(shape.vertex[static_cast<std::size_t>(use.low)],
                          text(edges.users(e), " boundary triangles share an edge there"));
        }
    }
    // With two triangles at each edge, a point's triangles form closed fans; several fans are told apart by walking one
    // of them.
    std::vector<std::vector<std::array<std::int32_t, 2>>> opposite(shape.points.size());
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        for (std::size_t k = 0; k < 3; ++k) {
            opposite[static_cast<std::size_t>(shape.facets[3 * f + k])].push_back(
                {shape.facets[3 * f + (k + 1) % 3], shape.facets[3 * f + (k + 2) % 3]});
        }
    }
    for (std::size_t p = 0; p < shape.points.size(); ++p) {
        const auto& fan = opposite[p];
        std::int32_t at = fan[0][1];
        std::size_t walked = 1;
        while (at != fan[0][0] && walked <= fan.size()) {
            at = (*std::find_if(fan.begin(), fan.end(), [&](const auto& pair) { return pair[0] == at; }))[1];
            ++walked;
        }
        if (walked != fan.size()) throw_pinched(shape.vertex[p], "separate parts of the surface meet there");
    }
}

}  // namespace

BoundaryShape boundary_shape(const Mesh& mesh) {
    const Boundary boundary = boundary_of(mesh);
    BoundaryShape shape;
    shape.dimension = mesh.dimension();
    shape.vertex = boundary.vertices;
    shape.points.reserve(shape.vertex.size());
    for (const std::int32_t v : shape.vertex) shape.points.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
    if (boundary.corners == 4) {
        for (std::size_t f = 0; f < boundary.facet_count(); ++f)
            append_quad(mesh, boundary.facets.data() + 4 * f, shape.facets);
    } else {
        shape.facets = boundary.facets;
    }
    for (std::int32_t& v : shape.facets) {
        v = static_cast<std::int32_t>(std::lower_bound(shape.vertex.begin(), shape.vertex.end(), v) -
                                      shape.vertex.begin());
    }
    if (shape.facets.empty()) throw Error(Fault::unsupported, {}, "the body has no boundary", "at least one cell");
    shape.dimension == 2 ? check_loops(shape) : check_surface(shape);
    return shape;
}

std::vector<Vec3> outward_at_points(const BoundaryShape& shape) {
    const auto d = static_cast<std::size_t>(shape.dimension);
    std::vector<Vec3> out(shape.points.size());
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        const Vec3 n = outward_of(shape, f);
        for (std::size_t k = 0; k < d; ++k) out[static_cast<std::size_t>(shape.facets[d * f + k])] += n;
    }
    for (Vec3& n : out) n = norm(n) > 0.0 ? n / norm(n) : Vec3{};
    return out;
}

std::size_t part_count(const BoundaryShape& shape) {
    const auto d = static_cast<std::size_t>(shape.dimension);
    Joined joined(shape.points.size());
    for (std::size_t i = 0; i < shape.facets.size(); ++i) joined.join(shape.facets[i], shape.facets[i / d * d]);
    std::int32_t count = 0;
    const std::vector<std::int32_t> group = joined.groups(count);
    std::vector<double> enclosed(static_cast<std::size_t>(count), 0.0);
    const Vec3 from = shape.points.empty() ? Vec3{} : shape.points[0];
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        const auto at = [&](std::size_t k) {
            return shape.points[static_cast<std::size_t>(shape.facets[d * f + k])] - from;
        };
        enclosed[static_cast<std::size_t>(group[static_cast<std::size_t>(shape.facets[d * f])])] +=
            d == 2 ? cross(at(0), at(1)).z : dot(at(0), cross(at(1), at(2)));
    }
    return static_cast<std::size_t>(std::count_if(enclosed.begin(), enclosed.end(), [](double v) { return v > 0.0; }));
}

}  // namespace limber
