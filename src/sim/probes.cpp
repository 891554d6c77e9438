#include "sim/probes.hpp"

#include "core/text.hpp"
#include "geometry/embedding.hpp"

#include <algorithm>

namespace limber {

namespace {

/// A point this near to the body, relative to its size, is on it: coordinates are typed in decimals.
constexpr double kOnBody = 1e-4;  // of the body's size: a lattice meets a surface no better where that is curved

/// A point at a vertex follows that vertex exactly, without the rounding of weights.
std::int32_t vertex_at(const Mesh& mesh, const Vec3& point, double reach) {
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (norm(mesh.vertices[v] - point) <= reach) return static_cast<std::int32_t>(v);
    return -1;
}

Probe at_vertex(const ProbeSpec& spec, const Mesh& mesh, std::int32_t vertex) {
    return {spec.name, mesh.vertices[static_cast<std::size_t>(vertex)], {vertex}, {1.0}};
}

Probe at_number(const ProbeSpec& spec, const Mesh& mesh, const InputLocation& place) {
    if (static_cast<std::size_t>(spec.vertex) >= mesh.vertices.size()) {
        throw Error(Fault::bad_scene, {place.path, 0, place.field + "/vertex"}, text("vertex ", spec.vertex),
                    text("0 to ", mesh.vertices.size() - 1));
    }
    return at_vertex(spec, mesh, spec.vertex);
}

Probe at_point(const ProbeSpec& spec, const Mesh& mesh, const PointLocator& locator, double size,
               const InputLocation& place) {
    const std::int32_t vertex = vertex_at(mesh, spec.point, 1e-9 * size);
    if (vertex >= 0) return at_vertex(spec, mesh, vertex);
    const Location found = locator.locate(spec.point);
    if (found.cell < 0 || (!found.inside && !(found.distance <= kOnBody * size))) {
        throw Error(Fault::bad_scene, {place.path, 0, place.field + "/point"},
                    text("[", spec.point.x, ", ", spec.point.y, ", ", spec.point.z, "] is ", found.distance,
                         " m outside the body"),
                    "a point of the body at rest");
    }
    Probe probe{spec.name, spec.point, {}, {}};
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
    const std::int32_t* cell = mesh.cell(static_cast<std::size_t>(found.cell));
    probe.vertices.assign(cell, cell + corners);
    probe.weights.assign(found.weights.begin(), found.weights.begin() + static_cast<std::ptrdiff_t>(corners));
    return probe;
}

}  // namespace

Vec3 Probe::value(std::span<const Vec3> per_vertex) const {
    Vec3 sum;
    for (std::size_t i = 0; i < vertices.size(); ++i)
        sum += weights[i] * per_vertex[static_cast<std::size_t>(vertices[i])];
    return sum;
}

std::vector<Probe> find_probes(const Scene& scene, const Body& body, std::size_t body_index,
                               std::vector<Error>& errors) {
    std::vector<Probe> probes;
    if (scene.output.probes.empty()) return probes;
    const Mesh& mesh = body.mesh();
    const PointLocator locator(mesh);
    const double size = diagonal_of(mesh);
    for (std::size_t i = 0; i < scene.output.probes.size(); ++i) {
        const ProbeSpec& spec = scene.output.probes[i];
        if (spec.body != body_index) continue;
        const InputLocation place{scene.source, 0, text("/output/probes/", i)};
        try {
            probes.push_back(spec.vertex >= 0 ? at_number(spec, mesh, place)
                                              : at_point(spec, mesh, locator, size, place));
        } catch (const Error& error) {
            errors.push_back(error);
        }
    }
    return probes;
}

std::vector<Probe> make_probes(const Scene& scene, const Body& body, std::size_t body_index) {
    std::vector<Error> errors;
    std::vector<Probe> probes = find_probes(scene, body, body_index, errors);
    if (!errors.empty()) throw errors.front();
    return probes;
}

}  // namespace limber
