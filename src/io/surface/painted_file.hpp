// A surface file with everything that can be told from it, so that it can be shown, and written again with nothing but
// its vertices moved.
#pragma once

#include "io/surface/obj_series.hpp"

#include <limber/tools/painted_surface.hpp>

#include <optional>
#include <string>
#include <vector>

namespace limber {

struct PaintedFile {
    PaintedSurface painted;
    std::vector<Vec3> as_in_file;  ///< vertices before they were turned and scaled
    std::optional<ObjModel> obj;   ///< of an OBJ file
    /// Of a glTF file: its parts in the rest pose, one after the other, are the vertices of the surface.
    std::optional<Rig> rig;
};
PaintedFile read_painted_file(const std::string& path, LengthUnit unit, UpAxis up, std::vector<std::string>& remarks);

/// A model's parts in the rest pose, one after the other. Throws Error{bad_mesh} without a triangle.
PaintedSurface painted_rig(const Rig& rig);

/// Libraries and pictures that an OBJ or glTF file names and that are left out, in the words of read_painted_surface();
/// none of other files and of files that cannot be read.
std::vector<std::string> looks_left_out(const std::string& path);

/// Looks by name from the OBJ's material libraries, which lie beside or below it; plain ones where a library lacks a
/// name.
void read_obj_looks(const ObjModel& model, const std::string& obj_path, PaintedSurface& out,
                    std::vector<std::string>& remarks);

}  // namespace limber
