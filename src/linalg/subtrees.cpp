#include "linalg/subtrees.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr std::size_t kMostSubtrees = 8;

// Per supernode: where its subtree begins, and the work in it.
struct SupernodeTree {
    const std::vector<std::int32_t>& parent;
    std::vector<std::size_t> begin;
    std::vector<double> work;
    double total = 0.0;
};

// The heaviest subtree is opened (its root goes to the top) until they are fine enough, or opening would leave too much
// to the top.
std::vector<std::size_t> choose_roots(const SupernodeTree& tree) {
    std::vector<std::size_t> roots;
    for (std::size_t s = 0; s < tree.parent.size(); ++s)
        if (tree.parent[s] < 0) roots.push_back(s);
    double top = 0.0;
    while (!roots.empty() && roots.size() < kMostSubtrees) {
        const auto heaviest = std::max_element(
            roots.begin(), roots.end(), [&](std::size_t a, std::size_t b) { return tree.work[a] < tree.work[b]; });
        const std::size_t root = *heaviest;
        if (roots.size() > 1 && 4.0 * tree.work[root] < tree.total) break;
        std::vector<std::size_t> children;
        double below = 0.0;
        for (std::size_t s = tree.begin[root]; s < root; ++s) {
            if (tree.parent[s] == static_cast<std::int32_t>(root)) {
                children.push_back(s);
                below += tree.work[s];
            }
        }
        top += tree.work[root] - below;
        if (children.empty() || 3.0 * top > tree.total) break;
        roots.erase(heaviest);
        roots.insert(roots.end(), children.begin(), children.end());
    }
    std::sort(roots.begin(), roots.end());
    return roots;
}

}  // namespace

std::vector<Subtree> independent_subtrees(const std::vector<std::int32_t>& parent, const std::vector<double>& work,
                                          double least) {
    SupernodeTree tree{parent, std::vector<std::size_t>(parent.size()), work, 0.0};
    for (std::size_t s = 0; s < parent.size(); ++s) tree.begin[s] = s;
    for (std::size_t s = 0; s < parent.size(); ++s) {
        tree.total += work[s];
        if (parent[s] < 0) continue;
        const auto p = static_cast<std::size_t>(parent[s]);
        if (p <= s || p >= parent.size()) return {};
        tree.work[p] += tree.work[s];
        tree.begin[p] = std::min(tree.begin[p], tree.begin[s]);
    }
    if (tree.total < least) return {};
    std::vector<Subtree> out;
    for (const std::size_t root : choose_roots(tree)) {
        if (!out.empty() && tree.begin[root] < out.back().end) return {};
        for (std::size_t s = tree.begin[root]; s < root; ++s)
            if (parent[s] < 0 || static_cast<std::size_t>(parent[s]) > root) return {};
        out.push_back({tree.begin[root], root + 1});
    }
    return out.size() > 1 ? out : std::vector<Subtree>{};
}

}  // namespace limber
