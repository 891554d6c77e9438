// limber sensitivity: how the answer of each method moves with each parameter.
#include "cli/cli.hpp"
#include "cli/mesh_files.hpp"

#include "core/text.hpp"
#include "report/page.hpp"
#include "report/table.hpp"
#include "study/sensitivity.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace limber::cli {
namespace {

struct SensitivityArguments {
    SceneArguments scene;
    std::vector<std::string> methods, parameters, quantities;
    std::string out;
    int jobs = 0;
    CommonArguments common;
};

std::string command_of(const SensitivityArguments& a) {
    std::string out = text("limber sensitivity ", shell_word(a.scene.path));
    const auto add = [&](const char* option, const std::vector<std::string>& words) {
        for (const std::string& word : words) out += text(" ", option, " ", shell_word(word));
    };
    add("--set", a.scene.sets);
    add("--method", a.methods);
    add("--parameter", a.parameters);
    add("--quantity", a.quantities);
    return out;
}

/// Why there is a "-", once per parameter and cause.
void print_causes(const SensitivityReport& report) {
    std::set<std::string> already_printed;
    for (const Sensitivity& s : report.rows) {
        const std::string line = text("not known: ", report.parameters[s.parameter].name, ": ", s.cause, "\n");
        if (!s.known && report.methods[s.method].cause.empty() && already_printed.insert(line).second) print(line);
    }
}

void print_report(const SensitivityReport& report, const std::string& directory) {
    for (std::size_t m = 0; m < report.methods.size(); ++m) {
        if (report.methods.size() > 1) print(report.methods[m].name + "\n");
        print(to_text(sensitivity_table(report, m), look_of(1)));
    }
    for (const auto& [name, why] : report.left_out) print(text("left out: ", name, ": ", why, "\n"));
    print_causes(report);
    print(text("d ln quantity / d ln parameter from ", counted(report.runs, "run"), "; ", directory,
               "/index.html: plots and all numbers\n"));
}

int sensitivity(const SensitivityArguments& a) {
    SensitivitySettings settings;
    settings.scene = read_scene_text(a.scene.path, a.scene.sets);
    settings.methods = a.methods;
    settings.parameters = a.parameters;
    settings.quantities = a.quantities;
    settings.jobs = a.jobs;
    settings.command = command_of(a);
    const std::string out = a.out.empty() ? std::filesystem::path(a.scene.path).stem().string() + "_sensitivity"
                                          : a.out;
    FolderClaim claim = claim_page("limber sensitivity", out);
    claim.patterns.emplace_back("sensitivity.json");
    IndexedFolder folder(out, claim);
    if (!a.common.quiet) warn_of_scene_models(a.scene.path, a.scene.sets);
    std::unique_ptr<Progress> progress = start_work(a.common);
    const SensitivityReport report = run_sensitivity(settings, *progress);
    progress.reset();
    write_sensitivity(folder.staging(), report);
    folder.commit();
    bool any = false;
    for (const Sensitivity& s : report.rows) any = any || s.known;
    for (const SensitivityMethod& m : report.methods)
        if (!m.cause.empty() && !a.common.quiet) complain(text("warning: ", m.name, ": ", m.cause));
    if (a.common.json)
        print_json(sensitivity_json(report));
    else
        print_report(report, out);
    if (!any) {
        complain(text(a.scene.path, ": no slope is known",
                      report.rows.empty() ? "" : text("; the first: ", report.rows.front().cause)));
    }
    return any ? kDone : kTrouble;
}

std::string sensitivity_footer() {
    std::string out =
        "Parameters: paths as for --set (material.young, mesh.high.x, newmark_beta), or h for the cell size; default: "
        "materials, step, h and the method's real options.\n"
        "A sensitivity is d ln Q / d ln p: -1 means that the quantity falls by 1 % when the parameter grows by 1 "
        "%.\n\nQuantities:";
    for (const PointQuantity& q : point_quantities())
        if (std::string_view(q.name) != "errors") out += text("\n  ", q.name, ": ", q.sentence);
    return out +
           "\n  or a single column, such as \"largest end |u|\"; default: lengths of probes, elastic energy, largest "
           "reaction, frequency";
}

}  // namespace

void add_sensitivity(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("sensitivity",
                                        "tell how the answer moves with each material, mesh and method parameter");
    auto a = std::make_shared<SensitivityArguments>();
    add_scene_arguments(*verb, a->scene);
    verb->add_option("--methods,--method", a->methods, "a method, or all; may be repeated; default: the scene's own")
        ->type_name("NAME[:OPTION=VALUE,...]")
        ->expected(1)
        ->take_all();
    verb->add_option("--parameter", a->parameters, "only this one; may be repeated")
        ->type_name("PATH")
        ->expected(1)
        ->take_all();
    verb->add_option("--quantity", a->quantities, "of this; may be repeated")
        ->type_name("NAME")
        ->expected(1)
        ->take_all();
    verb->add_option("-o,--out", a->out,
                     "directory of the page, plots and tables; default: the scene's name with _sensitivity")
        ->type_name("DIR");
    verb->add_option("--jobs", a->jobs,
                     "runs at once; default: as many as the machine has threads; results do not depend on it")
        ->type_name("N")
        ->check(CLI::Range(1, 256));
    verb->add_flag("-q,--quiet", a->common.quiet, "show no progress, notes and warnings of the input");
    add_json_flag(*verb, a->common);
    verb->footer(sensitivity_footer);
    verb->callback([a, &action] { action = [a] { return sensitivity(*a); }; });
}

}  // namespace limber::cli
