// Ordered parallel loops: fixed-size blocks, so that results never depend on the number of threads.
#pragma once

#include <cstddef>

namespace limber {

/// What a block loop calls: `context` is the caller's data, [begin, end) the block's items.
using BlockFunction = void (*)(void* context, std::size_t block, std::size_t begin, std::size_t end) noexcept;

/// Runs function over [0, count) in blocks of `block` items on thread_count() threads. Never allocates after the pool
/// exists, takes no lock; when another thread is using the pool the caller does all blocks itself (same result).
/// A block may write only what no other block touches; sums go into one slot per block, added in block order
/// afterwards. Blocks are begun in their order and, once begun, run: so a block may wait for an earlier one (and for no
/// later one).
void run_blocks(std::size_t count, std::size_t block, BlockFunction function, void* context) noexcept;

template <class F>
void parallel_blocks(std::size_t count, std::size_t block, F&& f) noexcept {
    run_blocks(
        count, block,
        [](void* context, std::size_t b, std::size_t begin, std::size_t end) noexcept {
            (*static_cast<F*>(context))(b, begin, end);
        },
        const_cast<void*>(static_cast<const void*>(&f)));
}

}  // namespace limber
