#include "kernels/kelvin_body.hpp"

namespace limber {

void kelvin_blocks_baseline(const KelvinRule& rule, const double* places, const KelvinFactors& factors,
                            KelvinBlocks& out) noexcept {
    kelvin::blocks(rule, places, factors, out);
}

void kelvin_add_baseline(const KelvinFacet& facet, const double* places, const KelvinBlocks& blocks,
                         const KelvinRows& rows) noexcept {
    kelvin::add(facet, places, blocks, rows);
}

}  // namespace limber
