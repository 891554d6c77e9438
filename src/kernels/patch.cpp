#include "kernels/patch_body.hpp"

namespace limber {
namespace {

double patch_stress_baseline(const FloatPatches& a, const float* x, float* stress, std::size_t begin, std::size_t end) noexcept {
    return patch::stress(a, x, stress, begin, end);
}
void patch_reduce_baseline(const float* numbers, bool turns, const float* motions, std::size_t count, float* const* block) noexcept {
    patch::reduce(numbers, turns, motions, count, block);
}
void patch_forces_baseline(const FloatPatchRows& a, const float* stress, float* y, std::size_t begin, std::size_t end) noexcept {
    patch::forces(a, stress, y, begin, end);
}

}  // namespace

const PatchKernels& patch_kernels_baseline() noexcept {
    static constexpr PatchKernels kernels{patch_stress_baseline, patch_reduce_baseline, patch_forces_baseline};
    return kernels;
}

}  // namespace limber
