#include "bem/static_sets.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <map>

namespace limber {

namespace {

std::size_t slots_per_facet(const BoundarySystem& system) {
    return system.facet_slots.size() / system.shape.facet_count();
}

IndexSet set_named(const Mesh& mesh, const BoundaryShape& shape, const BoundaryCondition& condition) {
    if (condition.set.empty()) return shape.vertex;
    const auto found = mesh.vertex_sets.find(condition.set);
    if (found != mesh.vertex_sets.end()) return found->second;
    std::vector<std::string> names;
    std::string list;
    for (const auto& [name, unused] : mesh.vertex_sets) {
        names.push_back(name);
        list += (list.empty() ? "" : ", ") + name;
    }
    throw Error(Fault::bad_scene, condition.place,
                text("no vertex set named \"", condition.set, "\"", suggestion(condition.set, names)),
                list.empty() ? "a mesh with vertex sets" : "one of " + list);
}

using SlotVectors = std::vector<Vec3>;

/// Rows of the boundary's mass matrix, facet by facet, times x.
SlotVectors mass_times(const BoundarySystem& system, std::span<const std::int32_t> facets, const SlotVectors& x) {
    const auto d = static_cast<std::size_t>(system.dimension());
    SlotVectors out(x.size());
    for (const std::int32_t f : facets) {
        const std::int32_t* slot = system.facet_slots.data() + d * static_cast<std::size_t>(f);
        const double share = norm(outward_of(system.shape, static_cast<std::size_t>(f))) /
                             static_cast<double>(d * (d + 1));
        Vec3 sum;
        for (std::size_t k = 0; k < d; ++k) sum += x[static_cast<std::size_t>(slot[k])];
        for (std::size_t k = 0; k < d; ++k)
            out[static_cast<std::size_t>(slot[k])] += share * (sum + x[static_cast<std::size_t>(slot[k])]);
    }
    return out;
}

double inner_product(const SlotVectors& a, const SlotVectors& b) {
    double out = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) out += dot(a[i], b[i]);
    return out;
}

/// Conjugate gradients, scaled by the diagonal: the mass matrix then has a condition below 10, so 100 steps are plenty.
SlotVectors mass_solved(const BoundarySystem& system, std::span<const std::int32_t> facets, SlotVectors residual,
                        const std::vector<double>& diagonal) {
    SlotVectors x(residual.size()), z(residual.size());
    const auto scale = [&] {
        for (std::size_t i = 0; i < z.size(); ++i) z[i] = diagonal[i] > 0.0 ? residual[i] / diagonal[i] : Vec3{};
    };
    scale();
    SlotVectors direction = z;
    double energy = inner_product(residual, z);
    const double enough = 1e-32 * energy;
    for (int step = 0; step < 100 && energy > enough; ++step) {
        const SlotVectors image = mass_times(system, facets, direction);
        const double along = energy / inner_product(direction, image);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += along * direction[i];
            residual[i] -= along * image[i];
        }
        scale();
        const double next = inner_product(residual, z);
        for (std::size_t i = 0; i < x.size(); ++i) direction[i] = z[i] + (next / energy) * direction[i];
        energy = next;
    }
    return x;
}

}  // namespace

BoundarySet boundary_set(const Mesh& mesh, const BoundaryShape& shape, const BoundaryCondition& condition) {
    const IndexSet vertices = set_named(mesh, shape, condition);
    const auto d = static_cast<std::size_t>(shape.dimension);
    std::vector<std::uint8_t> in(shape.points.size(), 0);
    for (std::size_t p = 0; p < in.size(); ++p)
        in[p] = std::binary_search(vertices.begin(), vertices.end(), shape.vertex[p]) ? 1 : 0;
    BoundarySet out;
    std::vector<std::uint8_t> covered(in.size(), 0);
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        const std::int32_t* corner = shape.facets.data() + d * f;
        if (!std::all_of(corner, corner + d, [&](std::int32_t p) { return in[static_cast<std::size_t>(p)] != 0; }))
            continue;
        out.facets.push_back(static_cast<std::int32_t>(f));
        for (std::size_t k = 0; k < d; ++k) covered[static_cast<std::size_t>(corner[k])] = 1;
    }
    for (std::size_t p = 0; p < in.size(); ++p)
        if (in[p] && !covered[p]) out.lone.push_back(static_cast<std::int32_t>(p));
    if (out.facets.empty() && out.lone.empty()) {
        throw Error(Fault::bad_scene, condition.place,
                    text("no vertex of the set \"", condition.set, "\" is on the boundary"),
                    "boundary conditions act on the boundary");
    }
    return out;
}

std::vector<std::int32_t> facet_groups(std::size_t facets, const std::vector<BoundarySet>& sets) {
    std::vector<std::vector<std::size_t>> of_facet(facets);
    for (std::size_t s = 0; s < sets.size(); ++s)
        for (const std::int32_t f : sets[s].facets) of_facet[static_cast<std::size_t>(f)].push_back(s);
    std::map<std::vector<std::size_t>, std::int32_t> number;
    std::vector<std::int32_t> out;
    out.reserve(facets);
    for (const auto& conditions : of_facet)
        out.push_back(number.emplace(conditions, static_cast<std::int32_t>(number.size())).first->second);
    return out;
}

void add_pressure(const BoundarySystem& system, std::span<const std::int32_t> facets, double pressure,
                  std::vector<double>& traction) {
    const auto d = static_cast<std::size_t>(system.dimension()), per_facet = slots_per_facet(system);
    SlotVectors load(system.slot_node.size());
    std::vector<double> diagonal(load.size(), 0.0);
    for (const std::int32_t f : facets) {
        const Vec3 push = -pressure * outward_of(system.shape, static_cast<std::size_t>(f));
        for (std::size_t k = 0; k < per_facet; ++k) {
            const auto slot = static_cast<std::size_t>(system.facet_slots[per_facet * static_cast<std::size_t>(f) + k]);
            load[slot] += push / static_cast<double>(per_facet);
            diagonal[slot] += norm(outward_of(system.shape, static_cast<std::size_t>(f))) *
                              (per_facet == 1 ? 1.0 : 2.0 / static_cast<double>(d * (d + 1)));
        }
    }
    if (per_facet == 1)
        for (std::size_t s = 0; s < load.size(); ++s) load[s] = diagonal[s] > 0.0 ? load[s] / diagonal[s] : Vec3{};
    else
        load = mass_solved(system, facets, std::move(load), diagonal);
    for (std::size_t s = 0; s < load.size(); ++s)
        for (std::size_t c = 0; c < d; ++c) traction[d * s + c] += load[s][static_cast<int>(c)];
}

void add_traction(const BoundarySystem& system, std::span<const std::int32_t> facets, const Vec3& value,
                  std::vector<double>& traction) {
    const auto d = static_cast<std::size_t>(system.dimension()), per_facet = slots_per_facet(system);
    std::vector<std::uint8_t> done(system.slot_node.size(), 0);
    for (const std::int32_t f : facets) {
        for (std::size_t k = 0; k < per_facet; ++k) {
            const auto slot = static_cast<std::size_t>(system.facet_slots[per_facet * static_cast<std::size_t>(f) + k]);
            if (done[slot]) continue;
            done[slot] = 1;
            for (std::size_t c = 0; c < d; ++c) traction[d * slot + c] += value[static_cast<int>(c)];
        }
    }
}

}  // namespace limber
