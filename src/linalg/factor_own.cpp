// Multifrontal Cholesky [Duff & Reid 1983]: a supernode's front is its own columns of the matrix plus what its children left over. The
// columns are factored and handed on at once; what they do to the rows below waits on a stack for the parent. Nearly all work is then in
// three large dense operations, and beside the finished factor only the stack is in memory.
#include "linalg/factor.hpp"

#include "kernels/front.hpp"
#include "kernels/isa.hpp"
#include "linalg/dense_blas.hpp"

#include <algorithm>
#include <cstring>

namespace limber {
namespace {

class MultiFrontal {
public:
    MultiFrontal(const Csr& a, const Symbolic& s, const FactorSink& sink)
        : a_(a), s_(s), sink_(sink), position_(inverse_permutation(s.permutation)), local_(s.size(), -1), children_(s.supernodes(), 0) {
        std::size_t top = 0, peak = 0, widest = 0, highest = 0;
        std::vector<std::size_t> waiting(s.supernodes(), 0);        // on the stack for each parent
        for (std::size_t k = 0; k < s.supernodes(); ++k) {
            const std::size_t below = s.rows_below(k), rest = below * below;
            peak = std::max(peak, top + rest);
            top = top - waiting[k] + rest;
            widest = std::max(widest, s.width(k) * (s.width(k) + below));
            highest = std::max(highest, s.width(k) + below);
            total_ += work(k);
            if (s.parent[k] < 0) continue;
            waiting[static_cast<std::size_t>(s.parent[k])] += rest;
            ++children_[static_cast<std::size_t>(s.parent[k])];
        }
        stack_ = AlignedArray::raw(peak + kFrontSlack);
        panel_ = AlignedArray::raw(widest + kFrontSlack);
        work_ = AlignedArray::raw(front_work(highest));
    }

    std::int64_t run(Progress& progress) {
        double done = 0.0;
        for (std::size_t k = 0; k < s_.supernodes(); ++k) {
            if (progress.stop_requested()) throw_interrupted();
            if (k % 64 == 0) progress.update(done / total_, "factoring");
            if (const std::int64_t bad = eliminate(k); bad >= 0) return s_.first[k] + bad;
            sink_(k, panel_.data());
            done += work(k);
        }
        return -1;
    }

private:
    struct Waiting {
        std::size_t supernode, at;      // a square of rows_below, lower half, at this place of the stack
    };

    double work(std::size_t k) const {
        const auto w = static_cast<double>(s_.width(k)), b = static_cast<double>(s_.rows_below(k));
        return w * (w * w / 3.0 + w * b + b * b);
    }
    const std::int32_t* rows(std::size_t k) const { return s_.rows.data() + s_.row_starts[k]; }

    std::int64_t eliminate(std::size_t k) {
        const std::size_t width = s_.width(k), below = s_.rows_below(k), height = width + below;
        load(k);
        const std::size_t first = waiting_.size() - static_cast<std::size_t>(children_[k]);
        for (std::size_t c = first; c < waiting_.size(); ++c) add_columns(waiting_[c], width, height);
        double* rest = stack_.data() + top_;
        if (const std::ptrdiff_t bad = factor_front(width, below, rest); bad >= 0) return bad;
        for (std::size_t c = first; c < waiting_.size(); ++c) add_rest(waiting_[c], width, below, rest);
        // The children's places are free now: what is left over moves down there.
        const std::size_t at = children_[k] > 0 ? waiting_[first].at : top_;
        if (at != top_) std::memmove(stack_.data() + at, rest, below * below * sizeof(double));
        waiting_.resize(first);
        if (s_.parent[k] >= 0) waiting_.push_back({k, at});
        top_ = at + below * below;
        return -1;
    }

    // Small fronts by our own kernels, all of them where there is no BLAS.
    std::ptrdiff_t factor_front(std::size_t width, std::size_t below, double* rest) {
        const std::size_t height = width + below;
        double* panel = panel_.data();
        if (height < kBlasFrom) {
            const bool avx2 = kernel_choice() == Isa::avx2;
            const std::ptrdiff_t bad = (avx2 ? front_cholesky_avx2 : front_cholesky_baseline)(panel, width, height, height, work_.data());
            if (bad >= 0) return bad;
            if (below > 0) (avx2 ? front_minus_square_avx2 : front_minus_square_baseline)(panel + width, below, width, height, rest, below, work_.data());
            return -1;
        }
        if constexpr (kHasBlas) {
            if (const std::ptrdiff_t bad = dense_cholesky(panel, width, height); bad >= 0) return bad;
            if (below == 0) return -1;
            dense_solve_right(panel, width, height, panel + width, below, height);
            dense_minus_square(panel + width, below, width, height, rest, below);
        }
        return -1;
    }

    // Where each row of the front is kept, and the matrix entries in its own columns.
    void load(std::size_t k) {
        const std::int32_t first = s_.first[k], end = s_.first[k + 1], width = end - first;
        const std::size_t height = s_.width(k) + s_.rows_below(k);
        for (std::int32_t j = first; j < end; ++j) local_[static_cast<std::size_t>(j)] = j - first;
        for (std::size_t i = 0; i < s_.rows_below(k); ++i) local_[static_cast<std::size_t>(rows(k)[i])] = width + static_cast<std::int32_t>(i);
        std::fill_n(panel_.data(), height * s_.width(k), 0.0);
        for (std::int32_t j = first; j < end; ++j) {
            double* column = panel_.data() + static_cast<std::size_t>(j - first) * height;
            const auto row = static_cast<std::size_t>(s_.permutation[static_cast<std::size_t>(j)]);
            for (auto e = static_cast<std::size_t>(a_.starts[row]); e < static_cast<std::size_t>(a_.starts[row + 1]); ++e) {
                const std::int32_t i = position_[static_cast<std::size_t>(a_.columns[e])];
                if (i >= j) column[local_[static_cast<std::size_t>(i)]] = a_.values[e];
            }
        }
    }

    // Where a child's rows are in the front: runs of neighbouring rows that are neighbours there as well. Their number is small, since both
    // lists ascend and vertices bring three rows each.
    struct Run {
        std::size_t from, to, count;
    };
    void find_runs(const Waiting& child) {
        runs_.clear();
        const std::int32_t* row = rows(child.supernode);
        for (std::size_t i = 0; i < s_.rows_below(child.supernode); ++i) {
            const auto to = static_cast<std::size_t>(local_[static_cast<std::size_t>(row[i])]);
            if (!runs_.empty() && runs_.back().to + runs_.back().count == to) ++runs_.back().count;
            else runs_.push_back({i, to, 1});
        }
    }

    // Adds the child's columns that are columns [begin, end) of the front, its rows less `shift`, to `to`.
    void add_child(const Waiting& child, std::size_t begin, std::size_t end, std::size_t shift, double* to, std::size_t ld) {
        const std::size_t n = s_.rows_below(child.supernode);
        for (std::size_t first = 0; first < runs_.size(); ++first)
            for (std::size_t q = 0; q < runs_[first].count; ++q) {
                const std::size_t j = runs_[first].from + q, column = runs_[first].to + q;
                if (column < begin || column >= end) continue;
                const double* from = stack_.data() + child.at + j * n;
                double* out = to + (column - begin) * ld;
                add_run(from + j, out + column - shift, runs_[first].count - q);
                for (std::size_t r = first + 1; r < runs_.size(); ++r) add_run(from + runs_[r].from, out + runs_[r].to - shift, runs_[r].count);
            }
    }
    static void add_run(const double* from, double* to, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) to[i] += from[i];
    }

    void add_columns(const Waiting& child, std::size_t width, std::size_t height) {
        find_runs(child);
        add_child(child, 0, width, 0, panel_.data(), height);
    }

    void add_rest(const Waiting& child, std::size_t width, std::size_t below, double* rest) {
        find_runs(child);
        add_child(child, width, width + below, width, rest, below);
    }

    const Csr& a_;
    const Symbolic& s_;
    const FactorSink& sink_;
    std::vector<std::int32_t> position_, local_, children_;
    std::vector<Waiting> waiting_;
    std::vector<Run> runs_;
    AlignedArray stack_, panel_, work_;
    std::size_t top_ = 0;
    double total_ = 0.0;
};

}  // namespace

std::int64_t factor_own(const Csr& a, const Symbolic& symbolic, const FactorSink& sink, Progress& progress) {
    return MultiFrontal(a, symbolic, sink).run(progress);
}

}  // namespace limber
