#include "geometry/cell_inverse.hpp"

#include "geometry/cell_quality.hpp"
#include "geometry/cell_topology.hpp"
#include "geometry/shape.hpp"
#include "geometry/triangle_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace limber {

double reference_margin(CellKind kind, const Vec3& xi) {
    switch (kind) {
        case CellKind::tri3: return std::min({xi.x, xi.y, 1.0 - xi.x - xi.y});
        case CellKind::tet4:
        case CellKind::tet10: return std::min({xi.x, xi.y, xi.z, 1.0 - xi.x - xi.y - xi.z});
        case CellKind::quad4: return 1.0 - std::max(std::abs(xi.x), std::abs(xi.y));
        case CellKind::hex8: return 1.0 - std::max({std::abs(xi.x), std::abs(xi.y), std::abs(xi.z)});
    }
    return -1.0;
}

namespace {

constexpr double kGrowth = 0.5;  // of the reference domain: where Newton may still look for a solution
constexpr double kRelative = 1e-13;

/// Linear maps give the Newton step's answer at once; everything else iterates.
bool is_affine(CellKind kind) { return kind == CellKind::tri3 || kind == CellKind::tet4; }

Vec3 offset(CellKind kind, const Vec3* x, const Vec3& xi, const Vec3& point) {
    Vec3 r = point - map_to_cell(kind, x, xi);
    if (dimension_of(kind) == 2) r.z = 0.0;
    return r;
}

/// True if the cell provably does not hold the point. The map is an affine one plus sum_a N_a delta_a, where delta_a is
/// how far node a sits from its affine position; in reference coordinates that moves a point by at most share * max
/// |delta_a|.
bool surely_outside(CellKind kind, const Vec3* x, const Vec3& point) {
    const bool tet = kind == CellKind::tet4 || kind == CellKind::tet10;
    const CellKind base = tet ? CellKind::tet4 : kind;
    const Vec3 centre = reference_centre(base);
    const Mat3 j = cell_jacobian(base, x, centre);
    if (!(std::abs(determinant(j)) > std::numeric_limits<double>::min())) return false;
    const Mat3 back = inverse(j);
    const Vec3 middle = map_to_cell(base, x, centre);
    double delta = 0.0;
    for (int a = 0; a < corners_of(kind); ++a) {
        const Vec3 d = back * (x[a] - middle) + centre - reference_node(kind, a);
        delta = std::max(delta, std::abs(d.x) + std::abs(d.y) + std::abs(d.z));
    }
    const double share = kind == CellKind::tet10 ? 1.5 : 1.0;  // mid-edge functions sum to at most 1.5, the hex's to 1
    return reference_margin(kind, back * (point - middle) + centre) < -share * delta - 1e-3;
}

bool newton(CellKind kind, const Vec3* x, const Vec3& point, double size, Vec3& xi) {
    Vec3 r = offset(kind, x, xi, point);
    const int most = is_affine(kind) ? 2 : 40;
    for (int i = 0; i < most; ++i) {
        const Mat3 j = cell_jacobian(kind, x, xi);
        if (!(std::abs(determinant(j)) > std::numeric_limits<double>::min())) return false;
        const Vec3 step = inverse(j) * r;
        // Halve until the residual falls: a full step can leap over the fold line of a distorted cell.
        double t = 1.0;
        Vec3 next = xi + step, next_r = offset(kind, x, next, point);
        for (; t > 1e-3 && !(norm2(next_r) < norm2(r)); t *= 0.5) {
            next = xi + (0.5 * t) * step;
            next_r = offset(kind, x, next, point);
        }
        if (!(norm2(next_r) < norm2(r))) break;  // as good as rounding allows, or stuck
        xi = next;
        r = next_r;
        if (reference_margin(kind, xi) < -10.0) return false;
        if (norm2(step) < 1e-24) break;  // the next step would be its square
    }
    // Coordinates far from the origin round more coarsely than the cell's own size suggests.
    const double rounding = 1e-15 * (std::abs(point.x) + std::abs(point.y) + std::abs(point.z));
    return norm(r) <= kRelative * size + 4.0 * rounding;
}

}  // namespace

bool invert_cell_map(CellKind kind, const Vec3* x, const Vec3& point, Vec3& xi) {
    if (surely_outside(kind, x, point)) return false;
    const double size = cell_size(kind, x);
    const Vec3 centre = reference_centre(kind);
    const auto try_from = [&](const Vec3& start) {
        xi = start;
        return newton(kind, x, point, size, xi);
    };
    const auto near_domain = [&] { return reference_margin(kind, xi) > -kGrowth; };
    if (try_from(centre) && near_domain()) return true;
    // In strongly distorted cells Newton may leave for another branch: measured on random valid ones, 1 hex8 in 8000
    // and 1 tet10 in 3500 were lost without these starts.
    for (int a = 0; a < corners_of(kind) && !is_affine(kind); ++a)
        if (try_from(0.5 * centre + 0.5 * reference_node(kind, a)) && near_domain()) return true;
    return false;
}

namespace {

/// A face or edge of the reference domain: origin + u * first + v * second.
struct Entity {
    int dimension;
    Vec3 origin;
    std::array<Vec3, 2> direction;
};

void add_edge(std::vector<Entity>& out, const Vec3& a, const Vec3& b) {
    out.push_back({1, 0.5 * (a + b), {0.5 * (b - a), Vec3{}}});
}

std::vector<Entity> make_entities(CellKind kind) {
    std::vector<Entity> out;
    const auto corners = static_cast<std::size_t>(facet_corners_of(kind));
    for (const LocalFacet& facet : facets_of(kind)) {
        std::array<Vec3, 4> p{};
        for (std::size_t k = 0; k < corners; ++k) p[k] = reference_node(kind, facet.corner[k]);
        if (corners == 2) {
            add_edge(out, p[0], p[1]);
            continue;
        }
        Vec3 middle;
        for (std::size_t k = 0; k < corners; ++k) middle += p[k] / static_cast<double>(corners);
        out.push_back({2, middle, {0.5 * (p[1] - p[0]), 0.5 * (p[corners - 1] - p[0])}});
        // Every edge has two faces; the one that runs through it upwards adds it.
        for (std::size_t k = 0; k < corners; ++k)
            if (facet.corner[k] < facet.corner[(k + 1) % corners]) add_edge(out, p[k], p[(k + 1) % corners]);
    }
    return out;
}

const std::vector<Entity>& entities_of(CellKind kind) {
    static const std::array<std::vector<Entity>, 5> table{make_entities(CellKind::tri3), make_entities(CellKind::quad4),
                                                          make_entities(CellKind::tet4), make_entities(CellKind::tet10),
                                                          make_entities(CellKind::hex8)};
    return table[static_cast<std::size_t>(kind)];
}

/// One damped Gauss-Newton step in the entity's own coordinates; returns the change of xi.
Vec3 entity_step(CellKind kind, const Vec3* x, const Entity& entity, const Vec3& xi, const Vec3& r, double damping) {
    const Mat3 j = cell_jacobian(kind, x, xi);
    const Vec3 a = j * entity.direction[0], b = j * entity.direction[1];
    const double aa = dot(a, a) * (1.0 + damping), ra = dot(a, r);
    if (entity.dimension == 1) return aa > 0.0 ? entity.direction[0] * (ra / aa) : Vec3{};
    const double bb = dot(b, b) * (1.0 + damping), ab = dot(a, b), rb = dot(b, r), d = aa * bb - ab * ab;
    if (!(d > 0.0)) return {};
    return entity.direction[0] * ((bb * ra - ab * rb) / d) + entity.direction[1] * ((aa * rb - ab * ra) / d);
}

/// The stationary point on one entity's plane or line; worth having only if it lies within the domain.
Vec3 nearest_on_entity(CellKind kind, const Vec3* x, const Entity& entity, const Vec3& point) {
    Vec3 xi = entity.origin, r = offset(kind, x, xi, point);
    double damping = 0.0;
    for (int i = 0; i < 60; ++i) {
        const Vec3 step = entity_step(kind, x, entity, xi, r, damping);
        const Vec3 next = xi + step, next_r = offset(kind, x, next, point);
        if (norm2(next_r) < norm2(r)) {
            xi = next;
            r = next_r;
            damping = damping > 1e-3 ? 0.2 * damping : 0.0;
            if (norm2(step) < 1e-24 || reference_margin(kind, xi) < -3.0) break;
        } else {
            if (norm2(step) < 1e-24 || damping > 1e6) break;
            damping = damping > 0.0 ? 4.0 * damping : 1e-2;
        }
    }
    return xi;
}

/// Flat faces have closed forms. False for a tetrahedron without volume, whose reference coordinates are not unique.
bool closest_on_tet(const Vec3* x, const Vec3& point, ClosestPoint& out) {
    const Mat3 j = cell_jacobian(CellKind::tet4, x, {});
    if (!(std::abs(determinant(j)) > std::numeric_limits<double>::min())) return false;
    double best = std::numeric_limits<double>::infinity();
    Vec3 nearest;
    for (const LocalFacet& facet : facets_of(CellKind::tet4)) {
        const Vec3 at = nearest_on_triangle(point, x[facet.corner[0]], x[facet.corner[1]], x[facet.corner[2]]);
        if (const double d = norm2(at - point); d < best) {
            best = d;
            nearest = at;
        }
    }
    out = {inverse(j) * (nearest - x[0]), std::sqrt(best)};
    return true;
}

}  // namespace

ClosestPoint closest_on_boundary(CellKind kind, const Vec3* x, const Vec3& point) {
    if (ClosestPoint flat; kind == CellKind::tet4 && closest_on_tet(x, point, flat)) return flat;
    // The nearest point lies within a face, within an edge, or at a corner; each is stationary on its own.
    ClosestPoint best{reference_node(kind, 0), std::numeric_limits<double>::infinity()};
    const auto consider = [&](const Vec3& xi) {
        const double distance = norm(offset(kind, x, xi, point));
        if (distance < best.distance) best = {xi, distance};
    };
    for (int a = 0; a < simplex_corners_of(kind); ++a) consider(reference_node(kind, a));
    for (const Entity& entity : entities_of(kind)) {
        const Vec3 xi = nearest_on_entity(kind, x, entity, point);
        if (reference_margin(kind, xi) > -1e-12) consider(xi);
    }
    return best;
}

}  // namespace limber
