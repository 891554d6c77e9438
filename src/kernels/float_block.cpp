#include "kernels/float_block_body.hpp"

namespace limber {
namespace {

void narrow_baseline(const double* values, const std::int32_t* entries, std::size_t count, double scale,
                     float* to) noexcept {
    float_block::narrow(values, entries, count, scale, to);
}
double product_baseline(const FloatRows& a, const float* x, float* y, std::size_t begin, std::size_t end) noexcept {
    return float_block::product(a, x, y, begin, end);
}
void update_baseline(const FloatVectors& v, float alpha, std::size_t begin, std::size_t end, FloatSums& sums,
                     float* resultant) noexcept {
    float_block::update(v, alpha, begin, end, sums, resultant);
}
void direction_baseline(const FloatVectors& v, float beta, const float* motion, std::size_t begin,
                        std::size_t end) noexcept {
    float_block::direction(v, beta, motion, begin, end);
}
void reduce_baseline(const float* values, const std::int32_t* columns, std::size_t count, const float* arms,
                     const float* own, float* block) noexcept {
    float_block::reduce(values, columns, count, arms, own, block);
}
void subtract6_baseline(float* c, const std::int32_t* c_at, const float* a, const float* b,
                        std::size_t count) noexcept {
    float_block::subtract6(c, c_at, a, b, count);
}
void times6_baseline(float* a, const float* b, std::size_t count) noexcept { float_block::times6(a, b, count); }
void forward6_baseline(const float* d, const float* a, const std::int32_t* rows, std::size_t count, float* x,
                       float* y) noexcept {
    float_block::forward6(d, a, rows, count, x, y);
}
void backward6_baseline(const float* d, const float* a, const std::int32_t* rows, std::size_t count, const float* y,
                        float* x) noexcept {
    float_block::backward6(d, a, rows, count, y, x);
}

}  // namespace

const FloatKernels& float_kernels_baseline() noexcept {
    static constexpr FloatKernels kernels{narrow_baseline,    product_baseline,  update_baseline,
                                          direction_baseline, reduce_baseline,   subtract6_baseline,
                                          times6_baseline,    forward6_baseline, backward6_baseline};
    return kernels;
}

}  // namespace limber
