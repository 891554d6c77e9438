// Where the entries of a Cholesky factor are: elimination tree, supernodes, their rows. Numbers come later.
#pragma once

#include "linalg/ordering.hpp"

#include <cstdint>
#include <vector>

namespace limber {

/// Supernodes in postorder: supernode s holds the factor's columns [first[s], first[s+1]), all with the rows
/// rows[row_starts[s] .. row_starts[s+1]) below its dense triangle. All numbers are of the permuted matrix.
struct Symbolic {
    std::vector<std::int32_t> permutation;  ///< permuted -> caller's numbering
    std::vector<std::int32_t> first{0};     ///< supernodes + 1
    std::vector<std::int64_t> row_starts{0};
    std::vector<std::int32_t> rows;    ///< ascending within a supernode
    std::vector<std::int32_t> parent;  ///< of each supernode, -1 for roots

    std::size_t size() const { return permutation.size(); }
    std::size_t supernodes() const { return first.size() - 1; }
    std::size_t width(std::size_t s) const { return static_cast<std::size_t>(first[s + 1] - first[s]); }
    std::size_t rows_below(std::size_t s) const { return static_cast<std::size_t>(row_starts[s + 1] - row_starts[s]); }
};

/// The one with fewest entries of nested dissection and of minimum degree from either end.
std::vector<std::int32_t> best_order(const Graph& graph);

Symbolic analyse(const Graph& graph, const std::vector<std::int32_t>& order);

/// In the best order; large ones by nested dissection at once.
Symbolic analyse(const Csr& a);

}  // namespace limber
