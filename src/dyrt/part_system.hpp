// The finite elements of one flesh part, seen from its bone.
#pragma once

#include "integrate/system.hpp"
#include "linalg/solvers.hpp"

#include <limber/body.hpp>
#include <limber/tools/dyrt.hpp>

#include <memory>
#include <vector>

namespace limber {

struct PartSystem {
    std::shared_ptr<const Body> body;  ///< tet4, or tet10 with the flesh's vertices first
    System system;
    std::unique_ptr<LinearSolver> solver;  ///< of K's free rows
};

std::shared_ptr<const Body> part_body(const FleshPart& flesh, const Material& material, bool quadratic);
/// Without the solver. Throws Error{bad_mesh | interrupted}.
PartSystem assemble_part(const FleshPart& flesh, const Material& material, bool quadratic, Progress& progress);
PartSystem make_part_system(const FleshPart& flesh, const Material& material, bool quadratic, Progress& progress);

/// What unit drive `c` does to every vertex: its acceleration in the bone's frame [per unit].
Vec3 drive_field(std::size_t c, const Vec3& from_bone);
/// out = M x over all unknowns.
void inertia(const System& system, const double* x, double* out);
/// Per drive, over all unknowns: -M times its field. Held columns of M count: they move with the bone.
std::vector<double> drive_loads(const PartSystem& part, const Vec3& bone);

}  // namespace limber
