// limber reproduce: the experiments of a paper, claim by claim, and those it wished for.
#include "cli/cli.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "report/page.hpp"
#include "report/table.hpp"
#include "reproduce/accuracy/accuracy.hpp"
#include "reproduce/clustered/reproduce_clustered.hpp"
#include "reproduce/dyrt/reproduce_dyrt.hpp"
#include "reproduce/jelly/reproduce_jelly.hpp"
#include "reproduce/strain/strain.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace limber::cli {
namespace {

/// What a study writes: its page and, where asked for, everything as JSON. A place that cannot be is refused before the
/// work.
struct StudyFiles {
    StudyFiles(const std::string& study, const std::string& folder, const std::string& json_path)
        : page(folder, claimed(study, folder, json_path)) {
        if (!json_path.empty()) json.emplace(json_path);
    }
    void commit(const std::string& everything) {
        page.commit();
        if (!json) return;
        json->write(everything);
        json->commit();
    }

    static FolderClaim claimed(const std::string& study, const std::string& folder, const std::string& json_path) {
        FolderClaim claim = claim_page("limber reproduce " + study, folder, {json_path});
        refuse_nested_outputs({json_path}, folder, &claim);
        return claim;
    }

    IndexedFolder page;
    std::optional<AtomicFile> json;
};

struct AccuracyArguments {
    AccuracySettings settings;
    std::string out = "out/accuracy", json, plane = "strain", integration = "full";
    bool no_pictures = false;
    CommonArguments common;
};

std::string command_of(const AccuracyArguments& a) {
    std::string out = "limber reproduce accuracy";
    if (a.settings.cells != AccuracySettings{}.cells) out += text(" --cells ", a.settings.cells);
    if (a.plane != "strain") out += " --plane " + a.plane;
    if (a.integration != "full") out += " --integration " + a.integration;
    if (a.settings.full) out += " --full";
    return out;
}

int accuracy(AccuracyArguments a) {
    a.settings.plane = a.plane == "stress" ? Plane::stress : Plane::strain;
    a.settings.bbar = a.integration == "bbar";
    a.settings.command = command_of(a);
    a.settings.pictures = !a.no_pictures;
    StudyFiles files("accuracy", a.out, a.json);
    std::unique_ptr<Progress> progress = start_work(a.common);
    const AccuracyReport report = reproduce_accuracy(a.settings, *progress);
    write_accuracy_pages(files.page.staging(), report, *progress);
    progress.reset();
    files.commit(a.json.empty() ? std::string() : to_json_text(accuracy_json(report)));
    print(to_text(accuracy_summary(report), look_of(1)));
    print(to_text(claims_table(report.claims), look_of(1)));
    print(text(a.out, "/index.html: plots and numbers",
               a.json.empty() ? "" : text("; ", a.json, ": all of it for machines"), "\n"));
    return kDone;
}

struct StrainArguments {
    StrainSettings settings;
    std::string out = "out/strain", json;
    bool no_pictures = false;
    CommonArguments common;
};

int strain(StrainArguments a) {
    if (a.settings.quick) a.settings.command += " --quick";
    StudyFiles files("strain", a.out, a.json);
    std::unique_ptr<Progress> progress = start_work(a.common);
    a.settings.pictures = !a.no_pictures;
    const StrainReport report = reproduce_strain(a.settings, *progress);
    write_strain_pages(files.page.staging(), report, *progress);
    progress.reset();
    files.commit(a.json.empty() ? std::string() : to_json_text(strain_json(report)));
    print(to_text(strain_summary(report), look_of(1)));
    print(to_text(incompressible_summary(report.incompressible), look_of(1)));
    print(to_text(claims_table(report.claims), look_of(1)));
    print(text(a.out, "/index.html: plots and numbers",
               a.json.empty() ? "" : text("; ", a.json, ": all of it for machines"), "\n"));
    return kDone;
}

void add_strain(CLI::App& reproduce, Action& action) {
    CLI::App* verb = reproduce.add_subcommand(
        "strain", "where linear strain stops being true, and penalty against true near-incompressibility");
    auto a = std::make_shared<StrainArguments>();
    verb->add_option("-o,--out", a->out, "directory of the page, plots and tables")
        ->type_name("DIR")
        ->capture_default_str();
    verb->add_flag("--quick", a->settings.quick, "half the amplitudes, coarser meshes");
    verb->add_option("--json", a->json, "also everything as JSON, into this file")->type_name("FILE");
    verb->add_flag("--no-pictures", a->no_pictures, "no pictures and movies on the page");
    add_work_arguments(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return strain(*a); }; });
}

struct DyrtStudyArguments {
    DyrtStudySettings settings;
    std::string out = "out/dyrt", json;
    bool no_pictures = false;
    CommonArguments common;
};

int dyrt(DyrtStudyArguments a) {
    if (a.settings.full) a.settings.command += " --full";
    if (a.settings.quick) a.settings.command += " --quick";
    a.settings.pictures = !a.no_pictures;
    StudyFiles files("dyrt", a.out, a.json);
    std::unique_ptr<Progress> progress = start_work(a.common);
    const DyrtStudy study = reproduce_dyrt(a.settings, *progress);
    write_dyrt_pages(files.page.staging(), study, *progress);
    progress.reset();
    files.commit(a.json.empty() ? std::string() : to_json_text(dyrt_json(study)));
    print(to_text(dyrt_summary(study), look_of(1)));
    print(to_text(claims_table(study.claims), look_of(1)));
    print(text(a.out, "/index.html: plots and numbers",
               a.json.empty() ? "" : text("; ", a.json, ": all of it for machines"), "\n"));
    return kDone;
}

void add_reproduce_dyrt(CLI::App& reproduce, Action& action) {
    CLI::App* verb = reproduce.add_subcommand(
        "dyrt", "James and Pai: a character whose thighs and belly jiggle, for almost no processor time");
    auto a = std::make_shared<DyrtStudyArguments>();
    verb->add_option("-o,--out", a->out, "directory of the page, plots and tables")
        ->type_name("DIR")
        ->capture_default_str();
    verb->add_flag("--full", a->settings.full, "the paper's sizes: 10k, 10k and 30k ten-node tetrahedra (minutes)");
    verb->add_flag("--quick", a->settings.quick, "four-node tetrahedra, fewer of them")->excludes("--full");
    verb->add_option("--json", a->json, "also everything as JSON, into this file")->type_name("FILE");
    verb->add_flag("--no-pictures", a->no_pictures, "no pictures and movies on the page");
    add_work_arguments(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return dyrt(*a); }; });
}

struct ClusteredStudyArguments {
    ClusteredStudySettings settings;
    std::string out = "out/clustered", json;
    bool no_pictures = false;
    CommonArguments common;
};

int clustered(ClusteredStudyArguments a) {
    if (a.settings.quick) a.settings.command += " --quick";
    a.settings.pictures = !a.no_pictures;
    StudyFiles files("clustered", a.out, a.json);
    std::unique_ptr<Progress> progress = start_work(a.common);
    const ClusteredStudy study = reproduce_clustered(a.settings, *progress);
    write_clustered_pages(files.page.staging(), study, *progress);
    progress.reset();
    files.commit(a.json.empty() ? std::string() : to_json_text(clustered_json(study)));
    print(to_text(clustered_summary(study), look_of(1)));
    print(to_text(claims_table(study.claims), look_of(1)));
    print(text(a.out, "/index.html: pictures and numbers",
               a.json.empty() ? "" : text("; ", a.json, ": all of it for machines"), "\n"));
    return kDone;
}

void add_reproduce_clustered(CLI::App& reproduce, Action& action) {
    CLI::App* verb = reproduce.add_subcommand(
        "clustered", "Tang et al.: sphere, cube and torus by plain elements, clusters and 30 modes; stiffness warping");
    auto a = std::make_shared<ClusteredStudyArguments>();
    verb->add_option("-o,--out", a->out, "directory of the page, pictures and tables")
        ->type_name("DIR")
        ->capture_default_str();
    verb->add_flag("--quick", a->settings.quick, "shorter runs, coarser bars");
    verb->add_option("--json", a->json, "also everything as JSON, into this file")->type_name("FILE");
    verb->add_flag("--no-pictures", a->no_pictures, "no pictures on the page");
    add_work_arguments(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return clustered(*a); }; });
}

struct JellyStudyArguments {
    JellyStudySettings settings;
    std::string out = "out/jelly", json;
    bool no_pictures = false;
    CommonArguments common;
};

int jelly(JellyStudyArguments a) {
    if (a.settings.full) a.settings.command += " --full";
    if (a.settings.quick) a.settings.command += " --quick";
    a.settings.pictures = !a.no_pictures;
    StudyFiles files("jelly", a.out, a.json);
    std::unique_ptr<Progress> progress = start_work(a.common);
    const JellyStudy study = reproduce_jelly(a.settings, *progress);
    write_jelly_pages(files.page.staging(), study, *progress);
    progress.reset();
    files.commit(a.json.empty() ? std::string() : to_json_text(jelly_json(study)));
    print(to_text(jelly_summary(study), look_of(1)));
    print(to_text(claims_table(study.claims), look_of(1)));
    print(text(a.out, "/index.html: pictures, plots and numbers",
               a.json.empty() ? "" : text("; ", a.json, ": all of it for machines"), "\n"));
    return kDone;
}

void add_reproduce_jelly(CLI::App& reproduce, Action& action) {
    CLI::App* verb = reproduce.add_subcommand("jelly",
                                              "Watanabe et al.: boundary elements that fall, squash, stick and bounce; "
                                              "two cross-sections against a true surface");
    auto a = std::make_shared<JellyStudyArguments>();
    verb->add_option("-o,--out", a->out, "directory of the page, pictures, plots and tables")
        ->type_name("DIR")
        ->capture_default_str();
    verb->add_flag("--full", a->settings.full, "finer bodies in space, and movies (minutes)");
    verb->add_flag("--quick", a->settings.quick, "coarse bodies")->excludes("--full");
    verb->add_option("--json", a->json, "also everything as JSON, into this file")->type_name("FILE");
    verb->add_flag("--no-pictures", a->no_pictures, "no pictures and movies on the page");
    add_work_arguments(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return jelly(*a); }; });
}

}  // namespace

void add_reproduce(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("reproduce", "run a paper's experiments and check its claims");
    verb->require_subcommand(1);
    CLI::App* accuracy_verb = verb->add_subcommand(
        "accuracy", "Alterovitz and Goldberg: block and needle, bending rod, all schemes");
    auto a = std::make_shared<AccuracyArguments>();
    accuracy_verb->add_option("-o,--out", a->out, "directory of the page, plots and tables")
        ->type_name("DIR")
        ->capture_default_str();
    accuracy_verb->add_flag("--full", a->settings.full, "every mesh and variant (minutes)");
    accuracy_verb->add_option("--cells", a->settings.cells, "the block is N x N quads")
        ->type_name("N")
        ->check(CLI::Range(4, 128))
        ->capture_default_str();
    accuracy_verb->add_option("--plane", a->plane, "strain or stress")
        ->type_name("WORD")
        ->check(CLI::IsMember({"strain", "stress"}))
        ->capture_default_str();
    accuracy_verb->add_option("--integration", a->integration, "full or bbar")
        ->type_name("WORD")
        ->check(CLI::IsMember({"full", "bbar"}))
        ->capture_default_str();
    accuracy_verb->add_option("--json", a->json, "also everything as JSON, into this file")->type_name("FILE");
    accuracy_verb->add_flag("--no-pictures", a->no_pictures, "no pictures and movies on the page");
    add_work_arguments(*accuracy_verb, a->common);
    accuracy_verb->callback([a, &action] { action = [a] { return accuracy(*a); }; });
    add_strain(*verb, action);
    add_reproduce_dyrt(*verb, action);
    add_reproduce_clustered(*verb, action);
    add_reproduce_jelly(*verb, action);
}

}  // namespace limber::cli
