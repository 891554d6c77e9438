// Polygons, exact fields and small checks that the tests of plane boundary elements share.
#pragma once

#include "bem/boundary_system.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::plane_testing {

inline BoundaryShape polygon(const std::vector<Vec3>& points) {
    BoundaryShape shape;
    shape.points = points;
    const auto n = static_cast<std::int32_t>(points.size());
    for (std::int32_t i = 0; i < n; ++i) {
        shape.facets.insert(shape.facets.end(), {i, (i + 1) % n});
        shape.vertex.push_back(i);
    }
    return shape;
}

/// A second loop: a hole when it runs clockwise.
inline void append_loop(BoundaryShape& shape, const std::vector<Vec3>& points) {
    const auto first = static_cast<std::int32_t>(shape.points.size()), n = static_cast<std::int32_t>(points.size());
    for (std::int32_t i = 0; i < n; ++i) {
        shape.points.push_back(points[static_cast<std::size_t>(i)]);
        shape.facets.insert(shape.facets.end(), {first + i, first + (i + 1) % n});
        shape.vertex.push_back(first + i);
    }
}

inline Vec3 turned(const Vec3& p, double angle) {
    return {std::cos(angle) * p.x - std::sin(angle) * p.y, std::sin(angle) * p.x + std::cos(angle) * p.y, 0.0};
}

/// Sides a and b about a centre, divided into n and m edges, turned.
inline std::vector<Vec3> rectangle(double a, double b, int n, int m, double angle = 0.0, Vec3 centre = {}) {
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i) points.push_back({-a / 2 + a * i / n, -b / 2, 0});
    for (int i = 0; i < m; ++i) points.push_back({a / 2, -b / 2 + b * i / m, 0});
    for (int i = 0; i < n; ++i) points.push_back({a / 2 - a * i / n, b / 2, 0});
    for (int i = 0; i < m; ++i) points.push_back({-a / 2, b / 2 - b * i / m, 0});
    for (Vec3& p : points) p = turned(p, angle) + centre;
    return points;
}

inline std::vector<Vec3> circle(double radius, int n, bool clockwise = false) {
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i) {
        const double angle = 2 * std::numbers::pi * i / n * (clockwise ? -1 : 1) -
                             std::numbers::pi / 2;  // the first is the lowest
        points.push_back({radius * std::cos(angle), radius * std::sin(angle), 0});
    }
    return points;
}

inline std::vector<double> times(const DenseMatrix& a, const std::vector<double>& x) {
    std::vector<double> y(a.rows, 0.0);
    for (std::size_t j = 0; j < a.columns; ++j)
        for (std::size_t i = 0; i < a.rows; ++i) y[i] += a(i, j) * x[j];
    return y;
}

inline double largest(const std::vector<double>& x) {
    double out = 0.0;
    for (const double v : x) out = std::max(out, std::abs(v));
    return out;
}

/// A value per node, `f(position)`; per slot `f(position, facet normal)` by facets, so that corners see both normals.
template <class F>
std::vector<double> on_nodes(const BoundarySystem& system, F&& f) {
    std::vector<double> out;
    for (const Vec3& p : system.nodes) {
        const Vec3 v = f(p);
        out.insert(out.end(), {v.x, v.y});
    }
    return out;
}

inline Vec3 facet_normal(const BoundaryShape& shape, std::size_t f) {
    const Vec3 along = shape.points[static_cast<std::size_t>(shape.facets[2 * f + 1])] -
                       shape.points[static_cast<std::size_t>(shape.facets[2 * f])];
    return Vec3{along.y, -along.x, 0} / norm(along);
}

template <class F>
std::vector<double> on_slots(const BoundarySystem& system, F&& f) {
    std::vector<double> out(system.tractions(), 0.0);
    const std::size_t per = system.facet_slots.size() / system.shape.facet_count();
    for (std::size_t facet = 0; facet < system.shape.facet_count(); ++facet) {
        for (std::size_t k = 0; k < per; ++k) {
            const auto slot = static_cast<std::size_t>(system.facet_slots[per * facet + k]);
            const Vec3 v = f(system.nodes[static_cast<std::size_t>(system.slot_node[slot])],
                             facet_normal(system.shape, facet));
            out[2 * slot] = v.x;
            out[2 * slot + 1] = v.y;
        }
    }
    return out;
}

/// xx, yy, xy of plane strain from the gradient of u (row: component).
inline std::array<double, 3> stress_of(const BoundaryMaterial& m, double uxx, double uxy, double uyx, double uyy) {
    const double lambda = 2 * m.shear * m.poisson / (1 - 2 * m.poisson);
    return {lambda * (uxx + uyy) + 2 * m.shear * uxx, lambda * (uxx + uyy) + 2 * m.shear * uyy, m.shear * (uxy + uyx)};
}
inline Vec3 traction_of(const std::array<double, 3>& s, const Vec3& n) {
    return {s[0] * n.x + s[2] * n.y, s[2] * n.x + s[1] * n.y, 0};
}

}  // namespace limber::plane_testing
