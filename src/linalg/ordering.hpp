// Fill-reducing orderings on the graph of a symmetric matrix, unknowns with equal neighbourhoods taken together.
#pragma once

#include "linalg/sparse.hpp"

#include <cstdint>
#include <vector>

namespace limber {

/// Nodes are groups of unknowns whose rows have the same pattern (the two or three unknowns of a mesh vertex, usually).
struct Graph {
    std::vector<std::int32_t> starts{0};   ///< nodes + 1
    std::vector<std::int32_t> neighbours;  ///< without the node itself, ascending
    std::vector<std::int32_t> member_starts{0};
    std::vector<std::int32_t> members;  ///< unknowns of each node, ascending

    std::size_t nodes() const { return starts.size() - 1; }
    std::int32_t weight(std::size_t node) const { return member_starts[node + 1] - member_starts[node]; }
};

Graph compressed_graph(const Csr& a);
/// Of vertices with three (or two) successive unknowns each, if that is what the rows are, give or take entries that
/// happen to be zero (on regular grids many are: compressed_graph() then sees single unknowns); compressed_graph()
/// otherwise.
Graph vertex_graph(const Csr& a);

/// order[k] = node eliminated k-th.
std::vector<std::int32_t> order_nested_dissection(const Graph& graph);  ///< METIS, fixed seed
/// AMD (Eigen's). Which of several nodes of least degree goes first decides much: with a grid's own numbering a beam's
/// factor has a tenth more entries than with nodes numbered level by level from one end, or from the other. Neither end
/// is always the better one.
enum class Levels { rising, falling };
std::vector<std::int32_t> order_minimum_degree(const Graph& graph, Levels levels = Levels::rising);

}  // namespace limber
