// Triangle surfaces and exact fields that the tests of boundary elements in space share.
#pragma once

#include "bem/boundary_system.hpp"
#include "bem/plane_shapes.hpp"

#include <limber/mesh.hpp>

#include <array>
#include <map>

namespace limber::space_testing {

using plane_testing::largest;
using plane_testing::times;

inline BoundaryShape box_shape(std::array<int, 3> cells, const Vec3& size = {1.0, 1.0, 1.0}) {
    return boundary_shape(make_box(CellKind::hex8, cells[0], cells[1], cells[2], {}, size));
}

/// An icosahedron's faces cut in four `level` times, its vertices on a sphere about the origin: 12, 42, 162, 642
/// points.
inline BoundaryShape sphere_shape(int level, double radius = 1.0, bool inward = false) {
    BoundaryShape s;
    s.dimension = 3;
    const double g = (1.0 + std::sqrt(5.0)) / 2.0;
    s.points = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    s.facets = {0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4,  11, 10, 2,  10, 7, 6, 7, 1, 8,
                3, 9,  4, 3, 4, 2, 3, 2, 6, 3, 6, 8,  3, 8,  9,  4, 9, 5, 2, 4,  11, 6,  2,  10, 8,  6, 7, 9, 8, 1};
    for (Vec3& p : s.points) p = p / norm(p);
    for (int l = 0; l < level; ++l) {
        std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> middles;
        const auto middle = [&](std::int32_t a, std::int32_t b) {
            const auto [at, fresh] = middles.try_emplace({std::min(a, b), std::max(a, b)},
                                                         static_cast<std::int32_t>(s.points.size()));
            if (fresh) {
                const Vec3 m = s.points[static_cast<std::size_t>(a)] + s.points[static_cast<std::size_t>(b)];
                s.points.push_back(m / norm(m));
            }
            return at->second;
        };
        std::vector<std::int32_t> finer;
        for (std::size_t f = 0; f < s.facets.size(); f += 3) {
            const std::int32_t a = s.facets[f], b = s.facets[f + 1], c = s.facets[f + 2], ab = middle(a, b),
                               bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca});
        }
        s.facets = finer;
    }
    for (Vec3& p : s.points) p = radius * p;
    if (inward)
        for (std::size_t f = 0; f < s.facets.size(); f += 3) std::swap(s.facets[f + 1], s.facets[f + 2]);
    for (std::size_t i = 0; i < s.points.size(); ++i) s.vertex.push_back(static_cast<std::int32_t>(i));
    return s;
}

inline void append(BoundaryShape& shape, const BoundaryShape& more) {
    const auto first = static_cast<std::int32_t>(shape.points.size());
    shape.points.insert(shape.points.end(), more.points.begin(), more.points.end());
    for (const std::int32_t p : more.facets) shape.facets.push_back(first + p);
    for (const std::int32_t v : more.vertex) shape.vertex.push_back(first + v);
}

template <class F>
std::vector<double> at_nodes(const BoundarySystem& system, F&& f) {
    std::vector<double> out;
    for (const Vec3& p : system.nodes) {
        const Vec3 v = f(p);
        out.insert(out.end(), {v.x, v.y, v.z});
    }
    return out;
}

/// `f(position, slot's normal)`
template <class F>
std::vector<double> at_slots(const BoundarySystem& system, F&& f) {
    std::vector<double> out;
    for (std::size_t s = 0; s < system.slot_node.size(); ++s) {
        const Vec3 v = f(system.nodes[static_cast<std::size_t>(system.slot_node[s])], system.slot_normal[s]);
        out.insert(out.end(), {v.x, v.y, v.z});
    }
    return out;
}

inline Mat3 stress_of(const BoundaryMaterial& m, const Mat3& gradient) {
    Mat3 s;
    const double pressure = 2.0 * m.shear * m.poisson / (1.0 - 2.0 * m.poisson) *
                            (gradient(0, 0) + gradient(1, 1) + gradient(2, 2));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) s(i, j) = m.shear * (gradient(i, j) + gradient(j, i)) + (i == j ? pressure : 0.0);
    return s;
}

inline std::vector<double> minus(std::vector<double> a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return a;
}

/// G t - H u + B f
inline std::vector<double> inner_value(const InnerRows& rows, const std::vector<double>& u,
                                       const std::vector<double>& t, const std::vector<double>& f) {
    std::vector<double> out = minus(times(rows.g, t), times(rows.h, u)), body = times(rows.body, f);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += body[i];
    return out;
}

}  // namespace limber::space_testing
