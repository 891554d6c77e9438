// Holes near incompressibility. An even pressure n on a hole's rim moves nothing around it when nu = 1/2: G n -> 0, and
// with it a combination of the rim's rows of H. What a pressurised ring does is then a ratio of two numbers that vanish
// with 1 - 2 nu, and errors of collocation grow by 1 / (1 - 2 nu). Betti's theorem with the field of a dilating point
// in the hole (r / R^2, free of divergence) fixes the same number without that loss. It is the row of sigma_xx +
// sigma_yy at that point, where no body is: 0 = G t - H u + B f. The rim's rows get it along their normals; it holds
// for rigid motion and constant strain as they do, and none is added.
#include "bem/plane_rows.hpp"

#include "core/joined.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {

namespace {

struct Hole {
    std::vector<std::size_t> edges;
    double area = 0.0;  ///< in scaled coordinates
    Complex inside;     ///< far from the rim
};

double distance_to(const PlaneEdge& edge, const Complex& point) {
    const Complex local = std::conj(edge.direction) * (point - edge.start);
    return std::abs(local - std::clamp(local.real(), 0.0, edge.length));
}

/// How far the point is from the rim; 0 when the rim does not wind around it (clockwise).
double room_at(const ScaledBoundary& scaled, const Hole& hole, const Complex& point) {
    double room = 2.0, turned = 0.0;
    for (const std::size_t e : hole.edges) {
        const PlaneEdge& edge = scaled.edges[e];
        const Complex a = edge.start - point, b = a + edge.length * edge.direction;
        turned += std::arg(b * std::conj(a));
        room = std::min(room, distance_to(edge, point));
    }
    return turned < -std::numbers::pi ? room : 0.0;
}

/// Of the rim's middle and places at several depths across its edges, the one with most room.
void find_inside(const ScaledBoundary& scaled, Hole& hole) {
    Complex sum;
    double length = 0.0;
    for (const std::size_t e : hole.edges) {
        sum += scaled.edges[e].length *
               (scaled.edges[e].start + 0.5 * scaled.edges[e].length * scaled.edges[e].direction);
        length += scaled.edges[e].length;
    }
    hole.inside = sum / length;
    double best = room_at(scaled, hole, hole.inside);
    const std::size_t stride = hole.edges.size() / 100 + 1;
    for (std::size_t i = 0; i < hole.edges.size(); i += stride) {
        for (const double depth : {0.02, 0.1, 0.25, 0.5}) {
            const PlaneEdge& edge = scaled.edges[hole.edges[i]];
            const Complex at = edge.start + edge.direction * Complex{0.5 * edge.length, -depth * std::sqrt(hole.area)};
            const double room = room_at(scaled, hole, at);
            if (room <= best) continue;
            best = room;
            hole.inside = at;
        }
    }
}

std::vector<Hole> holes_of(const BoundarySystem& system, const ScaledBoundary& scaled) {
    Joined joined(system.shape.points.size());
    for (std::size_t f = 0; f < scaled.edges.size(); ++f)
        joined.join(system.shape.facets[2 * f], system.shape.facets[2 * f + 1]);
    std::int32_t count = 0;
    const std::vector<std::int32_t> loop = joined.groups(count);
    std::vector<Hole> loops(static_cast<std::size_t>(count)), out;
    for (std::size_t f = 0; f < scaled.edges.size(); ++f) {
        Hole& hole = loops[static_cast<std::size_t>(loop[static_cast<std::size_t>(system.shape.facets[2 * f])])];
        hole.edges.push_back(f);
        const PlaneEdge& edge = scaled.edges[f];
        hole.area -= 0.5 * (std::conj(edge.start) * edge.direction).imag() * edge.length;
    }
    for (Hole& hole : loops) {
        if (hole.area > 0.0) {
            find_inside(scaled, hole);
            out.push_back(std::move(hole));
        }
    }
    return out;
}

/// Mean outward normal of the rim's nodes, zero elsewhere.
std::vector<Complex> rim_normals(const BoundarySystem& system, const ScaledBoundary& scaled, const Hole& hole) {
    std::vector<Complex> out(system.nodes.size());
    for (const std::size_t e : hole.edges) {
        const Complex n = scaled.edges[e].length * scaled.edges[e].direction * Complex{0.0, -1.0};
        if (system.elements == BoundaryElements::constant) out[e] = n;
        for (std::size_t k = 0; k < 2 && system.elements == BoundaryElements::linear; ++k)
            out[static_cast<std::size_t>(system.shape.facets[2 * e + k])] += n;
    }
    for (Complex& n : out)
        if (n != 0.0) n /= std::abs(n);
    return out;
}

void add_rows(DenseMatrix& to, const DenseMatrix& stress, const std::vector<Complex>& normals, double factor) {
    for (std::size_t j = 0; j < to.columns; ++j) {
        const double row = factor * (stress(0, j) + stress(1, j));
        for (std::size_t i = 0; i < normals.size(); ++i) {
            to(2 * i, j) += row * normals[i].real();
            to(2 * i + 1, j) += row * normals[i].imag();
        }
    }
}

}  // namespace

void strengthen_holes(BoundarySystem& system) {
    const ScaledBoundary scaled = scaled_boundary(system);
    for (const Hole& hole : holes_of(system, scaled)) {
        const Complex at = scaled.centre + scaled.scale * hole.inside;
        const InnerRows rows = plane_stress_rows(system, {at.real(), at.imag(), 0.0});
        // Negative, so that it adds to what G n is before nu = 1/2; by the hole's size, as large as other rows.
        const double factor = -0.5 * std::sqrt(hole.area / std::numbers::pi) * scaled.scale / system.material.shear;
        const std::vector<Complex> normals = rim_normals(system, scaled, hole);
        add_rows(system.h, rows.h, normals, factor);
        add_rows(system.g, rows.g, normals, factor);
        add_rows(system.body, rows.body, normals, factor);
    }
}

}  // namespace limber
