// One half of a symmetric matrix with 512-bit vectors. Earned by bench/clustered_bench.cpp. Multiplications and additions are fused: in the cache a product
// waits for instructions. Only double has a product of its own, of eight rows: sixteen floats were tried and took longer than AVX2's eight, since a place has
// four of them whatever the vector, and 256-bit shuffles and additions have one port more.
#include "kernels/half_clusters.hpp"

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"     // g++ 12's own header: its "undefined" vector is initialised by itself
#endif
// Function attributes instead of compiler flags: nothing inline from a shared header can be compiled for AVX-512 here.
#define LIMBER_512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define LIMBER_512_INLINE __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"), always_inline)) inline
#define LIMBER_HALF_INLINE LIMBER_512_INLINE
#include "kernels/half_clusters_body.hpp"

namespace limber {
namespace {

LIMBER_512_INLINE __m512i order(int a, int b, int c, int d, int e, int f, int g, int h) noexcept { return _mm512_setr_epi64(a, b, c, d, e, f, g, h); }

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
    LIMBER_512_INLINE static Vector times_plus(Vector a, Vector b, Vector c) noexcept { return _mm512_fmadd_pd(a, b, c); }
    // sum + K p
    template <std::size_t B>
    LIMBER_512_INLINE static Vector plus_dot(Vector sum, const Vector (&k)[3], const Vector (&p)[3]) noexcept {
        sum = times_plus(k[1], p[1], times_plus(k[0], p[0], sum));
        if constexpr (B == 3) sum = times_plus(k[2], p[2], sum);
        return sum;
    }

    // Numbers of eight places, transposed; at[l]: where place l begins. A vector's halves are the places l and l + 4.
    LIMBER_512_INLINE static void transposed(const double* x, const std::uint32_t* at, Vector (&p)[3]) noexcept {
        const __m512i low = order(0, 1, 8, 9, 4, 5, 12, 13), high = order(2, 3, 10, 11, 6, 7, 14, 15);
        const __m512d p04 = pair(x + at[0], x + at[4]), p15 = pair(x + at[1], x + at[5]), p26 = pair(x + at[2], x + at[6]), p37 = pair(x + at[3], x + at[7]);
        const __m512d a = _mm512_unpacklo_pd(p04, p15), b = _mm512_unpacklo_pd(p26, p37);
        p[0] = _mm512_permutex2var_pd(a, low, b);
        p[1] = _mm512_permutex2var_pd(_mm512_unpackhi_pd(p04, p15), low, _mm512_unpackhi_pd(p26, p37));
        p[2] = _mm512_permutex2var_pd(a, high, b);
    }
    // Two places that are not the same.
    LIMBER_512_INLINE static void add_pair(double* low, double* high, Vector value) noexcept {
        value = _mm512_add_pd(pair(low, high), value);
        _mm256_store_pd(low, _mm512_castpd512_pd256(value));
        _mm256_store_pd(high, _mm512_extractf64x4_pd(value, 1));
    }
    // The other way round, added to eight places.
    LIMBER_512_INLINE static void add_transposed(const Vector (&m)[3], double* y, const std::uint32_t* at) noexcept {
        const __m512d even = _mm512_unpacklo_pd(m[0], m[1]), odd = _mm512_unpackhi_pd(m[0], m[1]);
        add_pair(y + at[0], y + at[4], _mm512_permutex2var_pd(even, order(0, 1, 8, 8, 4, 5, 12, 12), m[2]));
        add_pair(y + at[1], y + at[5], _mm512_permutex2var_pd(odd, order(0, 1, 9, 9, 4, 5, 13, 13), m[2]));
        add_pair(y + at[2], y + at[6], _mm512_permutex2var_pd(even, order(2, 3, 10, 10, 6, 7, 14, 14), m[2]));
        add_pair(y + at[3], y + at[7], _mm512_permutex2var_pd(odd, order(2, 3, 11, 11, 6, 7, 15, 15), m[2]));
    }
};

// ---- before and after: eight vertices in a row are three vectors, each number touched once; in a list that ascends most are

constexpr __mmask8 kThree = 0x7;        // numbers of a vertex; with a mask nothing is read beyond the last one

struct Numbers {
    __m512d at[3];
};
LIMBER_512_INLINE bool eight_in_a_row(const VertexPlace* list) noexcept { return list[7].vertex == list[0].vertex + 7; }
LIMBER_512_INLINE Numbers numbers(const double* from) noexcept { return {{_mm512_loadu_pd(from), _mm512_loadu_pd(from + 8), _mm512_loadu_pd(from + 16)}}; }
LIMBER_512_INLINE Numbers weighted(__m512d a, const Numbers& x, __m512d b, const Numbers& y) noexcept {
    Numbers out;
    for (int i = 0; i < 3; ++i) out.at[i] = _mm512_fmadd_pd(a, x.at[i], _mm512_mul_pd(b, y.at[i]));
    return out;
}

template <int N>
LIMBER_512_INLINE __m256d shifted(__m512d low, __m512d high) noexcept {
    return _mm512_castpd512_pd256(_mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(high), _mm512_castpd_si512(low), N)));
}
LIMBER_512_INLINE void place_eight(double* x, const VertexPlace* list, const Numbers& n) noexcept {
    _mm256_store_pd(x + list[0].at, _mm512_castpd512_pd256(n.at[0]));
    _mm256_store_pd(x + list[1].at, shifted<3>(n.at[0], n.at[0]));
    _mm256_store_pd(x + list[2].at, shifted<6>(n.at[0], n.at[1]));
    _mm256_store_pd(x + list[3].at, shifted<1>(n.at[1], n.at[1]));
    _mm256_store_pd(x + list[4].at, _mm512_extractf64x4_pd(n.at[1], 1));
    _mm256_store_pd(x + list[5].at, shifted<7>(n.at[1], n.at[2]));
    _mm256_store_pd(x + list[6].at, shifted<2>(n.at[2], n.at[2]));
    _mm256_store_pd(x + list[7].at, shifted<5>(n.at[2], n.at[2]));
}
LIMBER_512_INLINE void place_four(float* x, const VertexPlace* list, __m512 value) noexcept {
    _mm_store_ps(x + list[0].at, _mm512_castps512_ps128(value));
    _mm_store_ps(x + list[1].at, _mm512_extractf32x4_ps(value, 1));
    _mm_store_ps(x + list[2].at, _mm512_extractf32x4_ps(value, 2));
    _mm_store_ps(x + list[3].at, _mm512_extractf32x4_ps(value, 3));
}
LIMBER_512_INLINE void place_eight(float* x, const VertexPlace* list, const Numbers& n) noexcept {
    const __m512 first = _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(n.at[0])), _mm512_cvtpd_ps(n.at[1]), 1), last = _mm512_castps256_ps512(_mm512_cvtpd_ps(n.at[2]));
    place_four(x, list, _mm512_permutexvar_ps(_mm512_setr_epi32(0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11), first));
    place_four(x, list + 4, _mm512_permutex2var_ps(first, _mm512_setr_epi32(12, 13, 14, 14, 15, 16, 17, 17, 18, 19, 20, 20, 21, 22, 23, 23), last));
}

LIMBER_512_INLINE Numbers placed_eight(const double* y, const VertexPlace* list) noexcept {
    const __m512d p01 = pair(y + list[0].at, y + list[1].at), p23 = pair(y + list[2].at, y + list[3].at), p45 = pair(y + list[4].at, y + list[5].at), p67 = pair(y + list[6].at, y + list[7].at);
    return {{_mm512_permutex2var_pd(p01, order(0, 1, 2, 4, 5, 6, 8, 9), p23), _mm512_permutex2var_pd(p23, order(2, 4, 5, 6, 8, 9, 10, 12), p45),
             _mm512_permutex2var_pd(p45, order(5, 6, 8, 9, 10, 12, 13, 14), p67)}};
}
LIMBER_512_INLINE __m512 placed_four(const float* y, const VertexPlace* list) noexcept {
    const __m512 two = _mm512_insertf32x4(_mm512_castps128_ps512(_mm_load_ps(y + list[0].at)), _mm_load_ps(y + list[1].at), 1);
    return _mm512_insertf32x4(_mm512_insertf32x4(two, _mm_load_ps(y + list[2].at), 2), _mm_load_ps(y + list[3].at), 3);
}
LIMBER_512_INLINE Numbers placed_eight(const float* y, const VertexPlace* list) noexcept {
    const __m512 a = placed_four(y, list), b = placed_four(y, list + 4);
    const __m512 first = _mm512_permutex2var_ps(a, _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20), b);
    const __m512 last = _mm512_permutexvar_ps(_mm512_setr_epi32(5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0, 0, 0, 0, 0), b);
    return {{_mm512_cvtps_pd(_mm512_castps512_ps256(first)), _mm512_cvtps_pd(_mm512_extractf32x8_ps(first, 1)), _mm512_cvtps_pd(_mm512_castps512_ps256(last))}};
}

LIMBER_512_INLINE void place(double* x, __m256d value) noexcept { _mm256_store_pd(x, value); }
LIMBER_512_INLINE void place(float* x, __m256d value) noexcept { _mm_store_ps(x, _mm256_cvtpd_ps(value)); }
LIMBER_512_INLINE __m256d placed(const double* y) noexcept { return _mm256_load_pd(y); }
LIMBER_512_INLINE __m256d placed(const float* y) noexcept { return _mm256_cvtps_pd(_mm_load_ps(y)); }
LIMBER_512_INLINE __m256d weighted_one(__m256d a, const double* x, __m256d b, const double* y) noexcept {
    return _mm256_fmadd_pd(a, _mm256_maskz_loadu_pd(kThree, x), _mm256_mul_pd(b, _mm256_maskz_loadu_pd(kThree, y)));
}

template <class T>
LIMBER_512_INLINE void gather(const PlaceArgs<T>& args, std::size_t count) noexcept {
    const PlaceArgs<T> a = args;        // a copy: what is stored could be it, for all the compiler knows
    const __m512d us = _mm512_set1_pd(a.terms.u_scale), vs = _mm512_set1_pd(a.terms.v_scale);
    for (std::size_t k = 0; k < count;) {
        const double *u = a.terms.u + 3 * a.list[k].vertex, *v = a.terms.v + 3 * a.list[k].vertex;
        if (k + 8 <= count && eight_in_a_row(a.list + k)) {
            place_eight(a.x, a.list + k, weighted(us, numbers(u), vs, numbers(v)));
            k += 8;
            continue;
        }
        place(a.x + a.list[k].at, weighted_one(_mm512_castpd512_pd256(us), u, _mm512_castpd512_pd256(vs), v));
        ++k;
    }
}

LIMBER_512_INLINE void finish_eight(const FusedTerms& t, __m512d as, __m512d bs, std::size_t vertex, Numbers value, double* out) noexcept {
    if (t.mass != nullptr) {
        const __m512d mass = _mm512_loadu_pd(t.mass + vertex);
        const __m512d each[3] = {_mm512_permutexvar_pd(order(0, 0, 0, 1, 1, 1, 2, 2), mass), _mm512_permutexvar_pd(order(2, 3, 3, 3, 4, 4, 4, 5), mass),
                                 _mm512_permutexvar_pd(order(5, 5, 6, 6, 6, 7, 7, 7), mass)};
        const Numbers sum = weighted(as, numbers(t.a + 3 * vertex), bs, numbers(t.b + 3 * vertex));
        for (int i = 0; i < 3; ++i) value.at[i] = _mm512_fmadd_pd(each[i], sum.at[i], value.at[i]);
    }
    for (int i = 0; i < 3; ++i) _mm512_storeu_pd(out + 3 * vertex + 8 * static_cast<std::size_t>(i), value.at[i]);
}

template <class T>
LIMBER_512_INLINE void finish(const PlaceArgs<T>& args, std::size_t count) noexcept {
    const PlaceArgs<T> a = args;
    const FusedTerms t = args.terms;
    const __m512d as = _mm512_set1_pd(t.a_scale), bs = _mm512_set1_pd(t.b_scale);
    for (std::size_t k = 0; k < count;) {
        const std::size_t vertex = a.list[k].vertex;
        if (k + 8 <= count && eight_in_a_row(a.list + k)) {
            finish_eight(t, as, bs, vertex, placed_eight(a.y, a.list + k), a.out);
            k += 8;
            continue;
        }
        __m256d value = placed(a.y + a.list[k].at);
        if (t.mass != nullptr)
            value = _mm256_fmadd_pd(_mm256_broadcast_sd(t.mass + vertex),
                                    weighted_one(_mm512_castpd512_pd256(as), t.a + 3 * vertex, _mm512_castpd512_pd256(bs), t.b + 3 * vertex), value);
        _mm256_mask_storeu_pd(a.out + 3 * vertex, kThree, value);
        ++k;
    }
}

}  // namespace

LIMBER_512 void half_product2_avx512(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept { product<2, EightDoubles>(a, begin, end); }
LIMBER_512 void half_product3_avx512(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept { product<3, EightDoubles>(a, begin, end); }
LIMBER_512 void half_gather3_avx512(const PlaceArgs<double>& a, std::size_t count) noexcept { gather(a, count); }
LIMBER_512 void half_gather3_avx512(const PlaceArgs<float>& a, std::size_t count) noexcept { gather(a, count); }
LIMBER_512 void half_finish3_avx512(const PlaceArgs<double>& a, std::size_t count) noexcept { finish(a, count); }
LIMBER_512 void half_finish3_avx512(const PlaceArgs<float>& a, std::size_t count) noexcept { finish(a, count); }

}  // namespace limber

#else

namespace limber {
void half_product2_avx512(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept { half_product_baseline<2, 8>(a, begin, end); }
void half_product3_avx512(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept { half_product_baseline<3, 8>(a, begin, end); }
void half_gather3_avx512(const PlaceArgs<double>& a, std::size_t count) noexcept { half_gather3_baseline(a, count); }
void half_gather3_avx512(const PlaceArgs<float>& a, std::size_t count) noexcept { half_gather3_baseline(a, count); }
void half_finish3_avx512(const PlaceArgs<double>& a, std::size_t count) noexcept { half_finish3_baseline(a, count); }
void half_finish3_avx512(const PlaceArgs<float>& a, std::size_t count) noexcept { half_finish3_baseline(a, count); }
}  // namespace limber

#endif
