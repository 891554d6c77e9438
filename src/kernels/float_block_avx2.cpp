// The same loops with 256-bit vectors. Earned by bench/corotational/corotational_steps.cpp.
#include "kernels/float_block_body.hpp"

#if defined(__x86_64__)
#ifndef LIMBER_AVX2
#define LIMBER_AVX2 __attribute__((target("avx2")))
#endif

namespace limber {
namespace {

LIMBER_AVX2 void narrow_avx2(const double* values, const std::int32_t* entries, std::size_t count, double scale,
                             float* to) noexcept {
    float_block::narrow(values, entries, count, scale, to);
}
LIMBER_AVX2 double product_avx2(const FloatRows& a, const float* x, float* y, std::size_t begin,
                                std::size_t end) noexcept {
    return float_block::product(a, x, y, begin, end);
}
LIMBER_AVX2 void update_avx2(const FloatVectors& v, float alpha, std::size_t begin, std::size_t end, FloatSums& sums,
                             float* resultant) noexcept {
    float_block::update(v, alpha, begin, end, sums, resultant);
}
LIMBER_AVX2 void direction_avx2(const FloatVectors& v, float beta, const float* motion, std::size_t begin,
                                std::size_t end) noexcept {
    float_block::direction(v, beta, motion, begin, end);
}
LIMBER_AVX2 void reduce_avx2(const float* values, const std::int32_t* columns, std::size_t count, const float* arms,
                             const float* own, float* block) noexcept {
    float_block::reduce(values, columns, count, arms, own, block);
}
LIMBER_AVX2 void subtract6_avx2(float* c, const std::int32_t* c_at, const float* a, const float* b,
                                std::size_t count) noexcept {
    float_block::subtract6(c, c_at, a, b, count);
}
LIMBER_AVX2 void times6_avx2(float* a, const float* b, std::size_t count) noexcept { float_block::times6(a, b, count); }
LIMBER_AVX2 void forward6_avx2(const float* d, const float* a, const std::int32_t* rows, std::size_t count, float* x,
                               float* y) noexcept {
    float_block::forward6(d, a, rows, count, x, y);
}
LIMBER_AVX2 void backward6_avx2(const float* d, const float* a, const std::int32_t* rows, std::size_t count,
                                const float* y, float* x) noexcept {
    float_block::backward6(d, a, rows, count, y, x);
}

}  // namespace

const FloatKernels& float_kernels_avx2() noexcept {
    static constexpr FloatKernels kernels{narrow_avx2,    product_avx2, update_avx2,   direction_avx2, reduce_avx2,
                                          subtract6_avx2, times6_avx2,  forward6_avx2, backward6_avx2};
    return kernels;
}

}  // namespace limber

#else

namespace limber {
const FloatKernels& float_kernels_avx2() noexcept { return float_kernels_baseline(); }
}  // namespace limber

#endif
