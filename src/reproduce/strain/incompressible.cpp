#include "reproduce/strain/incompressible.hpp"

#include "core/text.hpp"
#include "geometry/tributary.hpp"

#include <limber/tools/modes.hpp>
#include <limber/tools/sim.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr double kSolverTolerance = 1e-6;

Scene treated_scene(const IncompressibleProblem& problem, const TreatedMaterial& what, CellKind kind, int cells) {
    Scene scene = problem.scene(what.material, kind, cells);
    scene.method.options = what.options;
    scene.method.options["scheme"] = std::string("quasi_static");
    scene.method.options["max_live"] = 0.0;
    return scene;
}

Frame at_rest(const Scene& scene, Progress& progress, std::shared_ptr<const Body>& body) {
    RunResult result = run_scene(scene, {}, progress);
    if (result.interrupted) throw Error(Fault::interrupted, {}, "interrupted; nothing was written");
    if (!result.ok()) throw Error(Fault::unsupported, InputLocation{scene.name, 0, {}}, result.message);
    body = result.recording.body;
    return std::move(result.recording.frames.back());
}

double relative_l2(const Mesh& mesh, const std::vector<double>& weight, const std::vector<Vec3>& u,
                   const IncompressibleProblem& problem, const Material& truth) {
    double error = 0.0, size = 0.0;
    for (std::size_t v = 0; v < u.size(); ++v) {
        const Vec3 exact = problem.displacement(truth, mesh.vertices[v]);
        error += weight[v] * norm2(u[v] - exact);
        size += weight[v] * norm2(exact);
    }
    return std::sqrt(error / size);
}

/// Root mean square over the body of the cells' mean div u.
double volume_change(const Mesh& mesh, const std::vector<Vec3>& u) {
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
    double sum = 0.0, area = 0.0;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        double flux = 0.0;
        for (std::size_t i = 0; i < corners; ++i) {
            const auto a = static_cast<std::size_t>(mesh.cell(c)[i]),
                       b = static_cast<std::size_t>(mesh.cell(c)[(i + 1) % corners]);
            const Vec3 edge = mesh.vertices[b] - mesh.vertices[a], mean = (u[a] + u[b]) / 2;
            flux += mean.x * edge.y - mean.y * edge.x;
        }
        const double own = cell_measure(mesh, c);
        sum += flux * flux / own;
        area += own;
    }
    return std::sqrt(sum / area);
}

constexpr double kPoissons[] = {0.3, 0.4, 0.45, 0.47, 0.49, 0.495, 0.499, 0.4999, 0.49999};

}  // namespace

std::span<const Treatment> all_treatments() {
    static constexpr Treatment all[] = {Treatment::full, Treatment::bbar, Treatment::penalty_same_e,
                                        Treatment::penalty_same_g};
    return all;
}

const char* to_string(Treatment t) {
    switch (t) {
        case Treatment::full: return "full";
        case Treatment::bbar: return "bbar";
        case Treatment::penalty_same_e: return "penalty_same_e";
        case Treatment::penalty_same_g: return "penalty_same_g";
    }
    return "";
}

const char* treatment_words(Treatment t) {
    switch (t) {
        case Treatment::full: return "plain";
        case Treatment::bbar: return "B-bar";
        case Treatment::penalty_same_e: return "penalty, same E";
        case Treatment::penalty_same_g: return "penalty, same G";
    }
    return "";
}

TreatedMaterial treated(const Material& aim, Treatment treatment) {
    const std::string integration = treatment == Treatment::bbar ? "bbar" : "full";
    TreatedMaterial out{aim, {{"integration", integration}}};
    if (treatment == Treatment::full || treatment == Treatment::bbar || aim.poisson <= kPenaltyBase) return out;
    out.material.poisson = kPenaltyBase;
    if (treatment == Treatment::penalty_same_g) out.material.young = 2 * aim.shear() * (1 + kPenaltyBase);
    out.options["volume_penalty"] = aim.bulk() - out.material.bulk();
    return out;
}

IncompressibleRow measure_incompressible(const IncompressibleProblem& problem, CellKind kind, Treatment treatment,
                                         int cells, double poisson, Progress& progress) {
    const Material aim = incompressible_material(poisson);
    std::shared_ptr<const Body> body;
    const Frame frame = at_rest(treated_scene(problem, treated(aim, treatment), kind, cells), progress, body);
    const std::vector<double> weight = tributary_measure(body->mesh());
    IncompressibleRow row{problem.name, kind, treatment, cells, poisson, 0.0, 0.0, 0.0, 0.0};
    row.against_same = relative_l2(body->mesh(), weight, frame.displacement, problem, aim);
    row.against_limit = relative_l2(body->mesh(), weight, frame.displacement, problem, incompressible_material(0.5));
    row.volume_change = volume_change(body->mesh(), frame.displacement) / problem.strain;
    row.volume_expected = problem.volume_strain(aim) / problem.strain;
    return row;
}

IncompressibleCost measure_cost(Treatment treatment, int cells, double poisson, Progress& progress) {
    const IncompressibleProblem& problem = incompressible_problems().front();
    const TreatedMaterial what = treated(incompressible_material(poisson), treatment);
    Scene scene = treated_scene(problem, what, CellKind::quad4, cells);
    IncompressibleCost cost{treatment, poisson, 0.0, 0.0};
    OptionValues lumped = what.options;
    lumped["mass"] = std::string("lumped");
    cost.critical_step = 2 / highest_mode(make_body(scene), lumped, progress).omega;
    scene.method.options["solver"] = std::string("pcg");
    scene.method.options["tolerance"] = kSolverTolerance;
    const RunResult result = run_scene(scene, {}, progress);
    cost.iterations = result.ok() ? result.recording.frames.back().report.iterations
                                  : std::numeric_limits<double>::quiet_NaN();
    return cost;
}

double compressibility_allowed(const IncompressibleProblem& problem, double level) {
    const Mesh mesh = make_body(problem.scene(incompressible_material(0.3), CellKind::quad4, 32))->mesh();
    const std::vector<double> weight = tributary_measure(mesh);
    const auto distance = [&](double compressibility) {
        std::vector<Vec3> u;
        const Material m = incompressible_material((1 - compressibility) / 2);
        for (const Vec3& p : mesh.vertices) u.push_back(problem.displacement(m, p));
        return relative_l2(mesh, weight, u, problem, incompressible_material(0.5));
    };
    double low = 1e-6, high = 1.0;
    for (int i = 0; i < 60; ++i) {
        const double middle = std::sqrt(low * high);
        (distance(middle) > level ? high : low) = middle;
    }
    return low;
}

std::vector<const IncompressibleRow*> rows_of(const std::vector<IncompressibleRow>& rows, const std::string& problem,
                                              CellKind kind, Treatment treatment, int cells) {
    std::vector<const IncompressibleRow*> out;
    for (const IncompressibleRow& row : rows) {
        if (row.problem == problem && row.kind == kind && row.treatment == treatment && row.cells == cells)
            out.push_back(&row);
    }
    return out;
}

int finest(const IncompressibleReport& report) {
    int out = 0;
    for (const IncompressibleRow& row : report.rows) out = std::max(out, row.cells);
    return out;
}

IncompressibleReport study_incompressible(const IncompressibleSettings& settings, PartOfProgress& progress) {
    IncompressibleReport report;
    const std::vector<int> meshes = settings.quick ? std::vector<int>{4, 8, 16} : std::vector<int>{4, 8, 16, 32};
    Progress silent;
    const std::size_t lines = incompressible_problems().size() * 2 * all_treatments().size() * meshes.size();
    std::size_t done = 0;
    for (const IncompressibleProblem& problem : incompressible_problems()) {
        for (const CellKind kind : {CellKind::quad4, CellKind::tri3}) {
            for (const Treatment treatment : all_treatments()) {
                for (const int cells : meshes) {
                    progress.name(text("near incompressibility: ", problem.name, ", ", to_string(kind), ", ",
                                       treatment_words(treatment)));
                    progress.update(0.8 * static_cast<double>(done++) / static_cast<double>(lines), "");
                    for (const double nu : kPoissons) {
                        progress.check();
                        report.rows.push_back(measure_incompressible(problem, kind, treatment, cells, nu, silent));
                    }
                }
            }
        }
    }
    progress.name("near incompressibility: cost");
    for (const Treatment treatment : {Treatment::bbar, Treatment::full, Treatment::penalty_same_g}) {
        for (const double nu : kPoissons) {
            progress.check();
            progress.update(0.9, "");
            report.costs.push_back(measure_cost(treatment, 8, nu, silent));
        }
    }
    report.claims = incompressible_claims(report);
    report.plots = incompressible_plots(settings, report);
    report.advice = incompressible_advice(report);
    return report;
}

}  // namespace limber
