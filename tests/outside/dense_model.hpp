// The prepared numbers of DenseStatic: stiffness, which components are prescribed and by whom, and the factor.
#pragma once

#include <limber/body.hpp>

#include <cstddef>
#include <vector>

namespace outside {

/// Who prescribes a component: anchor i is i, handle i is anchors + i, nobody is -1.
inline constexpr int kFree = -1;

struct DenseModel {
    std::size_t size = 0;                         ///< components: three per vertex
    std::vector<double> stiffness;                ///< size x size, row by row [N/m]
    std::vector<double> mass;                     ///< per vertex [kg]
    std::vector<int> owner;                       ///< per component
    std::vector<std::size_t> free;                ///< components nobody prescribes
    std::vector<double> factor;                   ///< lower Cholesky factor of the free block, row by row
    std::vector<limber::Mat3> support_stiffness;  ///< per owner: d(reaction)/d(its translation) [N/m]
};

/// Throws limber::Error when the free block cannot be factored.
DenseModel make_dense_model(const limber::Body& body);

/// Solves the free block in place; `x` has one entry per free component.
void solve_free(const DenseModel& model, double* x) noexcept;

/// Shape function gradients [1/m] of one tetrahedron; returns its volume [m^3].
double tet_gradients(const limber::Mesh& mesh, std::size_t cell, limber::Vec3 (&gradient)[4]) noexcept;

}  // namespace outside
