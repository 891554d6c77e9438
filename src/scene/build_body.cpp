#include "scene/build.hpp"

#include "core/text.hpp"

namespace limber {

namespace {

template <class Map>
std::vector<std::string> names_of(const Map& sets) {
    std::vector<std::string> names;
    names.reserve(sets.size());
    for (const auto& [name, set] : sets) names.push_back(name);
    return names;
}

/// nullptr, after a fault, when the mesh has no such set.
const IndexSet* vertex_set(const Mesh& mesh, const std::string& name, const std::string& field, const FaultSink& sink) {
    const auto found = mesh.vertex_sets.find(name);
    if (found != mesh.vertex_sets.end()) return &found->second;
    const std::vector<std::string> names = names_of(mesh.vertex_sets);
    sink.add(
        Fault::bad_scene, field, text("no vertex set named \"", name, "\""),
        names.empty() ? "a set defined under \"sets\"" : text("one of ", fmt::format("{}", fmt::join(names, ", "))),
        nearest_name(name, names));
    return nullptr;
}

Vec3 centroid(const Mesh& mesh, const IndexSet& set) {
    Vec3 sum;
    for (const std::int32_t v : set) sum += mesh.vertices[static_cast<std::size_t>(v)];
    return set.empty() ? sum : sum / static_cast<double>(set.size());
}

void add_materials(const BodySpec& spec, const std::string& field, const FaultSink& sink, BodyDescription& out) {
    for (std::size_t i = 0; i < spec.materials.size(); ++i) {
        const MaterialSpec& m = spec.materials[i];
        const std::string here = text(field, "/materials/", i);
        if (m.cells != "*" && out.mesh.cell_sets.count(m.cells) == 0) {
            const std::vector<std::string> names = names_of(out.mesh.cell_sets);
            sink.add(Fault::bad_scene, here + "/cells", text("no cell set named \"", m.cells, "\""),
                     names.empty() ? "\"*\" (this mesh names no cells)"
                                   : text("\"*\" or one of ", fmt::format("{}", fmt::join(names, ", "))),
                     nearest_name(m.cells, names));
            continue;
        }
        try {
            check(m.material, {sink.file, 0, here});
        } catch (const Error& error) {
            sink.add(error, here);
        }
        out.materials.push_back({m.cells == "*" ? "" : m.cells, m.material});
    }
}

void add_supports(const BodySpec& spec, const std::string& field, const FaultSink& sink, BodyDescription& out) {
    for (std::size_t i = 0; i < spec.anchors.size(); ++i) {
        const AnchorSpec& a = spec.anchors[i];
        if (const IndexSet* set = vertex_set(out.mesh, a.set, text(field, "/anchors/", i, "/set"), sink))
            out.anchors.push_back({a.name, *set, a.axes});
    }
    for (std::size_t i = 0; i < spec.handles.size(); ++i) {
        const HandleSpec& h = spec.handles[i];
        if (const IndexSet* set = vertex_set(out.mesh, h.set, text(field, "/handles/", i, "/set"), sink))
            out.handles.push_back({h.name, *set, h.axes, h.pivot.value_or(centroid(out.mesh, *set))});
    }
    for (std::size_t i = 0; i < spec.forces.size(); ++i)
        vertex_set(out.mesh, spec.forces[i].set, text(field, "/forces/", i, "/set"), sink);
    for (std::size_t i = 0; i < spec.conditions.size(); ++i)
        vertex_set(out.mesh, spec.conditions[i].set, text(field, "/conditions/", i, "/set"), sink);
}

/// The mesh where the body rests, without the scene's sets. False after a fault.
bool build_placed_mesh(const BodySpec& spec, const std::string& field, const FaultSink& sink, Mesh& out) {
    if (!build_mesh(spec.mesh, field + "/mesh", sink, out)) return false;
    const PlaceSpec& place = spec.place;
    if (place == PlaceSpec{}) return true;
    if (out.dimension() == 2 && (place.position.z != 0.0 || place.rotation.x != 0.0 || place.rotation.y != 0.0)) {
        sink.add(Fault::bad_scene, field + "/place", "a place out of the plane z = 0, where a planar body stays",
                 "a position [x, y] and a rotation about z");
        return false;
    }
    for (Vec3& p : out.vertices) p = placed(place, p);
    return true;
}

std::string field_of(std::size_t body) { return text("/bodies/", body); }

}  // namespace

BodyDescription describe_body(const BodySpec& spec, const std::string& field, const FaultSink& sink) {
    BodyDescription out;
    out.name = spec.name;
    out.plane = spec.plane;
    out.thickness = spec.thickness;
    if (!build_placed_mesh(spec, field, sink, out.mesh)) return out;
    add_sets(spec.sets, field + "/sets", sink, out.mesh);
    add_materials(spec, field, sink, out);
    add_supports(spec, field, sink, out);
    return out;
}

Mesh make_mesh(const BodySpec& spec, const InputLocation& place) {
    std::vector<SceneFault> faults;
    const FaultSink sink{place.path, &faults};
    Mesh mesh;
    if (build_placed_mesh(spec, place.field, sink, mesh)) add_sets(spec.sets, place.field + "/sets", sink, mesh);
    if (!faults.empty()) throw SceneError(std::move(faults));
    return mesh;
}

std::shared_ptr<const Body> make_body(const Scene& scene, std::size_t body) {
    if (body >= scene.bodies.size()) {
        throw Error(Fault::bad_scene, {scene.source, 0, "/bodies"}, text("no body ", body),
                    text("below ", scene.bodies.size()));
    }
    std::vector<SceneFault> faults;
    BodyDescription description = describe_body(scene.bodies[body], field_of(body), {scene.source, &faults});
    if (!faults.empty()) throw SceneError(std::move(faults));
    return Body::make(std::move(description), {scene.source, 0, field_of(body)});
}

}  // namespace limber
