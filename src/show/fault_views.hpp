// From where the faults of a surface are seen: one view, or two when they lie all around.
#pragma once

#include "render/camera.hpp"

#include <span>
#include <vector>

namespace limber {

/// One fault: which way the surface looks there, and how much of it there is.
struct FaultMark {
    Vec3 outward;  ///< unit length
    double weight = 1.0;
};

/// Towards the eye, unit length.
Vec3 direction_of(const ViewDirection& view);

/// The usual view when it shows nearly all faults; else the one that shows most of them; else two that show most
/// together.
std::vector<ViewDirection> views_of_faults(std::span<const FaultMark> marks);

}  // namespace limber
