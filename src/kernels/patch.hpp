// Single-precision products with stiffness that acts on averages over patches of vertices (linalg/patch_operator.hpp).
//
// A vertex is four floats (x, y, z, 0). Order of addition: over a patch's vertices by even and odd ones, to what a
// vertex has in the order of its patches; columns of a 3x3 product as (0 + 1) + 2. Baseline and AVX2 are the same
// source; AVX2 fuses products and sums (a twentieth of a step) and so differs in the last bits.
#pragma once

#include "kernels/patch_stress.hpp"

#include <cstddef>
#include <cstdint>

namespace limber {

constexpr std::size_t kPatchLanes = 8;    ///< patches side by side
constexpr std::size_t kPatchStress = 12;  ///< floats of a patch's stress: three columns of four

struct FloatPatches {
    const std::int32_t* starts;  ///< patch p: entries starts[p] up to starts[p + 1], an even number of them
    const std::uint32_t* rows;   ///< per entry: where its vertex begins in a field, four times its number
    const float* slopes;         ///< per entry: its gradient, four floats
    const float* numbers;  ///< PatchNumbers of eight patches side by side: number k of patch p at kCount * (p - p % 8)
                           ///< + 8 * k + p % 8
    bool turns;            ///< whether any patch has turning or pressing
    std::size_t count;     ///< of patches; numbers of those beyond, up to a multiple of eight, are zero
};

struct FloatPatchRows {
    const std::int32_t* starts;   ///< the i-th vertex of `order`: entries starts[i] up to starts[i + 1]
    const std::int32_t* patches;  ///< per entry
    const float* slopes;          ///< per entry: the vertex's gradient in that patch, four floats
    const std::int32_t* order;
};

struct PatchKernels {
    /// y += all patches' product with x. Returns x . (that product). One thread; `stress`, then `forces`, are the same
    /// in two halves whose parts may run side by side, with the same bits.
    double (*product)(const FloatPatches& a, const float* x, float* y) noexcept;
    /// Stresses of patches [begin, end) for the field x; begin is a multiple of eight. Returns the sum of G : T(G).
    double (*stress)(const FloatPatches& a, const float* x, float* stress, std::size_t begin, std::size_t end) noexcept;
    /// What a patch adds between the rigid motions of `count` groups of its vertices: for b, then for a from b on, the
    /// 6x6 block *block++ (columns of eight floats, b's motions by columns) += M_a^T T M_b. `motions`: per group nine
    /// rows of eight, the gradient's entries of its six motions and two zeros. `numbers`: the patch's own.
    void (*reduce)(const float* numbers, bool turns, const float* motions, std::size_t count,
                   float* const* block) noexcept;
    /// blocks += what patch p, whose own numbers are given, has on the diagonal at each of its vertices: three columns
    /// of four floats per vertex.
    void (*diagonal)(const FloatPatches& a, std::size_t p, const float* numbers, float* blocks) noexcept;
    /// y += what the stresses do to the vertices order[begin] up to order[end]
    void (*forces)(const FloatPatchRows& a, const float* stress, float* y, std::size_t begin, std::size_t end) noexcept;
};

const PatchKernels& patch_kernels_baseline() noexcept;
const PatchKernels& patch_kernels_avx2() noexcept;

}  // namespace limber
