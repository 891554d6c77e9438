#include "linalg/ordering.hpp"

#include "core/assert.hpp"
#include "linalg/metis_lock.hpp"

#include <metis.h>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <algorithm>
#include <numeric>

namespace limber {
namespace {

// Sum of scrambled column numbers: equal patterns give equal keys (and are compared entry by entry afterwards).
std::uint64_t pattern_key(const Csr& a, std::size_t row) {
    std::uint64_t key = 0;
    for (std::size_t e = static_cast<std::size_t>(a.starts[row]); e < static_cast<std::size_t>(a.starts[row + 1]);
         ++e) {
        std::uint64_t z = static_cast<std::uint64_t>(a.columns[e]) + 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        key += z ^ (z >> 27);
    }
    return key;
}

bool same_pattern(const Csr& a, std::size_t i, std::size_t j) {
    const auto at = [&a](std::size_t r) { return a.columns.begin() + a.starts[r]; };
    return std::equal(at(i), at(i + 1), at(j), at(j + 1));
}

// node_of[unknown]: rows that share a pattern which contains them (a row without its diagonal stays alone).
std::vector<std::int32_t> group_rows(const Csr& a, std::int32_t& count) {
    const std::size_t n = a.rows();
    std::vector<std::uint64_t> key(n);
    for (std::size_t i = 0; i < n; ++i) key[i] = pattern_key(a, i);
    std::vector<std::int32_t> node_of(n, -1);
    count = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (node_of[i] >= 0) continue;
        node_of[i] = count;
        // Equal closed neighbourhoods are neighbours of each other, so only this row's columns need a look.
        for (std::size_t e = static_cast<std::size_t>(a.starts[i]); e < static_cast<std::size_t>(a.starts[i + 1]);
             ++e) {
            const std::size_t j = static_cast<std::size_t>(a.columns[e]);
            if (j > i && node_of[j] < 0 && key[j] == key[i] && same_pattern(a, i, j)) node_of[j] = count;
        }
        ++count;
    }
    return node_of;
}

}  // namespace

Graph compressed_graph(const Csr& a) {
    std::int32_t count = 0;
    const std::vector<std::int32_t> node_of = group_rows(a, count);
    Graph g;
    g.member_starts.assign(static_cast<std::size_t>(count) + 1, 0);
    for (const std::int32_t node : node_of) ++g.member_starts[static_cast<std::size_t>(node) + 1];
    std::partial_sum(g.member_starts.begin(), g.member_starts.end(), g.member_starts.begin());
    g.members.resize(a.rows());
    std::vector<std::int32_t> at(g.member_starts.begin(), g.member_starts.end() - 1);
    for (std::size_t i = 0; i < a.rows(); ++i)
        g.members[static_cast<std::size_t>(at[static_cast<std::size_t>(node_of[i])]++)] = static_cast<std::int32_t>(i);
    std::vector<std::int32_t> seen(static_cast<std::size_t>(count), -1);
    for (std::int32_t node = 0; node < count; ++node) {
        const std::size_t row = static_cast<std::size_t>(
            g.members[static_cast<std::size_t>(g.member_starts[static_cast<std::size_t>(node)])]);
        seen[static_cast<std::size_t>(node)] = node;
        const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(g.neighbours.size());
        for (std::size_t e = static_cast<std::size_t>(a.starts[row]); e < static_cast<std::size_t>(a.starts[row + 1]);
             ++e) {
            const std::int32_t other = node_of[static_cast<std::size_t>(a.columns[e])];
            if (seen[static_cast<std::size_t>(other)] == node) continue;
            seen[static_cast<std::size_t>(other)] = node;
            g.neighbours.push_back(other);
        }
        std::sort(g.neighbours.begin() + first, g.neighbours.end());
        g.starts.push_back(static_cast<std::int32_t>(g.neighbours.size()));
    }
    return g;
}

namespace {

// Nodes of `block` successive unknowns; no nodes when less than `share` of the blocks' entries are there.
Graph block_graph(const Csr& a, std::int32_t block, double share) {
    Graph g;
    const auto b = static_cast<std::size_t>(block), count = a.rows() / b;
    if (count * b != a.rows()) return {};
    std::vector<std::int32_t> seen(count, -1);
    std::size_t covered = 0;
    g.neighbours.reserve(a.columns.size() / (b * b));
    for (std::size_t node = 0; node < count; ++node) {
        const auto self = static_cast<std::int32_t>(node), first = static_cast<std::int32_t>(g.neighbours.size());
        seen[node] = self;
        for (auto e = static_cast<std::size_t>(a.starts[b * node]);
             e < static_cast<std::size_t>(a.starts[b * node + b]); ++e) {
            const std::int32_t other = a.columns[e] / block;
            if (seen[static_cast<std::size_t>(other)] == self) continue;
            seen[static_cast<std::size_t>(other)] = self;
            g.neighbours.push_back(other);
        }
        std::sort(g.neighbours.begin() + first, g.neighbours.end());
        g.starts.push_back(static_cast<std::int32_t>(g.neighbours.size()));
        covered += (g.neighbours.size() - static_cast<std::size_t>(first) + 1) * b * b;
    }
    if (static_cast<double>(a.columns.size()) < share * static_cast<double>(covered)) return {};
    g.members.resize(a.rows());
    std::iota(g.members.begin(), g.members.end(), 0);
    for (std::size_t node = 1; node <= count; ++node) g.member_starts.push_back(static_cast<std::int32_t>(node * b));
    return g;
}

// Appends the nodes that `start` reaches, level by level; a second walk from the last of them begins at an end of the
// body.
void walk_levels(const Graph& g, std::int32_t start, std::vector<std::int32_t>& seen, std::int32_t mark,
                 std::vector<std::int32_t>& order) {
    std::size_t next = order.size();
    order.push_back(start);
    seen[static_cast<std::size_t>(start)] = mark;
    for (; next < order.size(); ++next) {
        for (std::int32_t e = g.starts[static_cast<std::size_t>(order[next])];
             e < g.starts[static_cast<std::size_t>(order[next]) + 1]; ++e) {
            const std::int32_t other = g.neighbours[static_cast<std::size_t>(e)];
            if (seen[static_cast<std::size_t>(other)] == mark) continue;
            seen[static_cast<std::size_t>(other)] = mark;
            order.push_back(other);
        }
    }
}

std::vector<std::int32_t> level_order(const Graph& g) {
    std::vector<std::int32_t> order, seen(g.nodes(), 0);
    order.reserve(g.nodes());
    for (std::size_t node = 0; node < g.nodes(); ++node) {
        if (seen[node] != 0) continue;
        const std::size_t before = order.size();
        walk_levels(g, static_cast<std::int32_t>(node), seen, 1, order);
        const std::int32_t end = order.back();
        order.resize(before);
        walk_levels(g, end, seen, 2, order);
    }
    return order;
}

}  // namespace

Graph vertex_graph(const Csr& a) {
    constexpr double kShare = 0.6;  // a cube of six tets in one direction has two thirds
    for (const std::int32_t block : {3, 2})
        if (Graph g = block_graph(a, block, kShare); g.nodes() > 0) return g;
    return compressed_graph(a);
}

std::vector<std::int32_t> order_nested_dissection(const Graph& graph) {
    static_assert(sizeof(idx_t) == sizeof(std::int32_t));
    const std::size_t n = graph.nodes();
    std::vector<std::int32_t> order(n), position(n);
    std::iota(order.begin(), order.end(), 0);
    if (n < 2 || graph.neighbours.empty()) return order;  // METIS expects edges
    std::vector<idx_t> starts(graph.starts), neighbours(graph.neighbours), weights(n);
    for (std::size_t i = 0; i < n; ++i) weights[i] = graph.weight(i);
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_NUMBERING] = 0;
    idx_t count = static_cast<idx_t>(n);
    const std::lock_guard lock(metis_lock());
    const int status = METIS_NodeND(&count, starts.data(), neighbours.data(), weights.data(), options, order.data(),
                                    position.data());
    if (status != METIS_OK) std::iota(order.begin(), order.end(), 0);
    return order;
}

std::vector<std::int32_t> order_minimum_degree(const Graph& graph, Levels levels) {
    const std::size_t n = graph.nodes();
    if (n == 0) return {};
    std::vector<std::int32_t> first = level_order(graph), position(n);
    if (levels == Levels::falling) std::reverse(first.begin(), first.end());
    for (std::size_t k = 0; k < n; ++k) position[static_cast<std::size_t>(first[k])] = static_cast<std::int32_t>(k);
    Eigen::SparseMatrix<double> pattern(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
    pattern.resizeNonZeros(static_cast<Eigen::Index>(graph.neighbours.size() + n));
    std::fill_n(pattern.valuePtr(), pattern.nonZeros(), 1.0);
    std::int32_t* at = pattern.innerIndexPtr();
    for (std::size_t k = 0; k < n; ++k) {
        std::int32_t* const begin = at;
        const auto node = static_cast<std::size_t>(first[k]);
        *at++ = static_cast<std::int32_t>(k);
        for (std::int32_t e = graph.starts[node]; e < graph.starts[node + 1]; ++e)
            *at++ = position[static_cast<std::size_t>(graph.neighbours[static_cast<std::size_t>(e)])];
        std::sort(begin, at);
        pattern.outerIndexPtr()[k + 1] = static_cast<std::int32_t>(at - pattern.innerIndexPtr());
    }
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
    Eigen::AMDOrdering<int>()(pattern.selfadjointView<Eigen::Lower>(), permutation);
    // Eigen returns new -> old in indices(): indices()[k] is the k-th pivot.
    std::vector<std::int32_t> order(n);
    for (std::size_t k = 0; k < n; ++k)
        order[k] = first[static_cast<std::size_t>(permutation.indices()[static_cast<Eigen::Index>(k)])];
    return order;
}

}  // namespace limber
