// limber mesh asset: surfaces made by code, clean or spoilt.
#include "cli/mesh_files.hpp"

#include "core/text.hpp"
#include "io/files/owned_files.hpp"
#include "io/files/written_by.hpp"
#include "io/gltf/gltf_write.hpp"
#include "report/files.hpp"

#include <limber/tools/assets.hpp>
#include <limber/tools/mesh_io.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace limber::cli {
namespace {

using nlohmann::json;

struct AssetArguments {
    std::string name, out, surface, dirty;
    int triangles = 16000;
    std::uint32_t seed = 1;
    bool list = false;
    CommonArguments common;
};

/// One file to be: the surface, and what it looks like while it is clean.
struct Piece {
    std::string path, about;
    Surface surface;
    const AssetSurface* painted = nullptr;
};

int list(bool as_json) {
    json rows = json::array();
    std::string words;
    for (const std::string& name : asset_names()) {
        const std::string summary = asset_summary(name);
        rows.push_back({{"name", name}, {"summary", summary}});
        words += fmt::format("  {:<12} {}\n", name, summary);
    }
    if (as_json)
        print_json({{"assets", rows}, {"dirty", dirt_names()}});
    else
        print(text(words, "kinds of dirt: ", fmt::format("{}", fmt::join(dirt_names(), ", ")), "\n"));
    return kDone;
}

/// Texture coordinates and paints, which plain surfaces do not have; colours are in the library beside it.
std::string painted_obj(const AssetSurface& s, const std::string& library) {
    std::string out = text("# ", written_by(), "\nmtllib ", library, "\no ", s.name, "\n");
    for (const Vec3& p : s.surface.vertices)
        fmt::format_to(std::back_inserter(out), "v {:.9g} {:.9g} {:.9g}\n", p.x, p.y, p.z);
    for (const auto& uv : s.corner_uv) fmt::format_to(std::back_inserter(out), "vt {:.6g} {:.6g}\n", uv[0], uv[1]);
    for (std::size_t paint = 0; paint < s.paints.size(); ++paint) {
        out += text("usemtl ", s.paints[paint].name, "\n");
        for (std::size_t f = 0; f < s.surface.face_count(); ++f) {
            if (static_cast<std::size_t>(s.face_paint[f]) != paint) continue;
            out += 'f';
            for (std::size_t c = 3 * f; c < 3 * f + 3; ++c)
                fmt::format_to(std::back_inserter(out), " {}/{}", s.surface.faces[c] + 1, c + 1);
            out += '\n';
        }
    }
    return out;
}

std::string paint_library(const AssetSurface& s) {
    std::string out = text("# ", written_by(), "\n");
    for (const AssetPaint& p : s.paints) {
        fmt::format_to(std::back_inserter(out), "newmtl {}\nKd {:.4g} {:.4g} {:.4g}\nKs 0.2 0.2 0.2\nNs 40\n", p.name,
                       p.colour[0], p.colour[1], p.colour[2]);
    }
    return out;
}

std::filesystem::path library_of(const Piece& piece) {
    return std::filesystem::path(piece.path).replace_extension(".mtl");
}

/// The library's name was not asked for: somebody's file of that name stays.
void refuse_other_library(const Piece& piece) {
    std::error_code ignored;
    const std::string path = library_of(piece).string();
    if (std::filesystem::exists(path, ignored) && !read_own_file(path).starts_with("# written by limber")) {
        throw Error(Fault::bad_usage, InputLocation{path, 0, {}},
                    text("would hold the colours of ", piece.path, ", and is somebody else's file"),
                    "another name for the surface");
    }
}

void write_piece(const Piece& piece, MeshFormat format) {
    if (format != MeshFormat::obj || piece.painted == nullptr) {
        write_surface(piece.path, piece.surface, format);
        return;
    }
    const std::filesystem::path library = library_of(piece);
    write_text_file(library.string(), paint_library(*piece.painted));
    write_text_file(piece.path, painted_obj(*piece.painted, library.filename().string()));
}

/// thing.obj, or thing_liver.obj and thing_vessel.obj.
std::string path_of(const AssetArguments& a, const std::string& surface, bool several) {
    if (!several) return a.out;
    const std::filesystem::path out(a.out);
    return (out.parent_path() / text(out.stem().string(), "_", surface, out.extension().string())).string();
}

std::vector<Piece> pieces_of(const AssetArguments& a, const Asset& asset) {
    std::vector<std::string> names;
    for (const AssetSurface& s : asset.surfaces) names.push_back(s.name);
    std::vector<Piece> out;
    std::uint32_t seed = a.seed;
    for (const AssetSurface& s : asset.surfaces) {
        const std::uint32_t own = seed;
        seed += 1000;
        if (!a.surface.empty() && a.surface != s.name) continue;
        Piece piece{path_of(a, s.name, asset.surfaces.size() > 1 && a.surface.empty()), {}, s.surface, &s};
        if (!a.dirty.empty()) {
            DirtySurface d = spoil(s.surface, dirt_of(a.dirty), own);
            piece = {piece.path, d.about, std::move(d.surface), nullptr};
        }
        out.push_back(std::move(piece));
    }
    if (out.empty()) {
        throw Error(Fault::bad_usage, InputLocation{"--surface", 0, {}}, text("'", a.surface, "'"),
                    fmt::format("{}", fmt::join(names, ", ")));
    }
    return out;
}

int write_model(const AssetArguments& a) {
    if (!a.dirty.empty() || !a.surface.empty()) {
        throw Error(Fault::bad_usage, InputLocation{a.out, 0, {}}, "a .glb with --dirty or --surface",
                    "an output ending in .obj, .ply or .stl");
    }
    const Rig rig = a.name == "humanoid" ? make_humanoid(a.triangles) : as_model(make_asset(a.name, a.triangles));
    write_glb(a.out, rig, text("asset ", a.name));
    std::size_t triangles = 0;
    for (const SkinPart& p : rig.parts) triangles += p.triangles.size();
    if (a.common.json) {
        print_json({{"asset", a.name},
                    {"out", a.out},
                    {"triangles", triangles},
                    {"joints", rig.joints.size()},
                    {"clips", rig.clips.size()}});
    } else {
        print(text(a.out, ": ", triangles, " triangles, ", counted(rig.joints.size(), "joint"), ", ",
                   counted(rig.clips.size(), "clip"), "\n"));
    }
    return kDone;
}

int run(const AssetArguments& a) {
    if (a.list) return list(a.common.json);
    if (a.name.empty()) {
        throw Error(Fault::bad_usage, InputLocation{"limber mesh asset", 0, {}}, "no asset named",
                    "a name (--list shows them)");
    }
    if (a.out.empty()) {
        throw Error(Fault::bad_usage, InputLocation{"--out", 0, {}}, "no output",
                    "a file ending in .obj, .ply, .stl or .glb");
    }
    if (!a.dirty.empty()) dirt_of(a.dirty);  // told before the work, not after it
    if (ending_of(a.out) == ".glb") return write_model(a);
    const MeshFormat format = format_for(a.out, {});
    if (!is_surface_format(format)) {
        throw Error(Fault::bad_usage, InputLocation{a.out, 0, {}}, "an asset is a surface",
                    "a file ending in .obj, .ply, .stl or .glb");
    }
    const Asset asset = make_asset(a.name, a.triangles);
    json rows = json::array();
    const std::vector<Piece> pieces = pieces_of(a, asset);
    for (const Piece& piece : pieces)
        if (format == MeshFormat::obj && piece.painted != nullptr) refuse_other_library(piece);
    for (const Piece& piece : pieces) {
        write_piece(piece, format);
        rows.push_back({{"out", piece.path},
                        {"triangles", piece.surface.face_count()},
                        {"vertices", piece.surface.vertices.size()},
                        {"dirt", piece.about}});
        if (!a.common.json) {
            print(text(piece.path, ": ", piece.surface.face_count(), " triangles, ", piece.surface.vertices.size(),
                       " vertices", piece.about.empty() ? "" : ": ", piece.about, "\n"));
        }
    }
    if (a.common.json) print_json({{"asset", a.name}, {"files", rows}});
    return kDone;
}

}  // namespace

void add_mesh_asset(CLI::App& mesh, Action& action) {
    CLI::App* verb = mesh.add_subcommand("asset",
                                         "make a duck, a humanoid or another surface by code, clean or spoilt");
    auto a = std::make_shared<AssetArguments>();
    verb->add_option("name", a->name, "which (--list shows them)")->type_name("NAME");
    verb->add_option("-o,--out", a->out,
                     ".obj (with paints and texture coordinates), .ply, .stl or .glb (the humanoid with its skeleton "
                     "and clips); one file per surface where there are several")
        ->type_name("FILE");
    verb->add_option("--triangles", a->triangles, "about how many")->type_name("N")->capture_default_str();
    verb->add_option("--surface", a->surface, "only this one of several surfaces")->type_name("NAME");
    verb->add_option("--dirty", a->dirty,
                     "spoil it: holes, flipped, doubled, overlapped, noise, gaps, soup or combined")
        ->type_name("KIND");
    verb->add_option("--seed", a->seed, "of the dirt: the same number gives the same file")
        ->type_name("N")
        ->capture_default_str();
    verb->add_flag("--list", a->list, "names of assets and kinds of dirt");
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return run(*a); }; });
}

}  // namespace limber::cli
