// Scenes that name a surface: the solid made of it, its faults, and what the body is shown by.
#include "scene_file/scene_texts.hpp"

#include "io/files/atomic_file.hpp"
#include "io/temporary_folder.hpp"

#include <limber/tools/mesh_io.hpp>
#include <limber/tools/painted_surface.hpp>
#include <limber/tools/sim.hpp>
#include <limber/tools/solid.hpp>
#include <limber/tools/surface_series.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace limber::testing_io {
namespace {

/// A cube of so many units a side, standing on the ground, one face painted red.
std::string cube(double side, double shift = 0.0) {
    std::string out = "mtllib cube.mtl\n";
    for (int i = 0; i < 8; ++i) {
        out += "v " + std::to_string((i & 1) * side + shift) + " " + std::to_string((i >> 1 & 1) * side + shift) + " " +
               std::to_string((i >> 2 & 1) * side + shift) + "\n";
    }
    return out +
           "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl red\nf 1/1 3/2 4/3 2/4\nusemtl grey\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 "
           "4\nf 1 5 7 3\nf 2 4 8 6\n";
}

/// A scene of one body; `mesh` and `more` are JSON.
std::string scene_of(const std::string& mesh, const std::string& more = "",
                     const std::string& materials = R"({"young": 5000, "poisson": 0.3, "density": 1000})") {
    return R"({"format": 1, "name": "own", "bodies": [{"mesh": )" + mesh + R"(, "materials": [)" + materials +
           R"(], "anchors": [{"set": "bottom"}])" + more +
           R"(}], "gravity": [0, -9.81, 0], "method": {"name": "linear_fem"}, "step": 0.02, "duration": 0.1})";
}

/// cube.obj with its materials, inner.obj inside it, a single triangle, and a mesh that is none of a surface.
class SceneSolid : public ::testing::Test {
protected:
    void SetUp() override {
        write_file(folder.file("cube.obj"), cube(0.2));
        write_file(folder.file("cube.mtl"), "newmtl red\nKd 1 0 0\nnewmtl grey\nKd 0.5 0.5 0.5\n");
        write_file(folder.file("inner.obj"), cube(0.1, 0.05));
        write_file(folder.file("flat.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        write_mesh(folder.file("box.msh"), make_box(CellKind::tet4, 2, 2, 2, {0, 0, 0}, {1, 1, 1}),
                   MeshFormat::msh4_ascii);
    }
    SceneCheck check(const std::string& text, const SceneReading& reading = {}) const {
        return check_scene_text(text, "own.json", {}, folder.file(""), reading);
    }
    Scene parse(const std::string& text) const { return parse_scene(text, "own.json", {}, folder.file("")); }

    TemporaryFolder folder;
};

TEST_F(SceneSolid, ASurfaceBecomesAboutAsManyTetsAsAskedForWithItsSidesNamed) {
    const SceneCheck result = check(scene_of(R"({"path": "cube.obj", "cells": 5000})"));
    ASSERT_TRUE(result.ok()) << all_lines(result.faults);
    const Mesh& mesh = result.body->mesh();
    EXPECT_EQ(mesh.kind, CellKind::tet4);
    EXPECT_NEAR(static_cast<double>(mesh.cell_count()), 5000.0,
                1000.0);  // a cube that lies along the lattice gets or loses whole layers
    EXPECT_NEAR(measure_of(mesh), 0.008, 0.03 * 0.008);
    ASSERT_TRUE(result.scene->bodies[0].mesh.solid);
    for (const char* name : {"surface", "left", "right", "bottom", "top", "back", "front"})
        EXPECT_FALSE(mesh.vertex_sets.at(name).empty()) << name;
    for (const std::int32_t v : mesh.vertex_sets.at("bottom"))
        EXPECT_LE(mesh.vertices[static_cast<std::size_t>(v)].y, 0.011);
}

TEST_F(SceneSolid, LengthsAreInTheMeshesUnitAndZUpIsTurned) {
    // 200 mm with z up, cells of 40 mm: the body is in metres with y up, where the shape began below.
    std::string tall = cube(200);
    for (std::size_t at = 0; (at = tall.find("200.000000\n", at)) != std::string::npos; at += 11)
        tall.replace(at, 10, "400.000000");  // twice as high
    write_file(folder.file("tall.obj"), tall);
    const SceneCheck result = check(scene_of(R"({"path": "tall.obj", "cell_size": 40, "unit": "mm", "up": "z"})"));
    ASSERT_TRUE(result.ok()) << all_lines(result.faults);
    double highest = 0.0, widest = 0.0;
    for (const Vec3& p : result.body->mesh().vertices) {
        highest = std::max(highest, p.y);
        widest = std::max(widest, p.x);
    }
    EXPECT_NEAR(highest, 0.4, 1e-3);
    EXPECT_NEAR(widest, 0.2, 1e-3);
    EXPECT_DOUBLE_EQ(result.scene->bodies[0].mesh.solid->cell_size, 0.04);
    // What it is shown by went the same way, and remembers where it came from.
    const PaintedSurface& shown = *result.scene->bodies[0].shown.loaded;
    EXPECT_EQ(shown.unit, LengthUnit::mm);
    EXPECT_EQ(shown.up, UpAxis::z);
    EXPECT_NEAR(std::max_element(shown.surface.vertices.begin(), shown.surface.vertices.end(),
                                 [](const Vec3& a, const Vec3& b) { return a.y < b.y; })
                    ->y,
                0.4, 1e-12);
}

TEST_F(SceneSolid, NestedSurfacesAreCellSetsThatMaterialsCanName) {
    const std::string mesh =
        R"({"surfaces": [{"name": "flesh", "path": "cube.obj"}, {"name": "core", "path": "inner.obj"}], "cells": 2000})";
    const SceneCheck result = check(scene_of(mesh, "",
                                             R"({"cells": "flesh", "young": 5000, "poisson": 0.3, "density": 1000}, )"
                                             R"({"cells": "core", "young": 50000, "poisson": 0.3, "density": 1000})"));
    ASSERT_TRUE(result.ok()) << all_lines(result.faults);
    const auto& sets = result.body->mesh().cell_sets;
    EXPECT_EQ(sets.at("flesh").size() + sets.at("core").size(), result.body->mesh().cell_count());
    double inner = 0.0;
    for (const std::int32_t c : sets.at("core"))
        inner += cell_measure(result.body->mesh(), static_cast<std::size_t>(c));
    EXPECT_NEAR(inner, 0.001, 0.0003);
    const SceneCheck misspelt = check(
        scene_of(mesh, "", R"({"cells": "cor", "young": 5000, "poisson": 0.3, "density": 1000})"));
    EXPECT_NE(all_lines(misspelt.faults).find("core"), std::string::npos);
}

TEST_F(SceneSolid, ACageAndAnAssetWorkTheSameWay) {
    const SceneCheck cage = check(scene_of(R"({"path": "cube.obj", "cage": 3})"));
    ASSERT_TRUE(cage.ok()) << all_lines(cage.faults);
    EXPECT_EQ(cage.body->mesh().kind, CellKind::hex8);
    EXPECT_EQ(cage.body->mesh().cell_count(), 27u);
    EXPECT_TRUE(cage.scene->bodies[0].shown.loaded);
    const SceneCheck asset = check(scene_of(R"({"asset": "jelly_cube", "cells": 400})"));
    ASSERT_TRUE(asset.ok()) << all_lines(asset.faults);
    EXPECT_GT(asset.scene->bodies[0].shown.loaded->looks.size(), 0u);
    EXPECT_EQ(asset.scene->bodies[0].shown.loaded->file, "");
}

// The body of a scene that is part of a character: held along the bone and where it meets the rest, not where the whole
// character ends.
TEST_F(SceneSolid, AScenesBodyMayBeACharactersFlesh) {
    const SceneCheck flesh = check(scene_of(R"({"asset": "humanoid", "flesh": "bone:thigh_l", "cells": 1500})"));
    ASSERT_TRUE(flesh.ok()) << all_lines(flesh.faults);
    const Mesh& mesh = flesh.body->mesh();
    EXPECT_NEAR(static_cast<double>(mesh.cell_count()), 1500.0, 500.0);
    for (const char* name : {"held", "bone", "seam", "skin", "free", "bottom"})
        EXPECT_FALSE(mesh.vertex_sets.at(name).empty()) << name;
    EXPECT_LT(measure_of(mesh), 0.02);  // of a body of about 70 litres
    EXPECT_FALSE(flesh.scene->bodies[0].shown.loaded);
}

TEST_F(SceneSolid, TheSameSceneHasTheSameHashAndAnotherSolidAnother) {
    const std::string text = scene_of(R"({"path": "cube.obj", "cells": 300})");
    std::uint64_t first = 0;
    std::vector<Vec3> vertices;
    {
        const Scene scene = parse(text);
        first = hash(scene);
        vertices = scene.bodies[0].mesh.loaded->vertices;
    }
    const Scene again = parse(text);  // made anew: nobody held the first one
    EXPECT_EQ(hash(again), first);
    EXPECT_EQ(again.bodies[0].mesh.loaded->vertices, vertices);
    EXPECT_NE(hash(parse(scene_of(R"({"path": "cube.obj", "cells": 500})"))), first);
    // While one is held, it is not made a second time.
    EXPECT_EQ(parse(text).bodies[0].mesh.solid, again.bodies[0].mesh.solid);
    // What the body is shown by does not move it.
    EXPECT_EQ(hash(parse(scene_of(R"({"path": "cube.obj", "cells": 300})", R"(, "surface": {"path": "inner.obj"})"))),
              first);
}

struct Refusal {
    std::string mesh, field, words;
};

TEST_F(SceneSolid, EachHostileMeshIsOneFaultThatNamesItsField) {
    const std::vector<Refusal> refusals{
        {R"({"path": "cube.obj"})", "/bodies/0/mesh/path", "\"cells\" beside it"},
        {R"({"path": "cube.obj", "cells": 0})", "/bodies/0/mesh/cells", "at least 1"},
        {R"({"path": "cube.obj", "cells": -7})", "/bodies/0/mesh/cells", "at least 1"},
        {R"({"path": "cube.obj", "cells": 1e9})", "/bodies/0/mesh/cells", "5000000"},
        {R"({"path": "cube.obj", "cell_size": 1e-9})", "/bodies/0/mesh/cell_size", "5000000"},
        {R"({"path": "cube.obj", "cell_size": 0})", "/bodies/0/mesh/cell_size", "above 0"},
        {R"({"path": "cube.obj", "cage": 513})", "/bodies/0/mesh/cage", "512"},
        {R"({"path": "cube.obj", "cells": 500, "cell_size": 0.1})", "/bodies/0/mesh/cell_size",
         "together with \"cells\""},
        {R"({"path": "none.obj", "cells": 500})", "/bodies/0/mesh/path", "none.obj"},
        {R"({"path": "flat.obj", "cells": 500})", "/bodies/0/mesh", "nothing is inside"},
        {R"({"path": "box.msh", "cells": 500})", "/bodies/0/mesh/path", "a surface to fill"},
        {R"({"asset": "dukc", "cells": 500})", "/bodies/0/mesh/asset", "did you mean"},
        {R"({"asset": "duck"})", "/bodies/0/mesh/cells", "missing"},
        {R"({"asset": "duck", "cells": 500, "unit": "mm"})", "/bodies/0/mesh/unit", "together with \"asset\""},
        {R"({"asset": "duck", "flesh": "bone:thigh_l", "cells": 500})", "/bodies/0/mesh/flesh", "no bones"},
        {R"({"asset": "humanoid", "flesh": "bone:thihg_l", "cells": 500})", "/bodies/0/mesh/flesh", "thigh_l"},
        {R"({"asset": "humanoid", "flesh": "bone:thigh_l", "cells": 1e9})", "/bodies/0/mesh/cells", "5000000"},
        {R"({"path": "cube.obj", "flesh": "bone:thigh_l", "cells": 500})", "/bodies/0/mesh/flesh", "cube.obj"},
        {R"({"surfaces": [], "cells": 500})", "/bodies/0/mesh/surfaces", "1 to 100"},
        {R"({"surfaces": [{"name": "a", "path": "cube.obj"}, {"name": "a", "path": "cube.obj"}], "cells": 500})",
         "/bodies/0/mesh/surfaces/1/name", "of its own"},
        {R"({"shape": "box", "kind": "hex8", "counts": [1, 1, 1], "cells": 500})", "/bodies/0/mesh/cells",
         "together with \"shape\""},
    };
    for (const Refusal& r : refusals) {
        const SceneCheck result = check(scene_of(r.mesh));
        ASSERT_EQ(result.faults.size(), 1u) << r.mesh << "\n" << all_lines(result.faults);
        EXPECT_EQ(result.faults[0].place.field, r.field) << r.mesh;
        EXPECT_NE(to_string(result.faults[0]).find(r.words), std::string::npos) << to_string(result.faults[0]);
    }
}

TEST_F(SceneSolid, EveryMissingSurfaceIsToldAtOnceWithTheOtherFaults) {
    const SceneCheck result = check(
        scene_of(R"({"surfaces": [{"name": "a", "path": "no1.stl"}, {"name": "b", "path": "no2.stl"}], "cells": 500})",
                 R"(, "surface": {"path": "no3.obj"})", R"({"young": -1, "poisson": 0.3, "density": 1000})"));
    const std::string lines = all_lines(result.faults);
    for (const char* word : {"no1.stl", "no2.stl", "no3.obj", "young"})
        EXPECT_NE(lines.find(word), std::string::npos) << word << "\n" << lines;
}

TEST_F(SceneSolid, AReaderMayAllowFewerCellsAndMayStop) {
    SceneReading few;
    few.most_cells = 200;
    EXPECT_FALSE(check(scene_of(R"({"path": "cube.obj", "cells": 300})"), few).ok());
    EXPECT_FALSE(check(scene_of(R"({"path": "cube.obj", "cell_size": 0.01})"), few).ok());
    EXPECT_FALSE(check(scene_of(R"({"path": "cube.obj", "cage": 40})"), few).ok());
    EXPECT_TRUE(check(scene_of(R"({"path": "cube.obj", "cells": 150})"), few).ok());
    struct Impatient : Progress {
        bool stop_requested() const override { return true; }
    } impatient;
    SceneReading stopped;
    stopped.progress = &impatient;
    const std::string text = scene_of(R"({"path": "cube.obj", "cells": 3000})");
    try {
        parse_scene(text, "own.json", {}, folder.file(""), stopped);
        FAIL() << "it went on";
    } catch (const Error& error) {
        EXPECT_EQ(error.fault(), Fault::interrupted);
    }
    const SceneCheck check_stopped = check(text, stopped);
    ASSERT_EQ(check_stopped.faults.size(), 1u);
    EXPECT_EQ(check_stopped.faults[0].fault, Fault::interrupted);
}

TEST_F(SceneSolid, ThinPartsAndMendedFacesAreWarningsOfTheCheck) {
    std::string flipped = cube(0.2);
    flipped.replace(flipped.find("f 5 6 8 7"), 9, "f 7 8 6 5");
    write_file(folder.file("flipped.obj"), flipped);
    const SceneCheck result = check(scene_of(R"({"path": "flipped.obj", "cells": 500})"));
    ASSERT_TRUE(result.ok()) << all_lines(result.faults);
    EXPECT_FALSE(result.scene->bodies[0].mesh.solid->findings.empty());
    EXPECT_NE(all_lines(result.warnings).find(result.scene->bodies[0].mesh.solid->findings[0].message),
              std::string::npos);
}

TEST_F(SceneSolid, ARecordingIsShownByTheSurfaceOfItsScene) {
    Progress silent;
    const RunResult run = run_scene(parse(scene_of(R"({"path": "cube.obj", "cells": 300})")), {}, silent);
    ASSERT_TRUE(run.recording.shown);
    write_recording(folder.file("run.limber"), run.recording);
    const Recording back = read_recording(folder.file("run.limber"));
    ASSERT_TRUE(back.shown);
    EXPECT_EQ(back.shown->surface.vertices, run.recording.shown->surface.vertices);
    EXPECT_EQ(back.shown->surface.faces, run.recording.shown->surface.faces);
    EXPECT_EQ(back.shown->uvs, run.recording.shown->uvs);
    EXPECT_EQ(back.shown->corner_uv, run.recording.shown->corner_uv);
    EXPECT_EQ(back.shown->face_look, run.recording.shown->face_look);
    ASSERT_EQ(back.shown->looks.size(), 2u);
    EXPECT_EQ(back.shown->looks[0].base_color, (std::array{1.0, 0.0, 0.0, 1.0}));
    EXPECT_EQ(back.shown->file, folder.file("cube.obj"));

    // With the file, its own text; without it, the same positions from the copy in the recording, and one line that
    // says so.
    SurfaceSeriesTarget target;
    target.path = folder.file("with.obj");
    target.time = 0.1;
    const SeriesWritten with = write_surface_series(back, target);
    EXPECT_EQ(with.vertices, 8u);
    EXPECT_EQ(read_file(target.path).rfind("mtllib cube.mtl", 0), 0u);
    std::filesystem::create_directory(folder.file("moved"));
    std::filesystem::rename(folder.file("cube.obj"), folder.file("moved/cube.obj"));
    std::filesystem::copy_file(folder.file("run.limber"), folder.file("moved/run.limber"));
    target.path = folder.file("without.obj");
    const SeriesWritten without = write_surface_series(back, target);
    ASSERT_FALSE(without.remarks.empty());
    EXPECT_NE(without.remarks[0].find("cube.obj is not there any more"), std::string::npos) << without.remarks[0];
    const Surface a = read_surface(folder.file("with.obj")), b = read_surface(folder.file("without.obj"));
    ASSERT_EQ(a.vertices.size(), b.vertices.size());
    double moved = 0.0;
    for (std::size_t v = 0; v < a.vertices.size(); ++v) {
        EXPECT_LT(norm(a.vertices[v] - b.vertices[v]), 1e-12);
        moved = std::max(moved, norm(a.vertices[v] - back.shown->surface.vertices[v]));
    }
    EXPECT_GT(moved, 1e-4);
    // Another file of that name is not the one that was recorded.
    write_file(folder.file("cube.obj"), cube(0.3));
    const SeriesWritten changed = write_surface_series(back, target);
    EXPECT_NE(changed.remarks[0].find("has changed"), std::string::npos) << changed.remarks[0];
    // Where a recording was moved with its surface, the one beside it is the right one, whatever lies at the old place.
    target.path = folder.file("beside.obj");
    for (const std::string& remark :
         write_surface_series(read_recording(folder.file("moved/run.limber")), target).remarks)
        EXPECT_EQ(remark.find("copy in the recording"), std::string::npos) << remark;
    EXPECT_EQ(read_file(target.path), read_file(folder.file("with.obj")));
}

TEST_F(SceneSolid, AMeshFileMayBeShownByASurfaceAndWhatLiesFarAwayIsWarnedOf) {
    const SceneCheck near = check(scene_of(R"({"path": "box.msh"})", R"(, "surface": {"path": "cube.obj"})"));
    EXPECT_TRUE(near.ok()) << all_lines(near.faults);
    EXPECT_EQ(near.scene->bodies[0].shown.loaded->surface.vertices.size(), 8u);
    EXPECT_EQ(all_lines(near.warnings).find("/bodies/0/surface"), std::string::npos) << all_lines(near.warnings);
    const SceneCheck far = check(scene_of(
        R"({"path": "box.msh"})", R"(, "surface": {"path": "cube.obj", "unit": "ft", "up": "z", "limit": 0.01})"));
    EXPECT_TRUE(far.ok()) << all_lines(far.faults);
    EXPECT_EQ(far.scene->bodies[0].shown.loaded->limit, 0.01);
    EXPECT_NE(all_lines(far.warnings).find("/bodies/0/surface"), std::string::npos) << all_lines(far.warnings);
    EXPECT_FALSE(check(scene_of(R"({"path": "box.msh"})", R"(, "surface": {"path": "box.msh"})")).ok());
}

TEST_F(SceneSolid, AHundredDamagedScenesOfSurfacesEndInOneLineCauses) {
    const std::string sound = scene_of(
        R"({"surfaces": [{"name": "flesh", "path": "cube.obj"}, {"name": "core", "path": "inner.obj"}], "cells": 300})",
        R"(, "surface": {"path": "cube.obj", "limit": 0.1})");
    SceneReading bounded;
    bounded.most_cells = 3000;
    int refused = 0;
    for (std::size_t seed = 0; seed < 100; ++seed) {
        std::string text = sound;
        const std::size_t from = text.find("\"mesh\""), to = text.find("\"materials\"");
        text[from + (seed * 37) % (to - from)] = "0129.-eE\"{}[],:ax"[seed % 17];
        const SceneCheck result = check(text, bounded);
        refused += result.ok() ? 0 : 1;
        for (const SceneFault& fault : result.faults) EXPECT_EQ(to_string(fault).find('\n'), std::string::npos) << seed;
        if (result.ok()) {
            EXPECT_LE(result.body->mesh().cell_count(), 20000u) << text;
        }
    }
    EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace limber::testing_io
