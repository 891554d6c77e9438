#include "core/parallel.hpp"

#include <limber/version.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace limber {
namespace {

// Tells the processor that this is a loop that waits.
inline void hint_busy_wait() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// Turns of waiting awake before falling asleep: ten microseconds or so, about what waking up would take.
constexpr int kAwake = 250;

// One job at a time. Workers sleep on `jobs_` (a futex, no lock), enter by `gate_` and take blocks from `next_`. Who
// comes when all blocks are taken finds the gate closed: on a busy machine a job never waits for a worker that has not
// begun.
class Pool {
public:
    explicit Pool(int workers) {
        for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
    }
    ~Pool() {
        if (!quit_.load()) retire();
    }
    /// Waits for the job under way, then ends the workers. The object stays: a late caller finds it busy for ever and
    /// does its blocks itself.
    void retire() {
        while (busy_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
        quit_.store(true);
        jobs_.fetch_add(1);
        jobs_.notify_all();
        for (std::thread& t : threads_) t.join();
    }

    bool try_run(std::size_t count, std::size_t block, BlockFunction function, void* context) noexcept {
        if (busy_.exchange(true, std::memory_order_acquire)) return false;
        count_ = count;
        block_ = block;
        function_ = function;
        context_ = context;
        next_.store(0, std::memory_order_relaxed);
        gate_.store(kOpen, std::memory_order_release);
        jobs_.fetch_add(1, std::memory_order_release);
        jobs_.notify_all();
        take_blocks();
        std::uint32_t inside = gate_.fetch_and(~kOpen, std::memory_order_acq_rel) & ~kOpen;
        for (int i = 0; i < kAwake && inside != 0; ++i, inside = gate_.load(std::memory_order_acquire))
            hint_busy_wait();
        for (; inside != 0; inside = gate_.load(std::memory_order_acquire))
            gate_.wait(inside, std::memory_order_acquire);
        busy_.store(false, std::memory_order_release);
        return true;
    }

private:
    static constexpr std::uint32_t kOpen = 1u << 31;  // beside the number of workers inside

    void take_blocks() noexcept {
        const std::size_t blocks = (count_ + block_ - 1) / block_;
        for (std::size_t b = next_.fetch_add(1); b < blocks; b = next_.fetch_add(1))
            function_(context_, b, b * block_, std::min(count_, (b + 1) * block_));
    }
    bool enter() noexcept {
        std::uint32_t now = gate_.load(std::memory_order_acquire);
        while ((now & kOpen) != 0) {
            if (gate_.compare_exchange_weak(now, now + 1, std::memory_order_acq_rel, std::memory_order_acquire))
                return true;
        }
        return false;
    }
    void leave() noexcept {
        if (gate_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            gate_.notify_all();  // closed, and this was the last one
    }
    void work() noexcept {
        std::uint32_t seen = 0;
        while (true) {
            jobs_.wait(seen, std::memory_order_acquire);
            seen = jobs_.load(std::memory_order_acquire);
            if (quit_.load()) return;
            if (!enter()) continue;
            take_blocks();
            leave();
        }
    }

    std::vector<std::thread> threads_;
    std::atomic<std::uint32_t> jobs_{0}, gate_{0};  // of 32 bits: what a futex is
    std::atomic<bool> busy_{false}, quit_{false};
    std::atomic<std::size_t> next_{0};
    std::size_t count_ = 0, block_ = 1;
    BlockFunction function_ = nullptr;
    void* context_ = nullptr;
};

std::mutex pool_mutex;                     // guards changes of the pool, never taken while stepping
std::vector<std::unique_ptr<Pool>> pools;  // retired ones too
std::atomic<Pool*> current{nullptr};
std::atomic<int> threads{1};

}  // namespace

void set_thread_count(int count) {
    const std::lock_guard lock(pool_mutex);
    count = std::clamp(count, 1, 256);
    if (count == threads.load()) return;
    if (Pool* old = current.exchange(nullptr)) old->retire();
    threads.store(count);
    if (count > 1) {
        pools.push_back(std::make_unique<Pool>(count - 1));
        current.store(pools.back().get());
    }
}

int thread_count() { return threads.load(); }

void run_blocks(std::size_t count, std::size_t block, BlockFunction function, void* context) noexcept {
    Pool* shared = current.load(std::memory_order_acquire);
    if (shared != nullptr && count > block && shared->try_run(count, block, function, context)) return;
    for (std::size_t b = 0, begin = 0; begin < count; ++b, begin += block)
        function(context, b, begin, std::min(count, begin + block));
}

}  // namespace limber
