// Parts of a solid that are one piece of the shape: cells too large for what joins them tore them apart.
#pragma once

#include "geometry/stuffing.hpp"

#include <cstdint>
#include <vector>

namespace limber {

/// The part of every tetrahedron, numbered from 0; cells of one part share faces.
std::vector<std::int32_t> face_parts(const Mesh& mesh, std::int32_t& count);

/// How a solid fell apart.
struct TornParts {
    std::vector<std::int32_t> part;  ///< of every cell
    std::vector<double> volume;      ///< of every part [m^3]
    std::vector<char> torn;          ///< of every part: another, larger one belongs to the same piece of the shape
    double share = 0.0;              ///< of the volume that is in torn parts
};

/// Walks through the shape from each part, in steps of a third of a cell: parts that meet on the way are one piece of
/// it. `least`: parts below this share of the volume are not asked. Throws Error{interrupted}.
TornParts torn_parts(const Mesh& mesh, double least, const InsideTest& inside, double cell_size,
                     const Progress& progress);

}  // namespace limber
