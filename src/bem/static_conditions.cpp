// solve_static_case: from a Body and named conditions to slots and nodes, and back to vertices and probes.
#include "bem/static_conditions.hpp"

#include "bem/rigid_modes.hpp"
#include "bem/static_sets.hpp"
#include "core/parallel.hpp"
#include "core/part_of_progress.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

const Material& only_material(const Body& body, const InputLocation& place) {
    const Material& first = body.material_of(0);
    for (std::size_t c = 1; c < body.mesh().cell_count(); ++c) {
        const Material& m = body.material_of(c);
        if (m.young != first.young || m.poisson != first.poisson || m.density != first.density) {
            throw Error(
                Fault::unsupported, place,
                text("a body of several materials",
                     first.name.empty() && m.name.empty() ? "" : text(" (\"", first.name, "\" and \"", m.name, "\")")),
                "one material: boundary elements see only the boundary");
        }
    }
    return first;
}

BoundaryMaterial boundary_material(const Body& body, const Material& material) {
    const bool plane_stress = body.mesh().dimension() == 2 && body.plane() == Plane::stress;
    return {material.shear(), plane_stress ? material.poisson / (1 + material.poisson) : material.poisson};
}

void check_case(const Body& body, const StaticCase& what) {
    const bool plane = body.mesh().dimension() == 2;
    const auto flat = [](const Vec3& v) { return v.x == 0.0 && v.y == 0.0; };
    if (plane && (what.gravity.z != 0.0 || what.acceleration.z != 0.0))
        throw Error(Fault::bad_scene, what.place, "gravity or acceleration along z", "forces in the body's plane");
    if (plane && (!flat(what.spin) || !flat(what.angular_acceleration)))
        throw Error(Fault::bad_scene, what.place, "a spin about x or y", "a plane body turns about z");
    if (!plane && what.elements == BoundaryElements::constant)
        throw Error(Fault::unsupported, what.place, "constant elements in space", "linear ones");
    for (const BoundaryCondition& c : what.conditions) {
        if (plane && (c.displacement[2] || (c.traction && c.traction->z != 0.0)))
            throw Error(Fault::bad_scene, c.place, "a z component", "x and y: the body is plane");
        const bool something = c.displacement[0] || c.displacement[1] || c.displacement[2] || c.traction || c.pressure;
        if (!something) {
            throw Error(Fault::bad_scene, c.place, "a condition that says nothing",
                        "a displacement, a traction or a pressure");
        }
        for (const auto& value : c.displacement) {
            if (value && !std::isfinite(*value))
                throw Error(Fault::bad_scene, c.place, text("displacement ", *value), "a finite number");
        }
        if ((c.traction && !is_finite(*c.traction)) || (c.pressure && !std::isfinite(*c.pressure)))
            throw Error(Fault::bad_scene, c.place, "a load that is not finite", "a finite number");
    }
}

/// b(x) = rho (g - a - alpha x r - omega x (omega x r)), r from the pivot.
std::vector<double> body_force_of(const BoundarySystem& system, const StaticCase& what, double density) {
    const int d = system.dimension();
    const Vec3 pivot = what.pivot.value_or(system.origin);
    const auto linear = [&](const Vec3& r) {
        return -density * (cross(what.angular_acceleration, r) + cross(what.spin, cross(what.spin, r)));
    };
    const Vec3 constant = density * (what.gravity - what.acceleration) + linear(system.origin - pivot);
    std::vector<double> out(system.body.columns, 0.0);
    for (int i = 0; i < d; ++i) {
        out[static_cast<std::size_t>(i)] = constant[i];
        for (int j = 0; j < d; ++j) {
            Vec3 unit;
            unit[j] = 1.0;
            out[static_cast<std::size_t>(d + i * d + j)] = linear(unit)[i];
        }
    }
    return out;
}

/// Displacements on facets first, then on lone vertices that no facet holds.
class ConditionWriter {
public:
    ConditionWriter(const BoundarySystem& system, const StaticCase& what, const std::vector<BoundarySet>& sets)
        : system_(system), what_(what), sets_(sets), conditions_(system), d_(system.dimension()) {}

    StaticConditions written(std::vector<double> body_force) {
        conditions_.body_force = std::move(body_force);
        for (std::size_t k = 0; k < sets_.size(); ++k) hold_facets(k);
        for (std::size_t k = 0; k < sets_.size(); ++k) hold_single_vertices(k);
        for (std::size_t k = 0; k < sets_.size(); ++k) load(k);
        return std::move(conditions_);
    }

private:
    void require_same(std::size_t k, std::int32_t node, int component, double value) const {
        const std::size_t index = static_cast<std::size_t>(d_ * node + component);
        if (conditions_.held[index] && conditions_.displacement[index] != value) {
            throw Error(Fault::bad_scene, what_.conditions[k].place,
                        text("displacement ", value, " m along ", "xyz"[component], " where another condition says ",
                             conditions_.displacement[index], " m"),
                        "one value where sets meet");
        }
    }

    void hold_facets(std::size_t k) {
        const std::size_t per_facet = system_.facet_slots.size() / system_.shape.facet_count();
        for (int c = 0; c < d_; ++c) {
            const auto& value = what_.conditions[k].displacement[static_cast<std::size_t>(c)];
            if (!value) continue;
            for (const std::int32_t f : sets_[k].facets) {
                for (std::size_t i = 0; i < per_facet; ++i) {
                    require_same(k,
                                 system_.slot_node[static_cast<std::size_t>(
                                     system_.facet_slots[per_facet * static_cast<std::size_t>(f) + i])],
                                 c, *value);
                }
            }
            conditions_.hold_facets(sets_[k].facets, c, [&](const Vec3&) { return *value; });
        }
    }

    void hold_single_vertices(std::size_t k) {
        const BoundaryCondition& condition = what_.conditions[k];
        if (sets_[k].lone.empty()) return;
        if (system_.elements == BoundaryElements::constant) {
            if (sets_[k].facets.empty()) {
                throw Error(Fault::bad_scene, condition.place,
                            text("the set \"", condition.set, "\" holds no whole edge"),
                            "at least one: constant elements have no vertices");
            }
            return;
        }
        if (sets_[k].facets.empty() && (condition.traction || condition.pressure)) {
            throw Error(Fault::bad_scene, condition.place,
                        text("a load on the set \"", condition.set, "\", which holds no whole facet of the boundary"),
                        "facets with all corners in the set");
        }
        for (int c = 0; c < d_; ++c) {
            const auto& value = condition.displacement[static_cast<std::size_t>(c)];
            if (!value) continue;
            for (const std::int32_t node : sets_[k].lone) {
                require_same(k, node, c, *value);
                if (!conditions_.held[static_cast<std::size_t>(d_ * node + c)])
                    conditions_.hold(static_cast<std::size_t>(node), c, *value, SlotTraction::shared);
            }
        }
    }

    void load(std::size_t k) {
        const BoundaryCondition& condition = what_.conditions[k];
        if (!condition.traction && !condition.pressure) return;
        std::vector<double> traction(conditions_.traction.size(), 0.0);
        if (condition.traction) add_traction(system_, sets_[k].facets, *condition.traction, traction);
        if (condition.pressure) add_pressure(system_, sets_[k].facets, *condition.pressure, traction);
        const double size = condition.traction ? norm(*condition.traction) : std::abs(*condition.pressure);
        for (std::size_t i = 0; i < traction.size(); ++i) {
            if (conditions_.slot[i] == SlotTraction::unknown && std::abs(traction[i]) > 1e-9 * size) {
                throw Error(Fault::bad_scene, condition.place,
                            text("a load of ", traction[i], " Pa along ", "xyz"[i % static_cast<std::size_t>(d_)],
                                 " where a displacement is given"),
                            "one or the other in each component");
            }
            conditions_.traction[i] += traction[i];
        }
    }

    const BoundarySystem& system_;
    const StaticCase& what_;
    const std::vector<BoundarySet>& sets_;
    StaticConditions conditions_;
    int d_;
};

StaticSolution solved_at(const BoundarySystem& system, const StaticConditions& conditions, const InputLocation& place,
                         Progress& progress) {
    try {
        return solve_static(system, conditions, progress);
    } catch (const Error& error) {
        if (error.fault() != Fault::bad_usage) throw;
        throw Error(Fault::bad_scene, place, error.found(), error.expected());
    }
}

/// Force and torque through a condition's facets, and at its lone vertices what its own components carry.
StaticReaction reaction_of(const BoundarySystem& system, const StaticConditions& conditions,
                           const StaticSolution& solution, const BoundarySet& set, const Vec3& about) {
    Resultant sum;
    if (!set.facets.empty()) sum = traction_resultant(system, solution.traction, about, set.facets);
    if (!set.lone.empty() && system.elements == BoundaryElements::linear) {
        std::vector<double> own(solution.traction);
        for (std::size_t i = 0; i < own.size(); ++i)
            if (conditions.slot[i] != SlotTraction::shared) own[i] = 0.0;
        std::vector<std::int32_t> slots;
        for (const std::int32_t node : set.lone) {
            slots.insert(slots.end(), system.node_slots[static_cast<std::size_t>(node)].begin(),
                         system.node_slots[static_cast<std::size_t>(node)].end());
        }
        const Resultant lone = slot_resultant(system, own, about, slots);
        sum.force += lone.force;
        sum.torque += lone.torque;
    }
    return {{}, sum.force, sum.torque};
}

void set_displacements(const Body& body, const BoundarySystem& system, const StaticSolution& solution, bool inner,
                       Progress& progress, StaticResult& out) {
    const auto d = static_cast<std::size_t>(system.dimension());
    std::vector<std::uint8_t> known(body.vertex_count(), 0);
    out.displacement.assign(body.vertex_count(), {});
    for (std::size_t p = 0; p < system.shape.points.size(); ++p) {
        const auto v = static_cast<std::size_t>(system.shape.vertex[p]);
        known[v] = 1;
        if (system.elements == BoundaryElements::linear) {
            for (std::size_t c = 0; c < d; ++c)
                out.displacement[v][static_cast<int>(c)] = solution.displacement[d * p + c];
        }
    }
    if (system.elements == BoundaryElements::constant)  // a vertex lies between two of them
    {
        for (std::size_t i = 0; i < system.shape.facets.size(); ++i) {
            for (std::size_t c = 0; c < d; ++c) {
                out.displacement[static_cast<std::size_t>(system.shape.vertex[static_cast<std::size_t>(
                    system.shape.facets[i])])][static_cast<int>(c)] += 0.5 * solution.displacement[d * (i / d) + c];
            }
        }
    }
    std::vector<std::size_t> inside;
    for (std::size_t v = 0; inner && v < known.size(); ++v)
        if (!known[v]) inside.push_back(v);
    constexpr std::size_t kBatch = 128;  // vertices between two looks at progress
    for (std::size_t from = 0; from < inside.size(); from += kBatch) {
        progress.update(static_cast<double>(from) / static_cast<double>(inside.size()), "looking inside");
        if (progress.stop_requested()) throw Error(Fault::interrupted, {}, "interrupted while looking inside");
        parallel_blocks(
            std::min(kBatch, inside.size() - from), 8, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
                for (std::size_t k = from + begin; k < from + end; ++k)
                    out.displacement[inside[k]] = displacement_at(system, solution, body.mesh().vertices[inside[k]]);
            });
    }
}

StaticProbe probe_at(const Body& body, const BoundarySystem& system, const StaticSolution& solution, const Vec3& at,
                     const InputLocation& place) {
    if (is_outside(system, at)) {
        throw Error(Fault::bad_scene, place,
                    text("the probe at (", at.x, ", ", at.y, ", ", at.z, ") is outside the body"),
                    "points in or on it");
    }
    StaticProbe out;
    out.at = at;
    try {
        out.displacement = displacement_at(system, solution, at);
        out.stress = stress_at(system, solution, at);
    } catch (const Error& error) {
        throw Error(error.fault(), place, error.found(), error.expected());
    }
    if (system.dimension() == 2 && body.plane() == Plane::stress) out.stress.zz = 0.0;
    return out;
}

double relative_misfit(const StaticSolution& solution) {
    double misfit = 0.0, largest = 0.0;
    for (const double m : solution.misfit) misfit = std::max(misfit, std::abs(m));
    for (const double u : solution.displacement) largest = std::max(largest, std::abs(u));
    return largest > 0.0 ? misfit / largest : 0.0;
}

}  // namespace

StaticResult solve_static_case(const Body& body, const StaticCase& what, Progress& progress) {
    check_case(body, what);
    const Material& material = only_material(body, what.place);
    const BoundaryShape shape = boundary_shape(body.mesh());
    if (const std::size_t parts = part_count(shape); parts != 1)
        throw Error(Fault::unsupported, what.place, text("a body of ", parts, " separate parts"), "one part");
    std::vector<BoundarySet> sets;
    for (const BoundaryCondition& condition : what.conditions)
        sets.push_back(boundary_set(body.mesh(), shape, condition));
    BoundarySettings settings;
    settings.elements = what.elements;
    settings.corner_degrees = what.corner_degrees;
    settings.accuracy = what.accuracy;
    settings.facet_group = facet_groups(shape.facet_count(), sets);
    PartOfProgress integrating(progress, 0.0, 0.5), solving(progress, 0.5, 0.85), looking(progress, 0.85, 1.0);
    const auto make = shape.dimension == 2 ? make_plane_system : make_space_system;
    const BoundarySystem system = make(shape, boundary_material(body, material), settings, integrating);
    const StaticConditions conditions = ConditionWriter(system, what, sets)
                                            .written(body_force_of(system, what, material.density));
    const StaticSolution solution = solved_at(system, conditions, what.place, solving);

    StaticResult out;
    const double depth = shape.dimension == 2 ? body.thickness() : 1.0;
    out.centroid = system.origin;
    out.torque_about = what.torque_about.value_or(system.origin);
    for (std::size_t k = 0; k < sets.size(); ++k) {
        const StaticReaction r = reaction_of(system, conditions, solution, sets[k], out.torque_about);
        out.reactions.push_back({what.conditions[k].set, depth * r.force, depth * r.torque});
    }
    const Resultant load = body_resultant(system, conditions.body_force, out.torque_about);
    out.body_force = depth * load.force;
    out.body_torque = depth * load.torque;
    out.measure = system.measure;
    out.nodes = system.nodes.size();
    out.slots = system.slot_node.size();
    out.facets = shape.facet_count();
    out.free_modes = solution.free_modes;
    out.misfit = relative_misfit(solution);
    out.condition = solution.condition;
    set_displacements(body, system, solution, what.inner_vertices, looking, out);
    for (std::size_t i = 0; i < what.probes.size(); ++i) {
        out.probes.push_back(
            probe_at(body, system, solution, what.probes[i], {what.place.path, 0, text("/output/probes/", i)}));
    }
    progress.update(1.0, "done");
    return out;
}

}  // namespace limber
