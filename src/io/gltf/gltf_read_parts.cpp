// Meshes: one part per node and primitive.
#include "io/gltf/gltf_kept.hpp"

#include "core/text.hpp"
#include "io/files/scanner.hpp"

namespace limber {
namespace {

/// A vertex attribute of as many elements as there are positions.
GltfDocument::Numbers attribute(GltfRead& in, const GltfField& field, const char* types, std::size_t vertices) {
    GltfDocument::Numbers out = in.document.numbers(field, types);
    if (out.count != vertices) {
        field.fail(text(out.count, " elements for ", counted(vertices, "vertex"), vertices == 1 ? "" : "es"),
                   "as many as there are positions", Fault::bad_mesh);
    }
    return out;
}

void read_paint(GltfRead& in, const GltfField& attributes, SkinPart& part) {
    for (const JsonMember& member : attributes.members()) {
        if (member.name.size() < 2 || member.name[0] != '_') continue;
        const GltfField field = attributes.member(member);
        in.document.spend_bytes(field, 200 + 2 * member.name.size());
        const GltfDocument::Numbers n = attribute(in, field, "SCALAR VEC2 VEC3 VEC4", part.positions.size());
        std::string name = member.name;
        for (char& c : name)
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
        if (n.width == 1)
            part.paint.push_back({name, n.values});
        else
            part.attributes.push_back({name, n.width, n.values});
    }
}

/// What only looks need: tangents, and texture coordinates beyond the first.
void read_attributes(GltfRead& in, const GltfField& attributes, SkinPart& part) {
    const auto take = [&](const std::string& name, const char* type) {
        const GltfField field = attributes[name.c_str()];
        if (!field.there()) return false;
        GltfDocument::Numbers n = attribute(in, field, type, part.positions.size());
        part.attributes.push_back({name, n.width, std::move(n.values)});
        return true;
    };
    take("TANGENT", "VEC4");
    for (int set = 1; take(text("TEXCOORD_", set), "VEC2");) ++set;
}

/// Of the primitive, and of its mesh.
KeptJson kept_of_primitive(GltfRead& in, const GltfField& mesh, const GltfField& primitive) {
    GltfKeeper keeper(in), outer(in);
    keeper.keep_extras(primitive, kept_primitive_extensions());
    outer.keep_extras(mesh, {});
    JsonValue of_mesh;
    if (const KeptJson words = outer.text(mesh); !words.empty() && parse_json_value(words, of_mesh))
        keeper.add("mesh", std::move(of_mesh));
    return keeper.text(primitive);
}

/// Vertex colours as paint, a channel each: artists without attributes of their own paint regions in red, green, blue
/// or alpha.
void read_colours(GltfRead& in, const GltfField& attributes, SkinPart& part) {
    constexpr const char* kChannels[] = {"r", "g", "b", "a"};
    for (int set = 0; set < 4; ++set) {
        const std::string name = text("COLOR_", set);
        const GltfField field = attributes[name.c_str()];
        if (!field.there()) return;
        const GltfDocument::Numbers n = attribute(in, field, "VEC3 VEC4", part.positions.size());
        if (n.whole) field.fail("colours that are whole numbers", "real or normalized ones", Fault::bad_mesh);
        in.document.spend(field, n.values.size());
        for (std::size_t c = 0; c < n.width; ++c) {
            Paint paint{text(name, ".", kChannels[c]), std::vector<double>(part.positions.size())};
            for (std::size_t v = 0; v < paint.values.size(); ++v) paint.values[v] = n.values[n.width * v + c];
            part.paint.push_back(std::move(paint));
        }
    }
}

void read_morphs(GltfRead& in, const GltfField& mesh, const GltfField& primitive, const GltfField& node,
                 SkinPart& part) {
    const GltfField targets = primitive["targets"], names = mesh["extras"].is_object()
                                                                ? mesh["extras"]["targetNames"]
                                                                : GltfField(in.document.path(), nullptr, {});
    const std::vector<double> weights = node["weights"].there() ? node["weights"].reals(targets.size())
                                                                : mesh["weights"].reals(targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t) {
        Morph morph;
        if (names.there() && t < names.size()) morph.name = names.at(t).name();
        if (t < weights.size()) morph.weight = weights[t];
        if (targets.at(t)["POSITION"].there()) {
            morph.positions = to_points(attribute(in, targets.at(t)["POSITION"], "VEC3", part.positions.size()));
        } else {
            in.document.spend(targets.at(t), 3 * part.positions.size());
            morph.positions.assign(part.positions.size(), {});
        }
        for (const JsonMember& member : targets.at(t).members()) {
            if (member.name != "POSITION" && member.name != "NORMAL") {
                in.note(text("targets that change ", in_quotes(member.name.substr(0, 40)),
                             ": that stays as it is at rest"));
            }
        }
        if (targets.at(t)["NORMAL"].there() && !part.normals.empty())
            morph.normals = to_points(attribute(in, targets.at(t)["NORMAL"], "VEC3", part.positions.size()));
        part.morphs.push_back(std::move(morph));
    }
}

/// False when the primitive is no surface.
bool read_primitive(GltfRead& in, const GltfField& mesh, const GltfField& primitive, const GltfField& node,
                    SkinPart& part) {
    const GltfField attributes = primitive["attributes"].needed();
    if (primitive["extensions"]["KHR_draco_mesh_compression"].there() && !attributes["POSITION"].there()) {
        primitive.fail("is compressed (KHR_draco_mesh_compression)",
                       "a file without compression: export it again with compression off", Fault::unsupported);
    }
    if (!attributes["POSITION"].there()) {
        in.note("a primitive without positions is left out");
        return false;
    }
    part.positions = to_points(in.document.numbers(attributes["POSITION"], "VEC3"));
    const std::size_t n = part.positions.size();
    part.triangles = gltf_triangles(in, primitive, n);
    if (part.triangles.empty()) return false;
    if (attributes["NORMAL"].there()) part.normals = to_points(attribute(in, attributes["NORMAL"], "VEC3", n));
    if (attributes["TEXCOORD_0"].there()) {
        const GltfDocument::Numbers uv = attribute(in, attributes["TEXCOORD_0"], "VEC2", n);
        for (std::size_t v = 0; v < n; ++v) part.uvs.push_back({uv.values[2 * v], uv.values[2 * v + 1]});
    }
    read_attributes(in, attributes, part);
    read_paint(in, attributes, part);
    read_colours(in, attributes, part);
    read_morphs(in, mesh, primitive, node, part);
    part.material = primitive["material"].index(in.rig.materials.size());
    part.kept = kept_of_primitive(in, mesh, primitive);
    return true;
}

void bind(GltfRead& in, const GltfField& node, const GltfField& primitive, SkinPart& part) {
    const std::int32_t skin = node["skin"].index(in.rig.bindings.size());
    if (skin < 0) {
        if (primitive["attributes"]["JOINTS_0"].there())
            in.note("a mesh has joints and weights but its node has no skin: it moves rigidly");
        return;
    }
    part.influences = gltf_influences(in, primitive, part.positions.size(),
                                      in.rig.bindings[static_cast<std::size_t>(skin)].joints.size());
    if (part.influences.empty()) {
        in.note("a mesh of a node with a skin has no joints and weights: it moves rigidly with its node");
    } else {
        part.binding = skin;
    }
}

}  // namespace

void read_gltf_parts(GltfRead& in) {
    const GltfField nodes = in.document.list("nodes"), meshes = in.document.list("meshes");
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const GltfField node = nodes.at(n);
        const std::int32_t m = node["mesh"].index(meshes.size());
        if (m < 0) continue;
        if (!in.shown[n]) {
            in.note("a mesh is in no scene that is shown and is left out");
            continue;
        }
        const GltfField mesh = meshes.at(static_cast<std::size_t>(m)), primitives = mesh["primitives"].needed();
        for (std::size_t p = 0; p < primitives.size(); ++p) {
            SkinPart part;
            part.name = mesh["name"].name(text("mesh_", m));
            in.document.spend_bytes(primitives.at(p),
                                    3200 + 2 * part.name.size());  // a part costs memory even when it is small
            if (primitives.size() > 1) part.name += text("/", p);
            part.joint = in.joint_of_node[n];
            if (!read_primitive(in, mesh, primitives.at(p), node, part)) continue;
            bind(in, node, primitives.at(p), part);
            in.rig.parts.push_back(std::move(part));
        }
    }
}

}  // namespace limber
