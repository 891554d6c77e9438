// Multifrontal Cholesky [Duff & Reid 1983]: a supernode's front is its own columns of the matrix plus what its children
// left over. The columns are factored and handed on at once; what they do to the rows below waits on a stack for the
// parent. Nearly all work is then in three large dense operations, and beside the finished factor only the stack is in
// memory.
#include "linalg/factor.hpp"

#include "core/parallel.hpp"
#include "kernels/front.hpp"
#include "kernels/isa.hpp"
#include "linalg/dense_blas.hpp"
#include "linalg/subtrees.hpp"

#include <limber/version.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <thread>

namespace limber {
namespace {

// Numbers to be written before they are read, on a cache line. Unless there are very many they come from the heap:
// pages straight from the kernel are cleared first, which took a third of a small factorisation.
class Room {
public:
    Room() = default;
    explicit Room(std::size_t size) {
        constexpr std::size_t kMany = std::size_t{1} << 22;
        if (size >= kMany)
            large_ = AlignedArray::raw(size);
        else
            small_.reset(static_cast<double*>(::operator new(size * sizeof(double), kLine)));
    }
    double* data() const { return small_ ? small_.get() : const_cast<double*>(large_.data()); }

private:
    static constexpr std::align_val_t kLine{64};
    struct Free {
        void operator()(double* p) const { ::operator delete(p, kLine); }
    };
    std::unique_ptr<double, Free> small_;
    AlignedArray large_;
};

decltype(&front_add_baseline) add_kernel() noexcept {
    const Isa isa = kernel_choice();
    return isa >= Isa::avx512 ? front_add_avx512 : isa >= Isa::avx2 ? front_add_avx2 : front_add_baseline;
}

// What all fronts of one factorisation share.
struct Shared {
    const Csr& a;
    const Symbolic& s;
    const FactorSink& sink;
    std::vector<std::int32_t> children;
    std::atomic<bool> stopped = false;

    double work(std::size_t k) const {
        const auto w = static_cast<double>(s.width(k)), b = static_cast<double>(s.rows_below(k));
        return w * (w * w / 3.0 + w * b + b * b);
    }
};

// The fronts of supernodes [range.begin, range.end) but for the subtrees `done` by others, whose roots' rests wait with
// them.
class MultiFrontal {
public:
    MultiFrontal(Shared& shared, Subtree range, std::vector<Subtree> done)
        : shared_(shared),
          s_(shared.s),
          range_(range),
          done_(std::move(done)),
          local_(s_.size(), 0),
          odd_(s_.supernodes(), 0) {
        for (std::size_t k = s_.supernodes(); k-- > 0;)
            if (s_.parent[k] >= 0) odd_[k] = !odd_[static_cast<std::size_t>(s_.parent[k])];
        std::size_t widest = 0, highest = 0;
        std::vector<std::size_t> waiting(s_.supernodes(), 0);  // for each parent
        std::size_t used = 0;
        for_each([&](std::size_t k, const Subtree* other) {
            if (other != nullptr) return;
            const std::size_t below = s_.rows_below(k), rest = rest_size(k);
            room_size_ = std::max(room_size_, used + rest);
            used = used - waiting[k] + (s_.parent[k] < 0 ? 0 : rest);
            widest = std::max(widest, s_.width(k) * (s_.width(k) + below));
            highest = std::max(highest, s_.width(k) + below);
            total_ += shared_.work(k);
            if (s_.parent[k] >= 0) waiting[static_cast<std::size_t>(s_.parent[k])] += rest;
        });
        for (const Subtree& t : done_) {
            for (std::int32_t i = s_.first[t.begin]; i < s_.first[t.end]; ++i)
                local_[static_cast<std::size_t>(s_.permutation[static_cast<std::size_t>(i)])] = -1;
        }
        rests_ = Room(room_size_);
        panel_ = Room(kBefore + widest + kFrontSlack);
        work_ = Room(front_work(highest));
        diagonal_.resize(highest);
    }

    /// The first bad column, or -1. `progress` is null on other threads than the caller's.
    std::int64_t run(Progress* progress, const std::function<const double*(const Subtree&)>& rest_of = {}) {
        double done = 0.0;
        std::int64_t bad = -1;
        std::size_t count = 0;
        for_each([&](std::size_t k, const Subtree* other) {
            if (bad >= 0 || shared_.stopped) return;
            if (other != nullptr) {
                if (s_.parent[k] >= 0) waiting_.push_back({k, 0, rest_of(*other)});
                return;
            }
            if (progress != nullptr && progress->stop_requested()) shared_.stopped = true;
            if (progress != nullptr && count++ % 64 == 0) progress->update(done / total_, "factoring");
            if (const std::int64_t column = eliminate(k); column >= 0) {
                bad = s_.first[k] + column;
                return;
            }
            shared_.sink(k, panel());
            done += shared_.work(k);
        });
        return bad;
    }
    /// Of a subtree's root, once run.
    const double* rest() const { return waiting_.back().rest; }

private:
    struct Waiting {
        std::size_t supernode, size;  // numbers taken of the room for rests
        const double* rest;           // a square of rows_below, lower half
    };

    // Supernodes in order; of a subtree that others do, its root only.
    template <class F>
    void for_each(F&& f) const {
        auto other = done_.begin();
        for (std::size_t k = range_.begin; k < range_.end; ++k) {
            if (other != done_.end() && k == other->begin) {
                k = other->end - 1;
                f(k, &*other++);
            } else {
                f(k, nullptr);
            }
        }
    }
    const std::int32_t* rows(std::size_t k) const { return s_.rows.data() + s_.row_starts[k]; }

    static constexpr std::size_t kBefore = 8;  // numbers, one cache line
    double* panel() const { return panel_.data() + kBefore; }
    // Numbers behind a rest are read and written back as they were.
    std::size_t rest_size(std::size_t k) const { return s_.rows_below(k) * s_.rows_below(k) + kFrontSlack; }

    std::int64_t eliminate(std::size_t k) {
        const std::size_t width = s_.width(k), below = s_.rows_below(k), height = width + below;
        load(k);
        const std::size_t first = waiting_.size() - static_cast<std::size_t>(shared_.children[k]);
        find_children(first);
        const auto add = add_kernel();
        for (const FrontChild& c : children_) add(c, 0, width, 0, panel(), height);
        for (std::int32_t j = s_.first[k]; j < s_.first[k + 1]; ++j)
            local_[static_cast<std::size_t>(s_.permutation[static_cast<std::size_t>(j)])] = -1;
        // Rests of odd supernodes grow from one end of the room and the others' from its other end: a parent's never
        // lies on its children's.
        double* rest = odd_[k] ? rests_.data() + room_size_ - taken_[1] - rest_size(k) : rests_.data() + taken_[0];
        if (const std::ptrdiff_t bad = factor_front(width, below, rest); bad >= 0) return bad;
        if (const std::ptrdiff_t bad = noise_pivot(width, height); bad >= 0) return bad;
        for (std::size_t c = first; c < waiting_.size(); ++c) taken_[odd_[k] ? 0 : 1] -= waiting_[c].size;
        waiting_.resize(first);
        if (s_.parent[k] < 0) return -1;
        waiting_.push_back({k, rest_size(k), rest});
        taken_[odd_[k] ? 1 : 0] += rest_size(k);
        return -1;
    }

    std::ptrdiff_t noise_pivot(std::size_t width, std::size_t height) const {
        for (std::size_t j = 0; j < width; ++j)
            if (pivot_is_noise(panel()[j * (height + 1)], diagonal_[j])) return static_cast<std::ptrdiff_t>(j);
        return -1;
    }

    // By our own kernels; without AVX2 a BLAS, where there is one, is better at large fronts.
    std::ptrdiff_t factor_front(std::size_t width, std::size_t below, double* rest) {
        const std::size_t height = width + below;
        double* panel = this->panel();
        const Isa isa = kernel_choice();
        if (isa > Isa::baseline || height < kBlasFrom) {
            const auto factor = isa >= Isa::avx512 ? front_factor_avx512
                                : isa >= Isa::avx2 ? front_factor_avx2
                                                   : front_factor_baseline;
            return factor(panel, width, height, children_.data(), children_.size(), rest, work_.data());
        }
        if constexpr (kHasBlas) {
            if (const std::ptrdiff_t bad = dense_cholesky(panel, width, height); bad >= 0) return bad;
            if (below == 0) return -1;
            dense_solve_right(panel, width, height, panel + width, below, height);
            dense_minus_square(panel + width, below, width, height, rest, below);
            for (const FrontChild& c : children_) front_add_baseline(c, width, height, width, rest, below);
        }
        return -1;
    }

    // Rows are read in the order of elimination, which is none to the memory.
    static constexpr std::size_t kAhead = 6;
    void send_for_row(std::size_t position) const {
        if (position >= s_.size()) return;
        const auto row = static_cast<std::size_t>(s_.permutation[position]);
        const auto begin = static_cast<std::size_t>(shared_.a.starts[row]),
                   end = static_cast<std::size_t>(shared_.a.starts[row + 1]);
        for (std::size_t e = begin; e < end; e += 8) __builtin_prefetch(shared_.a.values.data() + e);
        for (std::size_t e = begin; e < end; e += 16) __builtin_prefetch(shared_.a.columns.data() + e);
    }

    // Where each row of the front is kept, and the matrix entries in its own columns.
    void load(std::size_t k) {
        const std::int32_t first = s_.first[k];
        const std::size_t width = s_.width(k), height = width + s_.rows_below(k);
        const std::int32_t* caller = s_.permutation.data();
        for (std::size_t j = 0; j < width; ++j) {
            local_[static_cast<std::size_t>(caller[static_cast<std::size_t>(first) + j])] = static_cast<std::int32_t>(
                j);
        }
        for (std::size_t i = width; i < height; ++i)
            local_[static_cast<std::size_t>(caller[rows(k)[i - width]])] = static_cast<std::int32_t>(i);
        // Entries of eliminated unknowns all go to the place before the panel: half of them do, in no order a processor
        // could guess.
        double* const before = panel() - 1;
        const std::int64_t* starts = shared_.a.starts.data();
        const std::int32_t *columns = shared_.a.columns.data(), *local = local_.data();
        const double* values = shared_.a.values.data();
        std::uint64_t exponents = 0;  // its highest bit is set by numbers that are not finite
        constexpr std::uint64_t kMagnitude = ~std::uint64_t{0} >> 1, kOneExponent = std::uint64_t{1} << 52;
        for (std::size_t j = 0; j < width; ++j) {
            const auto row = static_cast<std::size_t>(caller[static_cast<std::size_t>(first) + j]);
            send_for_row(static_cast<std::size_t>(first) + j + kAhead);
            std::fill_n(panel() + j * height + j, height - j, 0.0);
            const auto from = static_cast<std::int64_t>(j * height) + 1;
            for (auto e = static_cast<std::size_t>(starts[row]), end = static_cast<std::size_t>(starts[row + 1]);
                 e < end; ++e) {
                const std::int64_t at = local[static_cast<std::size_t>(columns[e])];
                before[(from + at) & ~(at >> 63)] = values[e];
                exponents |= (std::bit_cast<std::uint64_t>(values[e]) & kMagnitude) + kOneExponent;
            }
            diagonal_[j] = panel()[j * height + j];
        }
        if (exponents >> 63 != 0) require_finite(shared_.a);
    }

    // Where the children's rows are in the front: runs of neighbouring rows that are neighbours there as well. Their
    // number is small, since both lists ascend and vertices bring three rows each.
    void find_children(std::size_t first) {
        runs_.clear();
        children_.clear();
        for (std::size_t c = first; c < waiting_.size(); ++c) {
            const std::size_t before = runs_.size(), size = s_.rows_below(waiting_[c].supernode);
            const std::int32_t* row = rows(waiting_[c].supernode);
            for (std::size_t i = 0; i < size;) {
                std::size_t end = i + 1;
                while (end < size && row[end] == row[end - 1] + 1) ++end;  // neighbours are neighbours everywhere
                const auto to = static_cast<std::size_t>(
                    local_[static_cast<std::size_t>(s_.permutation[static_cast<std::size_t>(row[i])])]);
                if (runs_.size() > before && runs_.back().to + runs_.back().count == to)
                    runs_.back().count += end - i;
                else
                    runs_.push_back({i, to, end - i});
                i = end;
            }
            children_.push_back({waiting_[c].rest, size, nullptr, runs_.size() - before});
        }
        const FrontRun* at = runs_.data();
        for (FrontChild& child : children_) {
            child.runs = at;
            at += child.count;
        }
    }

    Shared& shared_;
    const Symbolic& s_;
    Subtree range_;
    std::vector<Subtree> done_;
    std::vector<std::int32_t> local_;  // by the caller's numbering: row of the front; -1 once eliminated
    std::vector<Waiting> waiting_;
    std::vector<char> odd_;         // supernodes at an odd distance from their root
    std::vector<double> diagonal_;  // of the matrix, in the front's columns
    std::vector<FrontRun> runs_;    // of the front's children
    std::vector<FrontChild> children_;
    Room rests_, panel_, work_;
    std::size_t room_size_ = 0, taken_[2] = {0, 0};
    double total_ = 0.0;
};

// Subtrees side by side, then what is above them. Every front is the same arithmetic whoever does it.
class SideBySide {
public:
    SideBySide(Shared& shared, const std::vector<Subtree>& subtrees)
        : subtrees_(subtrees), bad_(subtrees.size(), -1), trouble_(subtrees.size()) {
        for (const Subtree& t : subtrees)
            workers_.push_back(std::make_unique<MultiFrontal>(shared, t, std::vector<Subtree>{}));
    }

    std::int64_t run(Shared& shared, Progress& progress) {
        const std::thread::id caller = std::this_thread::get_id();
        parallel_blocks(subtrees_.size(), 1, [&](std::size_t i, std::size_t, std::size_t) noexcept {
            try {
                bad_[i] = workers_[i]->run(std::this_thread::get_id() == caller ? &progress : nullptr);
            } catch (...) {
                trouble_[i] = std::current_exception();
            }
        });
        for (std::size_t i = 0; i < subtrees_.size(); ++i) {
            if (trouble_[i]) std::rethrow_exception(trouble_[i]);
            if (bad_[i] >= 0) return bad_[i];
        }
        if (shared.stopped) return -1;
        MultiFrontal top(shared, {0, shared.s.supernodes()}, subtrees_);
        return top.run(&progress, [this](const Subtree& t) {
            const auto i = std::find_if(subtrees_.begin(), subtrees_.end(),
                                        [&](const Subtree& o) { return o.begin == t.begin; }) -
                           subtrees_.begin();
            return workers_[static_cast<std::size_t>(i)]->rest();
        });
    }

private:
    const std::vector<Subtree>& subtrees_;
    std::vector<std::unique_ptr<MultiFrontal>> workers_;
    std::vector<std::int64_t> bad_;
    std::vector<std::exception_ptr> trouble_;
};

}  // namespace

std::int64_t factor_own(const Csr& a, const Symbolic& symbolic, const FactorSink& sink, Progress& progress) {
    constexpr double kWorthIt = 2e7;  // multiplications: less is done before a second thread has woken up
    Shared shared{a, symbolic, sink, std::vector<std::int32_t>(symbolic.supernodes(), 0)};
    std::vector<double> work(symbolic.supernodes());
    for (std::size_t k = 0; k < symbolic.supernodes(); ++k) {
        work[k] = shared.work(k);
        if (symbolic.parent[k] >= 0) ++shared.children[static_cast<std::size_t>(symbolic.parent[k])];
    }
    const std::vector<Subtree> subtrees = thread_count() > 1 ? independent_subtrees(symbolic.parent, work, kWorthIt)
                                                             : std::vector<Subtree>{};
    const std::int64_t bad = subtrees.empty() ? MultiFrontal(shared, {0, symbolic.supernodes()}, {}).run(&progress)
                                              : SideBySide(shared, subtrees).run(shared, progress);
    if (shared.stopped) throw_interrupted();
    return bad;
}

}  // namespace limber
