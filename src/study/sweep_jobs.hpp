// Many independent runs at once: a few workers, one thread inside each run, so that results do not depend on how many
// there are.
#pragma once

#include <limber/progress.hpp>

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>

namespace limber {

/// Lets runs start only while their estimated memory fits into the machine's; one always may.
class MemoryGate {
public:
    /// `bytes` of the machine; 0 = ask it.
    explicit MemoryGate(double bytes = 0.0);
    double total() const { return total_; }
    void enter(double bytes);
    void leave(double bytes);

private:
    double total_, used_ = 0.0;
    std::mutex mutex_;
    std::condition_variable changed_;
};

/// Holds its share of a gate for as long as it lives.
class MemoryShare {
public:
    MemoryShare(MemoryGate& gate, double bytes) : gate_(gate), bytes_(bytes) { gate_.enter(bytes_); }
    ~MemoryShare() { gate_.leave(bytes_); }
    MemoryShare(const MemoryShare&) = delete;
    MemoryShare& operator=(const MemoryShare&) = delete;

private:
    MemoryGate& gate_;
    double bytes_;
};

/// Threads inside a run would only fight with the other runs: while it lives, thread_count() is 1.
class OneThread {
public:
    OneThread();
    ~OneThread();
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

private:
    int before_;
};

/// How many workers fit this machine.
int default_jobs();

/// Calls work(item, progress) for every item of [0, count), taken in order by `jobs` workers. A `work` that throws
/// Error{interrupted} ends its worker quietly; anything else it throws ends all of them and is thrown again. `noun` is
/// what an item is called. False when the caller's progress asked to stop before all was done. While it runs,
/// thread_count() is 1.
bool run_jobs(std::size_t count, int jobs, const std::string& noun, Progress& progress,
              const std::function<void(std::size_t item, Progress& inner)>& work);

}  // namespace limber
