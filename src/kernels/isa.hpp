// Which instruction set the kernels use: chosen once at start-up from what the processor has.
#pragma once

namespace limber {

/// Ascending: each holds those before it.
enum class Isa { baseline, avx2, avx512 };

/// The one in use. A kernel without a file for it takes the next lower one that it has.
Isa kernel_choice() noexcept;
/// The highest that this processor has: in use unless somebody chose another.
Isa best_isa() noexcept;
/// "AVX-512", "AVX2" or "baseline (SSE2)": for provenance.
const char* kernel_isa() noexcept;
/// For tests and benchmarks: ignored when the processor lacks it. Not to be called while other threads compute.
void set_kernel_choice(Isa isa) noexcept;

}  // namespace limber
