// One half of a symmetric matrix with 512-bit vectors: eight rows of doubles. Earned by bench/clustered_bench.cpp.
// Multiplications and additions are fused: in the cache a product waits for instructions, not for memory. Products of
// floats take the AVX2 function, and so does what goes before and after a product, but for the results of floats (2 to
// 5 % of it all). Sixteen floats at once were slower (6.9 us instead of 5.7 at 5k): most of the instructions move the
// four numbers of one row whatever the vector's width, and 256-bit ones have three ports, 512-bit ones two.
#include "kernels/half_clusters.hpp"

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored \
    "-Wmaybe-uninitialized"  // g++ 12's own header: its "undefined" vector is initialised by itself
#endif
// Function attributes instead of compiler flags: nothing inline from a shared header can be compiled for AVX-512 here.
#define LIMBER_512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define LIMBER_512_INLINE __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"), always_inline)) inline
#define LIMBER_HALF_INLINE LIMBER_512_INLINE
#include "kernels/half_clusters_body.hpp"

namespace limber {
namespace {

LIMBER_512_INLINE __m512i order(int a, int b, int c, int d, int e, int f, int g, int h) noexcept {
    return _mm512_setr_epi64(a, b, c, d, e, f, g, h);
}

LIMBER_512_INLINE __m512d pair(const double* low, const double* high) noexcept {
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(low)), _mm256_load_pd(high), 1);
}

struct EightDoubles {
    using Real = double;
    using Vector = __m512d;
    static constexpr std::size_t kLanes = 8;
    LIMBER_512_INLINE static Vector load(const double* p) noexcept { return _mm512_load_pd(p); }
    LIMBER_512_INLINE static Vector zero() noexcept { return _mm512_setzero_pd(); }
    LIMBER_512_INLINE static Vector times(Vector a, Vector b) noexcept { return _mm512_mul_pd(a, b); }
    LIMBER_512_INLINE static Vector times_plus(Vector a, Vector b, Vector c) noexcept {
        return _mm512_fmadd_pd(a, b, c);
    }
    // sum + K p
    template <std::size_t B>
    LIMBER_512_INLINE static Vector plus_dot(Vector sum, const Vector (&k)[3], const Vector (&p)[3]) noexcept {
        sum = times_plus(k[1], p[1], times_plus(k[0], p[0], sum));
        if constexpr (B == 3) sum = times_plus(k[2], p[2], sum);
        return sum;
    }

    // Numbers of eight rows, transposed; at[l]: where row l begins. A vector's halves are the rows l and l + 4.
    LIMBER_512_INLINE static void transposed(const double* x, const std::uint32_t* at, Vector (&p)[3]) noexcept {
        const __m512i low = order(0, 1, 8, 9, 4, 5, 12, 13), high = order(2, 3, 10, 11, 6, 7, 14, 15);
        const __m512d p04 = pair(x + at[0], x + at[4]), p15 = pair(x + at[1], x + at[5]),
                      p26 = pair(x + at[2], x + at[6]), p37 = pair(x + at[3], x + at[7]);
        const __m512d a = _mm512_unpacklo_pd(p04, p15), b = _mm512_unpacklo_pd(p26, p37);
        p[0] = _mm512_permutex2var_pd(a, low, b);
        p[1] = _mm512_permutex2var_pd(_mm512_unpackhi_pd(p04, p15), low, _mm512_unpackhi_pd(p26, p37));
        p[2] = _mm512_permutex2var_pd(a, high, b);
    }
    // Two rows that are not the same.
    LIMBER_512_INLINE static void add_pair(double* low, double* high, Vector value) noexcept {
        value = _mm512_add_pd(pair(low, high), value);
        _mm256_store_pd(low, _mm512_castpd512_pd256(value));
        _mm256_store_pd(high, _mm512_extractf64x4_pd(value, 1));
    }
    // The other way round, added to eight rows.
    LIMBER_512_INLINE static void add_transposed(const Vector (&m)[3], double* y, const std::uint32_t* at) noexcept {
        const __m512d even = _mm512_unpacklo_pd(m[0], m[1]), odd = _mm512_unpackhi_pd(m[0], m[1]);
        add_pair(y + at[0], y + at[4], _mm512_permutex2var_pd(even, order(0, 1, 8, 8, 4, 5, 12, 12), m[2]));
        add_pair(y + at[1], y + at[5], _mm512_permutex2var_pd(odd, order(0, 1, 9, 9, 4, 5, 13, 13), m[2]));
        add_pair(y + at[2], y + at[6], _mm512_permutex2var_pd(even, order(2, 3, 10, 10, 6, 7, 14, 14), m[2]));
        add_pair(y + at[3], y + at[7], _mm512_permutex2var_pd(odd, order(2, 3, 11, 11, 6, 7, 15, 15), m[2]));
    }
};

// ---- the results of floats: eight vertices in a row are three vectors, each number touched once; in a list that
// ascends most are

constexpr __mmask8 kThree = 0x7;  // numbers of a vertex; with a mask nothing is read or written beyond the last one

struct Numbers {
    __m512d at[3];
};
LIMBER_512_INLINE bool eight_in_a_row(const VertexOffset* list) noexcept {
    return list[7].vertex == list[0].vertex + 7;
}
LIMBER_512_INLINE __m512d numbers(const double* from, std::size_t i) noexcept { return _mm512_loadu_pd(from + 8 * i); }

LIMBER_512_INLINE __m512 four_at(const float* y, const VertexOffset* list) noexcept {
    const __m512 two = _mm512_insertf32x4(_mm512_castps128_ps512(_mm_load_ps(y + list[0].at)),
                                          _mm_load_ps(y + list[1].at), 1);
    return _mm512_insertf32x4(_mm512_insertf32x4(two, _mm_load_ps(y + list[2].at), 2), _mm_load_ps(y + list[3].at), 3);
}
LIMBER_512_INLINE Numbers eight_at(const float* y, const VertexOffset* list) noexcept {
    const __m512 a = four_at(y, list), b = four_at(y, list + 4);
    const __m512 first = _mm512_permutex2var_ps(
        a, _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20), b);
    const __m512 last = _mm512_permutexvar_ps(_mm512_setr_epi32(5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0, 0, 0, 0, 0), b);
    return {{_mm512_cvtps_pd(_mm512_castps512_ps256(first)), _mm512_cvtps_pd(_mm512_extractf32x8_ps(first, 1)),
             _mm512_cvtps_pd(_mm512_castps512_ps256(last))}};
}

LIMBER_512_INLINE void finish_eight(const FusedTerms& t, __m512d as, __m512d bs, std::size_t vertex, Numbers value,
                                    double* out) noexcept {
    if (t.mass != nullptr) {
        const __m512d mass = _mm512_loadu_pd(t.mass + vertex);
        const __m512d each[3] = {_mm512_permutexvar_pd(order(0, 0, 0, 1, 1, 1, 2, 2), mass),
                                 _mm512_permutexvar_pd(order(2, 3, 3, 3, 4, 4, 4, 5), mass),
                                 _mm512_permutexvar_pd(order(5, 5, 6, 6, 6, 7, 7, 7), mass)};
        for (std::size_t i = 0; i < 3; ++i) {
            const __m512d sum = _mm512_fmadd_pd(as, numbers(t.a + 3 * vertex, i),
                                                _mm512_mul_pd(bs, numbers(t.b + 3 * vertex, i)));
            value.at[i] = _mm512_fmadd_pd(each[i], sum, value.at[i]);
        }
    }
    for (int i = 0; i < 3; ++i) _mm512_storeu_pd(out + 3 * vertex + 8 * static_cast<std::size_t>(i), value.at[i]);
}

LIMBER_512_INLINE void finish_one(const FusedTerms& t, __m256d as, __m256d bs, std::size_t vertex, const float* y,
                                  double* out) noexcept {
    __m256d value = _mm256_cvtps_pd(_mm_load_ps(y));
    if (t.mass != nullptr) {
        const __m256d a = _mm256_maskz_loadu_pd(kThree, t.a + 3 * vertex),
                      b = _mm256_maskz_loadu_pd(kThree, t.b + 3 * vertex);
        value = _mm256_fmadd_pd(_mm256_broadcast_sd(t.mass + vertex), _mm256_fmadd_pd(as, a, _mm256_mul_pd(bs, b)),
                                value);
    }
    _mm256_mask_storeu_pd(out + 3 * vertex, kThree, value);
}

LIMBER_512_INLINE void finish(const VertexListArgs<float>& args, std::size_t count) noexcept {
    const VertexListArgs<float> a = args;  // a copy: what is stored could be it, for all the compiler knows
    const FusedTerms t = args.terms;
    const __m512d as = _mm512_set1_pd(t.a_scale), bs = _mm512_set1_pd(t.b_scale);
    for (std::size_t k = 0; k < count;) {
        if (k + 8 <= count && eight_in_a_row(a.list + k)) {
            finish_eight(t, as, bs, a.list[k].vertex, eight_at(a.y, a.list + k), a.out);
            k += 8;
            continue;
        }
        finish_one(t, _mm512_castpd512_pd256(as), _mm512_castpd512_pd256(bs), a.list[k].vertex, a.y + a.list[k].at,
                   a.out);
        ++k;
    }
}

}  // namespace

LIMBER_512 void half_product2_avx512(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    product<2, EightDoubles>(a, begin, end);
}
LIMBER_512 void half_product3_avx512(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    product<3, EightDoubles>(a, begin, end);
}
LIMBER_512 void half_finish3_avx512(const VertexListArgs<float>& a, std::size_t count) noexcept { finish(a, count); }

}  // namespace limber

#else

namespace limber {
void half_product2_avx512(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    half_product_baseline<2, 8>(a, begin, end);
}
void half_product3_avx512(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    half_product_baseline<3, 8>(a, begin, end);
}
void half_finish3_avx512(const VertexListArgs<float>& a, std::size_t count) noexcept {
    half_finish3_baseline(a, count);
}
}  // namespace limber

#endif
