// The stiffness's quadratic form without assembling it.
#pragma once

#include <limber/body.hpp>

#include <span>

namespace limber {

/// u^T K u with full integration [J x 2]: twice the strain energy of displacements `u`, one per body vertex.
double energy_norm2(const Body& body, std::span<const Vec3> u);

}  // namespace limber
