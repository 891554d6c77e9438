// Sums over the shapes of a modal body, which is nearly all that a step or a readout of it costs: each shape is read
// once.
#pragma once

#include "methods/modal/basis.hpp"

#include <span>

namespace limber {

/// out[k] = shape k . x, for the modes. Same bits for any number of threads.
void project_shapes(const ModalBasis& basis, const double* x, double* out) noexcept;
/// out += the sum of the first `count` shapes times their factors.
void add_shapes(const ModalBasis& basis, const double* factors, std::size_t count, double* out) noexcept;
/// The same into the displacements (velocities) of vertices.
void add_shapes(const ModalBasis& basis, const double* factors, std::size_t count, std::span<Vec3> out) noexcept;

/// out[i] += the sum of factors[k] columns[k stride + i] over rows [0, rows); columns with a factor of 0 are not read.
void add_columns(const double* columns, std::size_t stride, std::size_t count, const double* factors, double* out,
                 std::size_t rows) noexcept;

}  // namespace limber
