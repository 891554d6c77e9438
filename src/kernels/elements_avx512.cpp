// 12x12 element products with 512-bit vectors: the standard is not to lose for want of them. Fused, and two columns of
// twelve are three vectors: even and odd columns are summed apart, so the last digits differ from elements.cpp.
#include "kernels/elements.hpp"

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored \
    "-Wmaybe-uninitialized"  // g++ 12's own header: its "undefined" vector is initialised by itself
#endif
#include <immintrin.h>

#define LIMBER_ELEMENTS512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define LIMBER_ELEMENTS512_INLINE __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"), always_inline)) inline

namespace limber {
namespace {

// Rows 0 to 7 of even columns; 8 to 11 of even and 0 to 3 of odd ones; 4 to 11 of odd ones.
struct Sums {
    __m512d first, middle, last;
};

LIMBER_ELEMENTS512_INLINE void add_matrix(const double* column, const double (&x)[12], Sums& s) noexcept {
    for (std::size_t j = 0; j < 12; j += 2, column += 24) {
        const __m512d even = _mm512_set1_pd(x[j]), odd = _mm512_set1_pd(x[j + 1]);
        s.first = _mm512_fmadd_pd(_mm512_load_pd(column), even, s.first);
        s.middle = _mm512_fmadd_pd(_mm512_load_pd(column + 8), _mm512_mask_mov_pd(even, 0xF0, odd), s.middle);
        s.last = _mm512_fmadd_pd(_mm512_load_pd(column + 16), odd, s.last);
    }
}

LIMBER_ELEMENTS512_INLINE void gather(const std::int32_t* vertices, double scale, const double* from,
                                      double (&x)[12]) noexcept {
    for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t i = 0; i < 3; ++i) x[3 * c + i] = scale * from[3 * static_cast<std::size_t>(vertices[c]) + i];
}

}  // namespace

LIMBER_ELEMENTS512 void element_product12_avx512(const ElementArgs& a, std::size_t begin, std::size_t end) noexcept {
    for (std::size_t e = begin; e < end; ++e) {
        const std::int32_t* vertices = a.vertices + 4 * e;
        double x[12];
        Sums s{_mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd()};
        gather(vertices, a.u_scale, a.u, x);
        add_matrix(a.stiffness + 144 * e, x, s);
        if (a.v != nullptr) {
            gather(vertices, a.v_scale, a.v, x);
            add_matrix(a.damping + 144 * e, x, s);
        }
        alignas(64) double sum[12];
        const __m512d odd_low = _mm512_shuffle_f64x2(s.middle, s.last, 0x4E);  // rows 0 to 7 of odd columns
        _mm512_store_pd(sum, _mm512_add_pd(s.first, odd_low));
        _mm256_store_pd(sum + 8, _mm256_add_pd(_mm512_castpd512_pd256(s.middle), _mm512_extractf64x4_pd(s.last, 1)));
        for (std::size_t c = 0; c < 4; ++c)
            for (std::size_t i = 0; i < 3; ++i) a.out[3 * static_cast<std::size_t>(vertices[c]) + i] += sum[3 * c + i];
    }
}

}  // namespace limber

#else

namespace limber {
void element_product12_avx512(const ElementArgs& a, std::size_t begin, std::size_t end) noexcept {
    element_product_baseline(a, begin, end);
}
}  // namespace limber

#endif
