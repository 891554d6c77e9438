// Reading and writing meshes and surfaces. The format follows from the file's ending; every fault names the line or
// byte.
#pragma once

#include <limber/mesh.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

enum class MeshFormat { msh2_ascii, msh2_binary, msh4_ascii, msh4_binary, vtu, obj, ply, stl, inp, medit };

/// .msh, .vtu, .inp (Abaqus, CalculiX), .mesh (Medit), .node or .ele (TetGen: each finds the other beside it). Named
/// groups become sets (groups of lower dimension: vertex sets).
Mesh read_mesh(const std::string& path);
/// The same from memory; `name` appears in error messages.
Mesh parse_msh(std::string_view bytes, const std::string& name);
Mesh parse_vtu(std::string_view bytes, const std::string& name);
Mesh parse_inp(std::string_view bytes, const std::string& name);
Mesh parse_medit(std::string_view bytes, const std::string& name);
Mesh parse_tetgen(std::string_view node_bytes, const std::string& node_name, std::string_view ele_bytes,
                  const std::string& ele_name);
void write_mesh(const std::string& path, const Mesh& mesh, MeshFormat format);

/// .obj, .ply (ASCII and binary), .stl (ASCII and binary; equal corners are welded), .glb and .gltf (all their skin at
/// rest).
Surface read_surface(const std::string& path);
Surface parse_obj(std::string_view bytes, const std::string& name);
Surface parse_ply(std::string_view bytes, const std::string& name);
Surface parse_stl(std::string_view bytes, const std::string& name);
/// `about`: what it is of; goes into the comment of obj and ply files (the header of stl has no room for it).
void write_surface(const std::string& path, const Surface& surface, MeshFormat format, const std::string& about = {});

/// Fields to write beside the points of a VTU file.
struct VtuField {
    std::string name;
    bool on_cells = false;
    int components = 1;
    std::vector<double> values;  ///< components per vertex (or cell)
};
/// `about`: what it is of, such as a scene and its hash; goes into the comment that every file begins with.
void write_vtu(const std::string& path, const Mesh& mesh, std::span<const VtuField> fields,
               const std::string& about = {});

/// A PVD collection: one line per file and time; files are named relative to it.
struct PvdEntry {
    double time;
    std::string file;
};
void write_pvd(const std::string& path, std::span<const PvdEntry> entries, const std::string& about = {});
std::vector<PvdEntry> read_pvd(const std::string& path);

}  // namespace limber
