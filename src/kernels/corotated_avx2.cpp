// The same loops with 256-bit vectors. Earned by bench/corotational/corotational_steps.cpp.
#include "kernels/corotated_body.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#ifndef LIMBER_AVX2
#define LIMBER_AVX2 __attribute__((target("avx2")))
#endif

namespace limber {
namespace {

using corotated::Quad;

template <std::size_t S>
LIMBER_AVX2 unsigned rotate_four(const double* f, double* quaternion) noexcept {
    Quad q[4], length;
    corotated::MaskOf<Quad> done;
    corotated::find_turn<Quad, S>(f, quaternion, q, length, done);
    return corotated::keep_turn<Quad, S>(q, _mm256_sqrt_pd(length), done, quaternion);
}

LIMBER_AVX2 void gradient_tets_avx2(const TetBatch& batch, const double* u, double* f) noexcept {
    corotated::gradient<Quad, kTetBatch>(corotated::half(batch, 0), u, f);
    corotated::gradient<Quad, kTetBatch>(corotated::half(batch, 1), u, f + 4);
}
LIMBER_AVX2 unsigned rotate_tets_avx2(const double* f, double* q) noexcept { return rotate_four<4>(f, q); }
LIMBER_AVX2 unsigned rotate_batch_tets_avx2(const double* f, double* q) noexcept {
    const unsigned low = rotate_four<kTetBatch>(f, q);
    return low | rotate_four<kTetBatch>(f + 4, q + 4) << 4;
}
LIMBER_AVX2 void respond_tets_avx2(const TetBatch& batch, const double* f, const double* q, double* force,
                                   double* energy, double* turned) noexcept {
    for (std::size_t h = 0; h < 8; h += 4) {
        corotated::respond<Quad, kTetBatch>(corotated::half(batch, h / 4), f + h, q + h, force + h, energy + h,
                                            turned + h);
    }
}
LIMBER_AVX2 void respond_volume_tets_avx2(const TetBatch& batch, const double* f, const double* q, double* force,
                                          double* energy, double* turned, double* pushed) noexcept {
    for (std::size_t h = 0; h < 8; h += 4) {
        corotated::respond_volume<Quad, kTetBatch>(corotated::half(batch, h / 4), f + h, q + h, force + h, energy + h,
                                                   turned + h, pushed + h);
    }
}
LIMBER_AVX2 void damp_tets_avx2(const TetBatch& batch, const double* f, const double* dv, const double* q,
                                double* force) noexcept {
    for (std::size_t h = 0; h < 8; h += 4)
        corotated::damp<false, Quad, kTetBatch>(corotated::half(batch, h / 4), f + h, dv + h, q + h, force + h);
}
LIMBER_AVX2 void damp_volume_tets_avx2(const TetBatch& batch, const double* f, const double* dv, const double* q,
                                       double* force) noexcept {
    for (std::size_t h = 0; h < 8; h += 4)
        corotated::damp<true, Quad, kTetBatch>(corotated::half(batch, h / 4), f + h, dv + h, q + h, force + h);
}
LIMBER_AVX2 void spread_tets_avx2(const double* turned, const double* pushed, double* corners) noexcept {
    corotated::spread(turned, pushed, corners);
}
LIMBER_AVX2 void block_tets_avx2(const TetPair* pairs, std::size_t count, const double* corners, const double* lame,
                                 double* block) noexcept {
    corotated::block(pairs, count, corners, lame, block);
}

}  // namespace

const CorotatedKernels& corotated_kernels_avx2() noexcept {
    static constexpr CorotatedKernels kernels{gradient_tets_avx2,    rotate_tets_avx2,         rotate_batch_tets_avx2,
                                              respond_tets_avx2,     respond_volume_tets_avx2, damp_tets_avx2,
                                              damp_volume_tets_avx2, spread_tets_avx2,         block_tets_avx2};
    return kernels;
}

}  // namespace limber

#else

namespace limber {
const CorotatedKernels& corotated_kernels_avx2() noexcept { return corotated_kernels_baseline(); }
}  // namespace limber

#endif
