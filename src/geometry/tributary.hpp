// Tributary measure: how much of the body each vertex stands for.
#pragma once

#include <limber/mesh.hpp>

#include <vector>

namespace limber {

/// Integral of each vertex's shape function over the mesh [m^2 or m^3]; the entries sum to measure_of(mesh) and are the
/// row sums of the mass matrix for density 1. Unused vertices get 0. On tet10 meshes the corner entries are negative
/// (-1/20 of a straight cell's volume per corner, +1/5 per mid-edge node): exact, but no use as a lumped mass.
std::vector<double> tributary_measure(const Mesh& mesh);

}  // namespace limber
