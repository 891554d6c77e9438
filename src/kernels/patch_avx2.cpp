// The same loops with 256-bit vectors and fused multiply-add. Earned by bench/corotational/averaged_steps.cpp.
#include "kernels/patch_body.hpp"

#if defined(__x86_64__)
#if defined(__clang__)
#define LIMBER_PATCH_AVX2 __attribute__((target("avx2,fma")))
#else
#define LIMBER_PATCH_AVX2 __attribute__((target("avx2,fma"), optimize("fp-contract=fast")))
#endif

namespace limber {
namespace {

LIMBER_PATCH_AVX2 double patch_product_avx2(const FloatPatches& a, const float* x, float* y) noexcept {
    return patch::product(a, x, y);
}
LIMBER_PATCH_AVX2 double patch_stress_avx2(const FloatPatches& a, const float* x, float* stress, std::size_t begin,
                                           std::size_t end) noexcept {
    return patch::stress(a, x, stress, begin, end);
}
LIMBER_PATCH_AVX2 void patch_reduce_avx2(const float* numbers, bool turns, const float* motions, std::size_t count,
                                         float* const* block) noexcept {
    patch::reduce(numbers, turns, motions, count, block);
}
LIMBER_PATCH_AVX2 void patch_diagonal_avx2(const FloatPatches& a, std::size_t p, const float* numbers,
                                           float* blocks) noexcept {
    patch::diagonal(a, p, numbers, blocks);
}
LIMBER_PATCH_AVX2 void patch_forces_avx2(const FloatPatchRows& a, const float* stress, float* y, std::size_t begin,
                                         std::size_t end) noexcept {
    patch::forces(a, stress, y, begin, end);
}

}  // namespace

const PatchKernels& patch_kernels_avx2() noexcept {
    static constexpr PatchKernels kernels{patch_product_avx2, patch_stress_avx2, patch_reduce_avx2, patch_diagonal_avx2,
                                          patch_forces_avx2};
    return kernels;
}

}  // namespace limber

#else

namespace limber {
const PatchKernels& patch_kernels_avx2() noexcept { return patch_kernels_baseline(); }
}  // namespace limber

#endif
