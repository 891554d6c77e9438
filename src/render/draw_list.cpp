#include "render/draw_list.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <algorithm>

namespace limber {

namespace {

void expect_count(const char* what, std::size_t found, std::size_t expected, bool may_be_empty = true) {
    if (found != expected && !(may_be_empty && found == 0)) {
        throw Error(Fault::bad_mesh, {}, text("a drawn mesh with ", found, " ", what),
                    text(expected, may_be_empty ? " or none" : ""));
    }
}

void expect_below(const char* what, std::int32_t index, std::size_t count) {
    if (index < 0 || static_cast<std::size_t>(index) >= count)
        throw Error(Fault::bad_mesh, {}, text("a drawn mesh that names ", what, " ", index), text("one of ", count));
}

void check_moving_parts(const DrawMesh& mesh) {
    const DrawTopology& t = *mesh.topology;
    expect_count("influences", t.influences.size(), t.vertex_count);
    if (t.modes.size() > kMostModes || mesh.mode_weights.size() > t.modes.size()) {
        throw Error(
            Fault::bad_mesh, {},
            text("a drawn mesh with ", t.modes.size(), " modes and ", mesh.mode_weights.size(), " weights of modes"),
            text("at most ", kMostModes, ", and a mode for each weight"));
    }
    for (const DrawMode& mode : t.modes) {
        expect_count("positions in a mode", mode.positions.size(), t.vertex_count, false);
        expect_count("normals in a mode", mode.normals.size(), t.normal_count);
    }
    if (mesh.bones.empty()) return;
    for (const DrawInfluences& in : t.influences) {
        for (std::size_t k = 0; k < in.weight.size(); ++k)
            if (in.weight[k] != 0.0F) expect_below("bone", in.joint[k], mesh.bones.size());
    }
}

}  // namespace

void check(const DrawMesh& mesh) {
    if (!mesh.topology)
        throw Error(Fault::bad_mesh, {}, "a drawn mesh without topology", "one made by make_topology()");
    const DrawTopology& t = *mesh.topology;
    expect_count("positions", mesh.positions.size(), t.vertex_count, false);
    expect_count("normals", mesh.normals.size(), t.normal_count);
    expect_count("values", mesh.values.size(), t.vertex_count);
    expect_count("colours", mesh.colours.size(), t.vertex_count);
    expect_count("normals of corners", t.normal.size(), t.vertex.size(), false);
    expect_count("texture coordinates", t.uv.size(), t.vertex.size());
    expect_count("second texture coordinates", t.second_uv.size(), t.vertex_count);
    expect_count("paints of corners", t.paint.size(), t.vertex.size());
    expect_count("edge marks", t.edges.size(), t.triangles.size());
    for (const std::int32_t v : t.vertex) expect_below("vertex", v, t.vertex_count);
    for (const std::int32_t n : t.normal) expect_below("normal", n, t.normal_count);
    for (const auto& triangle : t.triangles)
        for (const std::int32_t corner : triangle) expect_below("corner", corner, t.vertex.size());
    if (!mesh.paints.empty())
        for (const std::int32_t p : t.paint) expect_below("paint", p, mesh.paints.size());
    check_moving_parts(mesh);
}

void DrawBox::add(const Vec3& point) {
    if (!is_finite(point)) return;
    if (empty()) {
        low = high = point;
        return;
    }
    for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], point[k]);
        high[k] = std::max(high[k], point[k]);
    }
}

void DrawBox::add(const DrawBox& box) {
    if (box.empty()) return;
    add(box.low);
    add(box.high);
}

Vec3 shown_position(const DrawMesh& mesh, std::size_t vertex) {
    const DrawTopology& topology = *mesh.topology;
    Vec3 x = mesh.positions[vertex];
    const std::size_t modes = std::min(mesh.mode_weights.size(), topology.modes.size());
    for (std::size_t m = 0; m < modes; ++m) x += mesh.mode_weights[m] * topology.modes[m].positions[vertex];
    if (mesh.bones.empty() || topology.influences.empty()) return x;

    const DrawInfluences& in = topology.influences[vertex];
    Vec3 out;
    for (std::size_t k = 0; k < in.weight.size(); ++k) {
        if (in.weight[k] == 0.0F) continue;
        const DrawBone& bone = mesh.bones[static_cast<std::size_t>(in.joint[k])];
        out += static_cast<double>(in.weight[k]) * (bone.linear * x + bone.translation);
    }
    return out;
}

DrawBox box_of(const DrawMesh& mesh) {
    DrawBox box;
    check(mesh);
    // Only vertices that a triangle shows: files hold stray ones, far away.
    for (const std::int32_t v : mesh.topology->vertex) box.add(shown_position(mesh, static_cast<std::size_t>(v)));
    return box;
}

DrawBox box_of(const DrawList& list) {
    DrawBox box;
    for (const DrawMesh& mesh : list.meshes)
        if (mesh.layer == DrawLayer::scene && !mesh.backdrop) box.add(box_of(mesh));
    for (const DrawLines& lines : list.lines) {
        if (lines.layer == DrawLayer::scene)
            for (const Vec3& p : lines.points) box.add(p);
    }
    for (const DrawPoints& points : list.points) {
        if (points.layer == DrawLayer::scene)
            for (const Vec3& p : points.points) box.add(p);
    }
    return box;
}

}  // namespace limber
