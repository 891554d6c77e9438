// limber export: a recording in the formats of other programs, or the matrices of a scene.
#include "cli/export.hpp"

#include "core/text.hpp"
#include "report/csv.hpp"
#include "report/files.hpp"

#include <limber/tools/series.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>

namespace limber::cli {
namespace {

using nlohmann::json;

const std::map<std::string, SeriesFormat> kSeriesFormats{
    {"npz", SeriesFormat::npz}, {"pc2", SeriesFormat::pc2}, {"mdd", SeriesFormat::mdd}, {"vtu", SeriesFormat::vtu}};

std::string support_name(const Body& body, std::size_t i) {
    const std::size_t anchors = body.anchors().size(), handles = body.handles().size();
    if (i < anchors) return body.anchors()[i].name;
    return i < anchors + handles ? body.handles()[i - anchors].name : text("obstacle ", i - anchors - handles);
}

/// A comment must stay one.
std::string in_one_line(std::string_view words) {
    std::string out = valid_utf8(words);
    for (char& c : out)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    return out;
}

std::string csv_of(const Recording& r, const FileAxes& axes) {
    std::size_t supports = 0;
    for (const Frame& f : r.frames) supports = std::max(supports, f.reactions.size());
    std::string out = text(
        "# ", in_one_line(r.scene), ", scene ", hex(r.scene_hash), ", method ", in_one_line(r.method),
        "\n# recorded by ", in_one_line(r.provenance), "\n# written by ", provenance_line(), "\n# SI units, ",
        to_string(axes.up()),
        " up\nt [s],kinetic energy [J],elastic energy [J],cost of the step [ms],iterations,sub-steps,residual,trouble");
    for (std::size_t i = 0; i < supports; ++i) {
        for (const char* part : {" Fx [N]", " Fy [N]", " Fz [N]", " Tx [N m]", " Ty [N m]", " Tz [N m]"})
            out += text(",", csv_cell(support_name(*r.body, i) + part));
    }
    out += "\n";
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();  // an empty cell
    for (const Frame& f : r.frames) {
        out += text(csv_cell(f.time), ",", csv_cell(r.has_energies ? f.energies.kinetic : unknown), ",",
                    csv_cell(r.has_energies ? f.energies.elastic : unknown), ",",
                    csv_cell(r.has_cost ? f.step_ms : unknown), ",", f.report.iterations, ",", f.report.sub_steps, ",",
                    csv_cell(f.report.residual), ",", csv_cell(to_string(f.report.trouble)));
        for (std::size_t i = 0; i < supports; ++i) {
            const Wrench w = i < f.reactions.size() ? f.reactions[i] : Wrench{};
            for (const Vec3& v : {axes.turned_to_file(w.force), axes.turned_to_file(w.torque)})
                out += text(",", csv_cell(v.x), ",", csv_cell(v.y), ",", csv_cell(v.z));
        }
        out += "\n";
    }
    return out;
}

SeriesWritten write_csv(const Recording& recording, const ExportArguments& arguments) {
    if (arguments.unit.value_or(LengthUnit::m) != LengthUnit::m || arguments.frame_rate != 0) {
        throw Error(Fault::bad_usage, {arguments.out, 0, {}}, "--unit or --rate for csv",
                    "neither: it has energies and forces in SI units, one row per frame");
    }
    const FileAxes axes(LengthUnit::m, arguments.up.value_or(recording.up));
    write_text_file(arguments.out, csv_of(recording, axes));
    return {arguments.out, recording.frames.size(), 0.0, recording.body->vertex_count(), {}, axes};
}

json report(const ExportArguments& arguments, const Recording& recording, const SeriesWritten& written) {
    const json recorded_by = json::parse(recording.provenance, nullptr, false);
    return {{"written", written.path},
            {"format", arguments.to},
            {"frames", written.frames},
            {"vertices", written.vertices},
            {"frame_rate", written.frame_rate > 0 ? json(written.frame_rate) : json(nullptr)},
            {"unit", to_string(written.axes.unit())},
            {"up", to_string(written.axes.up())},
            {"remarks", written.remarks},
            {"scene_hash", hex(recording.scene_hash)},
            {"recorded_by", recorded_by.is_discarded() ? json(nullptr) : recorded_by},
            {"provenance", provenance_json()}};
}

int export_recording(const ExportArguments& arguments) {
    if (!arguments.sets.empty()) {
        throw Error(Fault::bad_usage, {"--set", 0, {}}, "a change to a scene, but a recording is exported",
                    "--set only with --to matrices or inp");
    }
    refuse_overwriting({arguments.input, arguments.surface.match}, {arguments.out});
    const Recording recording = read_recording(arguments.input);
    const std::string cut = recording.cut_short ? text("the recording ends early or is damaged after ",
                                                       counted(recording.frames.size(), "frame"))
                                                : std::string();
    if (!cut.empty() && !arguments.common.quiet) complain(text("warning: ", arguments.input, ": ", cut));
    const bool surface = is_surface_export(arguments, recording);
    if (!surface) refuse_surface_options(arguments);
    SeriesWritten written;
    std::unique_ptr<Progress> progress = start_work(arguments.common);
    if (surface) {
        written = export_surface(recording, arguments, *progress);
    } else if (arguments.to == "csv") {
        written = write_csv(recording, arguments);
    } else {
        written = write_series(recording, {arguments.out, kSeriesFormats.at(arguments.to), arguments.unit, arguments.up,
                                           arguments.frame_rate, progress.get()});
    }
    progress.reset();
    if (!arguments.common.quiet)
        for (const std::string& remark : written.remarks) complain(text("note: ", remark));
    if (!cut.empty()) written.remarks.insert(written.remarks.begin(), cut);
    if (arguments.common.json) {
        print_json(report(arguments, recording, written));
    } else {
        print(text(written.path, ": ", counted(written.frames, "frame"), " of ", written.vertices, " vertices",
                   other_axes(written.axes), "\n"));
    }
    return kDone;
}

/// A file that is called one thing and holds another misleads whoever opens it next.
void refuse_other_ending(const ExportArguments& a) {
    static const std::vector<std::string> endings{".npz", ".pc2", ".mdd", ".csv", ".obj", ".ply",
                                                  ".stl", ".glb", ".inp", ".pvd", ".vtu"};
    const std::string ending = ending_of(a.out);
    const bool known = std::find(endings.begin(), endings.end(), ending) != endings.end();
    const bool fits = ending == "." + a.to || (a.to == "vtu" && ending == ".pvd");
    if (known && !fits) {
        throw Error(Fault::bad_usage, {a.out, 0, {}}, text("a name ending in ", ending, " with --to ", a.to),
                    a.to == "matrices" ? std::string("a folder") : text("a name ending in .", a.to));
    }
    if ((a.to == "matrices") && ending_of(a.input) == ".limber")
        throw Error(Fault::bad_usage, {a.input, 0, {}}, "a recording, which holds no matrices", "its scene (.json)");
}

}  // namespace

std::string other_axes(const FileAxes& axes) {
    return axes == FileAxes(LengthUnit::m, UpAxis::y) ? "" : text(", ", to_string(axes));
}

void add_export(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("export", "write a recording, or the matrices of a scene, for other programs");
    auto a = std::make_shared<ExportArguments>();
    verb->add_option("input", a->input, "the recording; the scene for --to matrices and inp")
        ->required()
        ->type_name("RECORDING|SCENE");
    verb->add_option("--to", a->to,
                     "npz: arrays for NumPy; pc2, mdd: point caches for Blender and others; vtu: files and series.pvd "
                     "for ParaView; "
                     "csv: energies, reactions and cost per frame; obj, ply, stl: a surface per frame; glb: a model "
                     "that plays the run; "
                     "inp: a deck for CalculiX of a scene or a recording's body; matrices: K, M and C of a scene")
        ->required()
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"matrices", "npz", "pc2", "mdd", "vtu", "csv", "obj", "ply", "stl", "glb", "inp"}));
    verb->add_option("-o,--out", a->out, "the file; a folder for vtu, matrices and numbered surfaces")
        ->required()
        ->type_name("OUT");
    verb->add_option("--unit", a->unit,
                     "the unit of lengths; that of --match, or of the file that the body came from, unless told")
        ->type_name("m|cm|mm|in|ft")
        ->transform(length_words());
    verb->add_option("--up", a->up, "the axis that points up; the same")->type_name("y|z")->transform(up_words());
    verb->add_option("--rate", a->frame_rate,
                     "pc2, mdd, obj, ply, stl, glb: frames per second; evenly spaced frames are blended to it")
        ->type_name("FPS")
        ->check(NumberRange(1e-6, 1e9));
    verb->add_option("--set", a->sets, "matrices, inp: change a value of the scene first; may be repeated")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all()
        ->trigger_on_parse(false);
    verb->add_option("--modes", a->modes, "inp: a step that finds so many natural frequencies instead of a static one")
        ->type_name("M")
        ->check(CLI::Range(1, 100000));
    add_surface_options(*verb, *a);
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] {
        action = [a] {
            if (a->modes > 0 && a->to != "inp") {
                throw Error(Fault::bad_usage, {"--modes", 0, {}}, text("--modes for ", a->to),
                            "--modes only with --to inp");
            }
            refuse_other_ending(*a);
            return a->to == "matrices" ? export_matrices(*a) : a->to == "inp" ? export_inp(*a) : export_recording(*a);
        };
    });
}

}  // namespace limber::cli
