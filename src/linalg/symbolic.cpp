#include "linalg/symbolic.hpp"

#include <algorithm>
#include <numeric>

namespace limber {
namespace {

using Ints = std::vector<std::int32_t>;
std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

Ints inverse(const Ints& order) {
    Ints position(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) position[at(order[k])] = static_cast<std::int32_t>(k);
    return position;
}

// Liu's elimination tree of the permuted graph, with path compression.
Ints elimination_tree(const Graph& g, const Ints& order, const Ints& position) {
    Ints parent(order.size(), -1), ancestor(order.size(), -1);
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::size_t node = at(order[k]);
        for (std::int32_t e = g.starts[node]; e < g.starts[node + 1]; ++e) {
            std::int32_t i = position[at(g.neighbours[at(e)])];
            while (i != -1 && at(i) < k) {
                const std::int32_t next = ancestor[at(i)];
                ancestor[at(i)] = static_cast<std::int32_t>(k);
                if (next == -1) parent[at(i)] = static_cast<std::int32_t>(k);
                i = next;
            }
        }
    }
    return parent;
}

// Children before parents, subtrees contiguous; children keep their order.
Ints postorder(const Ints& parent) {
    const std::size_t n = parent.size();
    Ints head(n, -1), next(n, -1), order, stack;
    for (std::size_t i = n; i-- > 0;) {
        if (parent[i] >= 0) {
            next[i] = head[at(parent[i])];
            head[at(parent[i])] = static_cast<std::int32_t>(i);
        }
    }
    order.reserve(n);
    for (std::size_t root = 0; root < n; ++root) {
        if (parent[root] >= 0) continue;
        stack.push_back(static_cast<std::int32_t>(root));
        while (!stack.empty()) {
            const std::int32_t top = stack.back();
            if (head[at(top)] >= 0) {
                stack.push_back(head[at(top)]);
                head[at(top)] = next[at(head[at(top)])];
            } else {
                order.push_back(top);
                stack.pop_back();
            }
        }
    }
    return order;
}

Ints reordered_parents(const Ints& parent, const Ints& order) {
    const Ints position = inverse(order);
    Ints out(parent.size(), -1);
    for (std::size_t k = 0; k < order.size(); ++k)
        if (const std::int32_t p = parent[at(order[k])]; p >= 0) out[k] = position[at(p)];
    return out;
}

// An elimination order of nodes (postordered), its tree, and per column: how many nodes and how many unknowns lie
// below.
struct Tree {
    Ints order, parent, nodes_below;
    std::vector<std::int64_t> unknowns_below;
};

Tree make_tree(const Graph& g, const Ints& given) {
    Tree t;
    const Ints parent = elimination_tree(g, given, inverse(given));
    const Ints post = postorder(parent);
    for (const std::int32_t k : post) t.order.push_back(given[at(k)]);
    t.parent = reordered_parents(parent, post);
    const Ints position = inverse(t.order);
    const std::size_t n = g.nodes();
    t.nodes_below.assign(n, 0);
    t.unknowns_below.assign(n, 0);
    Ints mark(n, -1);
    for (std::size_t row = 0; row < n; ++row) {  // row subtrees: which columns have an entry in this row
        mark[row] = static_cast<std::int32_t>(row);
        const std::size_t node = at(t.order[row]);
        for (std::int32_t e = g.starts[node]; e < g.starts[node + 1]; ++e) {
            std::int32_t i = position[at(g.neighbours[at(e)])];
            for (; at(i) < row && mark[at(i)] != static_cast<std::int32_t>(row); i = t.parent[at(i)]) {
                mark[at(i)] = static_cast<std::int32_t>(row);
                ++t.nodes_below[at(i)];
                t.unknowns_below[at(i)] += g.weight(node);
            }
        }
    }
    return t;
}

struct Group {
    double width = 0, below = 0;  // unknowns
    std::int32_t parent = -1;
    Ints columns;  // positions in Tree::order, ascending
    Ints children;
    bool merged = false;
};

// What one supernode costs a solve, in doubles streamed: its entries, its row list (a gather and a scatter per row) and
// the fixed work of entering it. Measured with bench/solve_bench.cpp; zeros are tolerated as long as they cost less
// than they save.
double cost(double width, double below) { return width * (0.5 * width + below) + 4.0 * below + 100.0; }

std::vector<Group> fundamental_groups(const Graph& g, const Tree& t) {
    std::vector<Group> groups;
    Ints group_of(t.order.size(), -1);
    for (std::size_t k = 0; k < t.order.size(); ++k) {
        const bool extends = k > 0 && t.parent[k - 1] == static_cast<std::int32_t>(k) &&
                             t.nodes_below[k - 1] == t.nodes_below[k] + 1;
        if (!extends) groups.emplace_back();
        group_of[k] = static_cast<std::int32_t>(groups.size() - 1);
        Group& group = groups.back();
        group.columns.push_back(static_cast<std::int32_t>(k));
        group.width += g.weight(at(t.order[k]));
        group.below = static_cast<double>(t.unknowns_below[k]);
    }
    for (std::size_t s = 0; s < groups.size(); ++s) {
        const std::int32_t p = t.parent[at(groups[s].columns.back())];
        groups[s].parent = p < 0 ? -1 : group_of[at(p)];
        if (p >= 0) groups[at(groups[s].parent)].children.push_back(static_cast<std::int32_t>(s));
    }
    return groups;
}

// Bottom up, a child joins its parent when one supernode is cheaper than two.
void merge_groups(std::vector<Group>& groups) {
    for (Group& parent : groups) {
        Ints kept;
        // Largest overlap first: those add the fewest zeros.
        std::stable_sort(parent.children.begin(), parent.children.end(),
                         [&](std::int32_t a, std::int32_t b) { return groups[at(a)].below > groups[at(b)].below; });
        for (std::size_t c = 0; c < parent.children.size(); ++c) {
            Group& child = groups[at(parent.children[c])];
            if (cost(child.width + parent.width, parent.below) >
                cost(child.width, child.below) + cost(parent.width, parent.below)) {
                kept.push_back(parent.children[c]);
                continue;
            }
            child.merged = true;
            parent.width += child.width;
            parent.columns.insert(parent.columns.end(), child.columns.begin(), child.columns.end());
            kept.insert(kept.end(), child.children.begin(), child.children.end());
        }
        std::sort(parent.columns.begin(), parent.columns.end());
        parent.children = std::move(kept);
    }
    for (std::size_t s = 0; s < groups.size(); ++s)
        for (const std::int32_t c : groups[s].children) groups[at(c)].parent = static_cast<std::int32_t>(s);
}

// Supernodes as lists of nodes, children before parents.
struct Supernodes {
    Ints order;      // nodes
    Ints starts{0};  // supernodes + 1, into order
    Ints parent;
};

Supernodes final_order(const Tree& t, const std::vector<Group>& groups) {
    Ints live, index(groups.size(), -1);
    for (std::size_t s = 0; s < groups.size(); ++s) {
        if (!groups[s].merged) {
            index[s] = static_cast<std::int32_t>(live.size());
            live.push_back(static_cast<std::int32_t>(s));
        }
    }
    Ints parent(live.size(), -1);
    for (std::size_t i = 0; i < live.size(); ++i)
        if (const std::int32_t p = groups[at(live[i])].parent; p >= 0) parent[i] = index[at(p)];
    const Ints post = postorder(parent);
    Supernodes out;
    out.parent = reordered_parents(parent, post);
    for (const std::int32_t i : post) {
        for (const std::int32_t k : groups[at(live[at(i)])].columns) out.order.push_back(t.order[at(k)]);
        out.starts.push_back(static_cast<std::int32_t>(out.order.size()));
    }
    return out;
}

// Rows of every supernode, as positions in the node order: its own entries below and what its children pass up.
std::vector<Ints> node_rows(const Graph& g, const Supernodes& s) {
    const Ints position = inverse(s.order);
    const std::size_t count = s.parent.size();
    std::vector<Ints> rows(count), children(count);
    Ints mark(s.order.size(), -1);
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t id = static_cast<std::int32_t>(i), last = s.starts[i + 1];
        const auto put = [&](std::int32_t row) {
            if (row < last || mark[at(row)] == id) return;
            mark[at(row)] = id;
            rows[i].push_back(row);
        };
        for (std::int32_t k = s.starts[i]; k < last; ++k) {
            for (std::int32_t e = g.starts[at(s.order[at(k)])]; e < g.starts[at(s.order[at(k)]) + 1]; ++e)
                put(position[at(g.neighbours[at(e)])]);
        }
        for (const std::int32_t c : children[i])
            for (const std::int32_t row : rows[at(c)]) put(row);
        std::sort(rows[i].begin(), rows[i].end());
        if (s.parent[i] >= 0) children[at(s.parent[i])].push_back(id);
    }
    return rows;
}

// Entries of the factor, without any merging.
double entries_of(const Graph& graph, const Tree& t) {
    double entries = 0.0;
    for (std::size_t k = 0; k < t.order.size(); ++k) {
        const double w = graph.weight(at(t.order[k]));
        entries += w * (0.5 * (w + 1.0) + static_cast<double>(t.unknowns_below[k]));
    }
    return entries;
}

// The one with fewest entries of nested dissection and of minimum degree from either end.
Tree best_tree(const Graph& graph) {
    Tree best = make_tree(graph, order_nested_dissection(graph));
    double least = entries_of(graph, best);
    for (const Levels levels : {Levels::rising, Levels::falling}) {
        Tree tree = make_tree(graph, order_minimum_degree(graph, levels));
        const double entries = entries_of(graph, tree);
        if (entries >= least) continue;
        least = entries;
        best = std::move(tree);
    }
    return best;
}

Symbolic analyse_tree(const Graph& graph, const Tree& tree) {
    std::vector<Group> groups = fundamental_groups(graph, tree);
    merge_groups(groups);
    const Supernodes nodes = final_order(tree, groups);
    const std::vector<Ints> rows = node_rows(graph, nodes);

    Symbolic out;
    Ints unknown_start{0};  // of each node position
    for (const std::int32_t node : nodes.order) {
        const auto first = graph.members.begin() + graph.member_starts[at(node)];
        out.permutation.insert(out.permutation.end(), first, first + graph.weight(at(node)));
        unknown_start.push_back(static_cast<std::int32_t>(out.permutation.size()));
    }
    for (std::size_t s = 0; s < rows.size(); ++s) {
        out.first.push_back(unknown_start[at(nodes.starts[s + 1])]);
        for (const std::int32_t k : rows[s])
            for (std::int32_t i = unknown_start[at(k)]; i < unknown_start[at(k) + 1]; ++i) out.rows.push_back(i);
        out.row_starts.push_back(static_cast<std::int64_t>(out.rows.size()));
    }
    out.parent = nodes.parent;
    return out;
}

}  // namespace

std::vector<std::int32_t> best_order(const Graph& graph) { return best_tree(graph).order; }

Symbolic analyse(const Graph& graph, const std::vector<std::int32_t>& order) {
    return analyse_tree(graph, make_tree(graph, order));
}

Symbolic analyse(const Csr& a) {
    constexpr std::size_t kLarge = 10000;  // nodes; from there on minimum degree no longer wins
    const Graph graph = vertex_graph(a);
    if (graph.nodes() > kLarge) return analyse(graph, order_nested_dissection(graph));
    return analyse_tree(graph, best_tree(graph));
}

}  // namespace limber
