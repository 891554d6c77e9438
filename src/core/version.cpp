#include <limber/version.hpp>

#include "core/build_info.hpp"
#include "core/commit.hpp"

#include <fstream>

namespace limber {
namespace {

std::string compiler_name() {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}

// The first "model name" (x86) or "Hardware" / "CPU part" line that the kernel shows; other systems have no such file.
std::string cpu_name() {
    std::ifstream in("/proc/cpuinfo");
    std::string line;
    for (int read = 0; read < 200 && std::getline(in, line); ++read) {
        const bool named = line.rfind("model name", 0) == 0 || line.rfind("Hardware", 0) == 0 ||
                           line.rfind("CPU part", 0) == 0;
        const std::size_t colon = line.find(':');
        if (!named || colon == std::string::npos) continue;
        const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
        if (begin != std::string::npos) return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
    }
    return "unknown";
}

// The same question, and the same words, as src/kernels/isa.cpp: core lies beside the kernels and cannot ask them.
std::string isa_name() {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return "baseline (SSE2)";
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
               ? "AVX-512"
               : "AVX2";
#else
    return "baseline";
#endif
}

std::string trimmed(std::string words) {
    while (!words.empty() && words.back() == ' ') words.pop_back();
    return words;
}

}  // namespace

Provenance provenance() {
    Provenance p;
    p.version = LIMBER_VERSION;
    p.commit = LIMBER_COMMIT;
    p.compiler = trimmed(compiler_name());
    p.cpu = cpu_name();
    p.isa = isa_name();
    p.linked = LIMBER_LINKED;
    p.threads = thread_count();
    return p;
}

}  // namespace limber
