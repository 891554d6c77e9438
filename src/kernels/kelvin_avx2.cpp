// The same loops with 256-bit vectors. Earned by bench/bem_bench.cpp.
#include "kernels/kelvin_body.hpp"

#if defined(__x86_64__)
#ifndef LIMBER_AVX2
#define LIMBER_AVX2 __attribute__((target("avx2")))
#endif

namespace limber {

LIMBER_AVX2 void kelvin_blocks_avx2(const KelvinRule& rule, const double* positions, const KelvinFactors& factors,
                                    KelvinBlocks& out) noexcept {
    kelvin::blocks(rule, positions, factors, out);
}

LIMBER_AVX2 void kelvin_add_avx2(const KelvinFacet& facet, const double* positions, const KelvinBlocks& blocks,
                                 const KelvinRows& rows) noexcept {
    kelvin::add(facet, positions, blocks, rows);
}

}  // namespace limber

#else

namespace limber {

void kelvin_blocks_avx2(const KelvinRule& rule, const double* positions, const KelvinFactors& factors,
                        KelvinBlocks& out) noexcept {
    kelvin_blocks_baseline(rule, positions, factors, out);
}

void kelvin_add_avx2(const KelvinFacet& facet, const double* positions, const KelvinBlocks& blocks,
                     const KelvinRows& rows) noexcept {
    kelvin_add_baseline(facet, positions, blocks, rows);
}

}  // namespace limber

#endif
