// What every evaluation of a hyperelastic body reads: shape gradients at quadrature points, and where each cell's
// blocks go.
#pragma once

#include "core/parallel.hpp"
#include "fem/assembly.hpp"
#include "fem_large/laws.hpp"
#include "linalg/sparse.hpp"

#include <limber/body.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace limber {

struct HyperCells {
    explicit HyperCells(const Body& body, std::span<const NodalPatch> patches = {});

    int corners, dimension, points;  ///< per cell
    std::size_t count;
    BlockCsr pattern;               ///< without values
    std::vector<double> gradients;  ///< cells x points x corners x dimension [1/m]
    std::vector<double> weights;    ///< cells x points [m^3]
    /// Cells x corners x dimension, for stress; empty where the one point is the centre.
    std::vector<double> centre_gradients;
    std::vector<double> viscosity_share;  ///< cells: beta over the body's largest (1 where there is none)
    std::vector<std::int32_t> entries;    ///< cells x corners x corners: blocks of the pattern

    /// Cells whose corners all lie in the same part of the body (a slab across its longest side), one part after the
    /// other, and those on the borders. Parts are summed side by side and the borders after them, so sums run in the
    /// same order for any number of threads.
    std::vector<std::vector<std::int32_t>> parts;
    std::vector<std::int32_t> border;

    /// The sum of of_cell(c), which may add to what belongs to the cell's vertices. `scratch`: parts.size() doubles.
    template <class F>
    double sum(double* scratch, F&& of_cell) const noexcept {
        parallel_blocks(parts.size(), 1, [&](std::size_t p, std::size_t, std::size_t) noexcept {
            double all = 0.0;
            for (const std::int32_t c : parts[p]) all += of_cell(static_cast<std::size_t>(c));
            scratch[p] = all;
        });
        double all = 0.0;
        for (std::size_t p = 0; p < parts.size(); ++p) all += scratch[p];
        for (const std::int32_t c : border) all += of_cell(static_cast<std::size_t>(c));
        return all;
    }

    const double* gradients_of(std::size_t cell) const {
        return gradients.data() + cell * static_cast<std::size_t>(points * corners * dimension);
    }
    std::size_t bytes() const;
};

/// The cells around each vertex and of one material, whose volume changes tri3 and tet4 average (fem/assembly.hpp has
/// the small-strain form), and most of whose shear stiffness acts on the average of F:
///   theta_a = sum_e share_e theta_e / V_a,    energy = 1/2 sum_a kappa V_a theta_a^2 + sum_a V_a psi(F_a) without
///   kappa and kCellShearShare
struct HyperPatches {
    HyperPatches(const Body& body, std::span<const NodalPatch> patches);

    struct Patch {
        std::int32_t first_cell, first_vertex;  ///< in the lists below; one more patch ends them
        double measure, bulk, viscosity_share;
        LameModuli moduli;  ///< as the average of F sees them
    };
    std::vector<Patch> patches;
    std::vector<std::int32_t> cells;              ///< ascending within a patch
    std::vector<double> share;                    ///< per entry of cells: its measure over its corners [m^3]
    std::vector<std::int32_t> position_in_patch;  ///< per entry and corner: where it is among the patch's vertices
    std::vector<std::int32_t> vertices;           ///< ascending within a patch
    std::vector<double> gradients;                ///< per vertex: F_a - 1 = sum of u gradient^T [1/m]
    std::vector<std::int32_t> patch_of;           ///< cells x corners
    std::size_t most_vertices = 0;                ///< of a patch

    std::size_t count() const { return patches.empty() ? 0 : patches.size() - 1; }
    std::size_t bytes() const;
};

/// A cell's numbers out of a vector over all vertices, `Dim` for each of its `Corners`; and added back to one.
template <int Corners, int Dim>
void gather_cell(const std::int32_t* vertices, const double* u, double* local) noexcept {
    for (int a = 0; a < Corners; ++a)
        for (int i = 0; i < Dim; ++i) local[a * Dim + i] = u[vertices[a] * Dim + i];
}
template <int Corners, int Dim>
void add_cell(const std::int32_t* vertices, const double* local, double* u) noexcept {
    for (int a = 0; a < Corners; ++a)
        for (int i = 0; i < Dim; ++i) u[vertices[a] * Dim + i] += local[a * Dim + i];
}

}  // namespace limber
