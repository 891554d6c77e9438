#include "bem/space_rows.hpp"

#include "core/parallel.hpp"
#include "kernels/isa.hpp"

#include <algorithm>

namespace limber {

struct SpaceRows::Quad {
    std::size_t begin, count;
    double positions[12];  // x of four, y of four, z of four; the last node fills up
    Vec3 point[kNodes];
};

SpaceRows::SpaceRows(BoundarySystem& system, const std::vector<SpacePanel>& panels, double accuracy, std::size_t tasks)
    : system_(system), panels_(panels), choice_(accuracy), factors_(kelvin_factors(system.material)), sums_(tasks) {
    for (std::vector<double>& s : sums_) s.resize(12 * (system.unknowns() + system.tractions()) + 4 * (36 + 9));
}

// The finest rule that one of the nodes asks for, and closed forms for those that are too near. The own corner's t is
// nothing: it follows from rest.
void SpaceRows::integrate(std::size_t facet, const Quad& quad, KelvinBlocks& blocks) const {
    const SpacePanel& panel = panels_[facet];
    int rules[kNodes], finest = -1;
    for (std::size_t lane = 0; lane < kNodes; ++lane)
        finest = std::max(finest, rules[lane] = choice_(panel.facet(), quad.point[lane]));
    if (finest >= 0) panel.by_rule(finest, quad.positions, factors_, blocks);
    for (std::size_t lane = 0; lane < kNodes; ++lane) {
        if (rules[lane] >= 0) continue;
        const auto node = static_cast<std::int32_t>(quad.begin + std::min(lane, quad.count - 1));
        int corner = -1;
        for (int k = 0; k < 3; ++k)
            if (system_.shape.facets[3 * facet + static_cast<std::size_t>(k)] == node) corner = k;
        SpaceBlocks near;
        panel.closed(quad.point[lane], corner, factors_, near);
        for (int k = 0; k < 3; ++k) {
            for (int e = 0; e < 9; ++e) {
                blocks.u[k][e][lane] = near.u[k][e];
                blocks.t[k][e][lane] = k == corner ? 0.0 : near.t[k][e];
            }
        }
    }
}

void SpaceRows::sum_facets(std::size_t task, std::size_t begin, std::size_t end) noexcept {
    Quad quad{begin, end - begin, {}, {}};
    for (std::size_t lane = 0; lane < kNodes; ++lane) {
        quad.point[lane] = system_.nodes[std::min(begin + lane, end - 1)];
        for (std::size_t c = 0; c < 3; ++c) quad.positions[4 * c + lane] = quad.point[lane][static_cast<int>(c)];
    }
    std::vector<double>& sums = sums_[task];
    std::fill(sums.begin(), sums.end(), 0.0);
    double* const h = sums.data();
    double* const g = h + 12 * system_.unknowns();
    double* const body = g + 12 * system_.tractions();
    const KelvinRows rows{h, g, body, body + 4 * 36};
    const double origin[3] = {system_.origin.x, system_.origin.y, system_.origin.z};
    const auto add = kernel_choice() == Isa::baseline ? kelvin_add_baseline : kelvin_add_avx2;
    KelvinBlocks blocks;
    for (std::size_t f = 0; f < panels_.size(); ++f) {
        if (f + 1 < panels_.size()) panels_[f + 1].fetch();
        integrate(f, quad, blocks);
        const SpaceFacet& facet = panels_[f].facet();
        KelvinFacet to{{&facet.corner[0].x, &facet.corner[1].x, &facet.corner[2].x},
                       {},
                       {},
                       {facet.normal().x, facet.normal().y, facet.normal().z},
                       origin};
        for (std::size_t k = 0; k < 3; ++k) {
            to.h_column[k] = 3 * static_cast<std::size_t>(system_.shape.facets[3 * f + k]);
            to.g_column[k] = 3 * static_cast<std::size_t>(system_.facet_slots[3 * f + k]);
        }
        add(to, quad.positions, blocks, rows);
    }
}

// Column by column, all nodes of the batch one after the other: what four nodes add to a column is less than two cache
// lines.
void SpaceRows::write(DenseMatrix& to, std::size_t offset, std::size_t column_stride, std::size_t row_stride,
                      std::size_t begin, std::size_t end) const noexcept {
    parallel_blocks(to.columns, 64, [&](std::size_t, std::size_t first, std::size_t last) noexcept {
        for (std::size_t j = first; j < last; ++j) {
            for (std::size_t node = begin; node < end; ++node) {
                const double* from = sums_[(node - begin) / kNodes].data() + offset + column_stride * j +
                                     (node - begin) % kNodes;
                for (std::size_t i = 0; i < 3; ++i) to(3 * node + i, j) = from[row_stride * i];
            }
        }
    });
}

void SpaceRows::set(std::size_t begin, std::size_t end) noexcept {
    parallel_blocks(end - begin, kNodes, [&](std::size_t task, std::size_t first, std::size_t last) noexcept {
        sum_facets(task, begin + first, begin + last);
    });
    const std::size_t g = 12 * system_.unknowns(), body = g + 12 * system_.tractions(), rest = body + 4 * 36;
    write(system_.h, 0, 12, 4, begin, end);
    write(system_.g, g, 12, 4, begin, end);
    write(system_.body, body, 4, 48, begin, end);
    for (std::size_t node = begin; node < end; ++node) {
        for (std::size_t i = 0; i < 9; ++i) {
            system_.h(3 * node + i / 3,
                      3 * node + i % 3) += sums_[(node - begin) / kNodes][rest + 4 * i + (node - begin) % kNodes];
        }
    }
}

}  // namespace limber
