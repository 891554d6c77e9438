#include "yardstick.hpp"

#include "core/parallel.hpp"

#include <limber/version.hpp>

#include <algorithm>
#include <chrono>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace limber::bench {
namespace {

volatile double sink = 0.0;

double read_plain(const double* a, std::size_t n) {
    double sum[16] = {};
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16)
        for (std::size_t v = 0; v < 16; ++v) sum[v] += a[i + v];
    double total = 0.0;
    for (const double s : sum) total += s;
    for (; i < n; ++i) total += a[i];
    return total;
}

void triad_plain(double* a, const double* b, const double* c, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + 0.5 * c[i];
}

constexpr std::size_t kFlopRounds = 200000;

#if defined(__x86_64__)
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_avx512() { return has_avx2() && __builtin_cpu_supports("avx512f"); }

__attribute__((target("avx2"))) double read_avx2(const double* a, std::size_t n) {
    typedef double Lane __attribute__((vector_size(32)));
    Lane sum[16] = {};  // unrolled, or the compiler keeps them in memory
    std::size_t i = 0;
    for (; i + 64 <= n; i += 64) {
#pragma GCC unroll 16
        for (std::size_t v = 0; v < 16; ++v) sum[v] += *reinterpret_cast<const Lane*>(a + i + 4 * v);
    }
    double total = 0.0;
    for (std::size_t v = 0; v < 16; ++v) total += (sum[v][0] + sum[v][1]) + (sum[v][2] + sum[v][3]);
    for (; i < n; ++i) total += a[i];
    return total;
}

__attribute__((target("avx2"))) void triad_avx2(double* a, const double* b, const double* c, std::size_t n) {
    const __m256d half = _mm256_set1_pd(0.5);
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
        _mm256_store_pd(a + i, _mm256_add_pd(_mm256_load_pd(b + i), _mm256_mul_pd(half, _mm256_load_pd(c + i))));
    triad_plain(a + i, b + i, c + i, n - i);
}

__attribute__((target("avx512f"))) double read_avx512(const double* a, std::size_t n) {
    typedef double Lane __attribute__((vector_size(64)));
    Lane sum[16] = {};
    std::size_t i = 0;
    for (; i + 128 <= n; i += 128) {
#pragma GCC unroll 16
        for (std::size_t v = 0; v < 16; ++v) sum[v] += *reinterpret_cast<const Lane*>(a + i + 8 * v);
    }
    double total = 0.0;
    for (std::size_t v = 0; v < 16; ++v)
        for (int lane = 0; lane < 8; ++lane) total += sum[v][lane];
    for (; i < n; ++i) total += a[i];
    return total;
}

__attribute__((target("avx512f"))) void triad_avx512(double* a, const double* b, const double* c, std::size_t n) {
    const __m512d half = _mm512_set1_pd(0.5);
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16) {
#pragma GCC unroll 2
        for (std::size_t v = i; v < i + 16; v += 8)
            _mm512_store_pd(a + v, _mm512_fmadd_pd(half, _mm512_load_pd(c + v), _mm512_load_pd(b + v)));
    }
    triad_plain(a + i, b + i, c + i, n - i);
}

__attribute__((target("avx512f"))) double flops_avx512() {
    __m512d sum[12];
    for (int v = 0; v < 12; ++v) sum[v] = _mm512_set1_pd(v);
    const __m512d x = _mm512_set1_pd(0.999999), y = _mm512_set1_pd(1e-9);
    for (std::size_t i = 0; i < kFlopRounds; ++i) {
#pragma GCC unroll 12
        for (int v = 0; v < 12; ++v) sum[v] = _mm512_fmadd_pd(sum[v], x, y);
    }
    double total = 0.0;
    for (int v = 0; v < 12; ++v) total += sum[v][0];
    return total;
}

// Twelve chains: two units of latency four or five want at least ten.
__attribute__((target("avx2,fma"))) double flops_fma() {
    __m256d sum[12];
    for (int v = 0; v < 12; ++v) sum[v] = _mm256_set1_pd(v);
    const __m256d x = _mm256_set1_pd(0.999999), y = _mm256_set1_pd(1e-9);
    for (std::size_t i = 0; i < kFlopRounds; ++i) {
#pragma GCC unroll 12
        for (int v = 0; v < 12; ++v) sum[v] = _mm256_fmadd_pd(sum[v], x, y);
    }
    double total = 0.0;
    for (int v = 0; v < 12; ++v) total += sum[v][0];
    return total;
}
#else
bool has_avx2() { return false; }
double read_avx2(const double* a, std::size_t n) { return read_plain(a, n); }
void triad_avx2(double* a, const double* b, const double* c, std::size_t n) { triad_plain(a, b, c, n); }
double flops_fma() { return 0.0; }
bool has_avx512() { return false; }
double read_avx512(const double* a, std::size_t n) { return read_plain(a, n); }
void triad_avx512(double* a, const double* b, const double* c, std::size_t n) { triad_plain(a, b, c, n); }
double flops_avx512() { return 0.0; }
#endif

double flops_plain() {
    double sum[24] = {};
    for (std::size_t i = 0; i < kFlopRounds; ++i)
        for (double& s : sum) s = s * 0.999999 + 1e-9;
    double total = 0.0;
    for (const double s : sum) total += s;
    return total;
}

// The faster of two, best of a few runs each: wide vectors do not win at every size.
template <class F>
bool first_is_faster(F&& run) {
    double best[2] = {1e300, 1e300};
    for (int round = 0; round < 7; ++round)
        for (const int which : {0, 1}) best[which] = std::min(best[which], time_of([&] { run(which == 0); }));
    return best[0] < best[1];
}

}  // namespace

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median(std::vector<double> values) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

Yardstick::Yardstick(std::size_t bytes)
    : read_(std::max<std::size_t>(bytes / 8, 64)), a_(read_.size() / 3), b_(read_.size() / 3), c_(read_.size() / 3) {
    for (std::size_t i = 0; i < read_.size(); ++i) read_.data()[i] = 1e-3 * static_cast<double>(i % 7);
    for (std::size_t i = 0; i < b_.size(); ++i) b_.data()[i] = c_.data()[i] = 1e-3 * static_cast<double>(i % 5);
    read_use_ = triad_use_ = has_avx2() ? Vectors::avx2 : Vectors::plain;
    if (!has_avx512()) return;
    const auto choice = [](bool wide) { return wide ? Vectors::avx512 : Vectors::avx2; };
    const bool read_wide = first_is_faster([&](bool wide) { read_use_ = choice(wide), read(); });
    const bool triad_wide = first_is_faster([&](bool wide) { triad_use_ = choice(wide), triad(); });
    read_use_ = choice(read_wide);
    triad_use_ = choice(triad_wide);
}

void Yardstick::read() const {
    const auto run = read_use_ == Vectors::avx512 ? read_avx512 : read_use_ == Vectors::avx2 ? read_avx2 : read_plain;
    sink = run(read_.data(), read_.size());
}

void Yardstick::triad() {
    const auto run = triad_use_ == Vectors::avx512 ? triad_avx512
                     : triad_use_ == Vectors::avx2 ? triad_avx2
                                                   : triad_plain;
    const auto threads = static_cast<std::size_t>(thread_count());
    const std::size_t share = (a_.size() / threads + 64) / 64 * 64;  // as the subject may: with all threads there are
    parallel_blocks(a_.size(), share, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        run(a_.data() + begin, b_.data() + begin, c_.data() + begin, end - begin);
    });
    sink = a_.data()[a_.size() / 2];
}

double peak_flops() {
    double best = 0.0;
    const auto take = [&](double (*run)(), double flops) {
        best = std::max(best, static_cast<double>(kFlopRounds) * flops / time_of([&] { sink = run(); }));
    };
    for (int round = 0; round < 5; ++round) {
        if (has_avx512()) take(flops_avx512, 12 * 8 * 2);
        if (has_avx2())
            take(flops_fma, 12 * 4 * 2);
        else
            take(flops_plain, 24 * 2);
    }
    return best;
}

void keep(double value) { sink = value; }

}  // namespace limber::bench
