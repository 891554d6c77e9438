// limber modes: the lowest natural frequencies of a scene's body, and how much mass each of them moves.
#include "cli/cli.hpp"

#include "core/text.hpp"
#include "report/claims.hpp"
#include "report/files.hpp"
#include "report/table.hpp"

#include <limber/mesh_io.hpp>
#include <limber/modes.hpp>
#include <limber/sim.hpp>

#include <nlohmann/json.hpp>

#include <numbers>

namespace limber::cli {
namespace {

using nlohmann::json;

struct ModesArguments {
    SceneArguments scene;
    CommonArguments common;
    int count = 10;
    std::string vtu;
};

json mode_json(const ModeList& list, std::size_t i) {
    const Vec3& mass = list.effective_mass[i];
    return {{"mode", i + 1}, {"omega", json_number(list.omega[i])}, {"frequency", json_number(list.omega[i] / (2 * std::numbers::pi))},
            {"rigid", static_cast<int>(i) < list.rigid}, {"effective_mass", {json_number(mass.x), json_number(mass.y), json_number(mass.z)}},
            {"residual", json_number(list.residual[i])}};
}

json to_json(const ModeList& list, const Scene& scene) {
    json modes = json::array(), omega = json::array(), mass = json::array();
    for (std::size_t i = 0; i < list.omega.size(); ++i) {
        modes.push_back(mode_json(list, i));
        omega.push_back(modes.back()["omega"]);
        mass.push_back(modes.back()["effective_mass"]);
    }
    return {{"scene", scene.name}, {"scene_hash", hex(hash(scene))}, {"units", {{"omega", "rad/s"}, {"frequency", "Hz"}, {"effective_mass", "kg"}}},
            {"omega", omega}, {"effective_mass", mass}, {"total_mass", json_number(list.total_mass)}, {"rigid", list.rigid}, {"modes", modes},
            {"provenance", provenance_json()}};
}

std::string to_text_of(const ModeList& list) {
    Table table{{{"mode", Align::right}, {"omega [rad/s]", Align::right}, {"f [Hz]", Align::right}, {"mass x [kg]", Align::right},
                 {"mass y [kg]", Align::right}, {"mass z [kg]", Align::right}, {"residual", Align::right}, {""}}, {}};
    for (std::size_t i = 0; i < list.omega.size(); ++i) {
        const Vec3& m = list.effective_mass[i];
        table.add({text(i + 1), short_number(list.omega[i], 7), short_number(list.omega[i] / (2 * std::numbers::pi), 5), short_number(m.x), short_number(m.y),
                   short_number(m.z), short_number(list.residual[i], 2), static_cast<int>(i) < list.rigid ? "rigid" : ""});
    }
    return text(to_text(table, look_of(1)), "total mass ", short_number(list.total_mass, 6), " kg\n");
}

void write_shapes(const std::string& directory, const ModeList& list, const Body& body, const Scene& scene) {
    make_directories(directory);
    for (std::size_t i = 0; i < list.shapes.size(); ++i) {
        VtuField field{"mode", false, 3, {}};
        for (const Vec3& u : list.shapes[i]) field.values.insert(field.values.end(), {u.x, u.y, u.z});
        write_vtu(fmt::format("{}/mode_{:03}.vtu", directory, i + 1), body.mesh(), {&field, 1}, about_scene(scene));
    }
}

int modes(const ModesArguments& arguments) {
    const Scene scene = read_scene(arguments.scene.path, arguments.scene.sets);
    const std::shared_ptr<const Body> body = make_body(scene);
    if (!arguments.common.quiet)
        for (const SceneFault& warning : check_scene(arguments.scene.path, arguments.scene.sets).warnings) complain(text("warning: ", to_string(warning)));
    std::unique_ptr<Progress> progress = start_work(arguments.common);
    const ModeList list = body_modes(body, method_options(scene, require_method(scene.method.name)), arguments.count, *progress);
    progress.reset();
    if (!arguments.vtu.empty()) write_shapes(arguments.vtu, list, *body, scene);
    if (arguments.common.json) print_json(to_json(list, scene));
    else print(to_text_of(list));
    return kDone;
}

}  // namespace

void add_modes(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("modes", "list natural frequencies and effective masses of a scene's body");
    auto a = std::make_shared<ModesArguments>();
    add_scene_arguments(*verb, a->scene);
    verb->add_option("--count", a->count, "how many of the lowest modes")->type_name("M")->check(CLI::Range(1, 100000))->capture_default_str();
    verb->add_option("--vtu", a->vtu, "also the mode shapes, one VTU file each, in this directory")->type_name("DIR");
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return modes(*a); }; });
}

}  // namespace limber::cli
