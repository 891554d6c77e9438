// Which instruction set the kernels use: chosen once at start-up from what the processor has.
#pragma once

namespace limber {

/// Ascending: each holds those before it.
enum class Isa { baseline, avx2 };

/// The one in use. All kernels add in the same order without fused multiply-add, so every choice gives the same bits.
Isa kernel_choice() noexcept;
/// "AVX2" or "baseline (SSE2)": for provenance.
const char* kernel_isa() noexcept;
/// For tests and benchmarks: ignored when the processor lacks it. Not to be called while other threads compute.
void set_kernel_choice(Isa isa) noexcept;

}  // namespace limber
