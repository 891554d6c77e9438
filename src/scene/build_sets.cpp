#include "scene/build.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

namespace {

using Kind = VertexSetSpec::Kind;

std::vector<std::string> set_names(const Mesh& mesh) {
    std::vector<std::string> names;
    for (const auto& [name, set] : mesh.vertex_sets) names.push_back(name);
    return names;
}

struct Extent {
    Vec3 low, high;
};

Extent extent_of(const Mesh& mesh) {
    if (mesh.vertices.empty()) return {};
    Extent e{mesh.vertices.front(), mesh.vertices.front()};
    for (const Vec3& p : mesh.vertices) {
        for (int i = 0; i < 3; ++i) {
            e.low[i] = std::min(e.low[i], p[i]);
            e.high[i] = std::max(e.high[i], p[i]);
        }
    }
    return e;
}

std::string words(const Extent& e) {
    return text("the mesh spans [", e.low.x, ", ", e.low.y, ", ", e.low.z, "] to [", e.high.x, ", ", e.high.y, ", ",
                e.high.z, "] m");
}

IndexSet in_ball(const Mesh& mesh, const Vec3& centre, double radius) {
    const Extent e = extent_of(mesh);
    const double reach = radius + 1e-9 * norm(e.high - e.low);  // as vertices_in_box grows its box
    IndexSet found;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        if (norm(mesh.vertices[i] - centre) <= reach) found.push_back(static_cast<std::int32_t>(i));
    return found;
}

/// The lowest number wins between equally near vertices, so that the choice does not depend on rounding of later ones.
IndexSet nearest_vertex(const Mesh& mesh, const Vec3& point) {
    double best = std::numeric_limits<double>::infinity();
    IndexSet found;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const double distance = norm(mesh.vertices[i] - point);
        if (distance < best) {
            best = distance;
            found.assign(1, static_cast<std::int32_t>(i));
        }
    }
    return found;
}

IndexSet sorted_unique(std::vector<std::int32_t> indices) {
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    return indices;
}

/// Only numbers the mesh has; the first other one is a fault.
IndexSet listed(const Mesh& mesh, const VertexSetSpec& spec, const std::string& field, const FaultSink& sink) {
    const auto count = static_cast<std::int64_t>(mesh.vertices.size());
    for (std::size_t i = 0; i < spec.vertices.size(); ++i) {
        if (spec.vertices[i] < 0 || spec.vertices[i] >= count) {
            sink.add(Fault::bad_scene, text(field, "/vertices/", i), text("vertex ", spec.vertices[i]),
                     text("0 to ", count - 1, ", the vertices of the mesh"));
            return {};
        }
    }
    return sorted_unique(spec.vertices);
}

IndexSet joined(const Mesh& mesh, const VertexSetSpec& spec, const std::string& field, const FaultSink& sink) {
    std::vector<std::int32_t> all;
    for (std::size_t i = 0; i < spec.of.size(); ++i) {
        const auto found = mesh.vertex_sets.find(spec.of[i]);
        if (found == mesh.vertex_sets.end()) {
            sink.add(Fault::bad_scene, text(field, "/union/", i), text("no set named \"", spec.of[i], "\""),
                     "a set of the mesh or one defined above", nearest_name(spec.of[i], set_names(mesh)));
        } else {
            all.insert(all.end(), found->second.begin(), found->second.end());
        }
    }
    return sorted_unique(std::move(all));
}

IndexSet select(const Mesh& mesh, const VertexSetSpec& spec, const std::string& field, const FaultSink& sink) {
    switch (spec.kind) {
        case Kind::box: return vertices_in_box(mesh, spec.low, spec.high);
        case Kind::ball: return in_ball(mesh, spec.point, spec.radius);
        case Kind::nearest: return nearest_vertex(mesh, spec.point);
        case Kind::vertices: return listed(mesh, spec, field, sink);
        case Kind::union_of: return joined(mesh, spec, field, sink);
    }
    return {};
}

}  // namespace

void add_sets(const std::vector<VertexSetSpec>& sets, const std::string& field, const FaultSink& sink, Mesh& mesh) {
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const std::string here = text(field, "/", i);
        if (mesh.vertex_sets.count(sets[i].name) != 0) {
            sink.add(Fault::bad_scene, here + "/name",
                     text("\"", sets[i].name, "\" is already a set of the mesh or of the scene"), "a name of its own");
            continue;
        }
        const std::size_t faults_before = sink.faults->size();
        IndexSet chosen = select(mesh, sets[i], here, sink);
        if (chosen.empty() && sink.faults->size() == faults_before) {
            sink.add(Fault::bad_scene, here, text("set \"", sets[i].name, "\" holds no vertex"),
                     text("at least one; ", words(extent_of(mesh))));
        }
        mesh.vertex_sets[sets[i].name] = std::move(chosen);
    }
}

}  // namespace limber
