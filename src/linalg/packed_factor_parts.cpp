// Which subtrees of a factor are swept side by side.
#include "linalg/packed_factor.hpp"
#include "linalg/subtrees.hpp"

#include <algorithm>

namespace limber {

template <class T>
void PackedFactorOf<T>::find_parts() {
    constexpr double kWorthIt = 200000.0;  // numbers: a smaller factor is swept before a second thread has woken up
    const std::size_t count = first_.size() - 1, n = count > 0 ? static_cast<std::size_t>(first_.back()) : 0;
    std::vector<std::int32_t> parent(count, -1);
    std::vector<double> work(count, 0.0);
    for (std::size_t s = 0; s < count; ++s) {
        const std::size_t width = static_cast<std::size_t>(first_[s + 1] - first_[s]),
                          all = static_cast<std::size_t>(index_starts_[s + 1] - index_starts_[s]);
        work[s] = static_cast<double>(width * all);
        if (all == width) continue;
        // The first row below is one of the parent's columns.
        const std::int32_t row = index_[static_cast<std::size_t>(index_starts_[s]) + width];
        parent[s] = static_cast<std::int32_t>(std::upper_bound(first_.begin(), first_.end(), row) - first_.begin()) - 1;
    }
    const std::vector<Subtree> subtrees = independent_subtrees(parent, work, kWorthIt);
    std::vector<std::int32_t> number(n, -1);
    std::size_t done = 0;  // supernodes
    const auto put_top = [&](std::size_t end) {
        if (done < end) sweep_.top.push_back({panel_starts_[done], panel_starts_[end]});
        for (std::int32_t i = first_[done]; i < first_[end] && !subtrees.empty(); ++i) {
            number[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(sweep_.shared.size());
            sweep_.shared.push_back(i);
        }
    };
    for (const Subtree& t : subtrees) {
        put_top(t.begin);
        sweep_.parts.push_back({panel_starts_[t.begin], panel_starts_[t.end]});
        done = t.end;
    }
    put_top(count);
    for (std::size_t k = 0; k < subtrees.size(); ++k) {
        for (std::int64_t i = index_starts_[subtrees[k].begin]; i < index_starts_[subtrees[k].end]; ++i) {
            std::int32_t& row = index_[static_cast<std::size_t>(i)];
            const std::int32_t at = number[static_cast<std::size_t>(row)];
            if (at >= 0) row = static_cast<std::int32_t>(n + k * sweep_.shared.size()) + at;
        }
    }
}

template void PackedFactorOf<double>::find_parts();
template void PackedFactorOf<float>::find_parts();

}  // namespace limber
