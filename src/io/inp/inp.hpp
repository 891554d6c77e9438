// Abaqus and CalculiX input files, the mesh part of them.
#pragma once

#include <limber/body.hpp>
#include <limber/mesh.hpp>
#include <limber/tools/file_axes.hpp>

#include <string>
#include <string_view>

namespace limber {

struct ElementType;

/// The type that an Abaqus name such as C3D10M means; nullptr when limber knows no such name.
const ElementType* inp_type(std::string_view name);

/// The set of all cells that limber writes, since a section needs one; the reader makes no set of it.
inline constexpr const char* kInpAllCells = "LIMBER_ALL_CELLS";

/// In at most 20 characters, which is what CalculiX reads (13 digits or better), and never like an integer.
std::string inp_number(double value);

/// `path` for messages: throws Error{unsupported} for set names that such a file cannot tell apart. Sets without
/// members are left out. A mesh by itself says nothing about its plane; CPS cells are those that more programs know.
/// `unit` is what the heading says of the coordinates.
std::string format_inp(const Mesh& mesh, const std::string& path, Plane plane = Plane::stress,
                       LengthUnit unit = LengthUnit::m);

}  // namespace limber
