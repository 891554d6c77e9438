// limber mesh doctor: what is wrong with a surface, and the repairs that leave its shape alone.
#include "cli/mesh_files.hpp"

#include "core/text.hpp"
#include "report/table.hpp"

#include <limber/doctor.hpp>

#include <nlohmann/json.hpp>

#include <map>

namespace limber::cli {
namespace {

using nlohmann::json;

struct DoctorArguments {
    std::string path, out;
    LengthUnit unit = LengthUnit::m;
    bool fix = false, strict = false;
    CommonArguments common;
};

json vec_json(const Vec3& v) { return {v.x, v.y, v.z}; }

json health_json(const SurfaceHealth& h) {
    json findings = json::array();
    for (const SurfaceFinding& f : h.findings)
        findings.push_back({{"kind", to_string(f.kind)}, {"severity", f.severity == SurfaceFinding::Severity::fault ? "fault" : "note"}, {"count", f.count},
                            {"face", f.face < 0 ? json(nullptr) : json(f.face + 1)}, {"where", vec_json(f.where)}, {"mendable", f.mendable}, {"message", f.message}});
    return {{"sound", h.sound()}, {"closed", h.closed}, {"vertices", h.vertices}, {"faces", h.faces}, {"triangles", h.triangles}, {"low", vec_json(h.low)}, {"high", vec_json(h.high)},
            {"area", h.area}, {"volume", h.closed ? json(h.volume) : json(nullptr)}, {"pieces", h.islands}, {"holes", h.holes}, {"longest_hole", h.longest_hole}, {"findings", findings}};
}

std::string health_words(const std::string& path, const SurfaceHealth& h, const char* unit) {
    const Vec3 size = h.high - h.low;
    std::string out = text(path, ": ", h.vertices, " vertices, ", counted(h.faces, "face"), ", ", h.closed ? "closed" : "open", "\n  ", short_number(size.x), " x ", short_number(size.y), " x ",
                           short_number(size.z), " ", unit, ", area ", short_number(h.area), " ", unit, "^2");
    if (h.closed) out += text(", volume ", short_number(h.volume), " ", unit, "^3");
    out += "\n";
    for (const SurfaceFinding& f : h.findings)
        out += text("  ", f.severity == SurfaceFinding::Severity::fault ? "fault: " : "note: ", f.message, f.mendable ? " [--fix]" : "", "\n");
    return out + (h.sound() ? "  sound: nothing to mend\n" : "");
}

MeshFormat surface_format(const std::string& path) {
    const MeshFormat format = format_for(path, {});
    if (!is_surface_format(format)) throw Error(Fault::bad_usage, InputLocation{path, 0, {}}, "not a surface format", "a name ending in .obj, .ply or .stl");
    return format;
}

int run(const DoctorArguments& a) {
    if (a.fix != !a.out.empty()) throw Error(Fault::bad_usage, InputLocation{a.fix ? "--fix" : "--out", 0, {}}, a.fix ? "no file to write" : "a file to write, but nothing to write into it", "--fix and -o FILE together");
    const MeshFormat format = a.fix ? surface_format(a.out) : MeshFormat::obj;
    refuse_overwriting({a.path}, {a.out});
    auto progress = start_work(a.common);
    const Surface surface = read_surface(a.path);
    DoctorSettings settings;
    settings.unit = metres_in(a.unit);
    SurfaceHealth health = examine(surface, settings, *progress);
    json report = health_json(health);
    report["file"] = a.path;
    report["unit"] = to_string(a.unit);
    std::string words = health_words(a.path, health, to_string(a.unit));
    if (health.triangles == 0) throw Error(Fault::bad_mesh, InputLocation{a.path, 0, {}}, text("no face with area among ", health.faces), "a surface");
    if (a.fix) {
        MendReport done;
        const Surface mended = mend(surface, done);
        health = examine(mended, settings, *progress);
        write_surface(a.out, mended, format);
        report["mended"] = health_json(health);
        report["written"] = a.out;
        report["done"] = done.words();
        words += text("  mended: ", done.words(), "\n", health_words(a.out, health, to_string(a.unit)));
    }
    progress.reset();
    if (a.common.json) print_json(report);
    else print(words);
    return a.strict && !health.sound() ? kTrouble : kDone;
}

}  // namespace

void add_mesh_doctor(CLI::App& mesh, Action& action) {
    CLI::App* verb = mesh.add_subcommand("doctor", "say what is wrong with a surface, and mend what can be mended without changing its shape");
    static const std::map<std::string, LengthUnit> units{{"m", LengthUnit::m}, {"cm", LengthUnit::cm}, {"mm", LengthUnit::mm}, {"in", LengthUnit::in}, {"ft", LengthUnit::ft}};
    auto a = std::make_shared<DoctorArguments>();
    verb->add_option("file", a->path, ".obj, .ply or .stl")->required()->type_name("FILE");
    verb->add_flag("--fix", a->fix, "join doubled vertices, leave out flat and repeated faces, turn faces outwards; holes stay");
    verb->add_option("-o,--out", a->out, "where the mended surface goes (.obj, .ply, .stl)")->type_name("FILE");
    verb->add_option("--unit", a->unit, "of the coordinates, m unless told")->type_name("m|cm|mm|in|ft")->transform(CLI::CheckedTransformer(units));
    verb->add_flag("--strict", a->strict, "exit with 1 when there are faults (after --fix: faults that are left)");
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return run(*a); }; });
}

}  // namespace limber::cli
