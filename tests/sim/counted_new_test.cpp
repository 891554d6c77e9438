// In a file of its own: inlined beside ordinary code, the compiler takes the pair below for a mismatch.
#include "sim/counted_new.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

namespace {
std::atomic<long> count{0};
}

void* operator new(std::size_t size) {
    ++count;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
// std::stable_sort asks in this way; what new gives here delete must take back, sanitizers or not.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++count;
    return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace limber {

long allocation_count() { return count; }

TEST(CountedNew, SeesAnAllocation) {
    // Otherwise "allocates nothing" would hold for anything.
    const long before = allocation_count();
    const std::unique_ptr<int> kept(static_cast<int*>(::operator new(sizeof(int))));
    EXPECT_EQ(allocation_count() - before, 1);
}

}  // namespace limber
