// Counts allocations of this test program (malloc itself, so that C libraries are seen too). Include in one file only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>

extern "C" void* __libc_malloc(std::size_t);  // NOLINT(bugprone-reserved-identifier): glibc's own name
inline std::atomic<long> malloc_count{0};
#if !defined(__SANITIZE_ADDRESS__)
#define LIMBER_COUNTS_MALLOC 1
extern "C" void* malloc(std::size_t n) {
    malloc_count.fetch_add(1, std::memory_order_relaxed);
    return __libc_malloc(n);
}
#endif
