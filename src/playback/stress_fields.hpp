// The stress of a body's cells as arrays for other programs.
#pragma once

#include <limber/tools/file_axes.hpp>
#include <limber/tools/mesh_io.hpp>

#include <span>
#include <vector>

namespace limber {

/// In the file's axes; stress stays in pascals whatever the unit of lengths.
SymMat3 turned_to_file(const FileAxes& axes, const SymMat3& stress);

/// Cell arrays: "stress" (xx, yy, zz, xy, yz, zx), "von_mises", "principal" (largest first) [Pa].
std::vector<VtuField> stress_fields(std::span<const SymMat3> stress, const FileAxes& axes);

}  // namespace limber
