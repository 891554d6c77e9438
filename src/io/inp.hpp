// Abaqus and CalculiX input files, the mesh part of them.
#pragma once

#include <limber/mesh.hpp>

#include <string>
#include <string_view>

namespace limber {

struct ElementType;

/// The type that an Abaqus name such as C3D10M means; nullptr when limber knows no such name.
const ElementType* inp_type(std::string_view name);

/// The set of all cells that limber writes, since a section needs one; the reader makes no set of it.
inline constexpr const char* kInpAllCells = "LIMBER_ALL_CELLS";

/// Numbers have at most 20 characters, which is what CalculiX reads: coordinates keep at least 13 digits. `path` for messages:
/// throws Error{unsupported} for set names that such a file cannot tell apart. Sets without members are left out.
std::string format_inp(const Mesh& mesh, const std::string& path);

}  // namespace limber
