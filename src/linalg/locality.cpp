#include "linalg/locality.hpp"

#include <algorithm>

namespace limber {
namespace {

class BreadthFirst {
public:
    explicit BreadthFirst(const BlockCsr& a) : a_(a), seen_(a.rows(), 0) {}

    /// Appends the part of the graph around `root` to `out`, level by level, each vertex's new neighbours by degree.
    void run(std::int32_t root, std::vector<std::int32_t>& out) {
        std::size_t at = out.size();
        out.push_back(root);
        seen_[static_cast<std::size_t>(root)] = 1;
        for (; at < out.size(); ++at) {
            const auto row = static_cast<std::size_t>(out[at]);
            const std::size_t first = out.size();
            for (std::int32_t e = a_.starts[row]; e < a_.starts[row + 1]; ++e) {
                const std::int32_t next = a_.columns[static_cast<std::size_t>(e)];
                if (seen_[static_cast<std::size_t>(next)] != 0) continue;
                seen_[static_cast<std::size_t>(next)] = 1;
                out.push_back(next);
            }
            std::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                             [&](std::int32_t x, std::int32_t y) { return degree(x) < degree(y); });
        }
    }
    void forget(const std::vector<std::int32_t>& rows) {
        for (const std::int32_t r : rows) seen_[static_cast<std::size_t>(r)] = 0;
    }
    bool seen(std::size_t row) const { return seen_[row] != 0; }

private:
    std::int32_t degree(std::int32_t row) const {
        return a_.starts[static_cast<std::size_t>(row) + 1] - a_.starts[static_cast<std::size_t>(row)];
    }
    const BlockCsr& a_;
    std::vector<std::uint8_t> seen_;
};

}  // namespace

std::vector<std::int32_t> order_for_locality(const BlockCsr& a) {
    BreadthFirst search(a);
    std::vector<std::int32_t> order, trial;
    order.reserve(a.rows());
    for (std::size_t r = 0; r < a.rows(); ++r) {
        if (search.seen(r)) continue;
        // The last one reached from anywhere lies at an end; twice is enough for meshes.
        auto root = static_cast<std::int32_t>(r);
        for (int round = 0; round < 2; ++round) {
            trial.clear();
            search.run(root, trial);
            search.forget(trial);
            root = trial.back();
        }
        search.run(root, order);
    }
    std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace limber
