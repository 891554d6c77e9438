// Which cells of a solid are flesh, and the care that what they make together is a proper solid.
#pragma once

#include <limber/mesh.hpp>

#include <array>
#include <vector>

namespace limber {

/// Per cell: kFlesh, kRest, or the number of the bone (from 0) that runs through it.
using CellLabels = std::vector<std::int32_t>;
inline constexpr std::int32_t kFlesh = -1, kRest = -2;

struct LabelledCells {
    const Mesh& mesh;
    const std::vector<std::array<std::int32_t, 4>>& neighbours;  ///< tet_neighbours(mesh)
    CellLabels& label;

    bool is_flesh(std::int32_t cell) const { return cell >= 0 && label[static_cast<std::size_t>(cell)] == kFlesh; }
};

/// Where flesh hangs together in an edge or a vertex only, or its outside touches itself there, the smaller side goes
/// to the rest: afterwards the outside of the flesh is a closed manifold. Returns how many cells it took.
std::size_t remove_pinches(const LabelledCells& cells);

/// Pieces that share no face; those below `least` of the flesh's volume go to the rest. Returns how many are kept.
std::size_t keep_pieces(const LabelledCells& cells, double least, std::size_t& dropped);

}  // namespace limber
