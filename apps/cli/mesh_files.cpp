#include "cli/mesh_files.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "geometry/plausible_size.hpp"
#include "geometry/triangles.hpp"
#include "io/files/atomic_file.hpp"
#include "io/surface/painted_file.hpp"
#include "scene_file/model_sizes.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

namespace limber::cli {
namespace {

struct FormatName {
    const char* name;
    const char* ending;
    MeshFormat format;
};
constexpr FormatName kMeshFormats[] = {{"msh4_binary", ".msh", MeshFormat::msh4_binary},
                                       {"msh4_ascii", ".msh", MeshFormat::msh4_ascii},
                                       {"msh2_binary", ".msh", MeshFormat::msh2_binary},
                                       {"msh2_ascii", ".msh", MeshFormat::msh2_ascii},
                                       {"vtu", ".vtu", MeshFormat::vtu},
                                       {"obj", ".obj", MeshFormat::obj},
                                       {"ply", ".ply", MeshFormat::ply},
                                       {"stl", ".stl", MeshFormat::stl},
                                       {"inp", ".inp", MeshFormat::inp},
                                       {"medit", ".mesh", MeshFormat::medit}};

/// A file whose ending names another format would be read wrongly by everybody, limber included.
void refuse_other_ending(const std::string& path, const FormatName& format) {
    const std::string ending = ending_of(path);
    for (const FormatName& other : kMeshFormats) {
        if (ending == other.ending && ending != format.ending) {
            throw Error(Fault::bad_usage, InputLocation{path, 0, {}},
                        text("ends in '", ending, "', but --format is ", format.name),
                        text("a name ending in ", format.ending));
        }
    }
}

/// The outside of a mesh, on its boundary vertices only.
Surface surface_of(const Mesh& mesh) {
    if (mesh.dimension() != 3) {
        throw Error(Fault::unsupported, {}, text("a planar mesh of ", to_string(mesh.kind), " cells has no surface"),
                    "a mesh of tet4, tet10 or hex8 cells");
    }
    const Boundary boundary = boundary_of(mesh);
    std::vector<std::int32_t> number(mesh.vertices.size(), -1);
    Surface out;
    for (const std::int32_t v : boundary.vertices) {
        number[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(out.vertices.size());
        out.vertices.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
    }
    for (std::size_t i = 0; i < boundary.facets.size(); ++i) {
        out.faces.push_back(number[static_cast<std::size_t>(boundary.facets[i])]);
        if ((i + 1) % static_cast<std::size_t>(boundary.corners) == 0)
            out.face_starts.push_back(static_cast<std::int32_t>(out.faces.size()));
    }
    return out;
}

}  // namespace

bool is_surface_ending(const std::string& ending) {
    return ending == ".obj" || ending == ".ply" || ending == ".stl" || ending == ".glb" || ending == ".gltf";
}

/// By name when given, otherwise by the file's ending (the first of that ending).
MeshFormat format_for(const std::string& path, const std::string& asked) {
    std::vector<std::string> names;
    for (const FormatName& f : kMeshFormats) {
        names.emplace_back(f.name);
        if (asked.empty() ? ending_of(path) != f.ending : asked != f.name) continue;
        refuse_other_ending(path, f);
        return f.format;
    }
    if (asked.empty()) {
        throw Error(Fault::bad_usage, InputLocation{path, 0, {}},
                    text("no known mesh format ends in '", ending_of(path), "'"),
                    ".msh, .vtu, .inp, .mesh, .obj, .ply or .stl, or --format");
    }
    throw Error(Fault::bad_usage, InputLocation{"--format", 0, {}},
                text("unknown format '", asked, "'", suggestion(asked, names)),
                "msh2_ascii, msh2_binary, msh4_ascii, msh4_binary, vtu, inp, medit, obj, ply or stl");
}

bool is_surface_format(MeshFormat f) { return f == MeshFormat::obj || f == MeshFormat::ply || f == MeshFormat::stl; }

void write_any(const std::string& path, const Mesh& mesh, MeshFormat format) {
    if (is_surface_format(format))
        write_surface(path, surface_of(mesh), format);
    else
        write_mesh(path, mesh, format);
}

void warn_of_looks(const std::string& path) {
    for (const std::string& remark : looks_left_out(path)) complain(text("warning: ", remark));
}

std::vector<std::string> size_notes(const std::string& path, const std::vector<Vec3>& vertices, std::string_view say) {
    if (const SizeWarning warning = size_warning(box_of(vertices).size()))
        return {text(path, ": ", warning.words(say))};
    return {};
}

void warn_of_scene_models(const std::string& scene_path, const std::vector<std::string>& sets) {
    warn(model_size_warnings(scene_path, sets));
    const auto root = nlohmann::json::parse(read_file(scene_path), nullptr, false);
    if (!root.is_object() || !root.contains("bodies") || !root["bodies"].is_array()) return;
    std::set<std::string> told;
    const auto tell = [&](const nlohmann::json& part) {
        if (!part.is_object() || !part.contains("path") || !part["path"].is_string()) return;
        const std::string path = (std::filesystem::path(scene_path).parent_path() / part["path"].get<std::string>())
                                     .string();
        std::error_code ignored;
        if (std::filesystem::is_regular_file(path, ignored) && told.insert(path).second) warn_of_looks(path);
    };
    for (const auto& body : root["bodies"]) {
        if (!body.is_object()) continue;
        if (body.contains("surface")) tell(body["surface"]);
        if (!body.contains("mesh") || !body["mesh"].is_object()) continue;
        tell(body["mesh"]);
        if (body["mesh"].contains("surfaces") && body["mesh"]["surfaces"].is_array())
            for (const auto& part : body["mesh"]["surfaces"]) tell(part);
    }
}

SurfaceArguments::Loaded SurfaceArguments::load() const {
    Loaded out;
    for (const std::string& entry : files) {
        const std::size_t equals = entry.find('=');
        const bool named = equals != std::string::npos && equals > 0 && entry.find('/') > equals &&
                           !std::filesystem::exists(entry);
        const std::string path = named ? entry.substr(equals + 1) : entry;
        std::string name = named ? entry.substr(0, equals) : std::string();
        if (!named && files.size() > 1) name = std::filesystem::path(path).stem().string();
        for (const NamedSurface& other : out.surfaces) {
            if (other.name == name) {
                throw Error(Fault::bad_usage, InputLocation{path, 0, {}}, text("a second surface named '", name, "'"),
                            "names of their own: NAME=FILE");
            }
        }
        Surface surface = read_surface(path);
        warn_of_looks(path);
        for (Vec3& p : surface.vertices) {
            if (up == UpAxis::z) p = {p.x, p.z, 0.0 - p.y};
            if (unit && *unit != LengthUnit::m) p *= metres_in(*unit);
        }
        out.paths.push_back(path);
        out.surfaces.push_back({name, std::move(surface)});
    }
    std::vector<Vec3> all;
    for (const NamedSurface& s : out.surfaces)
        all.insert(all.end(), s.surface.vertices.begin(), s.surface.vertices.end());
    if (!unit) out.notes = size_notes(out.paths.front(), all, "--unit {}");
    return out;
}

void add_surface_arguments(CLI::App& verb, SurfaceArguments& arguments) {
    verb.add_option("surface", arguments.files,
                    "a surface (.obj, .ply, .stl, or the skin of a .glb at rest); several become cell sets by name: "
                    "liver=a.stl tumour=b.stl")
        ->required()
        ->type_name("[NAME=]FILE");
    verb.add_option("--unit", arguments.unit, "of the files' coordinates, m unless told; what is written is in metres")
        ->type_name("m|cm|mm|in|ft")
        ->transform(length_words());
    verb.add_option("--up", arguments.up,
                    "the axis that points up in the files, y unless told; what is written has y up")
        ->type_name("y|z")
        ->transform(up_words());
}

}  // namespace limber::cli
