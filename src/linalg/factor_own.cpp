// Left-looking supernodal Cholesky: every supernode collects the updates of the supernodes whose rows reach into it, then
// factors its own dense panel. Dense products and triangular solves are Eigen's.
#include "linalg/factor.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace limber {
namespace {

using Matrix = Eigen::MatrixXd;
using Panel = Eigen::Map<Matrix>;

class LeftLooking {
public:
    LeftLooking(const Csr& a, const Symbolic& s, DenseFactor& f)
        : a_(a), s_(s), f_(f), position_(inverse_permutation(s.permutation)), supernode_of_(s.size()), local_(s.size(), -1),
          head_(s.supernodes(), -1), next_(s.supernodes(), -1), reached_(s.supernodes(), 0) {
        for (std::size_t k = 0; k < s.supernodes(); ++k)
            for (std::int32_t j = s.first[k]; j < s.first[k + 1]; ++j) supernode_of_[static_cast<std::size_t>(j)] = static_cast<std::int32_t>(k);
    }

    std::int64_t run(Progress& progress) {
        const double total = static_cast<double>(f_.values.size());
        for (std::size_t k = 0; k < s_.supernodes(); ++k) {
            if (k % 64 == 0) {
                if (progress.stop_requested()) throw_interrupted();
                progress.update(static_cast<double>(f_.offset[k]) / total, "factoring");
            }
            load(k);
            for (std::int32_t d = head_[k]; d >= 0;) {
                const std::int32_t following = next_[static_cast<std::size_t>(d)];
                update(k, static_cast<std::size_t>(d));
                d = following;
            }
            if (const std::int64_t bad = factor_panel(k); bad >= 0) return s_.first[k] + bad;
            pass_on(k, 0);
        }
        return -1;
    }

private:
    const std::int32_t* rows(std::size_t k) const { return s_.rows.data() + s_.row_starts[k]; }
    Panel panel(std::size_t k) {
        const Eigen::Index w = static_cast<Eigen::Index>(s_.width(k)), m = static_cast<Eigen::Index>(s_.rows_below(k));
        return Panel(f_.values.data() + f_.offset[k], w + m, w);
    }

    // Where each row of the panel is kept, and the matrix entries in it.
    void load(std::size_t k) {
        const std::int32_t first = s_.first[k], end = s_.first[k + 1], w = end - first;
        for (std::int32_t j = first; j < end; ++j) local_[static_cast<std::size_t>(j)] = j - first;
        for (std::size_t i = 0; i < s_.rows_below(k); ++i) local_[static_cast<std::size_t>(rows(k)[i])] = w + static_cast<std::int32_t>(i);
        Panel p = panel(k);
        for (std::int32_t j = first; j < end; ++j) {
            const std::size_t row = static_cast<std::size_t>(s_.permutation[static_cast<std::size_t>(j)]);
            for (std::size_t e = static_cast<std::size_t>(a_.starts[row]); e < static_cast<std::size_t>(a_.starts[row + 1]); ++e) {
                const std::int32_t i = position_[static_cast<std::size_t>(a_.columns[e])];
                if (i >= j) p(local_[static_cast<std::size_t>(i)], j - first) = a_.values[e];
            }
        }
    }

    // Subtracts what supernode d contributes to supernode k, and hands d on to the next supernode its rows reach.
    void update(std::size_t k, std::size_t d) {
        const std::size_t begin = reached_[d], m = s_.rows_below(d);
        std::size_t end = begin;
        while (end < m && rows(d)[end] < s_.first[k + 1]) ++end;
        const Panel source = panel(d);
        const Eigen::Index w = source.cols(), from = w + static_cast<Eigen::Index>(begin);
        const Eigen::Index height = static_cast<Eigen::Index>(m - begin), columns = static_cast<Eigen::Index>(end - begin);
        const std::size_t needed = static_cast<std::size_t>(height * columns);
        if (buffer_.size() < needed) buffer_.resize(needed);
        Panel product(buffer_.data(), height, columns);
        product.noalias() = source.middleRows(from, height) * source.middleRows(from, columns).transpose();
        Panel target = panel(k);
        for (Eigen::Index j = 0; j < columns; ++j) {
            const Eigen::Index column = rows(d)[begin + static_cast<std::size_t>(j)] - s_.first[k];
            for (Eigen::Index i = j; i < height; ++i)
                target(local_[static_cast<std::size_t>(rows(d)[begin + static_cast<std::size_t>(i)])], column) -= product(i, j);
        }
        pass_on(d, end);
    }

    void pass_on(std::size_t d, std::size_t reached) {
        reached_[d] = reached;
        if (reached == s_.rows_below(d)) return;
        const std::size_t to = static_cast<std::size_t>(supernode_of_[static_cast<std::size_t>(rows(d)[reached])]);
        next_[d] = head_[to];
        head_[to] = static_cast<std::int32_t>(d);
    }

    std::int64_t factor_panel(std::size_t k) {
        Panel p = panel(k);
        auto top = p.topRows(p.cols());
        const Eigen::Index bad = Eigen::internal::llt_inplace<double, Eigen::Lower>::blocked(top);
        if (bad >= 0) return bad;
        if (p.rows() > p.cols()) {
            auto below = p.bottomRows(p.rows() - p.cols());
            top.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
        }
        return -1;
    }

    const Csr& a_;
    const Symbolic& s_;
    DenseFactor& f_;
    std::vector<std::int32_t> position_, supernode_of_, local_;
    std::vector<std::int32_t> head_, next_;     // supernodes waiting to update each supernode
    std::vector<std::size_t> reached_;          // how many of a supernode's rows have been dealt with
    std::vector<double> buffer_;
};

}  // namespace

std::int64_t factor_own(const Csr& a, const Symbolic& symbolic, DenseFactor& out, Progress& progress) {
    return LeftLooking(a, symbolic, out).run(progress);
}

}  // namespace limber
