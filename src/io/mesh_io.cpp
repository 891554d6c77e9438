// Which reader or writer a path or a format means.
#include "core/text.hpp"
#include "io/element_types.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/read_budget.hpp"
#include "io/inp/inp.hpp"
#include "io/medit/medit.hpp"
#include "io/msh/msh.hpp"
#include "io/surface/surfaces.hpp"
#include "rig/posed_surface.hpp"

#include <limber/tools/mesh_io.hpp>
#include <limber/tools/rig_io.hpp>

#include <cmath>
#include <limits>

namespace limber {

namespace {
[[noreturn]] void unknown_ending(const std::string& path, const char* expected) {
    throw Error(Fault::bad_file, {path, 0, {}}, text("a file name ending in ", in_quotes(ending_of(path))), expected);
}

// MSH has no way to write a quote inside a name.
void check_msh_names(const std::string& path, const Mesh& mesh) {
    for (const auto* sets : {&mesh.vertex_sets, &mesh.cell_sets}) {
        for (const auto& entry : *sets) {
            if (entry.first.find('"') != std::string::npos) {
                throw Error(Fault::unsupported, {path, 0, {}},
                            text("not written: the set name ", in_quotes(entry.first), " has a double quote"),
                            "none in an MSH file (VTU can hold it)");
            }
        }
    }
    if (mesh.cell_sets.count(kNoSetGroup) > 0) {
        throw Error(Fault::unsupported, {path, 0, {}}, text("not written: a cell set is named '", kNoSetGroup, "'"),
                    "another name: limber's MSH files use this one for cells in no set");
    }
    if (mesh.vertices.size() >= std::numeric_limits<std::int32_t>::max())
        throw Error(Fault::unsupported, {path, 0, {}}, "not written: too many vertices for an MSH file");
}

void check_floats(const std::string& path, const Surface& surface) {
    constexpr double most = std::numeric_limits<float>::max();
    for (const Vec3& p : surface.vertices) {
        for (const double c : {p.x, p.y, p.z}) {
            if (std::abs(c) > most) {
                throw Error(Fault::unsupported, {path, 0, {}},
                            text("not written: the coordinate ", c, " does not fit an STL file's floats"),
                            "PLY or OBJ for such sizes");
            }
        }
    }
}
}  // namespace

Mesh read_mesh(const std::string& path) {
    const ReadBudget budget;
    const std::string end = ending_of(path);
    if (end == ".node" || end == ".ele") {
        const std::string stem = path.substr(0, path.size() - end.size()),
                          nodes = end == ".node" ? path : stem + ".node",
                          elements = end == ".ele" ? path : stem + ".ele";
        return parse_tetgen(read_file(nodes), nodes, read_file(elements), elements);
    }
    if (end != ".msh" && end != ".vtu" && end != ".inp" && end != ".mesh")
        unknown_ending(path, ".msh, .vtu, .inp, .mesh, .node or .ele");
    const std::string bytes = read_file(path);
    if (end == ".inp") return parse_inp(bytes, path);
    if (end == ".mesh") return parse_medit(bytes, path);
    return end == ".msh" ? parse_msh(bytes, path) : parse_vtu(bytes, path);
}

void write_mesh(const std::string& path, const Mesh& mesh, MeshFormat format) {
    check_writable(path, mesh);
    switch (format) {
        case MeshFormat::vtu: return write_vtu(path, mesh, {});
        case MeshFormat::msh2_ascii:
        case MeshFormat::msh2_binary:
            check_msh_names(path, mesh);
            return write_file(path, format_msh2(mesh, format == MeshFormat::msh2_binary));
        case MeshFormat::msh4_ascii:
        case MeshFormat::msh4_binary:
            check_msh_names(path, mesh);
            return write_file(path, format_msh4(mesh, format == MeshFormat::msh4_binary));
        case MeshFormat::inp: return write_file(path, format_inp(mesh, path));
        case MeshFormat::medit: return write_file(path, format_medit(mesh));
        default: throw Error(Fault::bad_usage, {path, 0, {}}, "a surface format for a mesh", "msh, vtu, inp or medit");
    }
}

Surface read_surface(const std::string& path) {
    const ReadBudget budget;
    const std::string end = ending_of(path);
    if (end == ".glb" || end == ".gltf") {
        const Rig rig = read_rig(path);
        return posed_surface(rig, rest_pose(rig));
    }
    if (end != ".obj" && end != ".ply" && end != ".stl") unknown_ending(path, ".obj, .ply, .stl, .glb or .gltf");
    const std::string bytes = read_file(path);
    return end == ".obj" ? parse_obj(bytes, path) : end == ".ply" ? parse_ply(bytes, path) : parse_stl(bytes, path);
}

void write_surface(const std::string& path, const Surface& surface, MeshFormat format, const std::string& about) {
    check_writable(path, surface);
    switch (format) {
        case MeshFormat::obj: return write_file(path, format_obj(surface, about));
        case MeshFormat::ply: return write_file(path, format_ply(surface, about));
        case MeshFormat::stl: check_floats(path, surface); return write_file(path, format_stl(surface));
        default: throw Error(Fault::bad_usage, {path, 0, {}}, "a mesh format for a surface", "obj, ply or stl");
    }
}

}  // namespace limber
