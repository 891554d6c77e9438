#include "kernels/corotated_body.hpp"
#include "kernels/isa.hpp"

namespace limber {
namespace {

using corotated::Quad;

template <std::size_t S>
unsigned rotate_four(const double* f, double* quaternion) noexcept {
    Quad q[4], length;
    corotated::MaskOf<Quad> done;
    corotated::find_turn<Quad, S>(f, quaternion, q, length, done);
    for (int c = 0; c < 4; ++c) length[c] = std::sqrt(length[c]);
    return corotated::keep_turn<Quad, S>(q, length, done, quaternion);
}

void gradient_tets_baseline(const TetBatch& batch, const double* u, double* f) noexcept {
    corotated::gradient<Quad, kTetBatch>(corotated::half(batch, 0), u, f);
    corotated::gradient<Quad, kTetBatch>(corotated::half(batch, 1), u, f + 4);
}
unsigned rotate_tets_baseline(const double* f, double* q) noexcept { return rotate_four<4>(f, q); }
unsigned rotate_batch_tets_baseline(const double* f, double* q) noexcept {
    const unsigned low = rotate_four<kTetBatch>(f, q);
    return low | rotate_four<kTetBatch>(f + 4, q + 4) << 4;
}
void respond_tets_baseline(const TetBatch& batch, const double* f, const double* q, double* force, double* energy,
                           double* turned) noexcept {
    for (std::size_t h = 0; h < 8; h += 4) {
        corotated::respond<Quad, kTetBatch>(corotated::half(batch, h / 4), f + h, q + h, force + h, energy + h,
                                            turned + h);
    }
}
void respond_volume_tets_baseline(const TetBatch& batch, const double* f, const double* q, double* force,
                                  double* energy, double* turned, double* pushed) noexcept {
    for (std::size_t h = 0; h < 8; h += 4) {
        corotated::respond_volume<Quad, kTetBatch>(corotated::half(batch, h / 4), f + h, q + h, force + h, energy + h,
                                                   turned + h, pushed + h);
    }
}
void damp_tets_baseline(const TetBatch& batch, const double* f, const double* dv, const double* q,
                        double* force) noexcept {
    for (std::size_t h = 0; h < 8; h += 4)
        corotated::damp<false, Quad, kTetBatch>(corotated::half(batch, h / 4), f + h, dv + h, q + h, force + h);
}
void damp_volume_tets_baseline(const TetBatch& batch, const double* f, const double* dv, const double* q,
                               double* force) noexcept {
    for (std::size_t h = 0; h < 8; h += 4)
        corotated::damp<true, Quad, kTetBatch>(corotated::half(batch, h / 4), f + h, dv + h, q + h, force + h);
}
void spread_tets_baseline(const double* turned, const double* pushed, double* corners) noexcept {
    corotated::spread(turned, pushed, corners);
}
void block_tets_baseline(const TetPair* pairs, std::size_t count, const double* corners, const double* lame,
                         double* block) noexcept {
    corotated::block(pairs, count, corners, lame, block);
}

}  // namespace

const CorotatedKernels& corotated_kernels_baseline() noexcept {
    static constexpr CorotatedKernels kernels{
        gradient_tets_baseline,    rotate_tets_baseline,         rotate_batch_tets_baseline,
        respond_tets_baseline,     respond_volume_tets_baseline, damp_tets_baseline,
        damp_volume_tets_baseline, spread_tets_baseline,         block_tets_baseline};
    return kernels;
}

const CorotatedKernels& corotated_kernels() noexcept {
    if (kernel_choice() >= Isa::avx512) return corotated_kernels_avx512();
    return kernel_choice() >= Isa::avx2 ? corotated_kernels_avx2() : corotated_kernels_baseline();
}

}  // namespace limber
