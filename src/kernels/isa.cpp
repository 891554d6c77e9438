#include "kernels/isa.hpp"

#include <atomic>

namespace limber {
namespace {

Isa find_best() noexcept {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0) return Isa::baseline;  // fronts fuse
    const bool wide = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                      __builtin_cpu_supports("avx512vl") != 0;
    return wide ? Isa::avx512 : Isa::avx2;
#else
    return Isa::baseline;
#endif
}

std::atomic<Isa>& choice() noexcept {
    static std::atomic<Isa> isa{best_isa()};
    return isa;
}

}  // namespace

Isa best_isa() noexcept {
    static const Isa isa = find_best();
    return isa;
}

Isa kernel_choice() noexcept { return choice().load(std::memory_order_relaxed); }

const char* kernel_isa() noexcept {
    if (kernel_choice() == Isa::avx512) return "AVX-512";
    if (kernel_choice() == Isa::avx2) return "AVX2";
#if defined(__x86_64__)
    return "baseline (SSE2)";
#else
    return "baseline";
#endif
}

void set_kernel_choice(Isa isa) noexcept {
    if (isa > best_isa()) return;
    choice().store(isa, std::memory_order_relaxed);
}

}  // namespace limber
