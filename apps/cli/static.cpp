// limber static: a scene's static problem solved by boundary elements (or finite elements as a second way): probes,
// reactions, a picture.
#include "cli/cli.hpp"

#include "core/text.hpp"
#include "fem/stress.hpp"
#include "report/claims.hpp"
#include "report/files.hpp"
#include "report/table.hpp"
#include "show/produce.hpp"
#include "study/static_study.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace limber::cli {
namespace {

using nlohmann::json;

struct StaticArguments {
    SceneArguments scene;
    CommonArguments common;
    std::string picture, field;        // no field: displacement
    std::size_t most_unknowns = 3000;  // of the second solution
};

constexpr double kShownShare = 0.08;  // of the body's size: what the largest displacement is drawn as

json vector_json(const Vec3& v) { return {json_number(v.x), json_number(v.y), json_number(v.z)}; }

json stress_json(const SymMat3& s) {
    return {{"xx", json_number(s.xx)},
            {"yy", json_number(s.yy)},
            {"zz", json_number(s.zz)},
            {"xy", json_number(s.xy)},
            {"yz", json_number(s.yz)},
            {"zx", json_number(s.zx)},
            {"von_mises", json_number(von_mises(s))}};
}

json force_json(const StaticForce& f) {
    return {{"name", f.name}, {"force", vector_json(f.force)}, {"torque", vector_json(f.torque)}};
}

json to_json(const StaticAnswer& answer, const Scene& scene) {
    json forces = json::array(), probes = json::array();
    for (const StaticForce& f : answer.forces) forces.push_back(force_json(f));
    for (const StaticPoint& p : answer.probes) {
        probes.push_back({{"name", p.name},
                          {"point", vector_json(p.at)},
                          {"displacement", vector_json(p.displacement)},
                          {"stress", stress_json(p.stress)}});
    }
    json out{{"scene", scene.name},
             {"scene_hash", hex(hash(scene))},
             {"method", answer.method},
             {"elements", answer.elements},
             {"units", {{"force", "N"}, {"torque", "N m"}, {"displacement", "m"}, {"stress", "Pa"}, {"seconds", "s"}}},
             {"conditions", forces},
             {"body_forces", force_json(answer.body_force)},
             {"torque_about", vector_json(answer.torque_about)},
             {"probes", probes},
             {"vertices", answer.body->vertex_count()},
             {"unknowns", answer.unknowns},
             {"free_modes", answer.free_modes},
             {"condition", answer.condition > 0.0 ? json_number(answer.condition) : json(nullptr)},
             {"misfit", answer.method == "bem" ? json_number(answer.misfit) : json(nullptr)},
             {"error_estimate", answer.error >= 0.0 ? json_number(answer.error) : json(nullptr)},
             {"no_error_estimate", answer.no_error},
             {"seconds", json_number(answer.seconds)},
             {"provenance", provenance_json()}};
    out["body_forces"].erase("name");
    return out;
}

/// Rounding of a sum whose parts are this large is no result.
std::string tidy(double value, double scale) { return std::abs(value) < 1e-11 * scale ? "0" : short_number(value, 6); }

/// What stresses of this size do over a side of the body: resultants far below are rounding.
double force_scale(const StaticAnswer& answer, const Scene& scene) {
    double stress = 0.0;
    for (const ConditionSpec& c : scene.bodies[0].conditions)
        stress = std::max({stress, std::abs(c.pressure), norm(c.traction)});
    for (const StaticPoint& p : answer.probes) stress = std::max(stress, von_mises(p.stress));
    const double side = diagonal_of(answer.body->mesh());
    return stress * side * (answer.body->mesh().dimension() == 2 ? answer.body->thickness() : side);
}

std::string forces_table(const StaticAnswer& answer, const Scene& scene) {
    const bool planar = answer.body->mesh().dimension() == 2;
    std::vector<StaticForce> all = answer.forces;
    all.push_back(answer.body_force);
    double force = force_scale(answer, scene), torque = 0.0;
    for (const StaticForce& f : all) {
        force = std::max(force, norm(f.force));
        torque = std::max(torque, norm(f.torque));
    }
    torque = std::max(torque, force * diagonal_of(answer.body->mesh()));
    Table table{{{"condition"}, {"force x [N]", Align::right}, {"y", Align::right}}, {}};
    if (!planar) table.columns.push_back({"z", Align::right});
    for (const char* title :
         planar ? std::vector<const char*>{"torque [N m]"} : std::vector<const char*>{"torque x [N m]", "y", "z"}) {
        table.columns.push_back({title, Align::right});
    }
    for (const StaticForce& f : all) {
        std::vector<std::string> row{f.name, tidy(f.force.x, force), tidy(f.force.y, force)};
        if (!planar) {
            row.push_back(tidy(f.force.z, force));
            row.push_back(tidy(f.torque.x, torque));
            row.push_back(tidy(f.torque.y, torque));
        }
        row.push_back(tidy(f.torque.z, torque));
        table.add(std::move(row));
    }
    return to_text(table, look_of(1));
}

std::string probes_table(const StaticAnswer& answer) {
    if (answer.probes.empty()) return {};
    const bool planar = answer.body->mesh().dimension() == 2;
    double move = 0.0, stress = 0.0;
    for (const StaticPoint& p : answer.probes) {
        move = std::max(move, norm(p.displacement));
        stress = std::max(stress, von_mises(p.stress));
    }
    Table table{{{"probe"}, {"u x [m]", Align::right}, {"y", Align::right}}, {}};
    if (!planar) table.columns.push_back({"z", Align::right});
    for (const char* title : {"stress xx [Pa]", "yy", "zz", "xy"}) table.columns.push_back({title, Align::right});
    if (!planar) {
        table.columns.push_back({"yz", Align::right});
        table.columns.push_back({"zx", Align::right});
    }
    table.columns.push_back({"von Mises", Align::right});
    for (const StaticPoint& p : answer.probes) {
        const SymMat3& s = p.stress;
        std::vector<std::string> row{p.name, tidy(p.displacement.x, move), tidy(p.displacement.y, move)};
        if (!planar) row.push_back(tidy(p.displacement.z, move));
        for (const double value : {s.xx, s.yy, s.zz, s.xy}) row.push_back(tidy(value, stress));
        if (!planar) {
            row.push_back(tidy(s.yz, stress));
            row.push_back(tidy(s.zx, stress));
        }
        row.push_back(short_number(von_mises(s), 6));
        table.add(std::move(row));
    }
    return "\n" + to_text(table, look_of(1));
}

std::string to_text_of(const StaticAnswer& a, const Scene& scene) {
    const double size = diagonal_of(a.body->mesh());
    std::string out = text(forces_table(a, scene), probes_table(a), "\n", a.method, ", ", a.elements,
                           a.method == "bem" ? " elements, " : " cells, ", a.unknowns, " unknowns");
    if (a.condition > 0.0) out += text(", condition ", short_number(a.condition, 2));
    out += text(", ", short_number(a.seconds, 3), " s; torques about [", tidy(a.torque_about.x, size), ", ",
                tidy(a.torque_about.y, size), ", ", tidy(a.torque_about.z, size), "] m\n");
    out += a.error >= 0.0 ? text("displacements: about ", short_number(100.0 * a.error, 2),
                                 " % of the largest off on this mesh, judged by a second solution with every cell "
                                 "split; facets that stand for a curve stay flat in it: what they cost is not "
                                 "counted\n")
                          : text("displacements: error not estimated (", a.no_error, ")\n");
    if (a.method == "bem") {
        out += text("misfit ", short_number(a.misfit, 2),
                    ": a residual of the balance of forces, which may be far below the error\n");
    }
    if (a.free_modes > 0) {
        out += text("nothing stops the body from moving as a whole (",
                    counted(static_cast<std::size_t>(a.free_modes), "rigid motion"),
                    "): of the displacements that its loads allow, these leave the boundary in place on average\n");
    }
    return out;
}

/// The body as it is deformed, enlarged until it shows, coloured by how far it has really moved.
void draw(const StaticArguments& a, const Scene& scene, const StaticAnswer& answer) {
    double largest = 0.0;
    for (const Vec3& u : answer.displacement) largest = std::max(largest, norm(u));
    double factor = 1.0;
    if (largest > 0.0) {
        factor = kShownShare * diagonal_of(answer.body->mesh()) / largest;
        const double power = std::pow(10.0, std::floor(std::log10(factor)));
        factor = factor / power >= 5.0 ? 5.0 * power : factor / power >= 2.0 ? 2.0 * power : power;
    }
    auto recording = std::make_shared<Recording>();
    recording->scene = scene.name;
    recording->method = answer.method;
    recording->body = answer.body;
    recording->has_cost = false;
    Frame frame;
    frame.velocity.resize(answer.displacement.size());
    frame.displacement = answer.displacement;
    recording->frames.push_back(frame);
    StudioSettings settings;
    settings.field = parse_field(a.field.empty() ? "displacement" : a.field);
    settings.remark = text("deformation x ", short_number(factor, 3));
    BodySubjectSettings look;
    look.field = settings.field;
    look.stretch = factor;
    std::vector<std::unique_ptr<Subject>> subjects;
    subjects.push_back(make_body_subject(recording, look));
    write_still(a.picture, std::move(subjects), settings,
                {scene.name, text("made by ", provenance_line(), "; of ", about_scene(scene))});
}

int solve(const StaticArguments& a) {
    refuse_overwriting({a.scene.path}, {a.picture});
    if (a.picture.empty() && !a.field.empty()) {
        throw Error(Fault::bad_usage, {"--field", 0, {}}, text("\"", a.field, "\" without a picture to colour"),
                    "--picture FILE with it");
    }
    if (!a.picture.empty() && ending_of(a.picture) != ".png")
        throw Error(Fault::bad_usage, {a.picture, 0, {}}, "a picture in this format", "a file ending in .png");
    std::unique_ptr<Progress> progress = start_work(a.common);
    const SceneCheck check = check_scene(a.scene.path, a.scene.sets, {progress.get()});
    if (!check.ok()) throw SceneError(check.faults);
    refuse_overwriting({}, {a.picture});
    if (!a.common.quiet) warn(check.warnings);
    StaticAnswer answer = solve_static_scene(*check.scene, !a.picture.empty(), *progress);
    estimate_static_error(*check.scene, a.most_unknowns, answer, *progress);
    progress.reset();
    if (!a.picture.empty()) draw(a, *check.scene, answer);
    if (a.common.json)
        print_json(to_json(answer, *check.scene));
    else
        print(to_text_of(answer, *check.scene));
    return kDone;
}

}  // namespace

void add_static(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand(
        "static", "solve a scene's static problem: reactions, displacements and stresses at its probes");
    auto a = std::make_shared<StaticArguments>();
    add_scene_arguments(*verb, a->scene);
    verb->add_option("--picture", a->picture, "a PNG of the deformed body, enlarged until it shows")->type_name("FILE");
    verb->add_option("--field", a->field,
                     "what the picture's colours show: displacement (if not given), von_mises, principal_max, "
                     "principal_min; stresses as the cells' strains give them")
        ->type_name("NAME")
        ->check(CLI::IsMember({"displacement", "von_mises", "principal_max", "principal_min"}));
    verb->add_option(
            "--estimate-up-to", a->most_unknowns,
            "estimate the error where a second solution takes at most so many unknowns; 0: never; 3000 unless told")
        ->type_name("N")
        ->check(CLI::Range(0, 1000000));
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return solve(*a); }; });
}

}  // namespace limber::cli
