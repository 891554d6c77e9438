// limber compare: candidates against a reference, into a table and the accuracy card.
#include "cli/cli.hpp"
#include "cli/mesh_files.hpp"

#include "core/text.hpp"
#include "report/files.hpp"
#include "report/page.hpp"
#include "report/table.hpp"
#include "study/compare_output.hpp"
#include "study/parameter.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace limber::cli {
namespace {

struct CompareArguments {
    SceneArguments scene;
    CandidateRequest request;
    std::vector<std::string> metrics;
    std::string reference = "refined", out, csv;
    bool no_pictures = false;
    CommonArguments common;
};

std::string command_of(const CompareArguments& a) {
    std::string out = text("limber compare ", shell_word(a.scene.path));
    const auto add = [&](const char* option, const std::vector<std::string>& words) {
        for (const std::string& word : words) out += text(" ", option, " ", shell_word(word));
    };
    add("--set", a.scene.sets);
    add("--methods", a.request.methods);
    add("--vary", a.request.vary);
    add("--candidate", a.request.files);
    if (a.reference != "refined") add("--reference", {a.reference});
    add("--metric", a.metrics);
    return out;
}

std::string default_folder(const std::string& scene) {
    return std::filesystem::path(scene).stem().string() + "_compare";
}

/// Whatever is wrong with an output path is told before the work, not after.
void check_output_paths(const CompareArguments& a, const CompareSettings& settings, const std::string& folder) {
    std::vector<std::string> inputs{a.scene.path, settings.reference.file.path};
    for (const Candidate& c : settings.candidates) inputs.push_back(c.file.path);
    std::vector<std::string> outputs{a.csv};
    for (const char* name : {"index.html", "compare.json", "compare.csv", "series.csv"})
        outputs.push_back(text(folder, "/", name));
    refuse_overwriting(inputs, outputs);
}

int run_compare(CompareArguments a) {
    a.request.scene_path = a.scene.path;
    a.request.sets = a.scene.sets;
    CompareSettings settings;
    settings.reference = parse_reference(a.reference);
    std::unique_ptr<Progress> progress = start_work(a.common);
    a.request.progress = progress.get();
    CandidateList list = list_candidates(a.request);
    progress.reset();  // the bar of the reading ends before anything is said
    settings.base = std::move(list.base);
    settings.scene_json = std::move(list.scene_json);
    settings.candidates = std::move(list.candidates);
    if (settings.base.statics) {
        throw Error(Fault::bad_scene, {a.scene.path, 0, "/static"}, "a static problem, which has no steps to compare",
                    "`limber static` with --set static.method=linear_fem for a second way");
    }
    settings.metrics = a.metrics;
    settings.command = command_of(a);
    const std::string folder = a.out.empty() ? default_folder(a.scene.path) : a.out;
    check_output_paths(a, settings, folder);
    FolderClaim claim = claim_page("limber compare", folder, {a.csv});
    claim.patterns.emplace_back("compare.json");
    refuse_nested_outputs({a.csv}, folder, &claim);
    IndexedFolder card_files(folder, claim);
    if (!a.common.quiet) warn_of_scene_models(a.scene.path, a.scene.sets);
    progress = start_work(a.common);
    settings.pictures = !a.no_pictures;
    Comparison result = compare(settings, *progress);
    write_comparison(card_files.staging(), result, *progress);
    card_files.commit();
    progress.reset();
    if (!a.csv.empty()) write_text_file(a.csv, comparison_csv(result));
    const std::string card = folder + "/index.html";
    if (a.common.json) {
        nlohmann::json out = comparison_json(result);
        out["card"] = card;
        print_json(out);
    } else {
        print(text(to_text(summary_table(result), look_of(1)), "\n",
                   fmt::format("{}", fmt::join(verdict_lines(result), "\n")), "\n\n", card, ": the accuracy card\n"));
    }
    if (result.interrupted) complain("interrupted; what was done is kept");
    for (const std::string& note : result.notes)
        if (!a.common.quiet) complain(text("note: ", note));
    const bool any = std::any_of(result.candidates.begin(), result.candidates.end(),
                                 [](const CandidateResult& r) { return r.ranked(); });
    return result.interrupted || !any ? kTrouble : kDone;
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("compare",
                                        "put methods, schemes, steps and other people's results on one accuracy card");
    auto a = std::make_shared<CompareArguments>();
    const auto list = [&](const char* name, std::vector<std::string>& into, const char* type, const char* words) {
        verb->add_option(name, into, words)->type_name(type)->expected(1)->take_all()->trigger_on_parse(false);
    };
    add_scene_arguments(*verb, a->scene);
    list("--methods,--method", a->request.methods, "NAME[:OPTION=VALUE,...]",
         "a method to compare, or all; may be repeated; default: the scene's own");
    list("--vary", a->request.vary, "PATH=V1,V2,...",
         "run with each of these values (a path as in --set, e.g. step=1/30,1/60 or scheme=all); several multiply");
    list("--candidate", a->request.files, "NAME=FILE",
         "a recording or series (.limber .pvd .vtu .pc2 .mdd .npz); FILE:rate=25,unit=mm,up=z,match=by_index where it "
         "does not say");
    verb->add_option("--reference", a->reference,
                     "refined, refined:1, refined:2, refined:order, METHOD[:OPTION=VALUE,...] or a file")
        ->type_name("WHAT")
        ->capture_default_str();
    list("--metric", a->metrics, "NAME",
         "only this measure (limber metrics --help names them); may be repeated; the first one ranks");
    verb->add_option("-o,--out", a->out,
                     "directory of the card, plots and tables; default: the scene's name with _compare")
        ->type_name("DIR");
    verb->add_option("--csv", a->csv, "one row per candidate also into this file")->type_name("FILE");
    verb->add_flag("--no-pictures", a->no_pictures, "no pictures and movies on the card");
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->footer(
        "Example: limber compare scenes/rod_mp3.json --vary scheme=all --vary step=1/30,1/60,1/120\nErrors in "
        "parentheses are smaller than the reference's own.");
    verb->callback([a, &action] { action = [a] { return run_compare(*a); }; });
}

}  // namespace limber::cli
