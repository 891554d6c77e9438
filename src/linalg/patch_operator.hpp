// A part of a matrix that is kept as what it is made of: stiffness that acts on the gradient of a field averaged over patches of vertices. Written out
// it would couple all vertices of a patch with each other, four times as many blocks as the rest of the matrix has.
//
//   G = sum over the patch's vertices of x_b g_b^T,    y_a += T(G) g_a    for each patch; T linear and symmetric
//   T(G) = mu (G + R G^T R) + lambda (R : G) R + bulk (C : G) C + [turning z]_x R + pressing cof'(F) G,    z the axial vector of G R^T - R G^T
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace limber {

/// Four patches side by side.
using PatchLanes = float __attribute__((vector_size(16), may_alias));

/// Which vertices are in a patch and with which gradients; three numbers per vertex only. Constant: what changes are the kNumbers of each patch.
struct PatchOperator {
    static constexpr std::size_t kNumbers = 45;             ///< per patch: R, C, turning, F (row by row), mu, lambda, bulk, pressing, and room
    static constexpr std::size_t kR = 0, kC = 9, kTurning = 18, kF = 27, kMu = 36, kLambda = 37, kBulk = 38, kPressing = 39;

    std::vector<std::int32_t> starts{0}, vertices;          ///< patch by patch, vertices ascending
    std::vector<double> gradients;                          ///< three per entry of `vertices`
    std::vector<std::int32_t> around_starts{0}, around;     ///< per vertex: pairs (patch, entry of `vertices`)

    std::size_t count() const { return starts.size() - 1; }
    void list_around(std::size_t vertex_count);
    std::size_t bytes() const { return sizeof(std::int32_t) * (starts.size() + vertices.size() + around_starts.size() + around.size()) + sizeof(double) * gradients.size(); }

    /// y += the operator times x, both over all vertices, but for the unknowns marked in `held` (one byte each, or none). `stress`: nine doubles per patch.
    void add_product(const double* numbers, const double* x, const std::uint8_t* held, double* y, double* stress) const noexcept;
    /// out[i] += row `vertex` of the operator times x.
    void add_row(const double* numbers, std::size_t vertex, const double* x, double* out) const noexcept;
    /// The 3x3 block of a vertex with itself, added row by row.
    void add_diagonal(const double* numbers, std::size_t vertex, double* block) const noexcept;

    /// T(G) of one patch, or of as many as a Real has lanes. `Turns`: with the last two terms.
    template <bool Turns, class Real>
    static void stress(const Real* n, const Real* g, Real* t) noexcept {
        const Real *r = n + kR, *c = n + kC, *f = n + kF, *k = n + kTurning;
        Real rg = {}, cg = {}, turned[9];       // turned = G R^T
        for (int i = 0; i < 9; ++i) rg += r[i] * g[i], cg += c[i] * g[i];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) turned[3 * i + j] = g[3 * i] * r[3 * j] + g[3 * i + 1] * r[3 * j + 1] + g[3 * i + 2] * r[3 * j + 2];
        Real w0 = {}, w1 = {}, w2 = {};
        if constexpr (Turns) {
            const Real z[3] = {turned[7] - turned[5], turned[2] - turned[6], turned[3] - turned[1]};
            w0 = k[0] * z[0] + k[1] * z[1] + k[2] * z[2], w1 = k[3] * z[0] + k[4] * z[1] + k[5] * z[2], w2 = k[6] * z[0] + k[7] * z[1] + k[8] * z[2];
        }
        const Real l = n[kLambda] * rg, b = n[kBulk] * cg, m = n[kMu], p = n[kPressing];
        // (mu R G^T + [w]_x + lambda (R : G)) R: one product
        const Real h[9] = {m * turned[0] + l, m * turned[3] - w2, m * turned[6] + w1, m * turned[1] + w2, m * turned[4] + l, m * turned[7] - w0,
                           m * turned[2] - w1, m * turned[5] + w0, m * turned[8] + l};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                t[3 * i + j] = m * g[3 * i + j] + (h[3 * i] * r[j] + h[3 * i + 1] * r[3 + j] + h[3 * i + 2] * r[6 + j]) + b * c[3 * i + j];
        if constexpr (Turns)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) {
                    const int a = 3 * ((i + 1) % 3), d = 3 * ((i + 2) % 3), e = (j + 1) % 3, q = (j + 2) % 3;
                    t[3 * i + j] += p * (f[a + e] * g[d + q] + g[a + e] * f[d + q] - f[a + q] * g[d + e] - g[a + q] * f[d + e]);
                }
    }
};

}  // namespace limber
