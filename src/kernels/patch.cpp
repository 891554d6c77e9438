#include "kernels/patch_body.hpp"

namespace limber {
namespace {

double patch_product_baseline(const FloatPatches& a, const float* x, float* y) noexcept {
    return patch::product(a, x, y);
}
double patch_stress_baseline(const FloatPatches& a, const float* x, float* stress, std::size_t begin,
                             std::size_t end) noexcept {
    return patch::stress(a, x, stress, begin, end);
}
void patch_reduce_baseline(const float* numbers, bool turns, const float* motions, std::size_t count,
                           float* const* block) noexcept {
    patch::reduce(numbers, turns, motions, count, block);
}
void patch_diagonal_baseline(const FloatPatches& a, std::size_t p, const float* numbers, float* blocks) noexcept {
    patch::diagonal(a, p, numbers, blocks);
}
void patch_forces_baseline(const FloatPatchRows& a, const float* stress, float* y, std::size_t begin,
                           std::size_t end) noexcept {
    patch::forces(a, stress, y, begin, end);
}

}  // namespace

const PatchKernels& patch_kernels_baseline() noexcept {
    static constexpr PatchKernels kernels{patch_product_baseline, patch_stress_baseline, patch_reduce_baseline,
                                          patch_diagonal_baseline, patch_forces_baseline};
    return kernels;
}

}  // namespace limber
