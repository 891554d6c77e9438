#include "bem/space_rows.hpp"

#include "kernels/isa.hpp"

#include <algorithm>

namespace limber {

struct SpaceRows::Quad {
    std::size_t begin, count;
    double places[12];          // x of four, y of four, z of four; the last node fills up
    Vec3 point[kNodes];
};

SpaceRows::SpaceRows(BoundarySystem& system, const std::vector<SpacePanel>& panels, double accuracy, std::size_t tasks)
    : system_(system), panels_(panels), choice_(accuracy), factors_(kelvin_factors(system.material)), sums_(tasks) {
    for (std::vector<double>& s : sums_) s.resize(12 * (system.unknowns() + system.tractions()) + 4 * (36 + 9));
}

// The finest rule that one of the nodes asks for, and closed forms for those that are too near. The own corner's t is nothing: it follows from rest.
void SpaceRows::integrate(std::size_t facet, const Quad& quad, KelvinBlocks& blocks) const {
    const SpacePanel& panel = panels_[facet];
    int rules[kNodes], finest = -1;
    for (std::size_t lane = 0; lane < kNodes; ++lane) finest = std::max(finest, rules[lane] = choice_(panel.facet(), quad.point[lane]));
    if (finest >= 0) panel.by_rule(finest, quad.places, factors_, blocks);
    for (std::size_t lane = 0; lane < kNodes; ++lane) {
        if (rules[lane] >= 0) continue;
        const auto node = static_cast<std::int32_t>(quad.begin + std::min(lane, quad.count - 1));
        int corner = -1;
        for (int k = 0; k < 3; ++k)
            if (system_.shape.facets[3 * facet + static_cast<std::size_t>(k)] == node) corner = k;
        SpaceBlocks near;
        panel.closed(quad.point[lane], corner, factors_, near);
        for (int k = 0; k < 3; ++k)
            for (int e = 0; e < 9; ++e) {
                blocks.u[k][e][lane] = near.u[k][e];
                blocks.t[k][e][lane] = k == corner ? 0.0 : near.t[k][e];
            }
    }
}

void SpaceRows::set(std::size_t task, std::size_t begin, std::size_t end) noexcept {
    Quad quad{begin, end - begin, {}, {}};
    for (std::size_t lane = 0; lane < kNodes; ++lane) {
        quad.point[lane] = system_.nodes[std::min(begin + lane, end - 1)];
        for (std::size_t c = 0; c < 3; ++c) quad.places[4 * c + lane] = quad.point[lane][static_cast<int>(c)];
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
        integrate(f, quad, blocks);
        const SpaceFacet& facet = panels_[f].facet();
        KelvinFacet to{{&facet.corner[0].x, &facet.corner[1].x, &facet.corner[2].x}, {}, {}, {facet.normal().x, facet.normal().y, facet.normal().z}, origin};
        for (std::size_t k = 0; k < 3; ++k) {
            to.h_column[k] = 3 * static_cast<std::size_t>(system_.shape.facets[3 * f + k]);
            to.g_column[k] = 3 * static_cast<std::size_t>(system_.facet_slots[3 * f + k]);
        }
        add(to, quad.places, blocks, rows);
    }
    write(quad, rows);
}

void SpaceRows::write(const Quad& quad, const KelvinRows& sums) const {
    const auto copy = [&](DenseMatrix& to, const double* from, std::size_t stride_column, std::size_t stride_row) {
        for (std::size_t j = 0; j < to.columns; ++j)
            for (std::size_t lane = 0; lane < quad.count; ++lane)
                for (std::size_t i = 0; i < 3; ++i) to(3 * (quad.begin + lane) + i, j) = from[stride_column * j + stride_row * i + lane];
    };
    copy(system_.h, sums.h, 12, 4);
    copy(system_.g, sums.g, 12, 4);
    copy(system_.body, sums.body, 4, 48);
    for (std::size_t lane = 0; lane < quad.count; ++lane)
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) system_.h(3 * (quad.begin + lane) + i, 3 * (quad.begin + lane) + j) += sums.rest[4 * (3 * i + j) + lane];
}

}  // namespace limber
