// One half of a symmetric matrix with 256-bit vectors. Earned by bench/clustered_bench.cpp; in double the same bits as
// half_clusters.cpp, in float multiplications and additions are fused, since there they are what a product in the cache
// waits for.
#include "kernels/half_clusters.hpp"

#if defined(__x86_64__)
// Function attributes instead of compiler flags: nothing inline from a shared header can be compiled for AVX2 here.
#define LIMBER_FMA __attribute__((target("avx2,fma")))
#define LIMBER_FMA_INLINE __attribute__((target("avx2,fma"), always_inline)) inline
#define LIMBER_HALF_INLINE LIMBER_FMA_INLINE
#include "kernels/half_clusters_body.hpp"

namespace limber {
namespace {

// The arithmetic is written once, over vectors of four doubles or eight floats.
struct Four {
    using Real = double;
    using Vector = __m256d;
    static constexpr std::size_t kLanes = 4;
    LIMBER_FMA_INLINE static Vector load(const double* p) noexcept { return _mm256_load_pd(p); }
    LIMBER_FMA_INLINE static Vector zero() noexcept { return _mm256_setzero_pd(); }
    LIMBER_FMA_INLINE static Vector add(Vector a, Vector b) noexcept { return _mm256_add_pd(a, b); }
    LIMBER_FMA_INLINE static Vector times(Vector a, Vector b) noexcept { return _mm256_mul_pd(a, b); }
    LIMBER_FMA_INLINE static Vector times_plus(Vector a, Vector b, Vector c) noexcept { return add(c, times(a, b)); }
    // sum + K p
    template <std::size_t B>
    LIMBER_FMA_INLINE static Vector plus_dot(Vector sum, const Vector (&k)[3], const Vector (&p)[3]) noexcept {
        Vector dot = add(times(k[0], p[0]), times(k[1], p[1]));
        if constexpr (B == 3) dot = add(dot, times(k[2], p[2]));
        return add(sum, dot);
    }

    // Numbers of four rows, transposed; at[l]: where row l begins.
    LIMBER_FMA_INLINE static void transposed(const double* x, const std::uint32_t* at, Vector (&p)[3]) noexcept {
        const __m256d a = load(x + at[0]), b = load(x + at[1]), c = load(x + at[2]), d = load(x + at[3]);
        const __m256d ab = _mm256_unpacklo_pd(a, b), cd = _mm256_unpacklo_pd(c, d), ab_high = _mm256_unpackhi_pd(a, b),
                      cd_high = _mm256_unpackhi_pd(c, d);
        p[0] = _mm256_permute2f128_pd(ab, cd, 0x20);
        p[1] = _mm256_permute2f128_pd(ab_high, cd_high, 0x20);
        p[2] = _mm256_permute2f128_pd(ab, cd, 0x31);
    }
    LIMBER_FMA_INLINE static void add_number(double* y, Vector value) noexcept {
        _mm256_store_pd(y, add(load(y), value));
    }
    // The other way round, added to four rows.
    LIMBER_FMA_INLINE static void add_transposed(const Vector (&m)[3], double* y, const std::uint32_t* at) noexcept {
        const __m256d even = _mm256_unpacklo_pd(m[0], m[1]), odd = _mm256_unpackhi_pd(m[0], m[1]),
                      z_odd = _mm256_permute_pd(m[2], 0xF);
        add_number(y + at[0], _mm256_permute2f128_pd(even, m[2], 0x20));
        add_number(y + at[1], _mm256_permute2f128_pd(odd, z_odd, 0x20));
        add_number(y + at[2], _mm256_permute2f128_pd(even, m[2], 0x31));
        add_number(y + at[3], _mm256_permute2f128_pd(odd, z_odd, 0x31));
    }
};

struct Eight {
    using Real = float;
    using Vector = __m256;
    static constexpr std::size_t kLanes = 8;
    LIMBER_FMA_INLINE static Vector load(const float* p) noexcept { return _mm256_load_ps(p); }
    LIMBER_FMA_INLINE static Vector zero() noexcept { return _mm256_setzero_ps(); }
    LIMBER_FMA_INLINE static Vector add(Vector a, Vector b) noexcept { return _mm256_add_ps(a, b); }
    LIMBER_FMA_INLINE static Vector times(Vector a, Vector b) noexcept { return _mm256_mul_ps(a, b); }
    LIMBER_FMA_INLINE static Vector times_plus(Vector a, Vector b, Vector c) noexcept {
        return _mm256_fmadd_ps(a, b, c);
    }
    template <std::size_t B>
    LIMBER_FMA_INLINE static Vector plus_dot(Vector sum, const Vector (&k)[3], const Vector (&p)[3]) noexcept {
        sum = times_plus(k[1], p[1], times_plus(k[0], p[0], sum));
        if constexpr (B == 3) sum = times_plus(k[2], p[2], sum);
        return sum;
    }
    LIMBER_FMA_INLINE static __m256 pair(const float* first, const float* second) noexcept {
        return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(first)), _mm_load_ps(second), 1);
    }
    LIMBER_FMA_INLINE static void transposed(const float* x, const std::uint32_t* at, Vector (&p)[3]) noexcept {
        const __m256 p04 = pair(x + at[0], x + at[4]), p15 = pair(x + at[1], x + at[5]),
                     p26 = pair(x + at[2], x + at[6]), p37 = pair(x + at[3], x + at[7]);
        const __m256d a = _mm256_castps_pd(_mm256_unpacklo_ps(p04, p15)),
                      b = _mm256_castps_pd(_mm256_unpacklo_ps(p26, p37));
        const __m256d a_high = _mm256_castps_pd(_mm256_unpackhi_ps(p04, p15)),
                      b_high = _mm256_castps_pd(_mm256_unpackhi_ps(p26, p37));
        p[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(a, b));
        p[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(a, b));
        p[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(a_high, b_high));
    }
    // Two rows that are not the same.
    LIMBER_FMA_INLINE static void add_pair(float* low, float* high, Vector value) noexcept {
        value = add(pair(low, high), value);
        _mm_store_ps(low, _mm256_castps256_ps128(value));
        _mm_store_ps(high, _mm256_extractf128_ps(value, 1));
    }
    LIMBER_FMA_INLINE static void add_transposed(const Vector (&m)[3], float* y, const std::uint32_t* at) noexcept {
        const __m256 even = _mm256_unpacklo_ps(m[0], m[1]),
                     odd = _mm256_unpackhi_ps(m[0], m[1]);  // x0 y0 x1 y1 and x2 y2 x3 y3, then lanes 4 to 7
        add_pair(y + at[0], y + at[4], _mm256_shuffle_ps(even, m[2], _MM_SHUFFLE(0, 0, 1, 0)));
        add_pair(y + at[1], y + at[5], _mm256_shuffle_ps(even, m[2], _MM_SHUFFLE(1, 1, 3, 2)));
        add_pair(y + at[2], y + at[6], _mm256_shuffle_ps(odd, m[2], _MM_SHUFFLE(2, 2, 1, 0)));
        add_pair(y + at[3], y + at[7], _mm256_shuffle_ps(odd, m[2], _MM_SHUFFLE(3, 3, 3, 2)));
    }
};

// ---- before and after

LIMBER_FMA_INLINE void put_numbers(double* x, __m256d value) noexcept { _mm256_store_pd(x, value); }
LIMBER_FMA_INLINE void put_numbers(float* x, __m256d value) noexcept { _mm_store_ps(x, _mm256_cvtpd_ps(value)); }
LIMBER_FMA_INLINE __m256d placed(const double* y) noexcept { return _mm256_load_pd(y); }
LIMBER_FMA_INLINE __m256d placed(const float* y) noexcept { return _mm256_cvtps_pd(_mm_load_ps(y)); }

// Three numbers of a vertex; the last vertex's fourth would lie beyond the end.
LIMBER_FMA_INLINE __m256d numbers(const double* from, bool last) noexcept {
    return last ? _mm256_maskload_pd(from, _mm256_set_epi64x(0, -1, -1, -1)) : _mm256_loadu_pd(from);
}

// Four vertices in a row are three vectors, each number touched once; in a list that ascends most are.
LIMBER_FMA_INLINE bool four_in_a_row(const VertexOffset* list) noexcept { return list[3].vertex == list[0].vertex + 3; }

struct Dozen {
    __m256d at[3];
};
LIMBER_FMA_INLINE Dozen dozen(const double* from) noexcept {
    return {{_mm256_loadu_pd(from), _mm256_loadu_pd(from + 4), _mm256_loadu_pd(from + 8)}};
}
LIMBER_FMA_INLINE Dozen weighted(__m256d a, const Dozen& x, __m256d b, const Dozen& y) noexcept {
    Dozen out;
    for (int i = 0; i < 3; ++i) out.at[i] = _mm256_add_pd(_mm256_mul_pd(a, x.at[i]), _mm256_mul_pd(b, y.at[i]));
    return out;
}

LIMBER_FMA_INLINE void put_four(float* x, const VertexOffset* list, const Dozen& d) noexcept {
    const __m128i a = _mm_castps_si128(_mm256_cvtpd_ps(d.at[0])), b = _mm_castps_si128(_mm256_cvtpd_ps(d.at[1])),
                  c = _mm_castps_si128(_mm256_cvtpd_ps(d.at[2]));
    _mm_store_ps(x + list[0].at, _mm_castsi128_ps(a));
    _mm_store_ps(x + list[1].at, _mm_castsi128_ps(_mm_alignr_epi8(b, a, 12)));
    _mm_store_ps(x + list[2].at, _mm_castsi128_ps(_mm_alignr_epi8(c, b, 8)));
    _mm_store_ps(x + list[3].at, _mm_castsi128_ps(_mm_alignr_epi8(c, c, 4)));
}
LIMBER_FMA_INLINE void put_four(double* x, const VertexOffset* list, const Dozen& d) noexcept {
    _mm256_store_pd(x + list[0].at, d.at[0]);
    _mm256_store_pd(x + list[1].at, _mm256_shuffle_pd(_mm256_permute2f128_pd(d.at[0], d.at[1], 0x21), d.at[1], 0x5));
    _mm256_store_pd(x + list[2].at, _mm256_permute2f128_pd(d.at[1], d.at[2], 0x21));
    _mm256_store_pd(x + list[3].at, _mm256_permute4x64_pd(d.at[2], 0xF9));
}

LIMBER_FMA_INLINE Dozen four_at(const float* y, const VertexOffset* list) noexcept {
    const __m128 a = _mm_load_ps(y + list[0].at), b = _mm_load_ps(y + list[1].at), c = _mm_load_ps(y + list[2].at),
                 d = _mm_load_ps(y + list[3].at);
    const __m128 last = _mm_insert_ps(_mm_castsi128_ps(_mm_slli_si128(_mm_castps_si128(d), 4)), c, 0x80);
    return {{_mm256_cvtps_pd(_mm_insert_ps(a, b, 0x30)), _mm256_cvtps_pd(_mm_shuffle_ps(b, c, _MM_SHUFFLE(1, 0, 2, 1))),
             _mm256_cvtps_pd(last)}};
}
LIMBER_FMA_INLINE Dozen four_at(const double* y, const VertexOffset* list) noexcept {
    const __m256d a = _mm256_load_pd(y + list[0].at), b = _mm256_load_pd(y + list[1].at),
                  c = _mm256_load_pd(y + list[2].at), d = _mm256_load_pd(y + list[3].at);
    return {{_mm256_blend_pd(a, _mm256_permute4x64_pd(b, 0x00), 0x8),
             _mm256_permute2f128_pd(_mm256_permute4x64_pd(b, 0x09), c, 0x20),
             _mm256_blend_pd(_mm256_permute4x64_pd(d, 0x90), _mm256_permute4x64_pd(c, 0xAA), 0x1)}};
}

template <class T>
LIMBER_FMA_INLINE void gather(const VertexListArgs<T>& args, std::size_t count) noexcept {
    const VertexListArgs<T> a = args;  // a copy: what is stored could be it, for all the compiler knows
    const __m256d us = _mm256_set1_pd(a.terms.u_scale), vs = _mm256_set1_pd(a.terms.v_scale);
    for (std::size_t k = 0; k < count;) {
        const std::size_t vertex = a.list[k].vertex, at = a.list[k].at;
        const double *u = a.terms.u + 3 * vertex, *v = a.terms.v + 3 * vertex;
        if (k + 4 <= count && four_in_a_row(a.list + k)) {
            put_four(a.x, a.list + k, weighted(us, dozen(u), vs, dozen(v)));
            k += 4;
            continue;
        }
        const bool last = vertex == a.last_vertex;
        put_numbers(a.x + at, _mm256_add_pd(_mm256_mul_pd(us, numbers(u, last)), _mm256_mul_pd(vs, numbers(v, last))));
        ++k;
    }
}

LIMBER_FMA_INLINE void finish_four(const FusedTerms& t, __m256d as, __m256d bs, std::size_t vertex, Dozen value,
                                   double* out) noexcept {
    if (t.mass != nullptr) {
        const __m256d mass = _mm256_loadu_pd(t.mass + vertex),
                      each[3] = {_mm256_permute4x64_pd(mass, 0x40), _mm256_permute4x64_pd(mass, 0xA5),
                                 _mm256_permute4x64_pd(mass, 0xFE)};
        const Dozen sum = weighted(as, dozen(t.a + 3 * vertex), bs, dozen(t.b + 3 * vertex));
        for (int i = 0; i < 3; ++i) value.at[i] = _mm256_add_pd(_mm256_mul_pd(each[i], sum.at[i]), value.at[i]);
    }
    for (int i = 0; i < 3; ++i) _mm256_storeu_pd(out + 3 * vertex + 4 * static_cast<std::size_t>(i), value.at[i]);
}

template <class T>
LIMBER_FMA_INLINE void finish(const VertexListArgs<T>& args, std::size_t count) noexcept {
    const VertexListArgs<T> a = args;
    const FusedTerms t = args.terms;
    const __m256d as = _mm256_set1_pd(t.a_scale), bs = _mm256_set1_pd(t.b_scale);
    for (std::size_t k = 0; k < count;) {
        const std::size_t vertex = a.list[k].vertex, at = a.list[k].at;
        if (k + 4 <= count && four_in_a_row(a.list + k)) {
            finish_four(t, as, bs, vertex, four_at(a.y, a.list + k), a.out);
            k += 4;
            continue;
        }
        __m256d value = placed(a.y + at);
        if (t.mass != nullptr) {
            const bool last = vertex == a.last_vertex;
            const __m256d sum = _mm256_add_pd(_mm256_mul_pd(as, numbers(t.a + 3 * vertex, last)),
                                              _mm256_mul_pd(bs, numbers(t.b + 3 * vertex, last)));
            value = _mm256_add_pd(_mm256_mul_pd(_mm256_broadcast_sd(t.mass + vertex), sum), value);
        }
        _mm_storeu_pd(a.out + 3 * vertex, _mm256_castpd256_pd128(value));
        _mm_store_sd(a.out + 3 * vertex + 2, _mm256_extractf128_pd(value, 1));
        ++k;
    }
}

}  // namespace

LIMBER_FMA void half_product2_avx2(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    product<2, Four>(a, begin, end);
}
LIMBER_FMA void half_product3_avx2(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    product<3, Four>(a, begin, end);
}
LIMBER_FMA void half_product2_avx2(const HalfArgs<float>& a, std::size_t begin, std::size_t end) noexcept {
    product<2, Eight>(a, begin, end);
}
LIMBER_FMA void half_product3_avx2(const HalfArgs<float>& a, std::size_t begin, std::size_t end) noexcept {
    product<3, Eight>(a, begin, end);
}
LIMBER_FMA void half_gather3_avx2(const VertexListArgs<double>& a, std::size_t count) noexcept { gather(a, count); }
LIMBER_FMA void half_gather3_avx2(const VertexListArgs<float>& a, std::size_t count) noexcept { gather(a, count); }
LIMBER_FMA void half_finish3_avx2(const VertexListArgs<double>& a, std::size_t count) noexcept { finish(a, count); }
LIMBER_FMA void half_finish3_avx2(const VertexListArgs<float>& a, std::size_t count) noexcept { finish(a, count); }

}  // namespace limber

#else

namespace limber {
void half_product2_avx2(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    half_product_baseline<2, 4>(a, begin, end);
}
void half_product3_avx2(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    half_product_baseline<3, 4>(a, begin, end);
}
void half_product2_avx2(const HalfArgs<float>& a, std::size_t begin, std::size_t end) noexcept {
    half_product_baseline<2, 8>(a, begin, end);
}
void half_product3_avx2(const HalfArgs<float>& a, std::size_t begin, std::size_t end) noexcept {
    half_product_baseline<3, 8>(a, begin, end);
}
void half_gather3_avx2(const VertexListArgs<double>& a, std::size_t count) noexcept { half_gather3_baseline(a, count); }
void half_gather3_avx2(const VertexListArgs<float>& a, std::size_t count) noexcept { half_gather3_baseline(a, count); }
void half_finish3_avx2(const VertexListArgs<double>& a, std::size_t count) noexcept { half_finish3_baseline(a, count); }
void half_finish3_avx2(const VertexListArgs<float>& a, std::size_t count) noexcept { half_finish3_baseline(a, count); }
}  // namespace limber

#endif
