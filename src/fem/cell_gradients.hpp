// Gradients of the shape functions where the stiffness is integrated.
#pragma once

#include <limber/body.hpp>

#include <cstddef>

namespace limber {

inline constexpr std::size_t kMaxStiffnessPoints = 8;  ///< 2 per axis of a hex

/// At the points of the stiffness's rule, point by point, and each point's share of the volume [m^3]. Returns how many
/// points there are.
std::size_t cell_gradients(const Body& body, std::size_t cell, double* weights, Vec3* gradients);

}  // namespace limber
