// What a BlockCg keeps in scratch memory, as pointers.
#pragma once

#include "core/parallel.hpp"
#include "kernels/isa.hpp"
#include "kernels/patch.hpp"
#include "linalg/aligned.hpp"
#include "linalg/block_cg.hpp"

namespace limber {

constexpr std::size_t kPatchesAtOnce = 256;  // in a parallel loop

/// Numbers of patches are laid out for so many.
constexpr std::size_t whole_lanes(std::size_t patches) {
    return (patches + kPatchLanes - 1) / kPatchLanes * kPatchLanes;
}

struct BlockCg::Parts {
    // Vectors of AVX-512 that lie across two lines of the cache take twice as long; lay_out() leaves room.
    Parts(const Layout& at, double* anywhere) : Parts(at, on_cache_line(anywhere), 0) {}
    Parts(const Layout& at, double* scratch, int)
        : patch_stress(scratch + at.patch_stress),
          patch_sums(scratch + at.patch_sums),
          patch_numbers(floats(scratch + at.patch_numbers)),
          patch_floats(floats(scratch + at.patch_floats)),
          scale(scratch + at.scale),
          residual(scratch + at.residual),
          direction(scratch + at.direction),
          product(scratch + at.product),
          sums(scratch + at.sums),
          values(floats(scratch + at.values)),
          inverse(floats(scratch + at.inverse)),
          arm(floats(scratch + at.arm)),
          x(floats(scratch + at.x)),
          r(floats(scratch + at.r)),
          z(floats(scratch + at.z)),
          p(floats(scratch + at.p)),
          q(floats(scratch + at.q)),
          coarse(floats(scratch + at.coarse)),
          resultant(floats(scratch + at.resultant)),
          motion(floats(scratch + at.motion)),
          map(reinterpret_cast<std::int32_t*>(scratch + at.map)),
          plane(at.plane),
          kernels(float_kernels(kernel_choice())) {}
    static const FloatKernels& float_kernels(Isa isa) {
        return isa >= Isa::avx512 ? float_kernels_avx512()
               : isa >= Isa::avx2 ? float_kernels_avx2()
                                  : float_kernels_baseline();
    }
    static float* floats(double* p) { return reinterpret_cast<float*>(p); }
    FloatVectors vectors() const { return {x, r, z, p, q, inverse, arm, plane}; }

    double *patch_stress, *patch_sums;
    float *patch_numbers, *patch_floats;
    double *scale, *residual, *direction, *product, *sums;
    float *values, *inverse, *arm, *x, *r, *z, *p, *q, *coarse, *resultant, *motion;
    std::int32_t* map;
    std::size_t plane;
    const FloatKernels& kernels;
};

/// f(aggregate) over the aggregates of each chunk.
template <class F>
void for_chunks(const std::vector<std::int32_t>& chunks, F&& f) noexcept {
    parallel_blocks(chunks.size() - 1, 1, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t c = begin; c < end; ++c)
            f(c, static_cast<std::size_t>(chunks[c]), static_cast<std::size_t>(chunks[c + 1]));
    });
}

}  // namespace limber
