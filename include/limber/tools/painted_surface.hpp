// PaintedSurface: a surface with what people see of it (texture coordinates, normals, looks). Scenes and recordings
// carry one to show a body by; it has no part in the physics.
#pragma once

#include <limber/mesh.hpp>
#include <limber/tools/rig.hpp>
#include <limber/tools/scene.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace limber {

struct PaintedSurface {
    Surface surface;                          ///< at rest [m], y up; vertices and faces in the order of the file
    std::vector<std::array<double, 2>> uvs;   ///< v grows downwards, as in glTF
    std::vector<std::int32_t> corner_uv;      ///< per face corner, into uvs; -1 = none there; empty = none at all
    std::vector<Vec3> normals;                ///< as given, y up; need not have unit length
    std::vector<std::int32_t> corner_normal;  ///< per face corner, into normals; -1 = none there; empty = none at all
    std::vector<std::int32_t> face_look;      ///< per face, into looks; -1 = none; empty = none at all
    std::vector<MaterialLook> looks;
    std::vector<Picture> pictures;  ///< of the looks
    /// Per vertex: further texture coordinates, tangents, "COLOR_0" (4, linear).
    std::vector<VertexNumbers> attributes;
    KeptJson kept;  ///< see Rig::kept

    // Where it came from, so that what is written for its owner can have its unit, axes and everything else the file
    // holds.
    std::string file;                 ///< as opened; "" = made by code, or several files
    LengthUnit unit = LengthUnit::m;  ///< of that file
    UpAxis up = UpAxis::y;
    double limit = 0.0;  ///< see EmbeddingSettings
};

/// Throws Error{bad_data} at `place` on the first broken promise: indices, lengths, finite numbers.
void check(const PaintedSurface& surface, const InputLocation& place);

/// One after the other; `file` stays only where there is one.
PaintedSurface joined(std::span<const PaintedSurface> surfaces);

/// .obj (with its .mtl and pictures beside it), .glb, .gltf (its skin in the rest pose), .ply, .stl. `remarks` gets
/// what was left out. Throws Error{bad_file | bad_mesh | bad_data | bad_usage}.
PaintedSurface read_painted_surface(const std::string& path, LengthUnit unit, UpAxis up,
                                    std::vector<std::string>& remarks);
/// True for the endings above; case does not matter.
bool is_surface_file(const std::string& path);

}  // namespace limber
