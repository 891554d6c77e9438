#include "study/refine.hpp"

#include "core/text.hpp"
#include "geometry/refine.hpp"
#include "scene/build.hpp"

#include <algorithm>

namespace limber {
namespace {

using SetKind = VertexSetSpec::Kind;

Mesh bare_mesh(const BodySpec& spec, const std::string& file) {
    std::vector<SceneFault> faults;
    Mesh mesh;
    if (!build_mesh(spec.mesh, "/bodies/0/mesh", {file, &faults}, mesh)) throw SceneError(std::move(faults));
    return mesh;
}

/// A vertex that was nearest to a point stays the one meant: on the finer mesh another may be nearer, and the load
/// would move.
bool goes_by_number(const VertexSetSpec& set) { return set.kind == SetKind::nearest || set.kind == SetKind::vertices; }

/// Sets that go by vertex number become sets of the mesh, which grow with it.
void hand_sets_to_mesh(const Mesh& with_sets, BodySpec& spec, Mesh& mesh) {
    for (const VertexSetSpec& set : spec.sets)
        if (goes_by_number(set)) mesh.vertex_sets[set.name] = with_sets.vertex_sets.at(set.name);
    spec.sets.erase(std::remove_if(spec.sets.begin(), spec.sets.end(), goes_by_number), spec.sets.end());
}

void keep_totals(const Mesh& with_sets, BodySpec& spec) {
    for (ForceSpec& f : spec.forces) {
        if (f.total) continue;
        f.force *= static_cast<double>(with_sets.vertex_sets.at(f.set).size());
        f.total = true;
    }
}

Mesh finer_mesh(const Mesh& mesh, Finer how, const std::string& file) {
    if (how == Finer::split) return refine(mesh);
    if (mesh.kind != CellKind::tet4) {
        throw Error(Fault::unsupported, {file, 0, "/bodies/0/mesh"},
                    text("no higher order for ", to_string(mesh.kind), " cells"),
                    "tet4 cells, or the reference \"refined\"");
    }
    return raise_order(mesh);
}

}  // namespace

Scene refined_scene(const Scene& scene, Finer how) {
    const std::shared_ptr<const Body> body = make_body(scene);
    Scene out = scene;
    BodySpec& spec = out.bodies[0];
    Mesh mesh = bare_mesh(spec, scene.source);
    const Mesh with_sets = make_mesh(spec, {scene.source, 0, "/bodies/0"});
    hand_sets_to_mesh(with_sets, spec, mesh);
    keep_totals(with_sets, spec);
    for (std::size_t h = 0; h < spec.handles.size(); ++h) spec.handles[h].pivot = body->handles()[h].pivot;
    spec.mesh = MeshSource{};
    spec.mesh.path = "refined";
    spec.mesh.loaded = std::make_shared<const Mesh>(finer_mesh(mesh, how, scene.source));
    return out;
}

}  // namespace limber
