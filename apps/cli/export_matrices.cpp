// limber export --to matrices: K, M, C and f of a scene as Matrix Market files, with a map of the unknowns.
#include "cli/export.hpp"

#include "core/text.hpp"
#include "io/files/atomic_folder.hpp"
#include "io/matrix/matrix_market.hpp"
#include "report/csv.hpp"
#include "report/files.hpp"

#include <limber/tools/sim.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace limber::cli {
namespace {

using nlohmann::json;

const std::vector<std::string> kFiles{"K.mtx", "M.mtx",    "C.mtx",      "f.mtx",
                                      "x.mtx", "dofs.csv", "README.txt", "provenance.json"};
constexpr const char* kAxes[3] = {"x", "y", "z"};

const OptionSpec* find_option(const OptionTable& table, const std::string& name) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const OptionSpec& o) { return o.name == name; });
    return found == table.end() ? nullptr : &*found;
}

bool takes(const OptionSpec& option, const OptionValue& value) {
    const std::string* word = value.word();
    if (option.type != OptionType::choice || word == nullptr)
        return option.type != OptionType::choice && word == nullptr;
    return std::find(option.choices.begin(), option.choices.end(), *word) != option.choices.end();
}

/// What the scene's own method steps with, as far as linear_fem's matrices depend on it: what the scene says, else what
/// that method takes where nothing is said (clustered_fem lumps its mass). A word that only that method knows is left
/// to linear_fem.
OptionValues matrix_options(const Scene& scene) {
    const OptionTable own = require_method(scene.method.name).options(), known = require_method("linear_fem").options();
    OptionValues options;
    for (const char* name : {"mass", "damping", "integration", "volume_penalty"}) {
        const OptionSpec *theirs = find_option(own, name), *ours = find_option(known, name);
        if (theirs == nullptr || ours == nullptr) continue;
        const auto given = scene.method.options.find(name);
        const OptionValue value = given != scene.method.options.end() ? given->second : theirs->fallback;
        if (takes(*ours, value)) options[name] = value;
    }
    return options;
}

json options_json(const Body& body, const OptionValues& given) {
    const Options all(require_method("linear_fem").options(), given);
    return {{"mass", all.choice("mass")},
            {"damping", all.choice("damping")},
            {"integration", averages_volume(body, given) ? "bbar" : "full"},
            {"volume_penalty", all.real("volume_penalty")}};
}

std::vector<std::string> comments(const Scene& scene, const std::string& what) {
    return {what, text("scene ", valid_utf8(scene.name), ", hash ", hex(hash(scene))),
            text("made by ", provenance_line()), "rows are the unknowns of dofs.csv, in its order"};
}

std::string unknowns_csv(const Scene& scene, const Body& body, const BodyMatrices& m) {
    std::string out = text("# ", valid_utf8(scene.name), ", scene ", hex(hash(scene)), "\n# made by ",
                           provenance_line(),
                           "\n# dof and vertex count from 0: row r of the matrices (Matrix Market counts from 1) is "
                           "dof r - 1; x, y, z: rest position [m]\n"
                           "dof,vertex,axis,x,y,z,kind,support\n");
    for (std::size_t i = 0; i < m.unknowns(); ++i) {
        const std::size_t vertex = i / static_cast<std::size_t>(m.dimension);
        const Vec3& p = body.mesh().vertices[vertex];
        const auto support = static_cast<std::size_t>(m.support[i]);
        const std::string name = m.support[i] < 0                    ? ""
                                 : m.kind[i] == UnknownKind::handled ? body.handles()[support].name
                                                                     : body.anchors()[support].name;
        fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{}\n", i, vertex,
                       kAxes[i % static_cast<std::size_t>(m.dimension)], p.x, p.y, p.z, to_string(m.kind[i]),
                       csv_cell(valid_utf8(name)));
    }
    return out;
}

std::string readme(const Scene& scene, const Body& body, const BodyMatrices& m) {
    std::string out = text(
        "The matrices of \"", valid_utf8(scene.name), "\" (scene ", hex(hash(scene)), "), made by\n", provenance_line(),
        ".\n\n", "    M a + C v + K u = f        ", m.unknowns(), " unknowns, ", m.free.size(),
        " of them free; SI units\n\n",
        "K.mtx  stiffness [N/m]         Matrix Market, symmetric (lower half), counted from 1\n"
        "M.mtx  mass [kg]\n"
        "C.mtx  damping [kg/s]\n"
        "f.mtx  external force at t = 0 [N]: gravity and vertex forces\n"
        "x.mtx  rest positions [m], one row x y z per vertex\n"
        "dofs.csv         each unknown's vertex, axis and rest position, whether it is free, anchored, handled or "
        "unused, and by whom\n"
        "provenance.json  the same facts for programs: options, sizes, version, compiler, machine\n\n"
        "The matrices cover every vertex, also held ones. Take the rows and columns of the free unknowns (F) to solve; "
        "what is\n"
        "prescribed (P: anchored at 0, handled by its handle's motion) acts on them through the columns of P:\n\n"
        "    M_FF a_F + C_FF v_F + K_FF u_F = f_F - M_FP a_P - C_FP v_P - K_FP u_P\n\n"
        "The rows of P, once solved, give the forces of the supports. In Python with SciPy, in this folder:\n\n"
        "    import numpy as np\n"
        "    from scipy.io import mmread\n"
        "    from scipy.sparse.linalg import spsolve\n"
        "    K, f = mmread(\"K.mtx\").tocsr(), mmread(\"f.mtx\").ravel()\n"
        "    free = np.array([line.split(\",\")[6] == \"free\" for line in open(\"dofs.csv\", encoding=\"utf-8\") if "
        "line[0].isdigit()])\n"
        "    u = np.zeros(len(f))\n"
        "    u[free] = spsolve(K[free][:, free].tocsc(), f[free])    # at rest under the loads of t = 0\n\n"
        "The schemes that step this in time, and how limber starts them, are in limber's "
        "docs/methods/linear_fem.md.\n");
    if (body.support() == Support::free) {
        out +=
            "Nothing holds this body: K is singular, and limber lets it ride a rigid frame that these matrices do not "
            "show.\n";
    }
    const Options used(require_method("linear_fem").options(), matrix_options(scene));
    out += text("Mass: ", used.choice("mass"), ". Damping: ", used.choice("damping"), ". Volume change: ",
                averages_volume(body, matrix_options(scene)) ? "averaged (bbar)" : "at every point (full)", ".\n");
    if (scene.method.name != "linear_fem") {
        out += text("The scene asks for the method ", scene.method.name,
                    "; these are the matrices of linear_fem at rest, with the mass and damping that ",
                    scene.method.name, " steps with where it has the choice.\n");
    }
    return out;
}

json facts(const Scene& scene, const Body& body, const BodyMatrices& m) {
    return {
        {"scene", scene.name},
        {"scene_hash", hex(hash(scene))},
        {"method", scene.method.name},
        {"options", options_json(body, matrix_options(scene))},
        {"dimension", m.dimension},
        {"vertices", body.vertex_count()},
        {"unknowns", m.unknowns()},
        {"free", m.free.size()},
        {"files", kFiles},
        {"entries", {{"K", m.stiffness.values.size()}, {"M", m.mass.values.size()}, {"C", m.damping.values.size()}}},
        {"units", {{"K", "N/m"}, {"M", "kg"}, {"C", "kg/s"}, {"f", "N"}, {"x", "m"}}},
        {"provenance", provenance_json()}};
}

void write_all(const AtomicFolder& folder, const Scene& scene, const std::shared_ptr<const Body>& body,
               const BodyMatrices& m, Progress& progress) {
    write_matrix_market(folder.file("K.mtx"), m.stiffness, comments(scene, "K: stiffness [N/m]"), progress);
    write_matrix_market(folder.file("M.mtx"), m.mass, comments(scene, "M: mass [kg]"), progress);
    write_matrix_market(folder.file("C.mtx"), m.damping, comments(scene, "C: damping [kg/s]"), progress);
    Timeline timeline(scene, body);
    write_matrix_market(folder.file("f.mtx"), load_vector(m, timeline.at_step(0)), 1,
                        comments(scene, "f: external force at t = 0 [N], gravity and vertex forces"));
    std::vector<double> x;
    for (int axis = 0; axis < 3; ++axis)
        for (const Vec3& p : body->mesh().vertices) x.push_back(p[axis]);
    std::vector<std::string> words = comments(scene, "x: rest positions [m]");
    words.back() = "one row x y z per vertex";
    write_matrix_market(folder.file("x.mtx"), x, 3, words);
    write_text_file(folder.file("dofs.csv"), unknowns_csv(scene, *body, m));
    write_text_file(folder.file("README.txt"), readme(scene, *body, m));
    write_text_file(folder.file("provenance.json"), to_json_text(facts(scene, *body, m)));
}

}  // namespace

int export_matrices(const ExportArguments& arguments) {
    if (arguments.unit || arguments.up) {
        throw Error(Fault::bad_usage, {arguments.out, 0, {}}, "--unit or --up for matrices",
                    "neither: they are what limber solves, in SI units, y up");
    }
    const Scene scene = read_scene_visibly(arguments.input, arguments.sets, arguments.common);
    const std::shared_ptr<const Body> body = make_body(scene);
    refuse_overwriting({arguments.input}, {arguments.out});
    if (!arguments.common.quiet) warn(check_scene(arguments.input, arguments.sets).warnings);
    std::unique_ptr<Progress> progress = start_work(arguments.common);
    AtomicFolder folder(arguments.out, std::string("limber export"));
    const BodyMatrices matrices = body_matrices(body, matrix_options(scene), *progress);
    write_all(folder, scene, body, matrices, *progress);
    folder.commit();
    progress.reset();
    json report = facts(scene, *body, matrices);
    report["written"] = arguments.out;
    if (arguments.common.json) {
        print_json(report);
    } else {
        print(text(arguments.out, ": K, M and C over ", counted(matrices.unknowns(), "unknown"), ", ",
                   matrices.free.size(), " free, ", matrices.stiffness.values.size(),
                   " entries in K; README.txt there says how to use them\n"));
    }
    return kDone;
}

}  // namespace limber::cli
