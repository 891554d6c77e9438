// limber mesh doctor: what is wrong with a surface, and the repairs that leave its shape alone.
#include "cli/mesh_files.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/scanner.hpp"
#include "io/files/written_by.hpp"
#include "io/gltf/gltf_write.hpp"
#include "io/surface/repaired.hpp"
#include "report/files.hpp"
#include "report/table.hpp"
#include "rig/posed_surface.hpp"
#include "show/produce.hpp"

#include <limber/tools/doctor.hpp>
#include <limber/tools/rig_io.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <optional>

namespace limber::cli {
namespace {

using nlohmann::json;

struct DoctorArguments {
    std::string path, out, picture;
    std::optional<LengthUnit> unit;  // none: metres, if that makes a likely size
    bool fix = false, strict = false;
    CommonArguments common;
};

json point_json(const Vec3& v) { return {v.x, v.y, v.z}; }

json health_json(const SurfaceHealth& h) {
    json findings = json::array();
    for (const SurfaceFinding& f : h.findings) {
        findings.push_back({{"kind", to_string(f.kind)},
                            {"severity", f.severity == SurfaceFinding::Severity::fault ? "fault" : "note"},
                            {"count", f.count},
                            {"face", f.face < 0 ? json(nullptr) : json(f.face + 1)},
                            {"where", point_json(f.where)},
                            {"mendable", f.repairable},
                            {"message", f.message}});
    }
    return {
        {"sound", h.sound()},         {"closed", h.closed},       {"vertices", h.vertices},
        {"faces", h.faces},           {"triangles", h.triangles}, {"low", point_json(h.low)},
        {"high", point_json(h.high)}, {"area", h.area},           {"volume", h.closed ? json(h.volume) : json(nullptr)},
        {"pieces", h.islands},        {"holes", h.holes},         {"longest_hole", h.longest_hole},
        {"findings", findings}};
}

std::string health_words(const std::string& path, const SurfaceHealth& h, const char* unit) {
    const Vec3 size = h.high - h.low;
    std::string out = text(path, ": ", h.vertices, " vertices, ", counted(h.faces, "face"), ", ",
                           h.closed ? "closed" : "open", "\n  ", short_number(size.x), " x ", short_number(size.y),
                           " x ", short_number(size.z), " ", unit, ", area ", short_number(h.area), " ", unit, "^2");
    if (h.closed) out += text(", volume ", short_number(h.volume), " ", unit, "^3");
    out += "\n";
    for (const SurfaceFinding& f : h.findings) {
        out += text("  ", f.severity == SurfaceFinding::Severity::fault ? "fault: " : "note: ", f.message,
                    f.repairable ? " [--fix]" : "", "\n");
    }
    return out + (h.sound() ? "  sound: nothing to mend\n" : "");
}

bool is_gltf(const std::string& path) { return ending_of(path) == ".glb" || ending_of(path) == ".gltf"; }

/// The file with what it holds besides the shape, where its format is one that is written again.
struct ExaminedFile {
    Surface surface;
    std::optional<ObjModel> obj;
    std::optional<Rig> rig;
    std::string trouble;  // why nothing but the shape could be read
    bool holds_more_than_shape() const {
        return rig || (obj && !(obj->uvs.empty() && obj->normals.empty() && obj->materials.empty()));
    }
};

ExaminedFile read_examined(const std::string& path) {
    ExaminedFile out;
    if (ending_of(path) == ".obj") {
        try {
            out.surface = out.obj.emplace(parse_obj_model(read_file(path), path)).surface;
        } catch (const Error& error) {  // a doctor looks at files whose texture coordinates are ill, too
            out.obj.reset();
            out.surface = read_surface(path);
            out.trouble = error.what();
        }
    } else if (is_gltf(path)) {
        out.rig = read_rig(path);
        out.surface = posed_surface(*out.rig, rest_pose(*out.rig));
    } else {
        out.surface = read_surface(path);
    }
    return out;
}

/// Refuses before the long work what could not be written after it.
void check_output(const DoctorArguments& a) {
    if (ending_of(a.out) == ".glb" && is_gltf(a.path)) return;
    if (ending_of(a.out) == ".glb" || !is_surface_format(format_for(a.out, {}))) {
        throw Error(
            Fault::bad_usage, InputLocation{a.out, 0, {}}, "not a format for this surface",
            is_gltf(a.path) ? "a name ending in .glb, .obj, .ply or .stl" : "a name ending in .obj, .ply or .stl");
    }
}

/// Writes the repaired surface with everything of the file that the format holds; says what it does not.
std::vector<std::string> write_repaired(const DoctorArguments& a, const ExaminedFile& examined_file,
                                        const Surface& repaired, const RepairSources& sources) {
    namespace fs = std::filesystem;
    std::vector<std::string> remarks;
    const std::string about = text("mended from ", fs::path(a.path).filename().string());
    if (ending_of(a.out) == ".glb") {
        write_glb(a.out, repaired_rig(*examined_file.rig, sources), about);
        remarks.emplace_back("the vertices stay as they are: glTF doubles them along seams");
    } else if (examined_file.obj && ending_of(a.out) == ".obj") {
        write_file(a.out, repaired_obj(*examined_file.obj, repaired, sources, written_by(about), remarks));
        if (!examined_file.obj->libraries.empty() && fs::weakly_canonical(fs::path(a.path)).parent_path() !=
                                                         fs::weakly_canonical(fs::path(a.out)).parent_path()) {
            remarks.push_back(text("its materials are looked for beside it: ",
                                   in_quotes(examined_file.obj->libraries.front()), " has to go along"));
        }
    } else {
        write_surface(a.out, repaired, format_for(a.out, {}));
        if (!examined_file.trouble.empty())
            remarks.push_back(text("texture coordinates, normals and materials are left out: ", examined_file.trouble));
        if (examined_file.holds_more_than_shape()) {
            remarks.push_back(text("texture coordinates, normals and materials are left out: write ",
                                   examined_file.rig ? ".glb" : ".obj", " to keep them"));
        }
    }
    return remarks;
}

void check_picture(const std::string& path) {
    if (!path.empty() && ending_of(path) != ".png")
        throw Error(Fault::bad_usage, InputLocation{path, 0, {}}, "not a picture format", "a name ending in .png");
}

/// A unit that is given is believed.
SurfaceHealth examined(const Surface& surface, const DoctorArguments& a, const DoctorSettings& settings,
                       Progress& progress) {
    SurfaceHealth out = examine(surface, settings, progress);
    if (a.unit) {
        std::erase_if(out.findings,
                      [](const SurfaceFinding& f) { return f.kind == SurfaceFinding::Kind::unlikely_size; });
    }
    return out;
}

/// The surface as it was given, faults in colour.
void draw_faults(const DoctorArguments& a, const Surface& surface, Progress& progress) {
    std::vector<std::unique_ptr<Subject>> subjects = make_fault_subjects(surface, a.path, progress);
    StudioSettings settings;
    settings.ground = false;
    if (subjects.size() > 1) {
        settings.width = 1280;
        settings.heading = a.path;
        settings.remark = subjects.front()->line(0.0);
    }
    write_still(a.picture, std::move(subjects), settings,
                {a.path, text("made by ", provenance_line(), "; faults of ", a.path)});
}

int run(const DoctorArguments& a) {
    check_picture(a.picture);
    if (a.fix != !a.out.empty()) {
        throw Error(Fault::bad_usage, InputLocation{a.fix ? "--fix" : "--out", 0, {}},
                    a.fix ? "no file to write" : "a file to write, but nothing to write into it",
                    "--fix and -o FILE together");
    }
    if (a.fix) check_output(a);
    refuse_overwriting({a.path}, {a.out, a.picture});
    auto progress = start_work(a.common);
    const ExaminedFile examined_file = read_examined(a.path);
    refuse_overwriting({}, {a.out, a.picture});
    if (!a.common.quiet) warn_of_looks(a.path);
    DoctorSettings settings;
    const LengthUnit unit = a.unit.value_or(LengthUnit::m);
    settings.unit = metres_in(unit);
    settings.seams = examined_file.rig.has_value();
    SurfaceHealth health = examined(examined_file.surface, a, settings, *progress);
    json report = health_json(health);
    report["file"] = a.path;
    report["unit"] = to_string(unit);
    std::string words = health_words(a.path, health, to_string(unit));
    if (health.triangles == 0) {
        throw Error(Fault::bad_mesh, InputLocation{a.path, 0, {}}, text("no face with area among ", health.faces),
                    "a surface");
    }
    if (!a.picture.empty()) {
        draw_faults(a, examined_file.surface, *progress);
        report["picture"] = a.picture;
        words += text("  ", a.picture, ": faults in colour\n");
    }
    if (a.fix) {
        RepairReport done;
        RepairSources sources;
        const Surface repaired = repair(examined_file.surface, done, &sources);
        if (ending_of(a.out) == ".glb") done.joined_vertices = done.unused_vertices = 0;
        health = examined(repaired, a, settings, *progress);
        const std::vector<std::string> remarks = write_repaired(a, examined_file, repaired, sources);
        report["mended"] = health_json(health);
        report["written"] = a.out;
        report["done"] = done.words();
        report["remarks"] = remarks;
        words += text("  mended: ", done.words(), "\n", health_words(a.out, health, to_string(unit)));
        for (const std::string& remark : remarks) words += text("  note: ", remark, "\n");
    }
    progress.reset();
    if (a.common.json)
        print_json(report);
    else
        print(words);
    return a.strict && !health.sound() ? kTrouble : kDone;
}

}  // namespace

void add_mesh_doctor(CLI::App& mesh, Action& action) {
    CLI::App* verb = mesh.add_subcommand(
        "doctor", "say what is wrong with a surface, and mend what can be mended without changing its shape");
    auto a = std::make_shared<DoctorArguments>();
    verb->add_option("file", a->path, ".obj, .ply, .stl, or .glb (its skin at rest)")->required()->type_name("FILE");
    verb->add_flag("--fix", a->fix,
                   "join doubled vertices, leave out flat and repeated faces, turn faces outwards; holes stay");
    verb->add_option("-o,--out", a->out,
                     "where the mended surface goes: .obj from .obj and .glb from .glb keep everything else in the "
                     "file; .ply and .stl the shape")
        ->type_name("FILE");
    verb->add_option("--unit", a->unit, "of the coordinates, m unless told")
        ->type_name("m|cm|mm|in|ft")
        ->transform(length_words());
    verb->add_option("--picture", a->picture, "also a picture with the faults in colour (.png)")->type_name("FILE");
    verb->add_flag("--strict", a->strict, "exit with 1 when there are faults (after --fix: faults that are left)");
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return run(*a); }; });
}

}  // namespace limber::cli
