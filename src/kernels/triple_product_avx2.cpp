// The same with 256-bit vectors, same bits. Earned by bench/modes_bench.py: the mass product was 8 % of finding modes
// as single unknowns.
#include "kernels/triple_product.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace limber {

// A vertex' three numbers are read as four; the fourth lane is rubbish that is never written. The last vertex has
// nothing behind it.
__attribute__((target("avx2"))) void triple_product_avx2(const TripleProductArgs& a, std::size_t begin,
                                                         std::size_t end) noexcept {
    const __m256i three = _mm256_set_epi64x(0, -1, -1, -1);
    const auto last = static_cast<std::int32_t>(a.size / 3 - 1);
    const double *x0 = a.x, *x1 = a.x + a.size, *x2 = a.x + 2 * a.size, *x3 = a.x + 3 * a.size;
    for (std::size_t r = begin; r < end; ++r) {
        __m256d s0 = _mm256_setzero_pd(), s1 = s0, s2 = s0, s3 = s0;
        const auto stop = static_cast<std::size_t>(a.starts[r + 1]);
        for (auto e = static_cast<std::size_t>(a.starts[r]); e < stop; ++e) {
            const __m256d v = _mm256_broadcast_sd(a.values + e);
            const std::size_t at = 3 * static_cast<std::size_t>(a.columns[e]);
            const __m256d fourth = a.columns[e] == last ? _mm256_maskload_pd(x3 + at, three) : _mm256_loadu_pd(x3 + at);
            s0 = _mm256_add_pd(s0, _mm256_mul_pd(v, _mm256_loadu_pd(x0 + at)));
            s1 = _mm256_add_pd(s1, _mm256_mul_pd(v, _mm256_loadu_pd(x1 + at)));
            s2 = _mm256_add_pd(s2, _mm256_mul_pd(v, _mm256_loadu_pd(x2 + at)));
            s3 = _mm256_add_pd(s3, _mm256_mul_pd(v, fourth));
        }
        double* y = a.y + 3 * r;
        _mm256_maskstore_pd(y, three, s0);
        _mm256_maskstore_pd(y + a.size, three, s1);
        _mm256_maskstore_pd(y + 2 * a.size, three, s2);
        _mm256_maskstore_pd(y + 3 * a.size, three, s3);
    }
}

}  // namespace limber

#else

namespace limber {
void triple_product_avx2(const TripleProductArgs& a, std::size_t begin, std::size_t end) noexcept {
    triple_product_baseline(a, begin, end);
}
}  // namespace limber

#endif
