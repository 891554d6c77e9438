// What became of a shape when it was filled: loose parts, and places too thin for the cells.
#pragma once

#include "geometry/solid_torn.hpp"
#include "geometry/stuffing.hpp"
#include "geometry/triangles.hpp"

#include <limber/tools/solid.hpp>

namespace limber {

/// Parts that share no face are separated (a vertex or an edge alone would be a hinge without stiffness); those below
/// `least` of the volume are left out, and so are tips that were torn off. All are reported; vertex sets follow.
void keep_parts(Mesh& mesh, double least, const TornParts& fallen, std::size_t& parts,
                std::vector<SolidFinding>& findings);

/// Inside in front of a triangle and behind it: it is no boundary of the shape.
bool is_inner(const Triangles& surface, std::size_t t, const InsideTest& inside, double cell_size);

/// Surface that lies farther than half a cell from the solid's own was too thin to be filled, unless there is inside on
/// both of its sides (`inside`: where shells overlap, or one lies within another).
void report_thin(const Triangles& surface, const InsideTest& inside, const Mesh& mesh, double cell_size,
                 std::vector<SolidFinding>& findings);

/// Feet, ears and tails that are gone leave the solid shorter than the shape; sets by place are then elsewhere than
/// people think.
void report_ends(const Box3& shape, const Mesh& mesh, double cell_size, std::vector<SolidFinding>& findings);

}  // namespace limber
