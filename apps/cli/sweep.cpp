// limber sweep: a scene at every point of a grid of parameters.
#include "cli/cli.hpp"
#include "cli/mesh_files.hpp"

#include "core/text.hpp"
#include "report/page.hpp"
#include "report/table.hpp"
#include "study/sweep.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace limber::cli {
namespace {

constexpr std::size_t kTerminalRows = 40;

struct SweepArguments {
    SceneArguments scene;
    std::vector<std::string> quantities;
    std::string out, reference;
    int jobs = 0;
    bool fresh = false;
    CommonArguments common;
};

/// What to type to get the same table: nothing that does not change a number is in it.
std::string command_of(const SweepArguments& a) {
    std::string out = text("limber sweep ", shell_word(a.scene.path));
    for (const std::string& set : a.scene.sets) out += text(" --set ", shell_word(set));
    for (const std::string& quantity : a.quantities) out += text(" --quantity ", shell_word(quantity));
    if (!a.reference.empty()) out += text(" --reference ", shell_word(a.reference));
    return out;
}

void report_failures(const SweepReport& report) {
    const std::size_t failed = report.points.size() - report.count(PointStatus::done);
    if (failed == 0) return;
    for (const PointResult& point : report.points) {
        if (point.status != PointStatus::done) {
            return complain(text("warning: ", counted(failed, "point"), " of ", report.points.size(),
                                 " failed, the first with: ", point.cause));
        }
    }
}

int sweep(const SweepArguments& a) {
    SweepSettings settings;
    settings.scene = read_scene_text(a.scene.path);
    settings.varied = a.scene.sets;
    settings.quantities = a.quantities;
    settings.reference = a.reference;
    settings.directory = a.out.empty() ? std::filesystem::path(a.scene.path).stem().string() + "_sweep" : a.out;
    settings.fresh = a.fresh;
    settings.jobs = a.jobs;
    settings.command = command_of(a);
    refuse_overwriting({a.scene.path, a.reference}, {settings.directory + "/points.jsonl"});
    FolderClaim claim = claim_page("limber sweep", settings.directory);
    claim.kept.emplace_back("points.jsonl");  // every finished point, for the same command to go on from
    IndexedFolder folder(settings.directory, claim);
    if (!a.common.quiet) warn_of_scene_models(a.scene.path);
    std::unique_ptr<Progress> progress = start_work(a.common);
    const SweepReport report = run_sweep(settings, *progress);
    progress.reset();
    write_sweep(folder.staging(), report);
    folder.commit();
    if (!a.common.quiet || report.count(PointStatus::done) == 0)
        report_failures(report);  // an exit code of 1 has its reason told
    if (a.common.json) {
        print_json(sweep_json(report));
    } else {
        print(to_text(sweep_table(report, kTerminalRows), look_of(1)));
        print(text(settings.directory, "/index.html: plots; ", settings.directory, "/sweep.csv: all ",
                   counted(report.points.size(), "point"),
                   report.resumed > 0 ? text(" (", report.resumed, " of them from before)") : "", "\n"));
    }
    return report.count(PointStatus::done) > 0 ? kDone : kTrouble;
}

std::string sweep_footer() {
    std::string out =
        "VALUES: low:high:count, low:high:count:log, v1,v2,v3, or all (of a choice); numbers may be fractions.\nPATH: "
        "as for --set of other verbs, e.g. material.poisson_ratio, "
        "mesh.counts.0, method, scheme.\nThe grid is every combination, the last --set varying fastest. Stopped "
        "half-way, the same command goes on where it was.\n\nQuantities:";
    for (const PointQuantity& q : point_quantities())
        out += text("\n  ", q.name, ": ", q.sentence, q.standard ? "" : " (on request)");
    return out + "\n  a metric (limber metrics --help) or a single column, such as \"largest end |u|\"";
}

}  // namespace

void add_sweep(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("sweep", "run a scene over a grid of parameters, into one table and plots");
    auto a = std::make_shared<SweepArguments>();
    verb->add_option("scene", a->scene.path, "the scene (JSON)")->required()->type_name("SCENE");
    verb->add_option("--set", a->scene.sets,
                     "what to vary, e.g. material.poisson_ratio=0.3:0.499:8 or scheme=all; may be repeated")
        ->type_name("PATH=VALUES")
        ->expected(1)
        ->take_all()
        ->trigger_on_parse(false)
        ->required();
    verb->add_option("-o,--out", a->out,
                     "directory of the table, plots and page; default: the scene's name with _sweep")
        ->type_name("DIR");
    verb->add_option("--quantity", a->quantities, "measure this; may be repeated; default: all but those on request")
        ->type_name("NAME")
        ->expected(1)
        ->take_all();
    verb->add_option("--reference", a->reference,
                     "measure errors against a recording, a scene that is run first (.json), or the unchanged scene "
                     "(the word scene)")
        ->type_name("FILE|scene");
    verb->add_option("--jobs", a->jobs,
                     "points at once; default: as many as the machine has threads; results do not depend on it")
        ->type_name("N")
        ->check(CLI::Range(1, 256));
    verb->add_flag("--fresh", a->fresh, "start over instead of going on with what DIR has");
    verb->add_flag("-q,--quiet", a->common.quiet, "show no progress, notes and warnings of the input");
    add_json_flag(*verb, a->common);
    verb->footer(sweep_footer);
    verb->callback([a, &action] { action = [a] { return sweep(*a); }; });
}

}  // namespace limber::cli
