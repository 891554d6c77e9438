// A part of a matrix that is kept as what it is made of: stiffness that acts on the gradient of a field averaged over
// patches of vertices. Written out it would couple all vertices of a patch with each other: four times as many blocks
// as the rest of the matrix has.
//
//   G = sum over the patch's vertices of x_b g_b^T,    y_a += T(G) g_a    for each patch; T linear and symmetric
//   (kernels/patch_stress.hpp)
#pragma once

#include "kernels/patch_stress.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace limber {

/// Which vertices are in a patch and with which gradients; three numbers per vertex only. Constant: what changes are
/// the kNumbers of each patch.
struct PatchOperator {
    using At = PatchNumbers;
    static constexpr std::size_t kNumbers = At::kCount;  ///< per patch

    std::vector<std::int32_t> starts{0}, vertices;       ///< patch by patch, vertices ascending
    std::vector<double> gradients;                       ///< three per entry of `vertices`
    std::vector<std::int32_t> around_starts{0}, around;  ///< per vertex: pairs (patch, entry of `vertices`)

    std::size_t count() const { return starts.size() - 1; }
    void list_around(std::size_t vertex_count);
    std::size_t bytes() const {
        return sizeof(std::int32_t) * (starts.size() + vertices.size() + around_starts.size() + around.size()) +
               sizeof(double) * gradients.size();
    }

    /// y += the operator times x, both over all vertices, but for the unknowns marked in `held` (one byte each, or
    /// none). `stress`: nine doubles per patch.
    void add_product(const double* numbers, const double* x, const std::uint8_t* held, double* y,
                     double* stress) const noexcept;
    /// out[i] += row `vertex` of the operator times x.
    void add_row(const double* numbers, std::size_t vertex, const double* x, double* out) const noexcept;
    /// The 3x3 block of a vertex with itself, added row by row.
    void add_diagonal(const double* numbers, std::size_t vertex, double* block) const noexcept;
};

}  // namespace limber
