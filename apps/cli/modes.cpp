// limber modes: the lowest natural frequencies of a scene's body or of a mesh, how well they are found, and how much
// mass each moves.
#include "cli/mesh_files.hpp"

#include "core/text.hpp"
#include "io/files/atomic_folder.hpp"
#include "report/claims.hpp"
#include "report/table.hpp"

#include <limber/material.hpp>
#include <limber/tools/mesh_io.hpp>
#include <limber/tools/modes.hpp>
#include <limber/tools/sim.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numbers>
#include <optional>

namespace limber::cli {
namespace {

using nlohmann::json;

struct ModesArguments {
    SceneArguments scene;
    CommonArguments common;
    int count = 10;
    double below = 0.0;  // [Hz]
    std::string material;
    std::vector<std::string> anchors;
    std::string vtu, out;
};

constexpr int kMostBelow = 1000;  // modes below a bound: what nobody asked for by number should not fill the memory
double hertz(double omega) { return omega / (2 * std::numbers::pi); }

// What is asked about: the body, the options that matter, and the words for files and reports.
struct Vibrating {
    std::shared_ptr<const Body> body;
    OptionValues options;
    std::string name, hash, about;
};

Vibrating subject_of_scene(const ModesArguments& a) {
    if (!a.material.empty() || !a.anchors.empty()) {
        throw Error(Fault::bad_usage, {"--material", 0, {}}, "a material or anchors for a scene",
                    "a mesh, or --set to change the scene");
    }
    const Scene scene = read_scene_visibly(a.scene.path, a.scene.sets, a.common);
    Vibrating out{make_body(scene), {}, scene.name, hex(hash(scene)), about_scene(scene)};
    if (!a.common.quiet) warn(check_scene(a.scene.path, a.scene.sets).warnings);
    const OptionTable known = require_method("linear_fem")
                                  .options();  // scenes of other methods have options that modes do not depend on
    for (const auto& [name, value] : scene.method.options) {
        if (std::any_of(known.begin(), known.end(), [&n = name](const OptionSpec& o) { return o.name == n; }))
            out.options.emplace(name, value);
    }
    return out;
}

Vibrating subject_of_mesh(const ModesArguments& a) {
    if (!a.scene.sets.empty())
        throw Error(Fault::bad_usage, {"--set", 0, {}}, "a change to a scene, but a mesh is given", "a scene");
    const MaterialPreset* preset = find_material_preset(a.material);
    if (preset == nullptr) {
        throw Error(Fault::bad_usage, {"--material", 0, {}},
                    a.material.empty() ? "no material" : text("no material ", "'", a.material, "'"),
                    "a name that limber materials lists");
    }
    BodyDescription d;
    d.mesh = read_mesh(a.scene.path);
    if (!a.common.quiet)
        for (const std::string& note : size_notes(a.scene.path, d.mesh.vertices, "")) complain(text("warning: ", note));
    d.materials = {{"", preset->material}};
    for (const std::string& name : a.anchors) {
        const auto set = d.mesh.vertex_sets.find(name);
        if (set == d.mesh.vertex_sets.end()) {
            throw Error(Fault::bad_usage, {"--anchor", 0, {}},
                        text("no vertex set ", "'", name, "'", " in ", a.scene.path),
                        "a set that limber mesh info lists");
        }
        d.anchors.push_back({name, set->second, {}});
    }
    Vibrating out{Body::make(d, {a.scene.path, 0, {}}), {}, a.scene.path, {}, {}};
    out.hash = hex(out.body->hash());
    out.about = text("mesh ", a.scene.path);
    return out;
}

json mode_json(const ModeList& list, std::size_t i) {
    const Vec3& mass = list.effective_mass[i];
    return {{"mode", i + 1},
            {"omega", json_number(list.omega[i])},
            {"frequency", json_number(hertz(list.omega[i]))},
            {"rigid", static_cast<int>(i) < list.rigid},
            {"effective_mass", {json_number(mass.x), json_number(mass.y), json_number(mass.z)}},
            {"residual", json_number(list.residual[i])}};
}

json to_json(const ModeList& list, const Vibrating& subject) {
    json modes = json::array(), omega = json::array(), mass = json::array();
    for (std::size_t i = 0; i < list.omega.size(); ++i) {
        modes.push_back(mode_json(list, i));
        omega.push_back(modes.back()["omega"]);
        mass.push_back(modes.back()["effective_mass"]);
    }
    return {{"scene", subject.name},
            {"scene_hash", subject.hash},
            {"units", {{"omega", "rad/s"}, {"frequency", "Hz"}, {"effective_mass", "kg"}}},
            {"omega", omega},
            {"effective_mass", mass},
            {"total_mass", json_number(list.total_mass)},
            {"rigid", list.rigid},
            {"orthonormality", json_number(list.orthonormality)},
            {"unknowns", list.unknowns},
            {"solves", list.solves},
            {"modes", modes},
            {"provenance", provenance_json()}};
}

std::string to_text_of(const ModeList& list, double below) {
    if (list.omega.empty()) return text("no modes up to ", below, " Hz\n");
    Table table{{{"mode", Align::right},
                 {"omega [rad/s]", Align::right},
                 {"f [Hz]", Align::right},
                 {"mass x [kg]", Align::right},
                 {"mass y [kg]", Align::right},
                 {"mass z [kg]", Align::right},
                 {"residual", Align::right},
                 {""}},
                {}};
    for (std::size_t i = 0; i < list.omega.size(); ++i) {
        const Vec3& m = list.effective_mass[i];
        table.add({text(i + 1), short_number(list.omega[i], 7), short_number(hertz(list.omega[i]), 5),
                   short_number(m.x), short_number(m.y), short_number(m.z), short_number(list.residual[i], 2),
                   static_cast<int>(i) < list.rigid ? "rigid" : ""});
    }
    const double worst = *std::max_element(list.residual.begin(), list.residual.end());
    return text(to_text(table, look_of(1)), "total mass ", short_number(list.total_mass, 6), " kg; ", list.rigid,
                " rigid of ", counted(list.omega.size(), "mode"), "; ", list.unknowns, " unknowns\nresiduals at most ",
                short_number(worst, 2), " of |K phi|, orthonormal to ", short_number(list.orthonormality, 2), "\n");
}

VtuField field_of(const ModeList& list, std::size_t i, std::string name) {
    VtuField field{std::move(name), false, 3, {}};
    for (const Vec3& u : list.shapes[i]) field.values.insert(field.values.end(), {u.x, u.y, u.z});
    return field;
}

void write_shapes(const ModesArguments& a, const ModeList& list, const Vibrating& subject, AtomicFolder* folder) {
    if (!a.out.empty()) {
        std::vector<VtuField> fields;
        for (std::size_t i = 0; i < list.shapes.size(); ++i)
            fields.push_back(field_of(list, i, fmt::format("mode {:03}: {:.6g} Hz", i + 1, hertz(list.omega[i]))));
        write_vtu(a.out, subject.body->mesh(), fields, subject.about);
    }
    if (folder == nullptr) return;
    for (std::size_t i = 0; i < list.shapes.size(); ++i) {
        const VtuField field = field_of(list, i, "mode");
        write_vtu(folder->file(fmt::format("mode_{:03}.vtu", i + 1)), subject.body->mesh(), {&field, 1}, subject.about);
    }
    folder->commit();
}

int modes(const ModesArguments& a) {
    refuse_overwriting({a.scene.path}, {a.out});
    const Vibrating subject = a.scene.path.ends_with(".json") ? subject_of_scene(a) : subject_of_mesh(a);
    refuse_overwriting({}, {a.out});
    refuse_nested_outputs({a.out}, a.vtu);
    std::optional<AtomicFolder> folder;  // refused before the work, not after it
    if (!a.vtu.empty()) folder.emplace(a.vtu, std::string("limber modes"));
    ModeRequest request{a.count, 2 * std::numbers::pi * a.below};
    if (a.below > 0.0) {
        request.count = std::min(kMostBelow,
                                 subject.body->mesh().dimension() * static_cast<int>(subject.body->vertex_count()));
    }
    std::unique_ptr<Progress> progress = start_work(a.common);
    const ModeList list = body_modes(subject.body, subject.options, request, *progress);
    progress.reset();
    write_shapes(a, list, subject, folder ? &*folder : nullptr);
    if (a.common.json)
        print_json(to_json(list, subject));
    else
        print(to_text_of(list, a.below));
    return kDone;
}

}  // namespace

void add_modes(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("modes",
                                        "list natural frequencies and effective masses of a scene's body or of a mesh");
    auto a = std::make_shared<ModesArguments>();
    add_scene_arguments(*verb, a->scene);
    verb->get_option("scene")
        ->description("the scene (JSON), or a mesh in metres (.msh, .vtu, .inp, .mesh)")
        ->type_name("SCENE|MESH");
    CLI::Option* count = verb->add_option("--count", a->count, "how many of the lowest modes, rigid ones included")
                             ->type_name("M")
                             ->check(CLI::Range(1, 100000))
                             ->capture_default_str();
    verb->add_option("--below", a->below, "all modes up to this frequency instead, at most 1000")
        ->type_name("HZ")
        ->check(NumberRange(1e-9, 1e12))
        ->excludes(count);
    verb->add_option("--material", a->material, "meshes: what it is made of (limber materials)")->type_name("NAME");
    verb->add_option("--anchor", a->anchors, "meshes: hold this vertex set; may be repeated; none = a free body")
        ->type_name("SET")
        ->expected(1)
        ->take_all()
        ->trigger_on_parse(false);
    verb->add_option("-o,--out", a->out, "also the mode shapes, as fields of one VTU file")->type_name("FILE.vtu");
    verb->add_option("--vtu", a->vtu, "also the mode shapes, one VTU file each, in this directory")->type_name("DIR");
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return modes(*a); }; });
}

}  // namespace limber::cli
