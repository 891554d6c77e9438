// What the verbs below `limber mesh` share: formats by ending, and surfaces given on the command line.
#pragma once

#include "cli/cli.hpp"

#include <limber/tools/mesh_io.hpp>
#include <limber/tools/solid.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limber::cli {

void add_mesh_doctor(CLI::App& mesh, Action& action);
void add_mesh_solid(CLI::App& mesh, Action& action);
void add_mesh_cage(CLI::App& mesh, Action& action);
void add_mesh_asset(CLI::App& mesh, Action& action);

/// Of what read_surface() reads.
bool is_surface_ending(const std::string& ending);
bool is_surface_format(MeshFormat format);
/// By name when given, otherwise by the file's ending (the first of that ending). Throws Error{bad_usage}.
MeshFormat format_for(const std::string& path, const std::string& asked);
inline constexpr const char* kFormatHelp =
    "msh4_binary (default for .msh), msh4_ascii, msh2_binary, msh2_ascii, vtu, inp, medit, obj, ply, stl";
/// A mesh, or its outside where the format holds surfaces.
void write_any(const std::string& path, const Mesh& mesh, MeshFormat format);

/// Warns of material libraries and pictures that a surface file names and that are left out.
void warn_of_looks(const std::string& path);
/// The same of every surface file that a scene names, and models of an unlikely size; nothing of a scene that cannot be
/// read.
void warn_of_scene_models(const std::string& scene_path, const std::vector<std::string>& sets = {});
/// "duck.obj: the longest side is 296 m: ..." for a model whose unit was not given (docs/solid.md#units), else nothing.
/// `say` is how a unit is given, "--unit {}", or "" where it cannot be.
std::vector<std::string> size_notes(const std::string& path, const std::vector<Vec3>& vertices, std::string_view say);

/// Surfaces as they are named on the command line.
struct SurfaceArguments {
    std::vector<std::string> files;  ///< FILE or NAME=FILE
    std::optional<LengthUnit> unit;  ///< none: metres, if that makes a likely size
    UpAxis up = UpAxis::y;

    struct Loaded {
        std::vector<std::string> paths;
        std::vector<NamedSurface> surfaces;  ///< in metres, y up
        std::vector<std::string> notes;      ///< about their size
    };
    Loaded load() const;
};
void add_surface_arguments(CLI::App& verb, SurfaceArguments& arguments);

}  // namespace limber::cli
