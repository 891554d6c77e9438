// What one source point sees of all edges: rows of displacement (at nodes and inside) and of stress.
#include "bem/plane_rows.hpp"

namespace limber {

namespace {

EdgeSource source_on(const BoundarySystem& system, std::size_t edge, std::int64_t node) {
    if (node < 0) return EdgeSource::apart;
    if (system.elements == BoundaryElements::constant)
        return static_cast<std::int64_t>(edge) == node ? EdgeSource::within : EdgeSource::apart;
    if (system.shape.facets[2 * edge] == node) return EdgeSource::at_start;
    return system.shape.facets[2 * edge + 1] == node ? EdgeSource::at_end : EdgeSource::apart;
}

/// The columns of an edge; constant elements have one node and one slot.
struct EdgeColumns {
    std::size_t count;
    std::array<std::size_t, 2> node, slot;
};

EdgeColumns columns_of(const BoundarySystem& system, std::size_t edge) {
    if (system.elements == BoundaryElements::constant) return {1, {2 * edge, 0}, {2 * edge, 0}};
    EdgeColumns out{2, {}, {}};
    for (std::size_t k = 0; k < 2; ++k) {
        out.node[k] = 2 * static_cast<std::size_t>(system.shape.facets[2 * edge + k]);
        out.slot[k] = 2 * static_cast<std::size_t>(system.facet_slots[2 * edge + k]);
    }
    return out;
}

void add_block(DenseMatrix& a, std::size_t row, std::size_t column, const PlaneMap& map, double factor) {
    a(row, column) += factor * (map.plain.real() + map.mirrored.real());
    a(row, column + 1) += factor * (map.mirrored.imag() - map.plain.imag());
    a(row + 1, column) += factor * (map.plain.imag() + map.mirrored.imag());
    a(row + 1, column + 1) += factor * (map.plain.real() - map.mirrored.real());
}

/// xx, yy, xy from the pair (sum, difference).
void add_stress(DenseMatrix& a, std::size_t column, double sum, const Complex& difference, double factor) {
    a(0, column) += factor * 0.5 * (sum + difference.real());
    a(1, column) += factor * 0.5 * (sum - difference.real());
    a(2, column) += factor * 0.5 * difference.imag();
}

void add_stress_block(DenseMatrix& a, std::size_t column, const PlaneStressMap& map, double factor) {
    for (std::size_t j = 0; j < 2; ++j) {
        const Complex unit = j == 0 ? Complex{1.0, 0.0} : Complex{0.0, 1.0};
        add_stress(a, column + j, (map.sum * unit).real(), map.difference(unit), factor);
    }
}

PlaneMap minus(PlaneMap a, const PlaneMap& b) {
    a.plain -= b.plain;
    a.mirrored -= b.mirrored;
    return a;
}
PlaneStressMap minus(PlaneStressMap a, const PlaneStressMap& b) {
    a.sum -= b.sum;
    a.difference = minus(a.difference, b.difference);
    return a;
}

/// Weights of the edge's two nodes from moments 1 and xi: 1 - xi and xi; of a constant element: 1.
template <class Map>
std::array<Map, 2> shaped(const std::array<Map, 2>& moment, std::size_t count) {
    return count == 1 ? std::array<Map, 2>{moment[0], Map{}}
                      : std::array<Map, 2>{minus(moment[0], moment[1]), moment[1]};
}

double body_unit(const ScaledBoundary& scaled, const PlaneBodyField& field) {
    return field.power == 2 ? scaled.scale : scaled.scale * scaled.scale;
}

}  // namespace

void add_displacement_rows(const BoundarySystem& system, const ScaledBoundary& scaled, const PlaneSource& source,
                           DenseMatrix& h, DenseMatrix& g, DenseMatrix& body) noexcept {
    const PlaneConstants constants(system.material.poisson);
    const auto fields = plane_body_fields(system.material.poisson);
    const double compliance = scaled.scale / system.material.shear;
    std::array<Complex, kPlaneBodyColumns> loads{}, at_source;
    for (std::size_t c = 0; c < kPlaneBodyColumns; ++c) at_source[c] = fields[c].displacement(source.at);
    for (std::size_t e = 0; e < scaled.edges.size(); ++e) {
        const PlaneEdge& edge = scaled.edges[e];
        const EdgeIntegrals q = integrate_edge(edge, source.at, source_on(system, e, source.node), 4, 2);
        std::array<PlaneMap, 4> single, twice;
        for (int m = 0; m < 4; ++m) {
            single[static_cast<std::size_t>(m)] = single_layer(constants, edge, q, m);
            twice[static_cast<std::size_t>(m)] = double_layer(constants, edge, q, m);
        }
        const EdgeColumns columns = columns_of(system, e);
        const auto g_shape = shaped<PlaneMap>({single[0], single[1]}, columns.count),
                   h_shape = shaped<PlaneMap>({twice[0], twice[1]}, columns.count);
        for (std::size_t k = 0; k < columns.count; ++k) {
            add_block(g, source.row, columns.slot[k], g_shape[k], compliance);
            add_block(h, source.row, columns.node[k], h_shape[k], 1.0);
        }
        // A body force's share: int T (u_p - u_p(source)) - int U t_p. Rigid translation has taken care of the free
        // term.
        for (std::size_t c = 0; c < kPlaneBodyColumns; ++c) {
            auto u = fields[c].displacement_along(edge);
            const auto t = fields[c].traction_along(edge);
            u[0] -= at_source[c];
            for (std::size_t m = 0; m < 4; ++m) loads[c] += twice[m](u[m]) - single[m](t[m]);
        }
    }
    for (std::size_t c = 0; c < kPlaneBodyColumns; ++c) {
        const double unit = compliance * body_unit(scaled, fields[c]);
        body(source.row, c) = unit * loads[c].real();
        body(source.row + 1, c) = unit * loads[c].imag();
    }
}

InnerRows plane_displacement_rows(const BoundarySystem& system, const Vec3& point) {
    InnerRows rows{DenseMatrix(2, system.unknowns()), DenseMatrix(2, system.tractions()),
                   DenseMatrix(2, kPlaneBodyColumns)};
    const ScaledBoundary scaled = scaled_boundary(system);
    add_displacement_rows(system, scaled, {scaled.coordinates(point), -1, 0}, rows.h, rows.g, rows.body);
    return rows;
}

InnerRows plane_stress_rows(const BoundarySystem& system, const Vec3& point) {
    InnerRows rows{DenseMatrix(3, system.unknowns()), DenseMatrix(3, system.tractions()),
                   DenseMatrix(3, kPlaneBodyColumns)};
    const ScaledBoundary scaled = scaled_boundary(system);
    const PlaneConstants constants(system.material.poisson);
    const auto fields = plane_body_fields(system.material.poisson);
    const Complex source = scaled.coordinates(point);
    for (std::size_t e = 0; e < scaled.edges.size(); ++e) {
        const PlaneEdge& edge = scaled.edges[e];
        const EdgeIntegrals q = integrate_edge(edge, source, EdgeSource::apart, 4, 3);
        std::array<PlaneStressMap, 4> single, twice;
        for (int m = 0; m < 4; ++m) {
            single[static_cast<std::size_t>(m)] = stress_of_single_layer(constants, edge, q, m);
            twice[static_cast<std::size_t>(m)] = stress_of_double_layer(constants, edge, q, m);
        }
        const EdgeColumns columns = columns_of(system, e);
        const auto g_shape = shaped<PlaneStressMap>({single[0], single[1]}, columns.count);
        const auto h_shape = shaped<PlaneStressMap>({twice[0], twice[1]}, columns.count);
        for (std::size_t k = 0; k < columns.count; ++k) {
            add_stress_block(rows.g, columns.slot[k], g_shape[k], 1.0);
            add_stress_block(rows.h, columns.node[k], h_shape[k], system.material.shear / scaled.scale);
        }
        // Less the linear part of the field about the source, of which the identity holds by itself: inside as well as
        // outside.
        for (std::size_t c = 0; c < kPlaneBodyColumns; ++c) {
            const PlaneBodyField& field = fields[c];
            const auto u = field.displacement_beyond(edge, source), t = field.traction_beyond(edge, source);
            for (std::size_t m = 0; m < 4; ++m) {
                const double sum = (twice[m].sum * u[m] - single[m].sum * t[m]).real();
                add_stress(rows.body, c, sum, twice[m].difference(u[m]) - single[m].difference(t[m]),
                           body_unit(scaled, field));
            }
        }
    }
    return rows;
}

}  // namespace limber
