// Small meshes, surfaces and recordings of every kind, for the tests and as seeds for the fuzzers.
#pragma once

#include <limber/mesh.hpp>
#include <limber/tools/painted_surface.hpp>
#include <limber/tools/recording.hpp>

#include <gtest/gtest.h>

#include <string>

namespace limber::testing_io {

inline constexpr CellKind kKinds[] = {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8};

/// A few cells with irrational coordinates, overlapping cell sets, a cell in no set, an empty set and awkward names.
inline Mesh sample_mesh(CellKind kind) {
    const Vec3 low{0.1, -1.0 / 3.0, dimension_of(kind) == 2 ? 0.0 : 1e-7},
        high{1.7, 2.0 / 7.0, dimension_of(kind) == 2 ? 0.0 : 0.9};
    Mesh mesh = dimension_of(kind) == 2 ? make_grid(kind, 3, 2, low, high) : make_box(kind, 2, 1, 1, low, high);
    mesh.vertex_sets["a & b <c> 'd'"] = {0, 2};
    mesh.vertex_sets["held"] = {0, 1, 3};
    mesh.cell_sets["all but the first"] = {};
    for (std::int32_t c = 1; c < static_cast<std::int32_t>(mesh.cell_count()); ++c)
        mesh.cell_sets["all but the first"].push_back(c);
    mesh.cell_sets["the last"] = {static_cast<std::int32_t>(mesh.cell_count()) - 1};
    mesh.cell_sets["leer \xc3\xa4"] = {};
    return mesh;
}

inline void expect_same(const Mesh& a, const Mesh& b) {
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.vertices, b.vertices);
    EXPECT_EQ(a.cells, b.cells);
    EXPECT_EQ(a.vertex_sets, b.vertex_sets);
    EXPECT_EQ(a.cell_sets, b.cell_sets);
}

/// A cube of quads with a five-sided roof: triangles, quads and a pentagon.
inline Surface sample_surface() {
    Surface s;
    s.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1.0 / 3.0, 0}, {0.5, 0.5, 1e-3}, {-2.5, 0.1, 7}};
    s.faces = {0, 1, 2, 0, 1, 4, 5, 5, 4, 3, 2, 1};
    s.face_starts = {0, 3, 7, 12};
    return s;
}

inline void expect_same(const Surface& a, const Surface& b) {
    EXPECT_EQ(a.vertices, b.vertices);
    EXPECT_EQ(a.face_starts, b.face_starts);
    EXPECT_EQ(a.faces, b.faces);
}

/// Two triangles with texture, a normal, a look with a picture.
inline PaintedSurface sample_painted() {
    PaintedSurface p;
    p.surface.vertices = {{0.1, 0.1, 0.0}, {0.9, 0.1, 0.0}, {0.9, 0.9, 0.0}, {0.1, 0.9, 0.0}};
    p.surface.faces = {0, 1, 2, 0, 2, 3};
    p.surface.face_starts = {0, 3, 6};
    p.uvs = {{0, 0}, {1, 0}, {1, 1}};
    p.corner_uv = {0, 1, 2, -1, -1, -1};
    p.normals = {{0, 0, 1}};
    p.corner_normal = {0, 0, 0, 0, 0, -1};
    p.face_look = {0, -1};
    p.looks.emplace_back();
    p.looks[0].name = "paint";
    p.looks[0].base_map.picture = 0;
    p.looks[0].base_color = {0.25, 0.5, 0.75, 1.0};
    p.pictures.push_back({"p.png", "image/png", {1, 2, 3}});
    p.file = "thing.obj";
    p.unit = LengthUnit::mm;
    p.up = UpAxis::z;
    p.limit = 0.5;
    return p;
}

inline Recording sample_recording(std::size_t frames) {
    BodyDescription d;
    d.name = "sample";
    d.mesh = make_grid(CellKind::quad4, 2, 2, {0, 0, 0}, {1, 1, 0});
    d.mesh.cell_sets["soft"] = {0};
    d.plane = Plane::stress;
    d.thickness = 0.25;
    d.materials = {{"soft", {"fat", 2e3, 0.45, 950.0, 0.5, 0.01}}, {"", {"muscle", 1e4, 0.4, 1060.0, 0.0, 0.02}}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {true, false, true}}};
    d.handles = {{"hand", d.mesh.vertex_sets.at("right"), {}, {1.0, 0.5, 0.0}}};

    Recording r;
    r.scene = "scenes/sample.json";
    r.scene_hash = 0x123456789abcdef0ull;
    r.method = "linear_fem";
    r.provenance = "{\"version\": \"0.1.0\"}";
    r.step = 0.01;
    r.prepare_ms = 12.5;
    r.prepared_bytes = 4096;
    r.body = Body::make(d);
    for (std::size_t f = 0; f < frames; ++f) {
        Frame frame;
        frame.time = 0.01 * static_cast<double>(f + 1);
        for (std::size_t v = 0; v < r.body->vertex_count(); ++v) {
            frame.displacement.push_back({0.1 * static_cast<double>(v), 1.0 / static_cast<double>(f + 1), 0.0});
            frame.velocity.push_back({-0.3, static_cast<double>(v * f), 0.0});
        }
        frame.energies = {0.5 * static_cast<double>(f), 1.0 / 3.0};
        frame.reactions = {{{1, 2, 3}, {4, 5, 6}}, {{-1, 0, static_cast<double>(f)}, {0, 0, 1}}};
        frame.report.trouble = f == 1 ? Trouble::not_converged : Trouble::none;
        frame.report.sub_steps = 3;
        frame.report.iterations = 17;
        frame.report.residual = 1e-9;
        frame.report.where = 5;
        frame.step_ms = 0.25;
        r.frames.push_back(frame);
    }
    return r;
}

}  // namespace limber::testing_io
