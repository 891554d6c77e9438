// limber run: a scene from start to end, into a recording, and on request VTU files and a table of probes.
#include "cli/cli.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "io/vtk/vtu_series.hpp"
#include "playback/stress_fields.hpp"
#include "report/csv.hpp"
#include "report/files.hpp"
#include "report/table.hpp"
#include "scene_file/model_sizes.hpp"
#include "sim/softness.hpp"

#include <limber/tools/mesh_io.hpp>
#include <limber/tools/sim.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <optional>

namespace limber::cli {
namespace {

using nlohmann::json;

struct RunArguments {
    SceneArguments scene;
    CommonArguments common;
    std::string out, vtu, csv;
    double duration = 0.0;
    bool stress = false;
};

/// Everything that goes to disk while a scene runs.
class Outputs {
public:
    Outputs(const Scene& scene, const RunArguments& arguments) : scene_(scene) {
        const std::string stem = arguments.scene.path.empty()
                                     ? "out"
                                     : std::filesystem::path(arguments.scene.path).stem().string();
        recording_ = arguments.out.empty() ? stem + ".limber" : arguments.out;
        const std::string beside = std::filesystem::path(recording_).replace_extension("").string();
        vtu_ = !arguments.vtu.empty() ? arguments.vtu : scene.output.vtu ? beside + "_vtu" : "";
        csv_ = !arguments.csv.empty() ? arguments.csv : scene.output.csv ? beside + ".csv" : "";
        if (!csv_.empty() && scene.output.probes.empty()) {
            throw Error(Fault::bad_scene, InputLocation{scene.source, 0, "/output/probes"},
                        "no probes, so the table would be empty", "at least one probe for --csv");
        }
        refuse_overwriting({arguments.scene.path}, {recording_, csv_});
        const FolderClaim claim = vtu_series_claim("series.pvd", "frame");
        refuse_nested_outputs({recording_, csv_}, vtu_, &claim);
        if (!vtu_.empty()) vtu_files_.emplace(vtu_, claim);  // refused before the work, not after it
    }

    void start(const Recording& head) {
        body_ = head.body;
        axes_ = FileAxes(head.unit, head.up);
        probes_ = make_probes(scene_, *body_);
        if (!vtu_.empty()) begin_vtu();
        writer_ = std::make_unique<RecordingWriter>(recording_, head);
        if (!csv_.empty()) begin_table();
    }

    void add(const Frame& frame) {
        writer_->add(frame);
        if (!vtu_.empty()) add_vtu(frame);
        if (!csv_.empty()) add_row(frame);
    }

    /// Also after trouble or Ctrl-C: what was computed is kept.
    void finish(bool cut_short) {
        if (writer_) {
            writer_->close(cut_short);
            writer_.reset();
        }
        if (vtu_files_ && !series_.empty()) {
            write_pvd(vtu_files_->file("series.pvd"), series_, about());
            vtu_files_->commit();
        }
        if (table_) table_->commit();
    }

    /// After an error (a full disk): the recording up to its last whole frame, if even that can be written. False when
    /// it cannot, when there was nothing to write, and when the recording was whole before the error.
    bool close_cut_short() noexcept {
        if (!writer_) return false;
        try {
            writer_->close(true);
            return true;
        } catch (...) {
            return false;
        }
    }

    const std::string& recording() const { return recording_; }
    const std::string& vtu() const { return vtu_; }
    const std::string& csv() const { return csv_; }

private:
    std::string about() const { return text(about_scene(scene_), "; ", to_string(axes_)); }

    // As `limber export` would write them: in the unit and axes of the file that the body came from.
    void begin_vtu() {
        mesh_ = body_->mesh();
        for (Vec3& p : mesh_.vertices) p = axes_.to_file(p);
    }

    VtuField field_of(const char* name, const std::vector<Vec3>& vectors) const {
        VtuField field{name, false, 3, {}};
        for (const Vec3& v : vectors) {
            const Vec3 there = axes_.to_file(v);
            field.values.insert(field.values.end(), {there.x, there.y, there.z});
        }
        return field;
    }

    void begin_table() {
        std::string head = text("# ", scene_.name, ", scene ", hex(hash(scene_)), "\n# made by ", provenance_line(),
                                "\nt [s]");
        for (const Probe& probe : probes_)
            for (const char* axis : {"x", "y", "z"}) head += text(",", csv_cell(text(probe.name, " u", axis, " [m]")));
        table_ = std::make_unique<AtomicFile>(
            csv_);  // opened before the first step: a bad place is told now, not after an hour
        table_->write(head + "\n");
    }

    void add_row(const Frame& frame) {
        std::string row = text(frame.time);
        for (const Probe& probe : probes_) {
            const Vec3 u = probe.value(frame.displacement);
            row += text(",", u.x, ",", u.y, ",", u.z);
        }
        table_->write(row + "\n");
    }

    void add_vtu(const Frame& frame) {
        std::vector<VtuField> fields{field_of("displacement", frame.displacement),
                                     field_of("velocity", frame.velocity)};
        if (!frame.stress.empty())
            for (VtuField& field : stress_fields(frame.stress, axes_)) fields.push_back(std::move(field));
        const std::string name = fmt::format("frame_{:06}.vtu", series_.size());
        write_vtu(vtu_files_->file(name), mesh_, fields, about());
        series_.push_back({frame.time, name});
    }

    const Scene& scene_;
    std::string recording_, vtu_, csv_;
    std::shared_ptr<const Body> body_;
    FileAxes axes_{LengthUnit::m, UpAxis::y};  ///< of the VTU files
    Mesh mesh_;                                ///< of the VTU files
    std::vector<Probe> probes_;
    std::unique_ptr<RecordingWriter> writer_;
    std::unique_ptr<AtomicFile> table_;
    std::optional<IndexedFolder> vtu_files_;
    std::vector<PvdEntry> series_;
};

json summary_json(const RunResult& result, const Outputs& outputs, const std::vector<std::string>& notes) {
    return {{"recording", outputs.recording()},
            {"vtu", outputs.vtu().empty() ? json(nullptr) : json(outputs.vtu())},
            {"csv", outputs.csv().empty() ? json(nullptr) : json(outputs.csv())},
            {"ok", result.ok()},
            {"trouble", result.diverged ? "diverged" : to_string(result.trouble)},
            {"tolerated", to_string(result.tolerated)},
            {"interrupted", result.interrupted},
            {"message", result.message},
            {"end_time", result.end_time},
            {"steps", result.steps},
            {"frames", result.frames},
            {"prepare_ms", result.recording.prepare_ms},
            {"median_step_ms", result.median_ms},
            {"p99_step_ms", result.p99_ms},
            {"max_step_ms", result.max_ms},
            {"solver", result.solver},
            {"iterations", result.iterations},
            {"linearisations", result.linearisations},
            {"cut_steps", result.cut_steps},
            {"inverted_steps", result.inverted_steps},
            {"energy_gain", result.energy_gain},
            {"prepared_bytes", result.recording.prepared_bytes},
            {"notes", notes},
            {"scene_hash", hex(result.recording.scene_hash)},
            {"provenance", provenance_json()}};
}

std::string summary_text(const RunResult& result, const Outputs& outputs) {
    std::string out = text(outputs.recording(), ": ", counted(result.frames, "frame"), ", ",
                           counted(result.steps, "step"), ", ", result.end_time, " s; prepared in ",
                           short_number(result.recording.prepare_ms), " ms, a step takes ",
                           short_number(result.median_ms), " ms (99 %: ", short_number(result.p99_ms), " ms)");
    out += text(result.solver.empty() ? "" : ", by ", result.solver, "\n");
    if (!outputs.vtu().empty()) out += text(outputs.vtu(), "/series.pvd: open it in ParaView\n");
    if (!outputs.csv().empty()) out += text(outputs.csv(), ": probes\n");
    return out;
}

/// Runs and finishes the outputs; what goes wrong on the way is thrown once the recording is safe.
RunResult run_into(Outputs& outputs, const Scene& scene, const RunSettings& settings, Progress& progress) {
    try {
        RunResult result = run_scene(scene, settings, progress);
        outputs.finish(!result.ok());
        return result;
    } catch (const Error&) {
        if (outputs.close_cut_short())
            complain(text("warning: ", outputs.recording(), ": kept up to its last whole frame, marked as cut short"));
        throw;
    }
}

int run(const RunArguments& arguments) {
    if (const std::string cost = announced_cells(arguments.scene.path, arguments.scene.sets);
        !cost.empty() && !arguments.common.quiet) {
        complain(text("note: ", cost));
    }
    std::unique_ptr<Progress> progress = start_work(arguments.common);
    const SceneCheck checked = check_scene(arguments.scene.path, arguments.scene.sets, {progress.get()});
    if (!checked.ok()) throw SceneError(checked.faults);
    const Scene& scene = *checked.scene;
    std::vector<std::string> notes;
    for (const SceneFault& warning : checked.warnings) notes.push_back(to_string(warning));
    const bool talk = !arguments.common.quiet;
    progress.reset();  // the bar of the reading ends before anything is said
    if (talk) warn(checked.warnings);
    if (const std::string soft = too_soft_warning(scene, checked.body); !soft.empty()) {
        notes.push_back(soft);
        if (talk) complain(text("warning: ", arguments.scene.path, ": ", soft));
    }
    progress = start_work(arguments.common);
    Outputs outputs(scene, arguments);
    RunSettings settings;
    settings.stress = arguments.stress;
    settings.duration = arguments.duration;
    settings.keep_frames = false;
    settings.on_start = [&](const Recording& head) { outputs.start(head); };
    settings.on_remark = [&](const std::string& line) {
        if (talk) complain(text("note: ", line));
        notes.push_back(line);
    };
    settings.on_frame = [&](const Frame& frame) { outputs.add(frame); };
    const RunResult result = run_into(outputs, scene, settings, *progress);
    progress.reset();
    if (!result.ok())
        complain(text(arguments.scene.path, ": ", result.message));
    else if (!result.message.empty())
        complain(text("warning: ", result.message));
    if (arguments.common.json)
        print_json(summary_json(result, outputs, notes));
    else
        print(summary_text(result, outputs));
    return result.ok() ? kDone : kTrouble;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("run", "run a scene and write a recording");
    auto a = std::make_shared<RunArguments>();
    add_scene_arguments(*verb, a->scene);
    verb->add_option("-o,--out", a->out, "the recording; default: the scene's name with .limber, in this directory")
        ->type_name("FILE");
    verb->add_option("--vtu", a->vtu, "also a VTU file per frame and series.pvd, in this directory")->type_name("DIR");
    verb->add_flag("--stress", a->stress, "frames and VTU files with the stress of each cell");
    verb->add_option("--csv", a->csv, "also the displacements of the scene's probes")->type_name("FILE");
    verb->add_option("--duration", a->duration, "instead of the scene's [s]")
        ->type_name("S")
        ->check(NumberRange(1e-9, 1e9));
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return run(*a); }; });
}

}  // namespace limber::cli
