#include "fem/element.hpp"
#include "methods/clustered_fem/product.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

namespace limber {
namespace {

std::span<const std::int32_t> corners(const Mesh& mesh, std::size_t cell) {
    return {mesh.cell(cell), static_cast<std::size_t>(corners_of(mesh.kind))};
}

Vec3 middle(const Mesh& mesh, std::size_t cell) {
    Vec3 sum;
    for (const std::int32_t v : corners(mesh, cell)) sum += mesh.vertices[static_cast<std::size_t>(v)];
    return sum / static_cast<double>(corners_of(mesh.kind));
}

// Cells of each voxel, voxels in the order of their grid.
std::vector<std::vector<std::size_t>> voxels(const Mesh& mesh, int cells_per_voxel) {
    double measure = 0.0;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) measure += std::abs(cell_measure(mesh, c));
    const double edge = std::pow(measure / static_cast<double>(mesh.cell_count()) * cells_per_voxel,
                                 1.0 / mesh.dimension());
    std::map<std::array<long, 3>, std::vector<std::size_t>> grid;
    Vec3 low = mesh.vertices[0];
    for (const Vec3& x : mesh.vertices)
        for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], x[i]);
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        const Vec3 at = (middle(mesh, c) - low) / edge;
        grid[{std::lround(std::floor(at.x)), std::lround(std::floor(at.y)), std::lround(std::floor(at.z))}].push_back(
            c);
    }
    std::vector<std::vector<std::size_t>> out;
    out.reserve(grid.size());
    for (auto& [place, cells] : grid) out.push_back(std::move(cells));
    return out;
}

// The blocks of one group of cells, by row and column vertex.
using Blocks = std::map<std::pair<std::int32_t, std::int32_t>, std::array<double, 9>>;

void add_cell(Blocks& blocks, std::span<const std::int32_t> stencil, const double* matrix, std::size_t b) {
    const std::size_t n = stencil.size() * b;
    for (std::size_t r = 0; r < stencil.size(); ++r) {
        for (std::size_t c = 0; c < stencil.size(); ++c) {
            std::array<double, 9>& block = blocks[{stencil[r], stencil[c]}];
            for (std::size_t i = 0; i < b; ++i)
                for (std::size_t j = 0; j < b; ++j) block[b * i + j] += matrix[(r * b + i) * n + c * b + j];
        }
    }
}

void add_row(ClusterRows& to, std::int32_t vertex, Blocks::const_iterator begin, Blocks::const_iterator end) {
    const auto entries = static_cast<std::ptrdiff_t>(to.blocks.block * to.blocks.block);
    for (auto at = begin; at != end; ++at) {
        to.blocks.columns.push_back(at->first.second);
        to.blocks.values.insert(to.blocks.values.end(), at->second.begin(), at->second.begin() + entries);
    }
    to.blocks.starts.push_back(static_cast<std::int32_t>(to.blocks.columns.size()));
    to.vertex.push_back(vertex);
}

}  // namespace

std::vector<ClusterRows> voxel_clusters(const Body& body, const AssemblySettings& assembly, int cells_per_voxel) {
    const Mesh& mesh = body.mesh();
    std::vector<ClusterRows> out(2);
    for (ClusterRows& set : out) set.blocks.block = mesh.dimension();
    ElementMatrices e;
    for (const std::vector<std::size_t>& cells : voxels(mesh, cells_per_voxel)) {
        Blocks blocks;
        std::map<std::int32_t, int> uses;
        for (const std::size_t c : cells) {
            element_matrices(body, c, {assembly.integration, false, assembly.volume_penalty}, e);
            add_cell(blocks, corners(mesh, c), e.stiffness.data(), static_cast<std::size_t>(mesh.dimension()));
            for (const std::int32_t v : corners(mesh, c)) ++uses[v];
        }
        for (auto row = blocks.cbegin(); row != blocks.cend();) {
            const std::int32_t vertex = row->first.first;
            auto end = row;
            while (end != blocks.cend() && end->first.first == vertex) ++end;
            add_row(out[uses.at(vertex) > 1 ? 0 : 1], vertex, row, end);
            row = end;
        }
    }
    return out;
}

}  // namespace limber
