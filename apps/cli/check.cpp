// limber check: everything wrong with a scene, at once.
#include "cli/cli.hpp"

#include "core/text.hpp"
#include "report/table.hpp"
#include "scene_file/model_sizes.hpp"
#include "sim/softness.hpp"

#include <limber/tools/painted_surface.hpp>
#include <limber/tools/solid.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace limber::cli {
namespace {

using nlohmann::json;

json faults_json(const std::vector<SceneFault>& faults) {
    json out = json::array();
    for (const SceneFault& fault : faults) out.push_back(to_json(fault));
    return out;
}

/// Of a solid that was made for the scene: what a person would ask next.
std::string solid_words(const Scene& scene) {
    const std::shared_ptr<const Solid>& solid = scene.bodies[0].mesh.solid;
    if (!solid) return "";
    std::string out = text("  made of a surface: cell size ", short_number(solid->cell_size, 4), " m, volume ",
                           short_number(solid->volume, 4), " m^3, dihedral angles ",
                           short_number(solid->smallest_angle, 3), " to ", short_number(solid->largest_angle, 4),
                           " degrees\n");
    for (const auto& [name, set] : solid->mesh.cell_sets)
        out += text("  cell set ", name, ": ", counted(set.size(), "cell"), "\n");
    return out;
}

json solid_json(const Scene& scene) {
    const std::shared_ptr<const Solid>& solid = scene.bodies[0].mesh.solid;
    if (!solid) return nullptr;
    return {{"cell_size", solid->cell_size},
            {"volume", solid->volume},
            {"smallest_angle", solid->smallest_angle},
            {"largest_angle", solid->largest_angle},
            {"parts", solid->parts}};
}

std::string static_method(const Scene& scene) {
    return scene.statics->method == StaticSpec::Method::bem ? "bem" : "linear_fem";
}

/// "linear_fem, 1 s in steps of 0.01 s"
std::string run_words(const Scene& scene) {
    if (scene.statics) return text("a static problem for ", static_method(scene));
    return text(scene.method.name, ", ", scene.duration, " s in steps of ", scene.step, " s");
}

json scene_json(const SceneCheck& check) {
    if (!check.scene || !check.body) return nullptr;
    const Scene& scene = *check.scene;
    return {
        {"name", scene.name},
        {"hash", hex(hash(scene))},
        {"method", scene.statics ? static_method(scene) : scene.method.name},
        {"static", scene.statics.has_value()},
        {"step", scene.statics ? json(nullptr) : json(scene.step)},
        {"duration", scene.statics ? json(nullptr) : json(scene.duration)},
        {"body", check.body->name()},
        {"cell_kind", to_string(check.body->mesh().kind)},
        {"vertices", check.body->vertex_count()},
        {"cells", check.body->mesh().cell_count()},
        {"solid", solid_json(scene)},
        {"shown_vertices",
         scene.bodies[0].shown.loaded ? json(scene.bodies[0].shown.loaded->surface.vertices.size()) : json(nullptr)}};
}

std::string verdict(std::size_t warnings) {
    return warnings == 0 ? "fine" : text("runs, with ", counted(warnings, "warning"));
}

int check(const SceneArguments& arguments, const CommonArguments& common) {
    if (const std::string cost = announced_cells(arguments.path, arguments.sets); !cost.empty() && !common.quiet)
        complain(text("note: ", cost));
    std::unique_ptr<Progress> progress = start_work(common);
    SceneCheck result = check_scene(arguments.path, arguments.sets, {progress.get()});
    if (result.ok() && result.scene && result.body && !result.scene->statics) {
        if (const std::string soft = too_soft_warning(*result.scene, result.body); !soft.empty())
            result.warnings.push_back({Fault::bad_scene, {arguments.path, 0, "/bodies/0/materials"}, soft, {}, {}});
    }
    progress.reset();
    const bool as_json = common.json;
    if (as_json) {
        print_json({{"ok", result.ok()},
                    {"verdict", result.ok() ? verdict(result.warnings.size()) : counted(result.faults.size(), "fault")},
                    {"faults", faults_json(result.faults)},
                    {"warnings", faults_json(result.warnings)},
                    {"scene", scene_json(result)}});
    }
    for (const SceneFault& fault : result.faults) complain(to_string(fault));
    if (!common.quiet) warn(result.warnings);
    if (!as_json && result.ok() && result.scene && result.body) {
        const Mesh& mesh = result.body->mesh();
        print(text(arguments.path, ": ", verdict(result.warnings.size()), "; ", mesh.vertices.size(), " vertices, ",
                   mesh.cell_count(), " ", to_string(mesh.kind), mesh.cell_count() == 1 ? " cell, " : " cells, ",
                   run_words(*result.scene), "\n", solid_words(*result.scene)));
    }
    const bool stopped = std::any_of(result.faults.begin(), result.faults.end(),
                                     [](const SceneFault& f) { return f.fault == Fault::interrupted; });
    return result.ok() ? kDone : stopped ? kTrouble : kBadInput;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("check", "say everything that is wrong with a scene");
    auto scene = std::make_shared<SceneArguments>();
    auto common = std::make_shared<CommonArguments>();
    add_scene_arguments(*verb, *scene);
    add_work_arguments(*verb, *common);
    add_json_flag(*verb, *common);
    verb->callback([scene, common, &action] { action = [scene, common] { return check(*scene, *common); }; });
}

}  // namespace limber::cli
