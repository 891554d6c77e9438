// limber check: everything wrong with a scene, at once.
#include "cli/cli.hpp"

#include "core/text.hpp"

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

using nlohmann::json;

json faults_json(const std::vector<SceneFault>& faults) {
    json out = json::array();
    for (const SceneFault& fault : faults) out.push_back(to_json(fault));
    return out;
}

json scene_json(const SceneCheck& check) {
    if (!check.scene || !check.body) return nullptr;
    const Scene& scene = *check.scene;
    return {{"name", scene.name}, {"hash", hex(hash(scene))}, {"method", scene.method.name}, {"step", scene.step}, {"duration", scene.duration},
            {"body", check.body->name()}, {"cell_kind", to_string(check.body->mesh().kind)}, {"vertices", check.body->vertex_count()},
            {"cells", check.body->mesh().cell_count()}};
}

int check(const SceneArguments& arguments, bool as_json) {
    const SceneCheck result = check_scene(arguments.path, arguments.sets);
    if (as_json)
        print_json({{"ok", result.ok()}, {"faults", faults_json(result.faults)}, {"warnings", faults_json(result.warnings)}, {"scene", scene_json(result)}});
    for (const SceneFault& fault : result.faults) complain(to_string(fault));
    for (const SceneFault& warning : result.warnings) complain(text("warning: ", to_string(warning)));
    if (!as_json && result.ok() && result.scene && result.body) {
        const Mesh& mesh = result.body->mesh();
        print(text(arguments.path, ": fine; ", mesh.vertices.size(), " vertices, ",
                   mesh.cell_count(), " ", to_string(mesh.kind), mesh.cell_count() == 1 ? " cell, " : " cells, ", result.scene->method.name, ", ",
                   result.scene->duration, " s in steps of ", result.scene->step, " s\n"));
    }
    return result.ok() ? kDone : kBadInput;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("check", "say everything that is wrong with a scene");
    auto scene = std::make_shared<SceneArguments>();
    auto common = std::make_shared<CommonArguments>();
    add_scene_arguments(*verb, *scene);
    add_json_flag(*verb, *common);
    verb->callback([scene, common, &action] { action = [scene, common] { return check(*scene, common->json); }; });
}

}  // namespace limber::cli
