// The shape that several surfaces make together: cleaned, oriented, and asked what is inside.
#pragma once

#include "geometry/stuffing.hpp"
#include "geometry/winding.hpp"

#include <limber/tools/solid.hpp>

#include <span>
#include <vector>

namespace limber {

struct SolidShape {
    std::vector<WindingNumber> winding;  ///< one per surface
    Box3 box;
    /// Within any of them.
    bool inside(const Vec3& p) const;
};

/// Tells what was repaired. Throws Error{bad_mesh} for a surface without area, Error{interrupted}.
SolidShape make_shape(std::span<const NamedSurface> surfaces, std::vector<SolidFinding>& findings, Progress& progress);

/// Cell sets by the last surface that holds a cell's centre; none for a single surface without a name.
void name_cells(const SolidShape& shape, std::span<const NamedSurface> surfaces, Mesh& mesh);

}  // namespace limber
