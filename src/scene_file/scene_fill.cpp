#include "scene_file/scene_fill.hpp"

#include "core/text.hpp"
#include "scene_file/scene_object.hpp"
#include "scene_file/scene_table.hpp"
#include "scene_file/scene_validate.hpp"

#include <limber/method.hpp>

#include <cmath>

namespace limber {

namespace {

using Kind = JsonValue::Kind;
using Object = SceneObject;

constexpr double kMaxSteps = 1e8;

void read_frame(const Object& in, LengthUnit& unit, UpAxis& up) {
    in.choice("unit", {"m", "cm", "mm", "in", "ft"}, unit);
    in.choice("up", {"y", "z"}, up);
}

ShownSpec read_shown(const Object& in) {
    ShownSpec out;
    in.word("path", out.path);
    read_frame(in, out.unit, out.up);
    in.real("limit", out.limit);
    return out;
}

MeshSource read_mesh_source(const Object& in) {
    MeshSource out;
    MeshGenerator& g = out.generator;
    in.word("path", out.path);
    for (const JsonValue& item : in.list("surfaces")) {
        SurfaceFile& file = out.surfaces.emplace_back();
        Object(item).word("name", file.name);
        Object(item).word("path", file.path);
    }
    in.word("asset", out.asset);
    in.word("flesh", out.flesh);
    in.integer("cells", out.cells);
    in.real("cell_size", out.cell_size);
    in.integer("cage", out.cage);
    read_frame(in, out.unit, out.up);
    in.choice("shape", {"grid", "box", "ball", "cylinder", "torus", "disc", "ellipse", "ring", "ellipsoid", "shell"},
              g.shape);
    in.choice("kind", {"tri3", "quad4", "tet4", "tet10", "hex8"}, g.kind);
    const std::vector<JsonValue>& counts = in.list("counts");
    for (std::size_t i = 0; i < counts.size() && i < 3; ++i) {
        if (counts[i].is(Kind::number) && std::abs(counts[i].number) < 1e9)
            g.counts[i] = static_cast<int>(counts[i].number);
    }
    in.point("low", g.low);
    in.point("high", g.high);
    in.point("centre", g.centre);
    in.real("radius", g.radius);
    in.real("inner_radius", g.inner_radius);
    in.point("radii", g.radii);
    in.real("tube_radius", g.tube_radius);
    in.real("length", g.length);
    in.real("end_radius", g.end_radius);
    return out;
}

MaterialSpec read_material(const Object& in) {
    MaterialSpec out;
    std::string preset;
    in.word("cells", out.cells);
    in.word("preset", preset);
    if (const MaterialPreset* found = find_material_preset(preset)) out.material = found->material;
    Material& m = out.material;
    in.real("young", m.young);
    in.real("poisson", m.poisson);
    in.real("density", m.density);
    in.real("rayleigh_alpha", m.rayleigh_alpha);
    in.real("rayleigh_beta", m.rayleigh_beta);
    return out;
}

VertexSetSpec read_set(const Object& in) {
    VertexSetSpec out;
    in.word("name", out.name);
    if (in.has("box") && in.list("box").size() == 2) {
        Object::point_of(in.list("box")[0], out.low);
        Object::point_of(in.list("box")[1], out.high);
    } else if (const JsonValue* ball = in.get("ball")) {
        out.kind = VertexSetSpec::Kind::ball;
        Object(*ball).point("centre", out.point);
        Object(*ball).real("radius", out.radius);
    } else if (in.has("nearest")) {
        out.kind = VertexSetSpec::Kind::nearest;
        in.point("nearest", out.point);
    } else if (in.has("vertices")) {
        out.kind = VertexSetSpec::Kind::vertices;
        for (const JsonValue& v : in.list("vertices")) {
            out.vertices.push_back(
                v.is(Kind::number) && std::abs(v.number) <= 2147483647.0 ? static_cast<std::int32_t>(v.number) : -1);
        }
    } else if (in.has("union")) {
        out.kind = VertexSetSpec::Kind::union_of;
        for (const JsonValue& v : in.list("union")) out.of.push_back(v.text);
    }
    return out;
}

AnchorSpec read_anchor(const Object& in) {
    AnchorSpec out;
    in.word("set", out.set);
    out.name = out.set;
    in.word("name", out.name);
    in.axes("axes", out.axes);
    return out;
}

HandleSpec read_handle(const Object& in, const std::string& path, const FaultSink& sink) {
    HandleSpec out;
    in.word("set", out.set);
    out.name = out.set;
    in.word("name", out.name);
    in.axes("axes", out.axes);
    if (in.has("pivot")) in.point("pivot", out.pivot.emplace());
    out.keys = read_pose_keys(in, path, sink);
    read_interpolation(in, out.interpolation);
    return out;
}

ScaleTrack read_scale(const Object& in, const std::string& path, const FaultSink& sink) {
    ScaleTrack out;
    for (const JsonValue& item : in.list("keyframes")) {
        ScaleKey key;
        Object(item).real("t", key.t);
        Object(item).real("scale", key.scale);
        out.keys.push_back(key);
    }
    read_interpolation(in, out.interpolation);
    check_ascending(out.keys, path, sink);
    return out;
}

ForceSpec read_force(const Object& in, const std::string& path, const FaultSink& sink) {
    ForceSpec out;
    in.word("set", out.set);
    out.total = in.has("total");
    in.point(out.total ? "total" : "force", out.force);
    out.scale = read_scale(in, path, sink);
    return out;
}

BodySpec read_body(const Object& in, const std::string& path, const FaultSink& sink) {
    BodySpec out;
    in.word("name", out.name);
    if (const JsonValue* mesh = in.get("mesh")) out.mesh = read_mesh_source(Object(*mesh));
    if (const JsonValue* place = in.get("place")) out.place = read_place(Object(*place));
    if (const JsonValue* motion = in.get("motion")) out.motion = read_motion(Object(*motion));
    if (const JsonValue* surface = in.get("surface")) out.shown = read_shown(Object(*surface));
    in.choice("plane", {"strain", "stress"}, out.plane);
    in.real("thickness", out.thickness);
    for (const JsonValue& item : in.list("materials")) out.materials.push_back(read_material(Object(item)));
    for (const JsonValue& item : in.list("sets")) out.sets.push_back(read_set(Object(item)));
    for (const JsonValue& item : in.list("anchors")) out.anchors.push_back(read_anchor(Object(item)));
    for (const JsonValue& item : in.list("handles"))
        out.handles.push_back(read_handle(Object(item), text(path, "/handles/", out.handles.size()), sink));
    for (const JsonValue& item : in.list("forces"))
        out.forces.push_back(read_force(Object(item), text(path, "/forces/", out.forces.size()), sink));
    for (const JsonValue& item : in.list("conditions"))
        out.conditions.push_back(read_condition(Object(item), text(path, "/conditions/", out.conditions.size()), sink));
    return out;
}

GravitySpec read_gravity(const JsonValue& value, const FaultSink& sink) {
    GravitySpec out;
    if (!value.is(Kind::object)) {
        Object::point_of(value, out.vector);
        return out;
    }
    const Object in(value);
    in.point("vector", out.vector);
    out.scale = read_scale(in, "/gravity", sink);
    if (!in.has("start")) return out;
    if (!out.scale.keys.empty())
        sink.add(Fault::bad_scene, "/gravity/start", "both start and keyframes", "one of them");
    double start = 0.0;
    in.real("start", start);
    // A keyframe at the very start holds from the start on.
    if (start > 0.0) out.scale = {{{0.0, 0.0}, {start, 1.0}}, Interpolation::step};
    return out;
}

MethodSpec read_method(const Object& in) {
    MethodSpec out;
    in.word("name", out.name);
    const JsonValue* options = in.get("options");
    const Method* method = find_method(out.name);
    if (!options || !method) return out;
    const OptionTable table = method->options();
    for (const JsonMember& member : options->members) {
        bool real = false;
        for (const OptionSpec& spec : table) real = real || (spec.name == member.name && spec.type == OptionType::real);
        OptionValue value;
        if (to_option_value(member.value, real, value)) out.options[member.name] = value;
    }
    return out;
}

OutputSpec read_output(const Object& in) {
    OutputSpec out;
    in.integer("every", out.every);
    in.flag("vtu", out.vtu);
    in.flag("csv", out.csv);
    in.flag("stress", out.stress);
    for (const JsonValue& item : in.list("probes")) {
        ProbeSpec probe;
        const Object p(item);
        p.word("name", probe.name);
        p.integer("vertex", probe.vertex);
        p.point("point", probe.point);
        out.probes.push_back(probe);
    }
    return out;
}

void read_times(const Object& in, Scene& out, const FaultSink& sink) {
    if (const JsonValue* step = in.get("step")) {
        if (step->is(Kind::number)) out.step = step->number;
        double seconds = 0.0;
        if (step->is(Kind::text) && parse_fraction(step->text, seconds)) out.step = seconds;
    }
    in.real("duration", out.duration);
    const bool step_told = out.step < scene_table().find("step")->low;  // or not given
    if (!step_told && out.duration / out.step > kMaxSteps) {
        sink.add(Fault::bad_scene, "/duration", text(out.duration / out.step, " steps of ", out.step, " s"),
                 text("at most ", kMaxSteps));
    }
}

}  // namespace

Scene fill_scene(const JsonValue& root, const FaultSink& sink) {
    Scene out;
    const Object in(root);
    out.source = sink.file;
    in.integer("format", out.format);
    in.word("name", out.name);
    in.word("about", out.about);
    for (const JsonValue& item : in.list("bodies"))
        out.bodies.push_back(read_body(Object(item), text("/bodies/", out.bodies.size()), sink));
    for (const JsonValue& item : in.list("obstacles"))
        out.obstacles.push_back(read_obstacle(Object(item), text("/obstacles/", out.obstacles.size()), sink));
    if (const JsonValue* statics = in.get("static")) out.statics = read_static(Object(*statics));
    if (const JsonValue* gravity = in.get("gravity")) out.gravity = read_gravity(*gravity, sink);
    if (const JsonValue* method = in.get("method")) out.method = read_method(Object(*method));
    if (const JsonValue* output = in.get("output")) out.output = read_output(Object(*output));
    read_times(in, out, sink);
    return out;
}

}  // namespace limber
