// The product of half_clusters.hpp, once for all vector instruction sets: half_clusters_avx2.cpp and
// half_clusters_avx512.cpp compile it, each with its vectors V and with LIMBER_HALF_INLINE, the attributes of functions
// that use them.
#pragma once

#include "kernels/half_clusters.hpp"

#include <immintrin.h>

namespace limber {
namespace {

// Bytes: half the time of a product that finds nothing in the cache, and free where everything is.
constexpr std::size_t kStreamAhead = 2048;

constexpr std::size_t lines(std::size_t bytes) { return (bytes + 63) / 64; }

template <std::size_t Lines>
LIMBER_HALF_INLINE void prefetch(const void* from) noexcept {
    for (std::size_t i = 0; i < Lines; ++i)
        _mm_prefetch(static_cast<const char*>(from) + kStreamAhead + 64 * i, _MM_HINT_T0);
}

template <std::size_t B, class V>
LIMBER_HALF_INLINE typename V::Vector dot(const typename V::Vector (&k)[3], const typename V::Vector (&p)[3]) noexcept {
    typename V::Vector sum = V::times_plus(k[1], p[1], V::times(k[0], p[0]));
    if constexpr (B == 3) sum = V::times_plus(k[2], p[2], sum);
    return sum;
}

// Diagonal blocks: entries (0,0), (0,1), (0,2), (1,1), (1,2), (2,2), or (0,0), (0,1), (1,1).
template <std::size_t B, class V>
LIMBER_HALF_INLINE void diagonal(const typename V::Real* v, const typename V::Vector (&own)[3],
                                 typename V::Vector (&sum)[3]) noexcept {
    constexpr std::size_t L = V::kLanes;
    constexpr std::size_t kEntry[3][3] = {{0, 1, 2}, {1, B == 3 ? 3 : 2, 4}, {2, 4, 5}};
    sum[2] = V::zero();
    for (std::size_t i = 0; i < B; ++i) {
        typename V::Vector k[3];
        for (std::size_t j = 0; j < B; ++j) k[j] = V::load(v + L * kEntry[i][j]);
        sum[i] = dot<B, V>(k, own);
    }
}

// Keeps a number: compilers would rather load it a second time, as part of an instruction.
template <class T>
LIMBER_HALF_INLINE T once(T value) noexcept {
    asm("" : "+v"(value));
    return value;
}

// Entry row by entry row: each number is loaded once.
template <std::size_t B, class V>
LIMBER_HALF_INLINE void slot(const typename V::Real* v, const typename V::Real* x, typename V::Real* y,
                             const std::uint32_t* columns, const typename V::Vector (&own)[3],
                             typename V::Vector (&sum)[3]) noexcept {
    constexpr std::size_t L = V::kLanes;
    typename V::Vector p[3], mirrored[3];
    // A copy: what is stored to y could be it. Two at once, since loads are many (1 % of a product in the cache).
    std::uint32_t at[L];
    for (std::size_t l = 0; l < L; l += 2) {
        std::uint64_t two;
        __builtin_memcpy(&two, columns + l, sizeof two);
        at[l] = static_cast<std::uint32_t>(two);
        at[l + 1] = static_cast<std::uint32_t>(two >> 32);
    }
    V::transposed(x, at, p);
    mirrored[2] = V::zero();
    for (std::size_t i = 0; i < B; ++i) {
        typename V::Vector k[3];
        for (std::size_t j = 0; j < B; ++j) k[j] = once(V::load(v + L * (B * i + j)));
        sum[i] = V::template plus_dot<B>(sum[i], k, p);
        for (std::size_t j = 0; j < B; ++j)
            mirrored[j] = i == 0 ? V::times(k[j], own[0]) : V::times_plus(k[j], own[i], mirrored[j]);
    }
    V::add_transposed(mirrored, y, at);
}

template <std::size_t B, class V>
LIMBER_HALF_INLINE void product(const HalfArgs<typename V::Real>& a, std::size_t begin, std::size_t end) noexcept {
    using T = typename V::Real;
    constexpr std::size_t L = V::kLanes;
    constexpr std::uint32_t kRows[16] = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60};
    const T* v = a.values + half_stream(B, L, begin, a.starts);
    const std::uint32_t* at = a.columns + L * static_cast<std::size_t>(a.starts[begin]);
    const T* x = a.x;  // out of the struct: what is stored to y could be it, for all the compiler knows
    T* y = a.y;
    for (std::size_t s = begin; s < end; ++s) {
        const std::size_t row = kGatherStride * L * (s - a.first);
        typename V::Vector own[3], sum[3];
        V::transposed(x + row, kRows, own);
        prefetch<lines(B * (B + 1) / 2 * L * sizeof(T))>(v);
        diagonal<B, V>(v, own, sum);
        v += B * (B + 1) / 2 * L;
        for (const std::uint32_t* last = a.columns + L * static_cast<std::size_t>(a.starts[s + 1]); at != last;
             at += L, v += B * B * L) {
            prefetch<lines(B * B * L * sizeof(T))>(v);
            slot<B, V>(v, x, y, at, own, sum);
        }
        V::add_transposed(sum, y + row, kRows);
    }
}

}  // namespace
}  // namespace limber
