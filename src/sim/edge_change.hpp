// How far a displacement takes a cell out of small strain.
#pragma once

#include <limber/mesh.hpp>

#include <span>

namespace limber {

/// The largest change of an edge between a cell's corners, relative to its length: stretched or turned; with
/// `stretched_only` turns do not count.
double edge_change(const Mesh& mesh, std::size_t cell, std::span<const Vec3> displacement, bool stretched_only = false);

}  // namespace limber
