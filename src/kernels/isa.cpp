#include "kernels/isa.hpp"

#include <atomic>

namespace limber {
namespace {

Isa best_isa() noexcept {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) return Isa::avx2;      // fronts fuse
#endif
    return Isa::baseline;
}

std::atomic<Isa>& choice() noexcept {
    static std::atomic<Isa> isa{best_isa()};
    return isa;
}

}  // namespace

Isa kernel_choice() noexcept { return choice().load(std::memory_order_relaxed); }

const char* kernel_isa() noexcept {
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
