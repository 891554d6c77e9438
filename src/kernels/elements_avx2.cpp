// 12x12 element products with 256-bit vectors: the baseline is not to lose for want of them. Same bits as elements.cpp.
#include "kernels/elements.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace limber {

__attribute__((target("avx2"))) void element_product12_avx2(const ElementArgs& a, std::size_t begin,
                                                            std::size_t end) noexcept {
    for (std::size_t e = begin; e < end; ++e) {
        const std::int32_t* vertices = a.vertices + 4 * e;
        __m256d s0 = _mm256_setzero_pd(), s1 = s0, s2 = s0;
        for (int pass = 0; pass < (a.v != nullptr ? 2 : 1); ++pass) {
            const double* from = pass == 0 ? a.u : a.v;
            const double scale = pass == 0 ? a.u_scale : a.v_scale;
            const double* column = (pass == 0 ? a.stiffness : a.damping) + 144 * e;
            for (std::size_t c = 0; c < 4; ++c) {
                const double* at = from + 3 * static_cast<std::size_t>(vertices[c]);
                for (std::size_t i = 0; i < 3; ++i, column += 12) {
                    const __m256d x = _mm256_set1_pd(scale * at[i]);
                    s0 = _mm256_add_pd(s0, _mm256_mul_pd(_mm256_load_pd(column), x));
                    s1 = _mm256_add_pd(s1, _mm256_mul_pd(_mm256_load_pd(column + 4), x));
                    s2 = _mm256_add_pd(s2, _mm256_mul_pd(_mm256_load_pd(column + 8), x));
                }
            }
        }
        alignas(32) double sum[12];
        _mm256_store_pd(sum, s0);
        _mm256_store_pd(sum + 4, s1);
        _mm256_store_pd(sum + 8, s2);
        for (std::size_t c = 0; c < 4; ++c)
            for (std::size_t i = 0; i < 3; ++i) a.out[3 * static_cast<std::size_t>(vertices[c]) + i] += sum[3 * c + i];
    }
}

}  // namespace limber

#else

namespace limber {
void element_product12_avx2(const ElementArgs& a, std::size_t begin, std::size_t end) noexcept {
    element_product_baseline(a, begin, end);
}
}  // namespace limber

#endif
