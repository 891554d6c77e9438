// glTF to Rig: the order of steps, the hierarchy and the skins.
#include "io/gltf/gltf_kept.hpp"

#include "core/rotation.hpp"
#include "core/text.hpp"

#include <limber/tools/rig_io.hpp>

#include <cmath>

namespace limber {
namespace {

/// Scale, rotation and translation of a 4x4 matrix given by columns. glTF promises that there is no shear.
Transform decomposed(const GltfField& field, const std::vector<double>& m, bool& sheared) {
    if (m[3] != 0.0 || m[7] != 0.0 || m[11] != 0.0 || m[15] != 1.0)
        field.fail("a matrix whose last row is not 0 0 0 1", {}, Fault::bad_mesh);
    std::array<Vec3, 3> axis;
    Transform out;
    out.translation = {m[12], m[13], m[14]};
    for (std::size_t c = 0; c < 3; ++c) {
        axis[c] = {m[4 * c], m[4 * c + 1], m[4 * c + 2]};
        out.scale[static_cast<int>(c)] = norm(axis[c]);
    }
    // Mirrored: one scale is negative; which one does not matter.
    if (dot(cross(axis[0], axis[1]), axis[2]) < 0.0) {
        out.scale.x = -out.scale.x;
        axis[0] = -axis[0];
    }
    if (!(norm(axis[0]) > 0.0 && norm(axis[1]) > 0.0 && norm(axis[2]) > 0.0)) return out;
    for (Vec3& a : axis) a = a / norm(a);
    sheared = std::abs(dot(axis[0], axis[1])) > 1e-4 || std::abs(dot(axis[1], axis[2])) > 1e-4 ||
              std::abs(dot(axis[2], axis[0])) > 1e-4;
    const Vec3 y = axis[1] - axis[0] * dot(axis[0], axis[1]);
    if (!(norm(y) > 1e-6)) return out;
    const Vec3 across = y / norm(y), up = cross(axis[0], across);
    Mat3 r;
    for (int i = 0; i < 3; ++i) {
        r(i, 0) = axis[0][i];
        r(i, 1) = across[i];
        r(i, 2) = up[i];
    }
    out.rotation = quat_of(r);
    return out;
}

Transform transform_of(GltfRead& in, const GltfField& node) {
    const std::vector<double> matrix = node["matrix"].reals(16);
    if (!matrix.empty()) {
        bool sheared = false;
        const Transform out = decomposed(node["matrix"], matrix, sheared);
        if (sheared) in.note("a node's matrix is sheared, which glTF forbids: the nearest scale and rotation are used");
        return out;
    }
    Transform out;
    if (const auto t = node["translation"].reals(3); !t.empty()) out.translation = {t[0], t[1], t[2]};
    if (const auto q = node["rotation"].reals(4); !q.empty()) out.rotation = {q[3], q[0], q[1], q[2]};
    if (const auto s = node["scale"].reals(3); !s.empty()) out.scale = {s[0], s[1], s[2]};
    return out;
}

std::vector<std::int32_t> parents_of(const GltfField& nodes) {
    std::vector<std::int32_t> parent(nodes.size(), -1);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const GltfField children = nodes.at(n)["children"];
        for (std::size_t c = 0; c < children.size(); ++c) {
            const auto child = static_cast<std::size_t>(children.at(c).index(nodes.size()));
            if (parent[child] >= 0 || child == n)
                children.at(c).fail(text("node ", child, " has two parents or is its own"), "a tree", Fault::bad_mesh);
            parent[child] = static_cast<std::int32_t>(n);
        }
    }
    return parent;
}

/// Nodes with every parent before its children: the file's own order where that is so, else depth first from the roots.
std::vector<std::size_t> order_of(const GltfField& nodes, const std::vector<std::int32_t>& parent) {
    std::vector<std::size_t> order(nodes.size());
    bool ascending = true;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        order[n] = n;
        ascending = ascending && parent[n] < static_cast<std::int32_t>(n);
    }
    if (ascending) return order;
    order.clear();
    std::vector<std::size_t> open;
    for (std::size_t n = nodes.size(); n-- > 0;)
        if (parent[n] < 0) open.push_back(n);
    while (!open.empty()) {
        const std::size_t n = open.back();
        open.pop_back();
        order.push_back(n);
        const GltfField children = nodes.at(n)["children"];
        for (std::size_t c = children.size(); c-- > 0;) open.push_back(children.at(c).count(0));
    }
    // With one parent each, what no root leads to goes round in a circle.
    if (order.size() < nodes.size())
        nodes.fail(text(nodes.size() - order.size(), " nodes are their own ancestors"), "a tree", Fault::bad_mesh);
    return order;
}

/// Cameras and lights are lists of the file: their numbers stay. A root of another scene stays out of the one that is
/// written.
KeptJson kept_of_node(GltfRead& in, const GltfField& node, bool elsewhere) {
    GltfKeeper keeper(in);
    keeper.keep(node, "camera");
    keeper.keep_extras(node, kept_node_extensions());
    if (elsewhere) keeper.add_flag("elsewhere");
    return keeper.text(node);
}

/// The nodes of the default scene; all when the file has no scenes.
void mark_shown(GltfRead& in) {
    const GltfField nodes = in.document.list("nodes"), scenes = in.document.list("scenes");
    in.shown.assign(nodes.size(), scenes.size() == 0);
    if (scenes.size() == 0) return;
    const std::int32_t chosen = in.document.root()["scene"].index(scenes.size());
    const GltfField roots = scenes.at(static_cast<std::size_t>(std::max(chosen, 0)))["nodes"];
    for (std::size_t r = 0; r < roots.size(); ++r)
        in.shown[static_cast<std::size_t>(roots.at(r).index(nodes.size()))] = true;
}

}  // namespace

std::vector<Vec3> to_points(const GltfDocument::Numbers& numbers) {
    std::vector<Vec3> out(numbers.count);
    for (std::size_t i = 0; i < numbers.count; ++i)
        out[i] = {numbers.values[3 * i], numbers.values[3 * i + 1], numbers.values[3 * i + 2]};
    return out;
}

void read_gltf_nodes(GltfRead& in) {
    const GltfField nodes = in.document.list("nodes");
    const std::vector<std::int32_t> parent = parents_of(nodes);
    const std::vector<std::size_t> order = order_of(nodes, parent);
    in.joint_of_node.assign(nodes.size(), -1);
    mark_shown(in);
    for (const std::size_t n : order) {
        Joint joint;
        joint.name = nodes.at(n)["name"].name();
        if (joint.name.empty()) joint.name = text("node_", n);
        if (parent[n] >= 0) {
            joint.parent = in.joint_of_node[static_cast<std::size_t>(parent[n])];
            if (in.shown[static_cast<std::size_t>(parent[n])]) in.shown[n] = true;
        }
        joint.rest = transform_of(in, nodes.at(n));
        joint.kept = kept_of_node(in, nodes.at(n), parent[n] < 0 && !in.shown[n]);
        in.joint_of_node[n] = static_cast<std::int32_t>(in.rig.joints.size());
        in.rig.joints.push_back(std::move(joint));
    }
}

void read_gltf_skins(GltfRead& in) {
    const GltfField skins = in.document.list("skins");
    for (std::size_t s = 0; s < skins.size(); ++s) {
        const GltfField joints = skins.at(s)["joints"].needed();
        SkinBinding binding;
        binding.name = skins.at(s)["name"].name();
        if (joints.size() == 0) joints.fail("a skin without joints", "one or more", Fault::bad_mesh);
        for (std::size_t j = 0; j < joints.size(); ++j) {
            binding.joints.push_back(
                in.joint_of_node[static_cast<std::size_t>(joints.at(j).index(in.joint_of_node.size()))]);
        }
        binding.inverse_bind.assign(joints.size(), Affine{});
        const GltfField matrices = skins.at(s)["inverseBindMatrices"];
        if (matrices.there()) {
            const GltfDocument::Numbers m = in.document.numbers(matrices, "MAT4");
            if (m.count < joints.size()) {
                matrices.fail(text(m.count, " inverse bind matrices for ", counted(joints.size(), "joint")), "one each",
                              Fault::bad_mesh);
            }
            for (std::size_t j = 0; j < joints.size(); ++j) {
                const double* v = m.values.data() + 16 * j;  // by columns
                for (int r = 0; r < 3; ++r)
                    for (int c = 0; c < 3; ++c) binding.inverse_bind[j].linear(r, c) = v[4 * c + r];
                binding.inverse_bind[j].translation = {v[12], v[13], v[14]};
            }
        }
        GltfKeeper keeper(in);
        keeper.keep_extras(skins.at(s), {});
        if (const std::int32_t root = skins.at(s)["skeleton"].index(in.joint_of_node.size()); root >= 0)
            keeper.add_number("skeleton", in.joint_of_node[static_cast<std::size_t>(root)]);
        binding.kept = keeper.text(skins.at(s));
        in.rig.bindings.push_back(std::move(binding));
    }
}

Rig parse_gltf(std::string_view bytes, const std::string& path, const RigReading& reading) {
    GltfDocument document(bytes, path);
    Rig rig;
    rig.source = path;
    GltfRead in{document, rig, {}, {}, {}};
    read_gltf_nodes(in);
    read_gltf_skins(in);
    read_gltf_looks(in);
    read_gltf_parts(in);
    read_gltf_clips(in);
    read_gltf_rest(in);
    for (const auto& [sentence, count] : in.notes)
        rig.notes.push_back(count > 1 ? text(sentence, " (", count, " times)") : sentence);
    if (reading.unit > 0.0) {
        rig.unit = reading.unit;
        scale_rig(rig, reading.unit);
    }
    check_rig(rig);
    return rig;
}

}  // namespace limber
