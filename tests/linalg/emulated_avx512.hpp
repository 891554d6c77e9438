// The handful of 512-bit intrinsics that clusters_avx512.cpp uses, lane by lane as their manual defines them, so that the file's arithmetic can
// be checked on processors without them. Include it, then the file.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace limber::emulated {

struct Doubles {
    double lane[8];
};
struct Integers {
    std::int64_t lane[8];
};

inline Doubles zero() { return {}; }
inline Doubles load(const double* p) {
    Doubles r;
    std::memcpy(r.lane, p, sizeof r.lane);
    return r;
}
inline void store(double* p, const Doubles& a) { std::memcpy(p, a.lane, sizeof a.lane); }
__attribute__((target("avx2"))) inline Doubles widen(__m256d a) {
    Doubles r{};
    std::memcpy(r.lane, &a, sizeof a);
    return r;
}
__attribute__((target("avx2"))) inline Doubles insert(Doubles a, __m256d b, int half) {
    std::memcpy(a.lane + 4 * half, &b, sizeof b);
    return a;
}
inline Integers integers(std::int64_t h, std::int64_t g, std::int64_t f, std::int64_t e, std::int64_t d, std::int64_t c, std::int64_t b, std::int64_t a) {
    return {{a, b, c, d, e, f, g, h}};
}
// Within each pair of lanes: the low (high) one of a, then that of b.
inline Doubles unpack(const Doubles& a, const Doubles& b, int high) {
    Doubles r;
    for (int pair = 0; pair < 4; ++pair) {
        r.lane[2 * pair] = a.lane[2 * pair + high];
        r.lane[2 * pair + 1] = b.lane[2 * pair + high];
    }
    return r;
}
inline Doubles unpack_low(const Doubles& a, const Doubles& b) { return unpack(a, b, 0); }
inline Doubles unpack_high(const Doubles& a, const Doubles& b) { return unpack(a, b, 1); }
// Bit 3 of an index chooses the source.
inline Doubles choose(const Doubles& a, const Integers& index, const Doubles& b) {
    Doubles r;
    for (int i = 0; i < 8; ++i) r.lane[i] = ((index.lane[i] & 8) != 0 ? b : a).lane[index.lane[i] & 7];
    return r;
}
inline Doubles add(const Doubles& a, const Doubles& b) {
    Doubles r;
    for (int i = 0; i < 8; ++i) r.lane[i] = a.lane[i] + b.lane[i];
    return r;
}
inline Doubles multiply(const Doubles& a, const Doubles& b) {
    Doubles r;
    for (int i = 0; i < 8; ++i) r.lane[i] = a.lane[i] * b.lane[i];
    return r;
}

}  // namespace limber::emulated

#define LIMBER_AVX512 __attribute__((target("avx2")))
#define LIMBER_AVX512_INLINE __attribute__((target("avx2"))) inline
#define cluster_product2_avx512 cluster_product2_emulated
#define cluster_product3_avx512 cluster_product3_emulated
#define __m512d emulated::Doubles
#define __m512i emulated::Integers
#define _mm512_setzero_pd emulated::zero
#define _mm512_load_pd emulated::load
#define _mm512_store_pd emulated::store
#define _mm512_castpd256_pd512 emulated::widen
#define _mm512_insertf64x4 emulated::insert
#define _mm512_set_epi64 emulated::integers
#define _mm512_unpacklo_pd emulated::unpack_low
#define _mm512_unpackhi_pd emulated::unpack_high
#define _mm512_permutex2var_pd emulated::choose
#define _mm512_add_pd emulated::add
#define _mm512_mul_pd emulated::multiply
