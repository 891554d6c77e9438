// The dense part of a front with 512-bit vectors. Earned by bench/cholmod (factor).
#include "kernels/front.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#define LIMBER_FRONT __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define LIMBER_FRONT_INLINE __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"), always_inline)) inline
#define LIMBER_FRONT_APART __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"), noinline))

namespace limber {
namespace {

using Vec = __m512d;
constexpr std::size_t kLanes = 8;
constexpr std::size_t kColumns = 8;  // of a product's tile: what the registers hold

LIMBER_FRONT_INLINE Vec zero() noexcept { return _mm512_setzero_pd(); }
LIMBER_FRONT_INLINE Vec load(const double* p) noexcept { return _mm512_loadu_pd(p); }
LIMBER_FRONT_INLINE void store(double* p, Vec v) noexcept { _mm512_storeu_pd(p, v); }
LIMBER_FRONT_INLINE Vec spread(const double* p) noexcept { return _mm512_set1_pd(*p); }
LIMBER_FRONT_INLINE Vec plus(Vec a, Vec b) noexcept { return _mm512_add_pd(a, b); }
LIMBER_FRONT_INLINE Vec times(Vec a, Vec b) noexcept { return _mm512_mul_pd(a, b); }
LIMBER_FRONT_INLINE Vec fuse(Vec a, Vec b, Vec c) noexcept { return _mm512_fmadd_pd(a, b, c); }   // c + a b
LIMBER_FRONT_INLINE Vec take(Vec a, Vec b, Vec c) noexcept { return _mm512_fnmadd_pd(a, b, c); }  // c - a b

// The first `count` numbers: masked stores cost nothing here.
LIMBER_FRONT_INLINE void put(double* to, Vec value, std::size_t count) noexcept {
    if (count >= 8)
        _mm512_storeu_pd(to, value);
    else
        _mm512_mask_storeu_pd(to, static_cast<__mmask8>((1u << count) - 1u), value);
}

}  // namespace
}  // namespace limber

#include "kernels/front_body.hpp"

namespace limber {

std::ptrdiff_t front_factor_avx512(double* panel, std::size_t width, std::size_t height, const FrontChild* children,
                                   std::size_t count, double* rest, double* work) noexcept {
    return factor_blocks(panel, width, height, children, count, rest, work);
}

LIMBER_FRONT void front_add_avx512(const FrontChild& child, std::size_t begin, std::size_t end, std::size_t shift,
                                   double* to, std::size_t ld) noexcept {
    add_columns(child, begin, end, shift, to, ld);
}

}  // namespace limber

#else

namespace limber {
std::ptrdiff_t front_factor_avx512(double* panel, std::size_t width, std::size_t height, const FrontChild* children,
                                   std::size_t count, double* rest, double* work) noexcept {
    return front_factor_baseline(panel, width, height, children, count, rest, work);
}
void front_add_avx512(const FrontChild& child, std::size_t begin, std::size_t end, std::size_t shift, double* to,
                      std::size_t ld) noexcept {
    front_add_baseline(child, begin, end, shift, to, ld);
}
}  // namespace limber

#endif
