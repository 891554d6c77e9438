// The scene's hash: every value the result depends on, in one fixed order, through 64-bit FNV-1a.
#include "deform/obstacle_numbers.hpp"
#include "deform/option_specs.hpp"

#include <limber/bytes.hpp>
#include <limber/tools/scene.hpp>

namespace limber {

namespace {

void put(ByteWriter& out, const Vec3& v) {
    out.f64(v.x);
    out.f64(v.y);
    out.f64(v.z);
}

void put(ByteWriter& out, const Axes& a) {
    out.u8(static_cast<std::uint8_t>((a.x ? 1 : 0) | (a.y ? 2 : 0) | (a.z ? 4 : 0)));
}

void put(ByteWriter& out, const ScaleTrack& track) {
    out.u8(static_cast<std::uint8_t>(track.interpolation));
    out.u64(track.keys.size());
    for (const ScaleKey& key : track.keys) {
        out.f64(key.t);
        out.f64(key.scale);
    }
}

void put(ByteWriter& out, const Mesh& mesh) {
    out.u8(static_cast<std::uint8_t>(mesh.kind));
    out.u64(mesh.vertices.size());
    for (const Vec3& p : mesh.vertices) put(out, p);
    out.ints(mesh.cells);
    for (const auto* sets : {&mesh.vertex_sets, &mesh.cell_sets}) {
        out.u64(sets->size());
        for (const auto& [name, set] : *sets) {
            out.text(name);
            out.ints(set);
        }
    }
}

void put(ByteWriter& out, const MeshSource& source) {
    out.u8(static_cast<std::uint8_t>(source.unit));
    out.u8(static_cast<std::uint8_t>(source.up));
    out.u8(source.generated() ? 0 : 1);
    if (!source.generated()) {
        // What the file holds, or the solid that was made, counts; not what it is called.
        if (source.loaded) put(out, *source.loaded);
        return;
    }
    const MeshGenerator& g = source.generator;
    out.u8(static_cast<std::uint8_t>(g.shape));
    out.u8(static_cast<std::uint8_t>(g.kind));
    for (const int n : g.counts) out.i32(n);
    put(out, g.low);
    put(out, g.high);
    put(out, g.centre);
    for (const double r : {g.radius, g.tube_radius, g.length}) out.f64(r);
    if (g.end_radius > 0.0) out.f64(g.end_radius);
    if (g.shape <= MeshGenerator::Shape::torus) return;
    out.f64(g.inner_radius);
    put(out, g.radii);
}

void put(ByteWriter& out, const MaterialSpec& spec) {
    const Material& m = spec.material;
    out.text(spec.cells);
    for (const double v : {m.young, m.poisson, m.density, m.rayleigh_alpha, m.rayleigh_beta}) out.f64(v);
}

void put(ByteWriter& out, const VertexSetSpec& set) {
    out.text(set.name);
    out.u8(static_cast<std::uint8_t>(set.kind));
    put(out, set.low);
    put(out, set.high);
    put(out, set.point);
    out.f64(set.radius);
    out.ints(set.vertices);
    out.u64(set.of.size());
    for (const std::string& name : set.of) out.text(name);
}

void put(ByteWriter& out, const std::vector<PoseKey>& keys) {
    out.u64(keys.size());
    for (const PoseKey& key : keys) {
        out.f64(key.t);
        put(out, key.translation);
        put(out, key.rotation);
    }
}

void put(ByteWriter& out, const HandleSpec& handle) {
    out.text(handle.name);
    out.text(handle.set);
    put(out, handle.axes);
    out.u8(handle.pivot ? 1 : 0);
    if (handle.pivot) put(out, *handle.pivot);
    out.u8(static_cast<std::uint8_t>(handle.interpolation));
    put(out, handle.keys);
}

void put(ByteWriter& out, const ConditionSpec& condition) {
    out.text(condition.set);
    for (const auto& component : condition.displacement) {
        out.u8(component ? 1 : 0);
        out.f64(component.value_or(0.0));
    }
    put(out, condition.traction);
    out.f64(condition.pressure);
}

void put(ByteWriter& out, const ObstacleSpec& spec) {
    const Obstacle& o = spec.start;
    const ObstacleNumbers shape = numbers_of(o.shape);
    out.u8(shape.shape);
    out.u8(shape.inside ? 1 : 0);
    put(out, shape.size);
    put(out, o.position);
    for (const double q : {o.rotation.w, o.rotation.x, o.rotation.y, o.rotation.z}) out.f64(q);
    out.u8(spec.pivot ? 1 : 0);
    if (spec.pivot) put(out, *spec.pivot);
    out.u8(static_cast<std::uint8_t>(spec.interpolation));
    put(out, spec.keys);
}

void put(ByteWriter& out, const BodySpec& body) {
    put(out, body.mesh);
    out.u8(static_cast<std::uint8_t>(body.plane));
    out.f64(body.thickness);
    out.u64(body.materials.size());
    for (const MaterialSpec& m : body.materials) put(out, m);
    out.u64(body.sets.size());
    for (const VertexSetSpec& set : body.sets) put(out, set);
    out.u64(body.anchors.size());
    for (const AnchorSpec& a : body.anchors) {
        out.text(a.name);
        out.text(a.set);
        put(out, a.axes);
    }
    out.u64(body.handles.size());
    for (const HandleSpec& h : body.handles) put(out, h);
    out.u64(body.forces.size());
    for (const ForceSpec& f : body.forces) {
        out.text(f.set);
        put(out, f.force);
        out.u8(f.total ? 1 : 0);
        put(out, f.scale);
    }
    // What came later is hashed only where it is used: scenes without it keep the hash that their recordings carry.
    if (body.place != PlaceSpec{}) {
        out.text("place");
        put(out, body.place.position);
        put(out, body.place.rotation);
    }
    if (body.motion != MotionSpec{}) {
        out.text("motion");
        put(out, body.motion.velocity);
        put(out, body.motion.spin);
    }
    if (body.conditions.empty()) return;
    out.text("conditions");
    out.u64(body.conditions.size());
    for (const ConditionSpec& c : body.conditions) put(out, c);
}

void put(ByteWriter& out, const MethodSpec& method) {
    out.text(method.name);
    out.u64(method.options.size());
    for (const auto& [name, value] : method.options) {
        out.text(name);
        save_option(out, value);
    }
}

}  // namespace

std::uint64_t hash(const Scene& scene) {
    ByteWriter out;
    out.i32(scene.format);
    out.u64(scene.bodies.size());
    for (const BodySpec& body : scene.bodies) put(out, body);
    put(out, scene.gravity.vector);
    put(out, scene.gravity.scale);
    put(out, scene.method);
    out.f64(scene.step);
    out.f64(scene.duration);
    out.i32(scene.output.every);
    if (!scene.obstacles.empty()) {
        out.text("obstacles");
        out.u64(scene.obstacles.size());
        for (const ObstacleSpec& o : scene.obstacles) put(out, o);
    }
    if (scene.statics) {
        out.text("static");
        out.u8(static_cast<std::uint8_t>(scene.statics->method));
        out.u8(static_cast<std::uint8_t>(scene.statics->elements));
    }

    std::uint64_t h = 0xcbf29ce484222325ull;
    for (const std::uint8_t byte : out.bytes()) h = (h ^ byte) * 0x100000001b3ull;
    return h;
}

}  // namespace limber
