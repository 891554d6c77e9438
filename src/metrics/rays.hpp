// Volume of the symmetric difference of two closed surfaces on a grid of parallel rays, each ray clipped exactly.
#pragma once

#include "metrics/skin.hpp"

#include <span>

namespace limber {

/// A deformed skin: borrowed, not owned.
struct SkinShape {
    const Skin& skin;
    std::span<const Vec3> points;
};

struct RayVolume {
    double volume = 0.0;  ///< [m^3]
    double error = 0.0;   ///< spread over three grids plus eight rays' worth [m^3]
};

/// Rays along `axis`, about `rays_across` per cross direction over both shapes' bounding box (fewer for a jumble whose
/// layers would take too long), more where faces along the rays enclose a thin layer. Inside is even-odd. Exactly 0 for
/// equal shapes; does not depend on which is a and which is b.
RayVolume xor_volume(const SkinShape& a, const SkinShape& b, int axis, int rays_across = 128);

}  // namespace limber
