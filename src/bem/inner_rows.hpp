// Rows at points off the boundary, plane or space.
#pragma once

#include "bem/boundary_system.hpp"

namespace limber {

InnerRows displacement_rows(const BoundarySystem& system, const Vec3& point);
InnerRows stress_rows(const BoundarySystem& system, const Vec3& point);

}  // namespace limber
