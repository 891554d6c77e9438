// limber rig pose: the skin of a rig at one time of a clip, as a surface.
#include "cli/mesh_files.hpp"

#include "core/text.hpp"
#include "rig/posed_surface.hpp"
#include "rig/rig_size.hpp"

#include <limber/tools/rig_io.hpp>

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct PoseArguments {
    std::string path, out, clip;
    double time = 0.0;  // [s]
    bool loop = false;
    CommonArguments common;
};

Pose pose_of(const Rig& rig, const PoseArguments& a) {
    if (a.clip.empty()) return rest_pose(rig);
    const std::size_t clip = find_clip(rig, a.clip);
    const double end = rig.clips[clip].duration;
    if (!(a.time >= 0.0) || !std::isfinite(a.time) || (!a.loop && a.time > end * (1.0 + 1e-9))) {
        throw Error(Fault::bad_usage, InputLocation{"--time", 0, {}}, text(a.time, " s"),
                    a.loop ? std::string("a time from 0 s on") : text("0 to ", end, " s (--loop repeats the clip)"));
    }
    return pose_at(rig, clip, a.loop ? looped(rig.clips[clip], a.time) : a.time);
}

int run(const PoseArguments& a) {
    const MeshFormat format = format_for(a.out, {});
    if (!is_surface_format(format)) {
        throw Error(Fault::bad_usage, InputLocation{a.out, 0, {}}, "not a surface format",
                    "a name ending in .obj, .ply or .stl");
    }
    if (a.clip.empty() && (a.time != 0.0 || a.loop)) {
        throw Error(Fault::bad_usage, InputLocation{"--time", 0, {}}, "a time without a clip",
                    "--clip NAME with it (limber rig info lists them)");
    }
    refuse_overwriting({a.path}, {a.out});
    const Rig rig = read_rig(a.path);
    const std::string warning = unit_warning(rig, "");
    if (!warning.empty()) complain(text("warning: ", a.path, ": ", warning));
    const Surface surface = posed_surface(rig, pose_of(rig, a));
    write_surface(a.out, surface, format);
    if (a.common.json) {
        print_json(
            {{"written", a.out},
             {"vertices", surface.vertices.size()},
             {"faces", surface.face_count()},
             {"clip", a.clip},
             {"time", a.time},
             {"notes", warning.empty() ? nlohmann::json::array() : nlohmann::json{text(a.path, ": ", warning)}}});
    } else {
        print(text(a.out, ": ", surface.vertices.size(), " vertices, ", counted(surface.face_count(), "face"),
                   a.clip.empty() ? std::string(", at rest") : text(", ", a.clip, " at ", a.time, " s"), "\n"));
    }
    return kDone;
}

}  // namespace

void add_rig_pose(CLI::App& rig, Action& action) {
    CLI::App* verb = rig.add_subcommand("pose", "write the skin as it is at one time of a clip, or at rest");
    auto a = std::make_shared<PoseArguments>();
    verb->add_option("file", a->path, ".glb or .gltf")->required()->type_name("FILE");
    verb->add_option("-o,--out", a->out,
                     "the surface to write: .obj, .ply or .stl; vertices of all meshes one after the other, in metres")
        ->required()
        ->type_name("FILE");
    verb->add_option("--clip", a->clip, "by name or number; at rest unless told");
    verb->add_option("--time", a->time, "within the clip [s]; 0 unless told")->type_name("S");
    verb->add_flag("--loop", a->loop, "play the clip again and again, instead of standing still after its end");
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return run(*a); }; });
}

}  // namespace limber::cli
