// The stiffness of one patch (linalg/patch_operator.hpp), for one patch or as many side by side as a Real has lanes.
//   T(G) = mu (G + R G^T R) + lambda (R : G) R + bulk (C : G) C + [turning z]_x R + pressing cof'(F) G,    z the axial
//   vector of G R^T - R G^T
#pragma once

#include "kernels/unaligned.hpp"

#include <cstddef>

namespace limber {

/// Where a patch's numbers are: R, C, turning, F (row by row), mu, lambda, bulk, pressing, and room.
struct PatchNumbers {
    static constexpr std::size_t kCount = 45;
    static constexpr std::size_t kR = 0, kC = 9, kTurning = 18, kF = 27, kMu = 36, kLambda = 37, kBulk = 38,
                                 kPressing = 39;
};

/// `Turns`: with the last two terms. All 3x3 matrices row by row. `n`: a pointer to the patch's numbers, or what adds
/// and subscripts like one.
template <bool Turns, class Real, class Numbers>
LIMBER_INLINE void patch_stress(Numbers n, const Real* g, Real* t) {
    const auto r = n + PatchNumbers::kR, c = n + PatchNumbers::kC;
    Real rg = r[0] * g[0], cg = c[0] * g[0], turned[9];  // turned = G R^T
    for (std::size_t i = 1; i < 9; ++i) {
        rg += r[i] * g[i];
        cg += c[i] * g[i];
    }
    for (std::size_t i = 0; i < 9; i += 3)
        for (std::size_t j = 0; j < 3; ++j)
            turned[i + j] = g[i] * r[3 * j] + g[i + 1] * r[3 * j + 1] + g[i + 2] * r[3 * j + 2];
    const Real l = n[PatchNumbers::kLambda] * rg, b = n[PatchNumbers::kBulk] * cg, m = n[PatchNumbers::kMu];
    // (mu R G^T + [w]_x + lambda (R : G)) R: one product
    Real h[9] = {m * turned[0] + l, m * turned[3], m * turned[6], m * turned[1],    m * turned[4] + l,
                 m * turned[7],     m * turned[2], m * turned[5], m * turned[8] + l};
    if constexpr (Turns) {
        const auto k = n + PatchNumbers::kTurning;
        const Real z0 = turned[7] - turned[5], z1 = turned[2] - turned[6], z2 = turned[3] - turned[1];
        const Real w0 = k[0] * z0 + k[1] * z1 + k[2] * z2, w1 = k[3] * z0 + k[4] * z1 + k[5] * z2,
                   w2 = k[6] * z0 + k[7] * z1 + k[8] * z2;
        h[1] -= w2;
        h[2] += w1;
        h[3] += w2;
        h[5] -= w0;
        h[6] -= w1;
        h[7] += w0;
    }
    for (std::size_t i = 0; i < 9; i += 3) {
        for (std::size_t j = 0; j < 3; ++j)
            t[i + j] = m * g[i + j] + (h[i] * r[j] + h[i + 1] * r[3 + j] + h[i + 2] * r[6 + j]) + b * c[i + j];
    }
    if constexpr (Turns) {
        const auto f = n + PatchNumbers::kF;
        const Real p = n[PatchNumbers::kPressing];
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                const std::size_t a = 3 * ((i + 1) % 3), d = 3 * ((i + 2) % 3), e = (j + 1) % 3, q = (j + 2) % 3;
                t[3 * i + j] += p *
                                (f[a + e] * g[d + q] + g[a + e] * f[d + q] - f[a + q] * g[d + e] - g[a + q] * f[d + e]);
            }
        }
    }
}

}  // namespace limber
