#include "kernels/corotated_body.hpp"

namespace limber {
namespace {

void gradient_tets_baseline(const TetBatch& batch, const double* u, double* f) noexcept {
    corotated::gradient(batch, u, f);
}
unsigned rotate_tets_baseline(const double* f, double* q) noexcept {
    return corotated::rotate(f, q);
}
void respond_tets_baseline(const TetBatch& batch, const double* f, const double* q, double* force, double* energy, double* turned) noexcept {
    corotated::respond(batch, f, q, force, energy, turned);
}
void respond_volume_tets_baseline(const TetBatch& batch, const double* f, const double* q, double* force, double* energy, double* turned, double* pushed) noexcept {
    corotated::respond_volume(batch, f, q, force, energy, turned, pushed);
}
void damp_tets_baseline(const TetBatch& batch, const double* f, const double* dv, const double* q, double* force) noexcept {
    corotated::damp<false>(batch, f, dv, q, force);
}
void damp_volume_tets_baseline(const TetBatch& batch, const double* f, const double* dv, const double* q, double* force) noexcept {
    corotated::damp<true>(batch, f, dv, q, force);
}

}  // namespace

const CorotatedKernels& corotated_kernels_baseline() noexcept {
    static constexpr CorotatedKernels kernels{gradient_tets_baseline, rotate_tets_baseline, respond_tets_baseline, respond_volume_tets_baseline, damp_tets_baseline, damp_volume_tets_baseline};
    return kernels;
}

void corotated_block_baseline(const TetPair* pairs, std::size_t count, const double* corners, const double* lame, double* block) noexcept {
    corotated::block(pairs, count, corners, lame, block);
}

}  // namespace limber
