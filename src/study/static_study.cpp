#include "study/static_study.hpp"

#include "bem/static_conditions.hpp"
#include "body/mass_centre.hpp"
#include "core/text.hpp"
#include "study/refine.hpp"

#include <limber/tools/sim.hpp>

#include <algorithm>
#include <chrono>

namespace limber {

namespace {

std::string condition_field(std::size_t i) { return text("/bodies/0/conditions/", i); }

StaticCase case_of(const Scene& scene, const StaticAnswer& answer) {
    StaticCase out;
    const BodySpec& spec = scene.bodies[0];
    for (std::size_t i = 0; i < spec.conditions.size(); ++i) {
        const ConditionSpec& c = spec.conditions[i];
        BoundaryCondition condition{c.set, c.displacement, {}, {}, {scene.source, 0, condition_field(i)}};
        if (norm2(c.traction) > 0.0) condition.traction = c.traction;
        if (c.pressure != 0.0) condition.pressure = c.pressure;
        const bool held = c.displacement[0] || c.displacement[1] || c.displacement[2];
        if (!held && !condition.traction && !condition.pressure)
            condition.pressure = 0.0;  // a load of nothing, as in a sweep through it
        out.conditions.push_back(std::move(condition));
    }
    out.gravity = scene.gravity.vector;
    if (answer.body->mesh().dimension() == 2) out.gravity.z = 0.0;  // the scene's check warns of it
    out.spin = spec.motion.spin;
    out.pivot = out.torque_about = answer.torque_about;
    for (const StaticPoint& p : answer.probes) out.probes.push_back(p.at);
    out.elements = scene.statics->elements == StaticSpec::Elements::constant ? BoundaryElements::constant
                                                                             : BoundaryElements::linear;
    out.place = {scene.source, 0, "/bodies/0"};
    return out;
}

void solve_bem(const Scene& scene, bool inside, StaticAnswer& out, Progress& progress) {
    StaticCase what = case_of(scene, out);
    what.inner_vertices = inside;
    const StaticResult result = [&] {
        try {
            return solve_static_case(*out.body, what, progress);
        } catch (const Error& e) {
            if (!e.place().path.empty() || e.fault() == Fault::interrupted) throw;
            throw Error(e.fault(), {scene.source, 0, "/static"}, e.found(), e.expected());
        }
    }();
    out.displacement = result.displacement;
    for (std::size_t i = 0; i < out.probes.size(); ++i) {
        out.probes[i].displacement = result.probes[i].displacement;
        out.probes[i].stress = result.probes[i].stress;
    }
    for (std::size_t i = 0; i < out.forces.size(); ++i) {
        out.forces[i].force = result.reactions[i].force;
        out.forces[i].torque = result.reactions[i].torque;
    }
    out.body_force.force = result.body_force;
    out.body_force.torque = result.body_torque;
    out.unknowns = result.nodes * static_cast<std::size_t>(out.body->mesh().dimension());
    out.free_modes = result.free_modes;
    out.condition = result.condition;
    out.misfit = result.misfit;
}

/// Only what a static problem uses: supports are conditions here.
std::shared_ptr<const Body> bare_body(const Scene& scene) {
    if (!scene.statics) {
        throw Error(Fault::bad_scene, {scene.source, 0, "/static"}, "missing",
                    "\"static\": {}, which says that this is a static problem; `limber run` runs the others");
    }
    return make_body(scene);
}

}  // namespace

StaticAnswer solve_static_scene(const Scene& scene, bool inside, Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    StaticAnswer out;
    out.body = bare_body(scene);
    out.torque_about = centre_of_mass(*out.body);
    for (const Probe& p : make_probes(scene, *out.body)) out.probes.push_back({p.name, p.rest, {}, {}});
    for (const ConditionSpec& c : scene.bodies[0].conditions) out.forces.push_back({c.name, {}, {}});
    out.body_force.name = "body forces";
    const bool bem = scene.statics->method == StaticSpec::Method::bem;
    out.method = bem ? "bem" : "linear_fem";
    out.elements = !bem                                                        ? to_string(out.body->mesh().kind)
                   : scene.statics->elements == StaticSpec::Elements::constant ? "constant"
                                                                               : "linear";
    if (bem)
        solve_bem(scene, inside, out, progress);
    else
        solve_static_fem(scene, *out.body, out, progress);
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
}

namespace {

/// Boundary vertices of the body only: bem was not asked for those inside.
std::vector<std::uint8_t> on_boundary(const Mesh& mesh) {
    std::vector<std::uint8_t> out(mesh.vertices.size(), 0);
    for (const std::int32_t v : boundary_of(mesh).facets) out[static_cast<std::size_t>(v)] = 1;
    return out;
}

double vertex_difference(const StaticAnswer& coarse, const StaticAnswer& fine) {
    const std::vector<std::uint8_t> counts = on_boundary(coarse.body->mesh());
    double difference = 0.0, largest = 0.0;
    for (std::size_t v = 0; v < counts.size(); ++v) {
        if (counts[v] == 0) continue;
        difference = std::max(difference, norm(fine.displacement[v] - coarse.displacement[v]));
        largest = std::max(largest, norm(fine.displacement[v]));
    }
    return largest > 0.0 ? difference / largest : 0.0;
}

}  // namespace

void estimate_static_error(const Scene& scene, std::size_t most, StaticAnswer& answer, Progress& progress) {
    const int dimension = answer.body->mesh().dimension();
    const bool bem = answer.method == "bem";
    const std::size_t grows = bem ? (dimension == 2 ? 2u : 4u) : (dimension == 2 ? 4u : 8u);
    if (answer.unknowns > most / grows) {
        answer.no_error = text("a second solution would take ", grows * answer.unknowns, " unknowns; --estimate-up-to ",
                               grows * answer.unknowns, " allows it");
        return;
    }
    try {
        const StaticAnswer fine = solve_static_scene(refined_scene(scene), false, progress);
        answer.error = 2.0 * vertex_difference(answer, fine);
    } catch (const Error& error) {
        if (error.fault() == Fault::interrupted) throw;
        answer.no_error = text("the problem cannot be posed on split cells: ", error.what());
    }
}

}  // namespace limber
