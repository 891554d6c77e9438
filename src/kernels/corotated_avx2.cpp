// The same loops with 256-bit vectors. Earned by bench/corotational/beam_steps.cpp.
#include "kernels/corotated_body.hpp"

#if defined(__x86_64__)
#ifndef LIMBER_AVX2
#define LIMBER_AVX2 __attribute__((target("avx2")))
#endif

namespace limber {
namespace {

LIMBER_AVX2 void gradient_tets_avx2(const TetBatch& batch, const double* u, double* f) noexcept {
    corotated::gradient(batch, u, f);
}
LIMBER_AVX2 unsigned rotate_tets_avx2(const double* f, double* q) noexcept {
    return corotated::rotate(f, q);
}
LIMBER_AVX2 void respond_tets_avx2(const TetBatch& batch, const double* f, const double* q, double* force, double* energy, double* turned) noexcept {
    corotated::respond(batch, f, q, force, energy, turned);
}
LIMBER_AVX2 void respond_volume_tets_avx2(const TetBatch& batch, const double* f, const double* q, double* force, double* energy, double* turned, double* pushed) noexcept {
    corotated::respond_volume(batch, f, q, force, energy, turned, pushed);
}
LIMBER_AVX2 void damp_tets_avx2(const TetBatch& batch, const double* f, const double* dv, const double* q, double* force) noexcept {
    corotated::damp<false>(batch, f, dv, q, force);
}
LIMBER_AVX2 void damp_volume_tets_avx2(const TetBatch& batch, const double* f, const double* dv, const double* q, double* force) noexcept {
    corotated::damp<true>(batch, f, dv, q, force);
}

}  // namespace

const CorotatedKernels& corotated_kernels_avx2() noexcept {
    static constexpr CorotatedKernels kernels{gradient_tets_avx2, rotate_tets_avx2, respond_tets_avx2, respond_volume_tets_avx2, damp_tets_avx2, damp_volume_tets_avx2};
    return kernels;
}

LIMBER_AVX2 void corotated_block_avx2(const TetPair* pairs, std::size_t count, const double* corners, const double* lame, double* block) noexcept {
    corotated::block(pairs, count, corners, lame, block);
}

}  // namespace limber

#else

namespace limber {
const CorotatedKernels& corotated_kernels_avx2() noexcept { return corotated_kernels_baseline(); }
void corotated_block_avx2(const TetPair* pairs, std::size_t count, const double* corners, const double* lame, double* block) noexcept {
    corotated_block_baseline(pairs, count, corners, lame, block);
}
}  // namespace limber

#endif
