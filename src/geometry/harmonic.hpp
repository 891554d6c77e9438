// Values known at some vertices of a mesh, carried smoothly to the others.
#pragma once

#include <limber/mesh.hpp>

#include <span>
#include <vector>

namespace limber {

/// Every unknown vertex takes the mean of those it shares an edge with: on an even lattice the solution of Laplace's
/// equation. So nothing leaks through the air, no value leaves the range of the known ones, and values that sum to 1
/// where they are known do so everywhere.
class HarmonicField {
public:
    /// `known`: one mark per vertex. tet4.
    HarmonicField(const Mesh& mesh, std::vector<char> known);

    /// `values`: one per vertex, read where it is known. Parts of the mesh without any known vertex get 0.
    std::vector<double> extend(std::span<const double> values) const;

    bool is_known(std::size_t vertex) const { return known_[vertex] != 0; }

private:
    void apply(const std::vector<double>& x, std::vector<double>& out) const;

    std::vector<char> known_;
    std::vector<std::size_t> start_;  ///< of each vertex in neighbour_
    std::vector<std::int32_t> neighbour_;
};

}  // namespace limber
