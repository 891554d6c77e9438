#include "reproduce/strain/strain_traction.hpp"

#include "core/text.hpp"

namespace limber {

void add_traction(BodySpec& body, const std::string& set, const Traction& traction, const ScaleTrack& scale) {
    const Mesh mesh = make_mesh(body);
    const auto found = mesh.vertex_sets.find(set);
    if (found == mesh.vertex_sets.end())
        throw Error(Fault::bad_scene, {}, text("no vertex set \"", set, "\" to put a traction on"));
    const double depth = mesh.dimension() == 2 ? body.thickness : 1.0;
    const std::vector<Vec3> forces = traction_forces(mesh, found->second, traction);
    for (std::size_t v = 0; v < forces.size(); ++v) {
        const Vec3 force = forces[v] * depth;
        if (force == Vec3{}) continue;
        const std::string name = text(set, " vertex ", v);
        body.sets.push_back({name, VertexSetSpec::Kind::vertices, {}, {}, {}, 0.0, {static_cast<std::int32_t>(v)}, {}});
        body.forces.push_back({name, force, false, scale});
    }
}

}  // namespace limber
