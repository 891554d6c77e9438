// 3x3 block rows with 256-bit vectors. Earned by bench/solve_bench.cpp; same bits as block_product.cpp.
#include "kernels/block_product.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace limber {

// The three rows of a block lie at v, v + 3 and v + 6. The third is read from v + 5, so that nothing beyond the block
// is touched; its lanes are one place higher. The unused lane of each sum holds rubbish and is never looked at.
__attribute__((target("avx2"))) void block_product3_avx2(const BlockProductArgs& a, std::size_t begin,
                                                         std::size_t end) noexcept {
    const __m256i three = _mm256_set_epi64x(0, -1, -1, -1);  // the last vertex has nothing behind it
    for (std::size_t r = begin; r < end; ++r) {
        __m256d s0 = _mm256_setzero_pd(), s1 = s0, s2 = s0;
        const std::size_t last = static_cast<std::size_t>(a.starts[r + 1]);
        for (std::size_t e = static_cast<std::size_t>(a.starts[r]); e < last; ++e) {
            const double* v = a.values + 9 * e;
            const __m256d p = _mm256_maskload_pd(a.x + 3 * static_cast<std::size_t>(a.columns[e]), three);
            const __m256d shifted = _mm256_permute4x64_pd(p, 0x93);  // (-, p0, p1, p2)
            s0 = _mm256_add_pd(s0, _mm256_mul_pd(_mm256_loadu_pd(v), p));
            s1 = _mm256_add_pd(s1, _mm256_mul_pd(_mm256_loadu_pd(v + 3), p));
            s2 = _mm256_add_pd(s2, _mm256_mul_pd(_mm256_loadu_pd(v + 5), shifted));
        }
        alignas(32) double lanes[12];
        _mm256_store_pd(lanes, s0);
        _mm256_store_pd(lanes + 4, s1);
        _mm256_store_pd(lanes + 8, s2);
        const double sums[3] = {(lanes[0] + lanes[1]) + lanes[2], (lanes[4] + lanes[5]) + lanes[6],
                                (lanes[9] + lanes[10]) + lanes[11]};
        double* y = a.y + 3 * r;
        for (int i = 0; i < 3; ++i) y[i] = a.accumulate ? y[i] + a.scale * sums[i] : sums[i];
    }
}

}  // namespace limber

#else

namespace limber {
void block_product3_avx2(const BlockProductArgs& a, std::size_t begin, std::size_t end) noexcept {
    block_product3_baseline(a, begin, end);
}
}  // namespace limber

#endif
