#include "core/parallel.hpp"

#include <limber/version.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace limber {
namespace {

struct Threads {
    explicit Threads(int n) { set_thread_count(n); }
    ~Threads() { set_thread_count(1); }
};

TEST(Parallel, EveryItemIsVisitedOnceInItsOwnBlock) {
    for (const int threads : {1, 2, 5}) {
        const Threads use(threads);
        for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 1000u}) {
            std::vector<int> visits(count, 0), wrong(count, 0);
            parallel_blocks(count, 8, [&](std::size_t block, std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    ++visits[i];
                    wrong[i] = i / 8 == block ? 0 : 1;
                }
            });
            EXPECT_EQ(visits, std::vector<int>(count, 1)) << threads << " threads, " << count;
            EXPECT_EQ(wrong, std::vector<int>(count, 0));
        }
    }
}

TEST(Parallel, ManyShortJobsInARowLoseNothing) {
    // A late worker of one job must not run a block of the next one twice, nor leave early.
    const Threads use(4);
    std::atomic<long> sum{0};
    for (int round = 0; round < 20000; ++round)
        parallel_blocks(6, 1, [&](std::size_t, std::size_t begin, std::size_t) { sum += static_cast<long>(begin); });
    EXPECT_EQ(sum.load(), 20000L * 15);
}

TEST(Parallel, ABlockMayWaitForAnEarlierOne) {
    // Also when one thread does them all: were a later block begun first, it would wait for ever.
    for (const int threads : {1, 2, 4}) {
        const Threads use(threads);
        long sum = 0;
        for (int round = 0; round < 1000; ++round) {
            std::atomic<std::size_t> done{0};
            parallel_blocks(5, 1, [&](std::size_t b, std::size_t, std::size_t) {
                while (done.load() < b) std::this_thread::yield();
                sum += static_cast<long>(b);
                done.fetch_add(1);
            });
        }
        EXPECT_EQ(sum, 1000L * 10) << threads;
    }
}

TEST(Parallel, TwoCallersAtOnceBothGetTheirWholeAnswer) {
    const Threads use(3);
    std::vector<long> sums(2, 0);
    const auto call = [&](std::size_t who) {
        std::vector<long> slots(64);
        for (int round = 0; round < 2000; ++round) {
            parallel_blocks(640, 10, [&](std::size_t b, std::size_t begin, std::size_t end) {
                slots[b] = 0;
                for (std::size_t i = begin; i < end; ++i) slots[b] += static_cast<long>(i);
            });
            for (const long s : slots) sums[who] += s;
        }
    };
    std::thread other(call, 1);
    call(0);
    other.join();
    EXPECT_EQ(sums[0], 2000L * 640 * 639 / 2);
    EXPECT_EQ(sums[1], sums[0]);
}

TEST(Parallel, ThreadCountIsClampedToSense) {
    set_thread_count(-3);
    EXPECT_EQ(thread_count(), 1);
    set_thread_count(1);
}

}  // namespace
}  // namespace limber
