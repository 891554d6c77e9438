#include "kernels/isa.hpp"

#include <atomic>

namespace limber {
namespace {

bool has_avx2() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
#else
    return false;
#endif
}

std::atomic<Isa>& choice() noexcept {
    static std::atomic<Isa> isa{has_avx2() ? Isa::avx2 : Isa::baseline};
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
    if (isa == Isa::avx2 && !has_avx2()) return;
    choice().store(isa, std::memory_order_relaxed);
}

}  // namespace limber
