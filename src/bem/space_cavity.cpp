#include "bem/space_cavity.hpp"

#include "bem/space_facet.hpp"
#include "bem/space_shape.hpp"
#include "geometry/surface_edges.hpp"
#include "geometry/winding.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

constexpr std::size_t kMostStarts = 200;  // facets from which a deep point is looked for

// Turns of a surface about a point: 1 inside, -1 inside a surface that turns inwards.
double turns_about(const Triangles& triangles, const std::vector<std::int32_t>& facets, const Vec3& point) {
    double sum = 0.0;
    for (const std::int32_t f : facets) {
        const auto t = static_cast<std::size_t>(f);
        sum += solid_angle(point, triangles.at(t, 0), triangles.at(t, 1), triangles.at(t, 2));
    }
    return sum / (4.0 * std::numbers::pi);
}

double clearance(const Triangles& triangles, const std::vector<std::int32_t>& facets, const Vec3& point) {
    double least = 1e300;
    for (const std::int32_t f : facets) {
        const auto t = static_cast<std::size_t>(f);
        least = std::min(least, norm(triangles.centroid(t) - point));
        for (int k = 0; k < 3; ++k) least = std::min(least, norm(triangles.at(t, k) - point));
    }
    return least;
}

// Of the surface's middle and points at several depths behind its facets, the one farthest from walls; how far.
double find_deep_point(const Triangles& triangles, Cavity& cavity) {
    const double size = std::cbrt(cavity.volume);
    Vec3 middle;
    for (const std::int32_t f : cavity.facets) {
        middle += norm(triangles.area_vector(static_cast<std::size_t>(f))) / cavity.area *
                  triangles.centroid(static_cast<std::size_t>(f));
    }
    std::vector<Vec3> candidates{middle};
    const std::size_t stride = cavity.facets.size() / kMostStarts + 1;
    for (std::size_t i = 0; i < cavity.facets.size(); i += stride) {
        const auto t = static_cast<std::size_t>(cavity.facets[i]);
        const Vec3 normal = triangles.area_vector(t) / norm(triangles.area_vector(t));
        for (const double depth : {0.15, 0.3, 0.6}) candidates.push_back(triangles.centroid(t) + depth * size * normal);
    }
    double best = 0.0;
    for (const Vec3& p : candidates) {
        const double room = clearance(triangles, cavity.facets, p);
        if (room <= best || turns_about(triangles, cavity.facets, p) > -0.9) continue;
        best = room;
        cavity.inside = p;
    }
    return best;
}

// What one facet gives to Betti's row: per corner the integrals of u* and t* / (2 mu), in the world's axes.
struct BettiBlock {
    Vec3 u[3], t[3];
};

// The components of r are products of moments: in the plane of the facet rho, along its normal d.
BettiBlock betti_block(const SpaceFacet& facet, const FacetMoments& m) {
    Vec3 u[3], t[3];  // of 1, rho_1, rho_2, along the facet's axes
    for (int f = 0; f < 3; ++f) {
        const int degree = f > 0 ? 1 : 0, q = f == 2 ? 1 : 0;
        const double cube = m.m3[degree][q], d2_fifth = degree == 0 ? m.m5[0][0] : m.d * m.d * m.m5[1][q];
        u[f] = {m.m3[degree + 1][q], m.m3[degree + 1][q + 1], m.d * cube};
        t[f] = {-3.0 * m.d * m.m5[degree + 1][q], -3.0 * m.d * m.m5[degree + 1][q + 1], cube - 3.0 * d2_fifth};
    }
    BettiBlock out;
    for (std::size_t k = 0; k < 3; ++k) {
        const ShapeAtProjection n = shape_at_projection(facet, m, k);
        const Vec3 lu = n.value * u[0] + n.slope[0] * u[1] + n.slope[1] * u[2],
                   lt = n.value * t[0] + n.slope[0] * t[1] + n.slope[1] * t[2];
        out.u[k] = lu.x * facet.axis[0] + lu.y * facet.axis[1] + lu.z * facet.axis[2];
        out.t[k] = lt.x * facet.axis[0] + lt.y * facet.axis[1] + lt.z * facet.axis[2];
    }
    return out;
}

struct BettiRow {
    std::vector<double> u, t, body;
};

BettiRow betti_row(const BoundarySystem& system, const Vec3& source) {
    BettiRow row{std::vector<double>(system.unknowns(), 0.0), std::vector<double>(system.tractions(), 0.0),
                 std::vector<double>(12, 0.0)};
    const double twice_shear = 2.0 * system.material.shear;
    Vec3 rest;  // what translations would leave: rounding, taken out so that rows keep summing to nothing
    for (std::size_t f = 0; f < system.shape.facet_count(); ++f) {
        const SpaceFacet facet = facet_of(system.shape, f);
        const FacetMoments moments = facet_moments(facet, source, -1, MomentsFor::displacement);
        const BettiBlock block = betti_block(facet, moments);
        for (std::size_t k = 0; k < 3; ++k) {
            const auto node = static_cast<std::size_t>(system.shape.facets[3 * f + k]),
                       slot = static_cast<std::size_t>(system.facet_slots[3 * f + k]);
            // The volume is a sum of cones from the source: u* is of degree -2 there, u* r of degree -1.
            const Vec3 lever = source - system.origin + 0.5 * (facet.corner[k] - source);
            for (std::size_t i = 0; i < 3; ++i) {
                const int c = static_cast<int>(i);
                row.u[3 * node + i] += twice_shear * block.t[k][c];
                row.t[3 * slot + i] += block.u[k][c];
                row.body[i] += moments.d * block.u[k][c];
                for (std::size_t l = 0; l < 3; ++l)
                    row.body[3 + 3 * i + l] += moments.d * block.u[k][c] * lever[static_cast<int>(l)];
            }
            rest += twice_shear * block.t[k];
        }
    }
    const double share = 1.0 / static_cast<double>(system.nodes.size());
    for (std::size_t i = 0; i < row.u.size(); ++i) row.u[i] -= share * rest[static_cast<int>(i % 3)];
    return row;
}

void add_outer(DenseMatrix& m, const std::vector<std::pair<std::size_t, double>>& column,
               const std::vector<double>& row) {
    for (std::size_t j = 0; j < m.columns; ++j)
        for (const auto& [i, value] : column) m(i, j) += value * row[j];
}

}  // namespace

std::vector<Cavity> find_cavities(const BoundaryShape& shape) {
    const Triangles triangles = triangles_of(shape);
    const Patches patches = find_patches(triangles, surface_edges(triangles));
    std::vector<Cavity> all(static_cast<std::size_t>(patches.count)), out;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        Cavity& c = all[static_cast<std::size_t>(patches.of_triangle[t])];
        c.facets.push_back(static_cast<std::int32_t>(t));
        c.area += norm(triangles.area_vector(t));
        c.volume -= dot(triangles.centroid(t) - triangles.vertices.front(), triangles.area_vector(t)) / 3.0;
    }
    for (Cavity& c : all) {
        if (!(c.volume > 0.0)) continue;
        const double facet_size = std::sqrt(c.area / static_cast<double>(c.facets.size()));
        if (find_deep_point(triangles, c) > 2.0 * facet_size) out.push_back(std::move(c));
    }
    return out;
}

void add_cavity(BoundarySystem& system, const Cavity& cavity) {
    // By the pressure's own answer: area . H . answer is positive, the row times the answer -4 pi; so the sign, and the
    // size of a solid angle.
    const double factor = -cavity.volume / (4.0 * std::numbers::pi * system.material.shear * cavity.area);
    std::vector<Vec3> normal(system.nodes.size());
    for (const std::int32_t f : cavity.facets) {
        const SpaceFacet facet = facet_of(system.shape, static_cast<std::size_t>(f));
        for (std::size_t k = 0; k < 3; ++k) {
            normal[static_cast<std::size_t>(system.shape.facets[3 * static_cast<std::size_t>(f) + k])] += facet.area *
                                                                                                          facet
                                                                                                              .normal();
        }
    }
    std::vector<std::pair<std::size_t, double>> column;
    for (std::size_t n = 0; n < normal.size(); ++n) {
        if (const double length = norm(normal[n]); length > 0.0) {
            for (int c = 0; c < 3; ++c)
                column.emplace_back(3 * n + static_cast<std::size_t>(c), factor * normal[n][c] / length);
        }
    }
    const BettiRow row = betti_row(system, cavity.inside);
    add_outer(system.h, column, row.u);
    add_outer(system.g, column, row.t);
    add_outer(system.body, column, row.body);
}

}  // namespace limber
