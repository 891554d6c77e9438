// Outlines for the tests of planar surface error.
#pragma once

#include <limber/tools/metrics.hpp>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace limber::test {

/// A closed outline: vertices in order, edges between neighbours.
struct Outline {
    std::vector<Vec3> vertices;
    std::vector<std::int32_t> edges;
};

inline Outline closed(std::vector<Vec3> vertices) {
    Outline out{std::move(vertices), {}};
    const auto n = static_cast<std::int32_t>(out.vertices.size());
    for (std::int32_t i = 0; i < n; ++i) out.edges.insert(out.edges.end(), {i, (i + 1) % n});
    return out;
}

inline double xor_area(const Outline& a, const Outline& b) {
    return polygon_xor_area(a.vertices, a.edges, b.vertices, b.edges);
}
inline double area(const Outline& a) { return xor_area(a, Outline{}); }

/// Sides subdivided into `parts` edges each, so that two squares share lines but not vertices.
inline Outline square(double x, double y, double side, int parts = 1) {
    std::vector<Vec3> p;
    const double s = side / parts;
    for (int i = 0; i < parts; ++i) p.push_back({x + i * s, y, 0});
    for (int i = 0; i < parts; ++i) p.push_back({x + side, y + i * s, 0});
    for (int i = 0; i < parts; ++i) p.push_back({x + side - i * s, y + side, 0});
    for (int i = 0; i < parts; ++i) p.push_back({x, y + side - i * s, 0});
    return closed(std::move(p));
}

inline Outline turned(Outline a, double angle) {
    for (Vec3& p : a.vertices)
        p = {p.x * std::cos(angle) - p.y * std::sin(angle), p.x * std::sin(angle) + p.y * std::cos(angle), 0};
    return a;
}

inline Outline moved(Outline a, const Vec3& by) {
    for (Vec3& p : a.vertices) p += by;
    return a;
}

/// Random radii around the origin: jagged, not convex, not self-crossing.
inline Outline star(int corners, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Vec3> p;
    for (int i = 0; i < corners; ++i) {
        const double r = 0.4 + 0.6 * static_cast<double>(random()) / 4294967296.0;
        const double angle = 2 * std::numbers::pi * i / corners;
        p.push_back({r * std::cos(angle), r * std::sin(angle), 0});
    }
    return closed(std::move(p));
}

}  // namespace limber::test
