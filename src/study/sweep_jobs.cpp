#include "study/sweep_jobs.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>
#include <limber/version.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include <unistd.h>

namespace limber {
namespace {

/// What the workers and the caller's thread share.
struct Shared {
    std::atomic<std::size_t> next{0}, done{0};
    std::atomic<bool> stop{false};
    std::atomic<int> working{0};
    std::mutex mutex;
    std::condition_variable changed;
    std::exception_ptr failure;  // guarded by mutex
};

class WorkerProgress : public Progress {
public:
    explicit WorkerProgress(const Shared& shared) : shared_(shared) {}
    void update(double fraction, std::string_view what) override {
        // Preparing runs from 0 to 1 too; only stepping says how much of the point is done.
        if (what == "stepping") fraction_.store(fraction, std::memory_order_relaxed);
    }
    bool stop_requested() const override { return shared_.stop.load(); }
    double fraction() const { return fraction_.load(std::memory_order_relaxed); }
    void reset() { fraction_.store(0.0); }

private:
    const Shared& shared_;
    std::atomic<double> fraction_{0.0};
};

using Work = std::function<void(std::size_t, Progress&)>;

void take_items(Shared& shared, std::size_t count, const Work& work, WorkerProgress& progress) {
    while (!shared.stop.load()) {
        const std::size_t item = shared.next.fetch_add(1);
        if (item >= count) return;
        work(item, progress);
        progress.reset();
        shared.done.fetch_add(1);
        shared.changed.notify_all();  // the caller looks at once; a look that is missed is made up for within 50 ms
    }
}

void worker(Shared& shared, std::size_t count, const Work& work, WorkerProgress& progress) noexcept {
    try {
        take_items(shared, count, work, progress);
    } catch (...) {
        const std::lock_guard lock(shared.mutex);
        bool quiet = false;
        try {
            throw;
        } catch (const Error& error) {
            quiet = error.fault() == Fault::interrupted && shared.stop.load();
        } catch (...) {}
        if (!quiet && !shared.failure) shared.failure = std::current_exception();
        shared.stop.store(true);
    }
    const std::lock_guard lock(shared.mutex);
    shared.working.fetch_sub(1);
    shared.changed.notify_all();
}

/// Shows progress and watches for Ctrl-C until the last worker is done.
void watch(Shared& shared, std::size_t count, const std::string& noun, Progress& progress,
           const std::vector<std::unique_ptr<WorkerProgress>>& workers) {
    std::unique_lock lock(shared.mutex);
    while (shared.working.load() > 0) {
        lock.unlock();
        double done = static_cast<double>(shared.done.load());
        for (const auto& w : workers) done += w->fraction();
        progress.update(std::min(1.0, done / static_cast<double>(count)),
                        text(noun, " ", std::min(count, shared.done.load() + 1), " of ", count));
        if (progress.stop_requested()) shared.stop.store(true);
        lock.lock();
        if (shared.working.load() > 0) shared.changed.wait_for(lock, std::chrono::milliseconds(50));
    }
}

}  // namespace

MemoryGate::MemoryGate(double bytes) : total_(bytes) {
    if (total_ > 0.0) return;
    const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
    total_ = pages > 0 && size > 0 ? static_cast<double>(pages) * static_cast<double>(size) : 4e9;
}

void MemoryGate::enter(double bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return used_ == 0.0 || used_ + bytes <= total_; });
    used_ += bytes;
}

void MemoryGate::leave(double bytes) {
    const std::lock_guard lock(mutex_);
    used_ = std::max(0.0, used_ - bytes);
    if (used_ < 1.0) used_ = 0.0;  // rounding must not keep the gate shut
    changed_.notify_all();
}

OneThread::OneThread() : before_(thread_count()) { set_thread_count(1); }

OneThread::~OneThread() { set_thread_count(before_); }

int default_jobs() { return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 256u)); }

bool run_jobs(std::size_t count, int jobs, const std::string& noun, Progress& progress, const Work& work) {
    if (count == 0) return true;
    const OneThread one_thread;
    Shared shared;
    const std::size_t workers = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(1, jobs)), 1, count);
    std::vector<std::unique_ptr<WorkerProgress>> inner;
    for (std::size_t i = 0; i < workers; ++i) inner.push_back(std::make_unique<WorkerProgress>(shared));
    std::vector<std::thread> threads;
    shared.working.store(static_cast<int>(workers));
    for (std::size_t i = 0; i < workers; ++i) {
        try {
            threads.emplace_back([&, i] { worker(shared, count, work, *inner[i]); });
        } catch (const std::system_error&) {
            if (i == 0) throw;  // fewer workers than asked for still do all of it
            shared.working.fetch_sub(static_cast<int>(workers - i));
            break;
        }
    }
    watch(shared, count, noun, progress, inner);
    for (std::thread& t : threads) t.join();
    if (shared.failure) std::rethrow_exception(shared.failure);
    return shared.done.load() == count;
}

}  // namespace limber
