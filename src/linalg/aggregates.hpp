// Groups of neighbouring vertices, for coarse spaces.
#pragma once

#include "linalg/ordering.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace limber {

/// part[node] for nodes split into connected-looking groups of about `size` each; every number 0 .. count-1 occurs.
/// METIS, fixed seed.
std::vector<std::int32_t> aggregate(const Graph& graph, std::size_t size, std::size_t& count);

/// Neighbours in pairs, as far as they go; a node left over stays alone.
std::vector<std::int32_t> pair_up(const Graph& graph, std::size_t& count);

/// The graph of the groups: two are neighbours where nodes of theirs are. One member per group.
Graph quotient_graph(const Graph& graph, const std::vector<std::int32_t>& part, std::size_t count);

}  // namespace limber
