// The same loops with 256-bit vectors. Earned by bench/bem_bench.cpp.
#include "kernels/kelvin_body.hpp"

#if defined(__x86_64__)
#ifndef LIMBER_AVX2
#define LIMBER_AVX2 __attribute__((target("avx2")))
#endif

namespace limber {

LIMBER_AVX2 void kelvin_blocks_avx2(const KelvinRule& rule, const double* places, const KelvinFactors& factors,
                                    KelvinBlocks& out) noexcept {
    kelvin::blocks(rule, places, factors, out);
}

LIMBER_AVX2 void kelvin_add_avx2(const KelvinFacet& facet, const double* places, const KelvinBlocks& blocks,
                                 const KelvinRows& rows) noexcept {
    kelvin::add(facet, places, blocks, rows);
}

}  // namespace limber

#else

namespace limber {

void kelvin_blocks_avx2(const KelvinRule& rule, const double* places, const KelvinFactors& factors,
                        KelvinBlocks& out) noexcept {
    kelvin_blocks_baseline(rule, places, factors, out);
}

void kelvin_add_avx2(const KelvinFacet& facet, const double* places, const KelvinBlocks& blocks,
                     const KelvinRows& rows) noexcept {
    kelvin_add_baseline(facet, places, blocks, rows);
}

}  // namespace limber

#endif
