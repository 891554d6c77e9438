// The surface formats, in memory. Their readers are public (mesh_io.hpp).
#pragma once

#include "io/files/scanner.hpp"

#include <limber/mesh.hpp>

#include <string>

namespace limber {

std::string format_obj(const Surface& surface, const std::string& about = {});
std::string format_ply(const Surface& surface, const std::string& about = {});  ///< binary, double coordinates
std::string format_stl(const Surface& surface);  ///< binary, float coordinates, polygons as fans of triangles

/// Refuses what does not fit 32-bit indices.
void check_size(const Scanner& in, std::size_t n, const char* what);

}  // namespace limber
