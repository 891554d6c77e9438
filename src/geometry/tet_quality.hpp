// How good the shape of a tetrahedron is.
#pragma once

#include <limber/mesh.hpp>

#include <array>
#include <vector>

namespace limber {

struct DihedralRange {
    double smallest = 180.0, largest = 0.0;  ///< [degrees]
};
/// Over the six edges; a flat tetrahedron has 0 and 180.
DihedralRange dihedral_range(const std::array<Vec3, 4>& corners);

struct TetQuality {
    DihedralRange dihedral;
    std::array<std::size_t, 18> histogram{};  ///< tetrahedra by their smallest angle, ten degrees each
    std::size_t negative = 0;                 ///< of no or negative volume
};
/// tet4 or the corners of tet10.
TetQuality tet_quality(const Mesh& mesh);

}  // namespace limber
