// What repair() did to a surface, done to the file it came from: everything else in it stays.
#pragma once

#include "io/surface/obj_series.hpp"

#include <limber/tools/doctor.hpp>
#include <limber/tools/rig.hpp>

#include <string>
#include <vector>

namespace limber {

/// The text of an OBJ file with the vertices and faces that stay: groups, materials, texture coordinates and normals
/// keep their lines. A turned face goes without normals where they would point inwards. `comment` becomes a last line;
/// `remarks` gets what was lost.
std::string repaired_obj(const ObjModel& model, const Surface& repaired, const RepairSources& sources,
                         const std::string& comment, std::vector<std::string>& remarks);

/// `sources`: of posed_surface(). Triangles go or turn; the vertices stay, since seams need them doubled.
Rig repaired_rig(const Rig& rig, const RepairSources& sources);

}  // namespace limber
