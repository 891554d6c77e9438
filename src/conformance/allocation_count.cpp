// With glibc the allocation functions are defined here and pass on to its own; linking this file is enough, because the
// program's definitions come before the library's. Sanitizers own malloc themselves and offer a hook instead.
#include "conformance/allocation_count.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMBER_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define LIMBER_SANITIZED 1
#endif
#endif

namespace {
std::atomic<std::uint64_t> allocations{0};  // constant-initialised: malloc runs before any constructor
inline void count_one() noexcept { allocations.fetch_add(1, std::memory_order_relaxed); }
}  // namespace

#if defined(LIMBER_SANITIZED)

// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizers' own
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, std::size_t),
                                                         void (*on_free)(const volatile void*));
namespace {
const bool counted = __sanitizer_install_malloc_and_free_hooks([](const volatile void*, std::size_t) { count_one(); },
                                                               [](const volatile void*) {}) != 0;
}

#elif defined(__GLIBC__)

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): glibc's own
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(std::size_t size) {
    count_one();
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
    count_one();
    return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
    count_one();
    return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
    count_one();
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    count_one();
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
    if (alignment % sizeof(void*) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    count_one();
    void* memory = __libc_memalign(alignment, size);
    if (memory == nullptr) return ENOMEM;
    *out = memory;
    return 0;
}
}
namespace {
constexpr bool counted = true;
}

#else
namespace {
constexpr bool counted = false;
}
#endif

namespace limber::conformance {

std::uint64_t allocation_count() noexcept { return allocations.load(std::memory_order_relaxed); }
bool allocations_are_counted() noexcept { return counted; }

}  // namespace limber::conformance
