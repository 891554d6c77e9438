#include "kernels/kelvin_body.hpp"

namespace limber {

void kelvin_blocks_baseline(const KelvinRule& rule, const double* positions, const KelvinFactors& factors,
                            KelvinBlocks& out) noexcept {
    kelvin::blocks(rule, positions, factors, out);
}

void kelvin_add_baseline(const KelvinFacet& facet, const double* positions, const KelvinBlocks& blocks,
                         const KelvinRows& rows) noexcept {
    kelvin::add(facet, positions, blocks, rows);
}

}  // namespace limber
