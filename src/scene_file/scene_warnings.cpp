#include "scene_file/scene_warnings.hpp"

#include "contact/gap.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "deform/obstacle_shape.hpp"
#include "fem/integration.hpp"
#include "fem_linear/explicit_forecast.hpp"
#include "geometry/solid_cost.hpp"
#include "geometry/triangles.hpp"
#include "scene/bending.hpp"
#include "scene/build.hpp"
#include "sim/first_motion.hpp"
#include "sim/probes.hpp"

#include <limber/embedding.hpp>
#include <limber/method.hpp>
#include <limber/tools/painted_surface.hpp>
#include <limber/tools/sim.hpp>
#include <limber/tools/solid.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace limber {

namespace {

/// A step that the options give beside the scene's is nearly always a slip.
constexpr double kSameStep = 1e-12;

/// From here on an explicit scheme is mostly slower than an implicit one.
constexpr double kManySubSteps = 200.0;

/// A body is stable up to so many times the step that its fastest cell would bear alone (measured: 2.5).
constexpr double kSurelyUnstable = 3.0;

/// Of the body's diagonal: rest on a floor is less deep unless the body is very soft.
constexpr double kDeepStart = 0.01;

bool has_option(const OptionTable& table, const std::string& name) {
    return std::any_of(table.begin(), table.end(), [&](const OptionSpec& s) { return s.name == name; });
}

void check_method(const Scene& scene, const Method& method, const Body& body, const FaultSink& faults) {
    try {
        check_traits(method, body);
    } catch (const Error& error) {
        faults.add(error, "/method/name");
    }
    const Traits traits = method.traits();
    const auto refuse = [&](const std::string& field, const char* what, bool Traits::*accepts) {
        std::vector<std::string> names;
        for (const Method* other : all_methods())
            if (other->traits().*accepts) names.emplace_back(other->name());
        faults.add(Fault::unsupported, field, text("method \"", method.name(), "\" cannot take ", what),
                   names.empty() ? "a scene without"
                                 : fmt::format("a scene without, or a method that can: {}", fmt::join(names, ", ")));
    };
    if (!traits.accepts_forces && !scene.bodies[0].forces.empty())
        refuse("/bodies/0/forces", "forces", &Traits::accepts_forces);
    if (!traits.accepts_obstacles && !scene.obstacles.empty())
        refuse("/obstacles", "obstacles", &Traits::accepts_obstacles);
    if (!scene.bodies[0].conditions.empty()) {
        faults.add(Fault::bad_scene, "/bodies/0/conditions", "conditions without \"static\", which alone uses them",
                   "\"static\": {} instead of method, step and duration");
    }
    if (!traits.accepts_gravity && norm2(scene.gravity.vector) > 0.0)
        refuse("/gravity", "gravity", &Traits::accepts_gravity);
    try {
        method.check(body, scene.method.options);
    } catch (const Error& error) {
        faults.add(error, error.place().field.empty() ? "/method" : error.place().field);
    }
}

/// A body in space has neither.
void warn_of_plane(const BodySpec& spec, const Body& body, const FaultSink& warnings) {
    if (body.mesh().dimension() != 3) return;
    if (spec.thickness != BodySpec{}.thickness) {
        warnings.add(Fault::bad_scene, "/bodies/0/thickness",
                     text("a thickness of ", spec.thickness, " m of a body in space: it is left out"),
                     "one of planar bodies only");
    }
    if (spec.plane != BodySpec{}.plane) {
        warnings.add(Fault::bad_scene, "/bodies/0/plane", "plane stress of a body in space: it is left out",
                     "one of planar bodies only");
    }
}

// A planar body has no z: what pushes it that way would be dropped without a word.
void warn_of_depth(const Scene& scene, const Body& body, const FaultSink& warnings) {
    if (body.mesh().dimension() != 2) return;
    const auto warn = [&](const std::string& field, const char* what) {
        warnings.add(Fault::bad_scene, field,
                     text(what, " has a part along z, which a planar body cannot take: it is left out"));
    };
    if (scene.gravity.vector.z != 0.0) warn("/gravity", "gravity");
    const BodySpec& spec = scene.bodies[0];
    for (std::size_t h = 0; h < spec.handles.size(); ++h) {
        for (const PoseKey& key : spec.handles[h].keys) {
            if (key.translation.z != 0.0 || key.rotation.x != 0.0 || key.rotation.y != 0.0) {
                warn(text("/bodies/0/handles/", h, "/keyframes"), "the handle's motion");
                break;
            }
        }
    }
}

void warn_of_locking(const Scene& scene, const Method& method, const Body& body, const FaultSink& warnings) {
    const OptionTable table = method.options();
    if (!has_option(table, "integration")) return;
    const bool full = Options(table, scene.method.options).choice("integration") == "full";
    const std::vector<LockingRisk> risks = locking_risks(body, full);
    for (const LockingRisk& risk : risks) warnings.add(Fault::bad_material, "/bodies/0/materials", risk.message);
    if (!risks.empty()) return;  // told already, with its own share
    const bool averaged = read_assembly_options(body, Options(table, scene.method.options)).integration ==
                          Integration::bbar;
    if (const std::string warning = bending_warning(body, averaged); !warning.empty())
        warnings.add(Fault::bad_mesh, "/bodies/0/mesh", warning);
}

/// Of a factor of the stiffness of a solid: what preparing takes at most [bytes]. Its largest front is the cut across
/// the longest side, which a plate or a rod has a small one of. Measured on tet4 ducks of 3,400 to 36,000 unknowns
/// (within a quarter), cubes (2 to 3 times too much) and plates.
double factor_bytes(const Body& body) {
    const double n = 3.0 * static_cast<double>(body.vertex_count()), measure = measure_of(body.mesh());
    const Vec3 size = box_of(body.mesh().vertices).size();
    const double spacing = std::cbrt(measure / (n / 3.0)), longest = std::max({size.x, size.y, size.z, spacing});
    const double cut = std::min(std::pow(n, 2.0 / 3.0), n * spacing / longest);
    return std::max(841.0 * cut * cut, 300.0 * n * std::log2(n + 1.0));
}
constexpr double kMuchMemory = 0.5, kHopeless = 2.0;  // of what is free: warned of, refused

/// A scene can ask for more cells than any factor of them fits into memory; the system would end the run without a
/// word, an hour later.
void warn_of_memory(const Scene& scene, const Method& method, const Body& body, const FaultSink& faults,
                    const FaultSink& warnings) {
    const std::string name = method.name();
    if (body.mesh().dimension() != 3 || (name != "linear_fem" && name != "modal")) return;
    double share = 1.0;
    if (has_option(method.options(), "solver")) {
        const std::string solver = Options(method.options(), scene.method.options).choice("solver");
        share = solver == "cholesky" ? 1.0 : solver == "cholesky_float" ? 0.5 : 0.0;
    }
    const double unknowns = 3.0 * static_cast<double>(body.vertex_count()), wanted = share * factor_bytes(body),
                 there = static_cast<double>(available_memory());
    if (!(there > 0.0) || wanted < kMuchMemory * there) return;
    const std::string found = text("the factor of ", fmt::format("{:.3g}", unknowns), " unknowns takes about ",
                                   memory_words(wanted), " of memory, and ", memory_words(there), " are free");
    const std::string expected = name == "linear_fem" ? "fewer cells, or \"solver\": \"pcg\"" : "fewer cells";
    if (wanted > kHopeless * there)
        faults.add(Fault::unsupported, "/bodies/0/mesh", found, expected);
    else
        warnings.add(Fault::unsupported, "/bodies/0/mesh", found, expected);
}

/// Explicit schemes of small strain step as finely as the fastest cell asks for, which nobody sees in the scene.
void warn_of_sub_steps(const Scene& scene, const Method& method, const Body& body, const FaultSink& warnings) {
    const OptionTable table = method.options();
    if (!has_option(table, "scheme") || !has_option(table, "integration") || !has_option(table, "damping")) return;
    const Options options(table, scene.method.options);
    Scheme scheme = Scheme::quasi_static;
    if (!parse_scheme(options.choice("scheme"), scheme) || !std::isfinite(critical_step(scheme, 1.0, 0.0, 0.0))) return;
    const ExplicitForecast forecast = forecast_explicit(body, read_assembly_options(body, options), scheme, scene.step);
    if (method.traits().fixed_step && scheme == Scheme::newmark_explicit) {
        if (scene.step <= forecast.critical_step) return;
        warnings.add(
            Fault::bad_option, "/method/options/scheme",
            text("\"newmark_explicit\" takes the step as it is, ", fmt::format("{:.3g}", scene.step),
                 " s, and its fastest cell alone is stable below ", plain_number(forecast.critical_step, 2),
                 " s: the body ", scene.step > kSurelyUnstable * forecast.critical_step ? "will" : "may", " blow up"),
            "a smaller step, \"symplectic_euler\", which cuts it, or an implicit scheme (newmark_implicit)");
        return;
    }
    if (forecast.sub_steps < kManySubSteps) return;
    const bool by_damping = forecast.sub_steps > 2.0 * forecast.without_damping;
    const std::string why = by_damping ? text(", because of stiffness damping (rayleigh_beta); without it about ",
                                              forecast.without_damping)
                                       : "";
    warnings.add(Fault::bad_option, "/method/options/scheme",
                 text("\"", to_string(scheme), "\" is stable below about ", plain_number(forecast.critical_step, 2),
                      " s here: a step of ", fmt::format("{:.3g}", scene.step), " s takes about ",
                      plain_number(forecast.sub_steps, 2), " sub-steps", why),
                 by_damping ? "an implicit scheme (newmark_implicit), or less stiffness damping"
                            : "an implicit scheme (newmark_implicit), or larger cells");
}

void warn_of_step(const Scene& scene, const FaultSink& warnings) {
    const auto given = scene.method.options.find("step");
    if (given == scene.method.options.end()) return;
    const double* step = given->second.number();
    if (step && std::abs(*step - scene.step) > kSameStep * scene.step) {
        warnings.add(Fault::bad_option, "/method/options/step",
                     text("the method's step is ", *step, " s, the scene's ", scene.step, " s; the method's counts"));
    }
}

void warn_of_keys(const Scene& scene, const FaultSink& warnings) {
    const BodySpec& body = scene.bodies[0];
    for (std::size_t h = 0; h < body.handles.size(); ++h) {
        const std::string field = text("/bodies/0/handles/", h, "/keyframes");
        const std::vector<PoseKey>& keys = body.handles[h].keys;
        if (keys.empty()) continue;
        if (norm2(keys.front().translation) + norm2(keys.front().rotation) > 0.0) {
            warnings.add(Fault::bad_scene, field + "/0",
                         text("handle \"", body.handles[h].name,
                              "\" is away from rest at the start, so the first step jerks the body"),
                         "a first keyframe at rest");
        }
        if (keys.back().t > scene.duration * (1.0 + 1e-12)) {
            warnings.add(Fault::bad_scene, text(field, "/", keys.size() - 1, "/t"),
                         text(keys.back().t, " s is after the end, ", scene.duration, " s"));
        }
    }
}

/// What it costs to be inside an obstacle throws a free body out of it, and a held one cannot leave; a generator's body
/// without a `place` is half below the floor.
void warn_of_start(const Scene& scene, const Body& body, const FaultSink& warnings) {
    if (scene.obstacles.empty()) return;
    Timeline timeline(scene, std::shared_ptr<const Body>(std::shared_ptr<const Body>(), &body));
    const std::span<const Obstacle> obstacles = timeline.at_step(0).obstacles;
    const std::vector<Vec3>& at = body.mesh().vertices;
    Vec3 low = at.front(), high = low;
    for (const Vec3& x : at) {
        for (int c = 0; c < 3; ++c) {
            low[c] = std::min(low[c], x[c]);
            high[c] = std::max(high[c], x[c]);
        }
    }
    for (std::size_t o = 0; o < obstacles.size(); ++o) {
        double deepest = 0.0;
        std::size_t inside = 0;
        for (const Vec3& x : at) {
            const double gap = gap_to(obstacles[o], x, body.mesh().dimension() == 2).value;
            deepest = std::max(deepest, -gap);
            inside += gap < 0.0;
        }
        if (deepest <= kDeepStart * norm(high - low)) continue;
        const bool container = keeps_inside(obstacles[o]);
        warnings.add(Fault::bad_scene, text("/obstacles/", o),
                     text(inside == at.size() ? "all" : text(inside, " of ", at.size()), " vertices of the body start ",
                          container ? "outside \"" : "inside obstacle \"", scene.obstacles[o].name,
                          container ? "\", which keeps bodies in, by up to " : "\", up to ",
                          fmt::format("{:.3g}", deepest), container ? " m: " : " m deep: ",
                          body.support() == Support::free ? "it is thrown to where it may be"
                                                          : "supports that are there cannot leave it"),
                     "another place of the body (bodies.0.place) or of the obstacle");
    }
}

void warn_of_unused_sets(const Scene& scene, const FaultSink& warnings) {
    const BodySpec& body = scene.bodies[0];
    std::set<std::string> used;
    for (const AnchorSpec& a : body.anchors) used.insert(a.set);
    for (const HandleSpec& h : body.handles) used.insert(h.set);
    for (const ForceSpec& f : body.forces) used.insert(f.set);
    for (const ConditionSpec& c : body.conditions) used.insert(c.set);
    for (const VertexSetSpec& s : body.sets) used.insert(s.of.begin(), s.of.end());
    for (std::size_t i = 0; i < body.sets.size(); ++i) {
        if (used.count(body.sets[i].name) == 0) {
            warnings.add(Fault::bad_scene, text("/bodies/0/sets/", i),
                         text("set \"", body.sets[i].name, "\" is not used"));
        }
    }
}

void warn_of_solid(const BodySpec& body, const FaultSink& warnings) {
    if (!body.mesh.solid) return;
    for (const SolidFinding& finding : body.mesh.solid->findings)
        warnings.add(Fault::bad_mesh, "/bodies/0/mesh", finding.message);
}

/// A static problem has conditions and nothing that steps.
void check_static(const Scene& scene, const Body& body, const FaultSink& faults) {
    const BodySpec& spec = scene.bodies[0];
    const auto refuse = [&](bool given, const char* field, const char* instead) {
        if (given) {
            faults.add(Fault::bad_scene, text("/bodies/0/", field),
                       text(field, " in a static problem, which does not use them"), instead);
        }
    };
    refuse(!spec.anchors.empty(), "anchors", "conditions with a displacement");
    refuse(!spec.handles.empty(), "handles", "conditions with a displacement");
    refuse(!spec.forces.empty(), "forces", "conditions with a traction");
    refuse(norm2(spec.motion.velocity) > 0.0, "motion/velocity", "only a spin");
    if (!scene.gravity.scale.keys.empty())
        faults.add(Fault::bad_scene, "/gravity", "gravity that changes, in a static problem", "a vector");
    const auto unwritten = [&](bool given, const char* field) {
        if (given) {
            faults.add(Fault::bad_scene, text("/output/", field),
                       text(field, " of a static problem, which has no frames to write"),
                       "probes; `limber static` prints them, with --json in full");
        }
    };
    unwritten(scene.output.csv, "csv");
    unwritten(scene.output.vtu, "vtu");
    unwritten(scene.output.stress, "stress");
    unwritten(scene.output.every != 1, "every");
    if (spec.conditions.empty() && !(norm2(spec.motion.spin) > 0.0)) {
        faults.add(Fault::bad_scene, "/bodies/0/conditions", "none",
                   "at least one: what holds the body, what loads it");
    }
    if (scene.statics->elements == StaticSpec::Elements::constant &&
        (body.mesh().dimension() != 2 || scene.statics->method != StaticSpec::Method::bem)) {
        faults.add(Fault::bad_scene, "/static/elements", "constant elements",
                   "linear; constant ones are for planar bodies and the method bem");
    }
}

/// A surface that the mesh was made of lies in it but for what the solid's own findings tell.
void warn_of_shown(const BodySpec& spec, const Body& body, const FaultSink& faults, const FaultSink& warnings) {
    if (!spec.shown.loaded || spec.shown.path.empty()) return;
    try {
        const EmbeddedSurface embedded(spec.shown.loaded->surface.vertices, body.mesh(), {spec.shown.limit});
        if (const std::string warning = embedded.warning(); !warning.empty())
            warnings.add(Fault::bad_mesh, "/bodies/0/surface", warning);
    } catch (const Error& error) {
        faults.add(error, "/bodies/0/surface/path");
    }
}

/// Only a prepared method knows whether a body that is held can start with a motion: small ones are prepared for that.
constexpr std::size_t kQuickCells = 2000;

/// What a run refuses before its first step, of what a scene alone tells.
void check_run(const Scene& scene, const Method& method, const Body& body, const FaultSink& faults) {
    if (scene.output.csv && scene.output.probes.empty()) {
        faults.add(Fault::bad_scene, "/output/probes", "no probes, so the table of output.csv would be empty",
                   "at least one probe, or no output.csv");
    }
    const std::shared_ptr<const Body> borrowed(std::shared_ptr<const Body>(), &body);
    const OptionValues options = method_options(scene, method);
    Scene timed = scene;
    const auto given = options.find("step");
    if (method.traits().fixed_step && given != options.end())
        if (const double* step = given->second.number()) timed.step = *step;
    try {
        const Timeline timeline(timed, borrowed);
        if (scene.bodies[0].motion == MotionSpec{} || body.support() == Support::free) return;
        if (body.mesh().cell_count() > kQuickCells) return;
        Progress silent;
        const std::unique_ptr<Deformer> deformer = method.prepare(borrowed, options, silent);
        State state = deformer->rest_state();
        start_moving(scene, *deformer, state);
    } catch (const SceneError& error) {
        faults.faults->insert(faults.faults->end(), error.faults().begin(), error.faults().end());
    } catch (const Error& error) {
        faults.add(error, error.place().field.empty() ? "/method" : error.place().field);
    }
}

}  // namespace

void find_scene_warnings(const Scene& scene, const Body& body, const std::string& file, std::vector<SceneFault>& faults,
                         std::vector<SceneFault>& warnings) {
    const FaultSink fault_sink{file, &faults}, warning_sink{file, &warnings};
    check_stage(scene, body.mesh().dimension(), fault_sink);
    if (scene.statics) {
        check_static(scene, body, fault_sink);
    } else if (const Method* method = find_method(scene.method.name)) {
        check_method(scene, *method, body, fault_sink);
        warn_of_locking(scene, *method, body, warning_sink);
        if (faults.empty()) check_run(scene, *method, body, fault_sink);
        if (faults.empty()) warn_of_memory(scene, *method, body, fault_sink, warning_sink);
        if (faults.empty()) warn_of_sub_steps(scene, *method, body, warning_sink);
    }
    for (const MeshFinding& finding : body.findings())
        warning_sink.add(Fault::bad_mesh, "/bodies/0/mesh", finding.message);
    warn_of_solid(scene.bodies[0], warning_sink);
    warn_of_shown(scene.bodies[0], body, fault_sink, warning_sink);
    warn_of_depth(scene, body, warning_sink);
    warn_of_plane(scene.bodies[0], body, warning_sink);
    warn_of_step(scene, warning_sink);
    warn_of_keys(scene, warning_sink);
    if (!scene.statics && faults.empty()) warn_of_start(scene, body, warning_sink);
    warn_of_unused_sets(scene, warning_sink);
    std::vector<Error> outside;
    find_probes(scene, body, 0, outside);
    for (const Error& error : outside) fault_sink.add(error, "/output/probes");
}

}  // namespace limber
