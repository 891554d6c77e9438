// Rows for points that are no nodes: inside, and (displacement) outside, where 0 = G t - H u + B f.
#include "bem/space_blocks.hpp"
#include "bem/space_shape.hpp"
#include "bem/space_stress.hpp"

namespace limber {
namespace {

constexpr double kInnerAccuracy = 1e-10;  // one point costs little

InnerRows empty_rows(const BoundarySystem& system, std::size_t rows) {
    return {DenseMatrix(rows, system.unknowns()), DenseMatrix(rows, system.tractions()), DenseMatrix(rows, 12)};
}

// `block`: rows by three, row by row.
void add_columns(DenseMatrix& m, std::int32_t at, const double* block) {
    for (std::size_t i = 0; i < m.rows; ++i)
        for (std::size_t j = 0; j < 3; ++j) m(i, 3 * static_cast<std::size_t>(at) + j) += block[3 * i + j];
}

void set_body(DenseMatrix& m, const double* rows) {
    for (std::size_t i = 0; i < m.rows; ++i)
        for (std::size_t j = 0; j < 12; ++j) m(i, j) = rows[12 * i + j];
}

}  // namespace

InnerRows space_displacement_rows(const BoundarySystem& system, const Vec3& point) {
    InnerRows out = empty_rows(system, 3);
    const RuleChoice choice(kInnerAccuracy);
    const KelvinFactors factors = kelvin_factors(system.material);
    SpaceBlocks blocks;
    double body[36] = {};
    for (std::size_t f = 0; f < system.shape.facet_count(); ++f) {
        const SpacePanel panel(facet_of(system.shape, f));
        const int rule = choice(panel.facet(), point);
        rule < 0 ? panel.closed(point, -1, factors, blocks) : panel.by_rule(rule, point, factors, blocks);
        for (std::size_t k = 0; k < 3; ++k) {
            add_columns(out.h, system.shape.facets[3 * f + k], blocks.t[k]);
            add_columns(out.g, system.facet_slots[3 * f + k], blocks.u[k]);
        }
        add_body_force(panel.facet(), point, system.origin, blocks, body);
    }
    set_body(out.body, body);
    return out;
}

InnerRows space_stress_rows(const BoundarySystem& system, const Vec3& point) {
    InnerRows out = empty_rows(system, 6);
    SpaceStressBlocks blocks;
    double body[72] = {};
    for (std::size_t f = 0; f < system.shape.facet_count(); ++f) {
        const SpaceFacet facet = facet_of(system.shape, f);
        stress_blocks(facet, point, system.material, blocks);
        for (std::size_t k = 0; k < 3; ++k) {
            add_columns(out.h, system.shape.facets[3 * f + k], blocks.s[k]);
            add_columns(out.g, system.facet_slots[3 * f + k], blocks.d[k]);
        }
        add_body_stress(facet, point, system.origin, blocks, body);
    }
    set_body(out.body, body);
    return out;
}

}  // namespace limber
