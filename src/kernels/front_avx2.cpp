// The dense part of a front with 256-bit vectors and fused multiply-add. Earned by bench/cholmod (factor).
#include "kernels/front.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#define LIMBER_FRONT __attribute__((target("avx2,fma")))
#define LIMBER_FRONT_INLINE __attribute__((target("avx2,fma"), always_inline)) inline
#define LIMBER_FRONT_APART __attribute__((target("avx2,fma"), noinline))

namespace limber {
namespace {

using Vec = __m256d;
constexpr std::size_t kLanes = 4;
constexpr std::size_t kColumns = 4;  // of a product's tile: what the registers hold

LIMBER_FRONT_INLINE Vec zero() noexcept { return _mm256_setzero_pd(); }
LIMBER_FRONT_INLINE Vec load(const double* p) noexcept { return _mm256_loadu_pd(p); }
LIMBER_FRONT_INLINE void store(double* p, Vec v) noexcept { _mm256_storeu_pd(p, v); }
LIMBER_FRONT_INLINE Vec spread(const double* p) noexcept { return _mm256_broadcast_sd(p); }
LIMBER_FRONT_INLINE Vec plus(Vec a, Vec b) noexcept { return _mm256_add_pd(a, b); }
LIMBER_FRONT_INLINE Vec times(Vec a, Vec b) noexcept { return _mm256_mul_pd(a, b); }
LIMBER_FRONT_INLINE Vec fuse(Vec a, Vec b, Vec c) noexcept { return _mm256_fmadd_pd(a, b, c); }   // c + a b
LIMBER_FRONT_INLINE Vec take(Vec a, Vec b, Vec c) noexcept { return _mm256_fnmadd_pd(a, b, c); }  // c - a b

// The first `count` numbers; masked stores take many times as long.
LIMBER_FRONT_INLINE void put(double* to, Vec value, std::size_t count) noexcept {
    if (count >= 4) {
        _mm256_storeu_pd(to, value);
        return;
    }
    const __m128d low = _mm256_castpd256_pd128(value);
    if (count == 1) {
        _mm_store_sd(to, low);
        return;
    }
    _mm_storeu_pd(to, low);
    if (count == 3) _mm_store_sd(to + 2, _mm256_extractf128_pd(value, 1));
}

}  // namespace
}  // namespace limber

#include "kernels/front_body.hpp"

namespace limber {

std::ptrdiff_t front_factor_avx2(double* panel, std::size_t width, std::size_t height, const FrontChild* children,
                                 std::size_t count, double* rest, double* work) noexcept {
    return factor_blocks(panel, width, height, children, count, rest, work);
}

LIMBER_FRONT void front_add_avx2(const FrontChild& child, std::size_t begin, std::size_t end, std::size_t shift,
                                 double* to, std::size_t ld) noexcept {
    add_columns(child, begin, end, shift, to, ld);
}

}  // namespace limber

#else

namespace limber {
std::ptrdiff_t front_factor_avx2(double* panel, std::size_t width, std::size_t height, const FrontChild* children,
                                 std::size_t count, double* rest, double* work) noexcept {
    return front_factor_baseline(panel, width, height, children, count, rest, work);
}
void front_add_avx2(const FrontChild& child, std::size_t begin, std::size_t end, std::size_t shift, double* to,
                    std::size_t ld) noexcept {
    front_add_baseline(child, begin, end, shift, to, ld);
}
}  // namespace limber

#endif
