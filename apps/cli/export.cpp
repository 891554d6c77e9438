// limber export: a recording in the formats of other programs, or the matrices of a scene.
#include "cli/export.hpp"

#include "core/text.hpp"

#include <limber/series.hpp>

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

using nlohmann::json;

const std::map<std::string, LengthUnit> kUnits{{"m", LengthUnit::m}, {"cm", LengthUnit::cm}, {"mm", LengthUnit::mm}, {"in", LengthUnit::in}, {"ft", LengthUnit::ft}};
const std::map<std::string, UpAxis> kUps{{"y", UpAxis::y}, {"z", UpAxis::z}};
const std::map<std::string, SeriesFormat> kFormats{{"npz", SeriesFormat::npz}, {"pc2", SeriesFormat::pc2}, {"mdd", SeriesFormat::mdd},
                                                   {"vtu", SeriesFormat::vtu}, {"csv", SeriesFormat::csv}};

int export_recording(const ExportArguments& arguments) {
    if (!arguments.sets.empty()) throw Error(Fault::bad_usage, {"--set", 0, {}}, "a recording has no values to change", "--set only with --to matrices");
    refuse_overwriting({arguments.input}, {arguments.out});
    const Recording recording = read_recording(arguments.input);
    if (recording.cut_short) complain(text("warning: ", arguments.input, ": the recording was cut short after ", counted(recording.frames.size(), "frame")));
    SeriesTarget target;
    target.path = arguments.out;
    target.format = kFormats.at(arguments.to);
    target.unit = arguments.unit;
    target.up = arguments.up;
    target.frame_rate = arguments.frame_rate;
    const SeriesWritten written = write_series(recording, target);
    for (const std::string& remark : written.remarks) complain(text("note: ", remark));
    if (arguments.common.json)
        print_json({{"written", written.path}, {"format", arguments.to}, {"frames", written.frames}, {"vertices", recording.body->vertex_count()},
                    {"frame_rate", written.frame_rate > 0 ? json(written.frame_rate) : json(nullptr)}, {"unit", to_string(target.unit)}, {"up", to_string(target.up)},
                    {"remarks", written.remarks}, {"scene_hash", hex(recording.scene_hash)}, {"recorded_by", json::parse(recording.provenance, nullptr, false).is_discarded() ? json(nullptr) : json::parse(recording.provenance)},
                    {"provenance", provenance_json()}});
    else
        print(text(written.path, ": ", counted(written.frames, "frame"), " of ", counted(recording.body->vertex_count(), "vertex"), "\n"));
    return kDone;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("export", "write a recording, or the matrices of a scene, for other programs");
    auto a = std::make_shared<ExportArguments>();
    verb->add_option("input", a->input, "the recording; the scene for --to matrices")->required()->type_name("RECORDING|SCENE");
    verb->add_option("--to", a->to, "npz: arrays for NumPy; pc2, mdd: point caches for Blender and others; vtu: files and series.pvd for ParaView; "
                                    "csv: energies, reactions and cost per frame; matrices: K, M and C of a scene")
        ->required()->type_name("FORMAT")->check(CLI::IsMember({"matrices", "npz", "pc2", "mdd", "vtu", "csv"}));
    verb->add_option("-o,--out", a->out, "the file; a folder for vtu and matrices")->required()->type_name("OUT");
    verb->add_option("--unit", a->unit, "recordings: the unit of lengths, m unless told")->type_name("m|cm|mm|in|ft")->transform(CLI::CheckedTransformer(kUnits));
    verb->add_option("--up", a->up, "recordings: the axis that points up, y unless told")->type_name("y|z")->transform(CLI::CheckedTransformer(kUps));
    verb->add_option("--rate", a->frame_rate, "pc2, mdd: frames per second; evenly spaced frames are blended to it")->type_name("FPS")->check(CLI::Range(1e-6, 1e9));
    verb->add_option("--set", a->sets, "matrices: change a value of the scene first; may be repeated")
        ->type_name("PATH=VALUE")->expected(1)->take_all()->trigger_on_parse(false);
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return a->to == "matrices" ? export_matrices(*a) : export_recording(*a); }; });
}

}  // namespace limber::cli
