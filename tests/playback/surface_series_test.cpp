#include <limber/tools/surface_series.hpp>

#include "expect_error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/points/point_cache.hpp"
#include "io/surface/obj_series.hpp"
#include "io/temporary_folder.hpp"

#include <limber/error.hpp>
#include <limber/tools/mesh_io.hpp>
#include <limber/tools/rig_io.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

using testing_io::TemporaryFolder;

/// A box of 0.4 x 0.2 x 0.2 m that is bent more and more; the first frame is at rest.
Recording bent(CellKind kind = CellKind::tet4, std::size_t frames = 9) {
    BodyDescription d;
    d.mesh = dimension_of(kind) == 2 ? make_grid(kind, 4, 2, {0, 0, 0}, {0.4, 0.2, 0})
                                     : make_box(kind, 4, 2, 2, {0, 0, 0}, {0.4, 0.2, 0.2});
    d.materials = {{"", Material{}}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    Recording r;
    r.scene = "bent";
    r.scene_hash = 0x1234;
    r.provenance = "{}";
    r.step = 0.1;
    r.body = Body::make(d);
    for (std::size_t f = 0; f < frames; ++f) {
        Frame frame;
        frame.time = 0.1 * static_cast<double>(f);
        const double s = std::sin(0.5 * static_cast<double>(f));
        for (const Vec3& p : r.body->mesh().vertices) {
            frame.displacement.push_back(
                {0.1 * s * s * p.x * p.y, s * p.x * p.x, r.body->mesh().dimension() == 2 ? 0.0 : 0.3 * s * p.x * p.y});
        }
        r.frames.push_back(std::move(frame));
    }
    return r;
}

const std::string kTile =
    "mtllib tile.mtl\no tile\nv 0.10 0.05 0.20 # near\nv 0.30 0.05 0.20\nv 0.30 0.15 0.2\nv 0.10 0.15 0.2\nv 0.1 0.05 "
    "-0.01\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1.00\nvn 0 -1 0\n"
    "g front\nusemtl red\nf 1/1/1 2/2/1 3/3/1 4/4/1\nusemtl blue\ng below\nf 1/4/2 5/1/2 2/3/2\n";

std::string save(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
    write_file(folder.file(name), text);
    return folder.file(name);
}

TEST(SurfaceSeries, KeepsAnArtistsFileByteForByteAtRest) {
    const TemporaryFolder folder;
    SurfaceSeriesTarget target;
    target.match = save(folder, "tile.obj", kTile);
    target.path = folder.file("frames");
    const SeriesWritten written = write_surface_series(bent(), target);
    EXPECT_EQ(written.frames, 9u);
    const std::string first = read_file(target.path + "/frame_000000.obj");
    EXPECT_EQ(first.substr(0, kTile.size()), kTile);
    EXPECT_NE(first.find("# written by limber", kTile.size()), std::string::npos);
    EXPECT_NE(first.find("0x0000000000001234"), std::string::npos);
    EXPECT_EQ(std::count(first.begin(), first.end(), '\n'), std::count(kTile.begin(), kTile.end(), '\n') + 1);
    // A later frame: the same lines but for v and vn.
    const ObjModel moved = parse_obj_model(read_file(target.path + "/frame_000003.obj"), "3");
    const ObjModel before = parse_obj_model(kTile, "0");
    EXPECT_EQ(moved.corner_uv, before.corner_uv);
    EXPECT_EQ(moved.corner_normal, before.corner_normal);
    EXPECT_EQ(moved.materials, before.materials);
    for (std::size_t v = 0; v < 5; ++v) EXPECT_NE(moved.surface.vertices[v], before.surface.vertices[v]) << v;
    EXPECT_NEAR(norm(moved.normals[0]), 1.0, 1e-9);
    EXPECT_GT(norm(moved.normals[0] - before.normals[0]), 1e-3);
}

TEST(SurfaceSeries, ReplacesItsOwnEarlierFilesAndNothingElse) {
    const TemporaryFolder folder;
    SurfaceSeriesTarget target;
    target.path = folder.file("frames");
    write_surface_series(bent(CellKind::tet4, 9), target);
    write_surface_series(bent(CellKind::tet4, 3), target);
    EXPECT_FALSE(std::filesystem::exists(target.path + "/frame_000003.obj"));
    write_file(target.path + "/notes.txt", "mine");
    expect_error(Fault::bad_usage, "frames", [&] { write_surface_series(bent(), target); });
    EXPECT_EQ(read_file(target.path + "/notes.txt"), "mine");
}

TEST(SurfaceSeries, WritesTheBoundaryOfEveryKindOfBody) {
    for (const CellKind kind : {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8}) {
        for (const auto format : {SurfaceSeriesFormat::obj, SurfaceSeriesFormat::ply, SurfaceSeriesFormat::stl}) {
            const TemporaryFolder folder;
            const Recording r = bent(kind);
            SurfaceSeriesTarget target;
            target.format = format;
            target.path = folder.file(std::string("one.") + to_string(format));
            target.time = 0.35;  // half way between two frames
            write_surface_series(r, target);
            const Surface s = read_surface(target.path);
            const std::size_t expected = dimension_of(kind) == 2 ? r.body->vertex_count()
                                                                 : boundary_of(r.body->mesh()).vertices.size();
            EXPECT_EQ(s.vertices.size(), expected) << to_string(kind) << to_string(format);
            if (dimension_of(kind) != 2 || format != SurfaceSeriesFormat::obj) continue;
            for (std::size_t v = 0; v < s.vertices.size(); ++v) {
                EXPECT_LT(norm(s.vertices[v] - r.body->mesh().vertices[v] -
                               0.5 * (r.frames[3].displacement[v] + r.frames[4].displacement[v])),
                          1e-12);
            }
        }
    }
}

/// Largest distance of a model's vertices, played by Rig, from where the frames have them.
double farthest(const std::string& glb, const Recording& r, bool positive = false) {
    const Rig rig = parse_gltf(read_file(glb), glb);
    double worst = 0.0;
    const IndexSet outer = boundary_of(r.body->mesh()).vertices;
    for (const Frame& f : r.frames) {
        const Pose pose = pose_at(rig, 0, f.time);
        for (std::size_t p = 0; p < rig.parts.size(); ++p) {
            const SkinPart& part = rig.parts[p];
            std::vector<Vec3> x(part.positions.size());
            skin(rig, p, pose, x);
            for (std::size_t v = 0; v < x.size(); ++v) {
                const auto vertex = static_cast<std::size_t>(outer[static_cast<std::size_t>(part.paint[0].values[v])]);
                worst = std::max(worst, norm(x[v] - r.body->mesh().vertices[vertex] - f.displacement[vertex]));
            }
        }
        if (positive) {
            for (const double w : pose.weights[0]) {
                EXPECT_GE(w, 0.0);
                EXPECT_LE(w, 1.0);
            }
        }
    }
    return worst;
}

TEST(SurfaceSeries, PlaysARunInAGlbFileByShapesFramesAndSigns) {
    const TemporaryFolder folder;
    const Recording r = bent();
    SurfaceSeriesTarget target;
    target.format = SurfaceSeriesFormat::glb;
    target.path = folder.file("run.glb");
    const SeriesWritten shapes = write_surface_series(r, target);
    EXPECT_NE(shapes.remarks.front().find("morph targets (principal shapes)"), std::string::npos)
        << shapes.remarks.front();
    EXPECT_LT(farthest(target.path, r), 1e-3 * 0.17);
    target.positive_weights = true;
    write_surface_series(r, target);
    EXPECT_LT(farthest(target.path, r, true), 1e-3 * 0.17);
    target.positive_weights = false;
    target.target_per_frame = true;
    write_surface_series(r, target);
    EXPECT_LT(farthest(target.path, r), 1e-7);
    target.target_per_frame = false;
    target.targets = 1;  // too few: the error must be seen and stated
    const SeriesWritten one = write_surface_series(r, target);
    EXPECT_GT(farthest(target.path, r), 1e-3 * 0.17);
    EXPECT_NE(one.remarks.front().find("1 morph target "), std::string::npos) << one.remarks.front();
}

TEST(SurfaceSeries, KeepsTextureCoordinatesMaterialsAndHardEdgesInAGlbFile) {
    const TemporaryFolder folder;
    save(folder, "tile.mtl", "newmtl red\nKd 1 0 0\nmap_Kd ../../secret.png\nnewmtl blue\nKd 0 0 1\nd 0.5\n");
    SurfaceSeriesTarget target;
    target.match = save(folder, "tile.obj", kTile);
    target.format = SurfaceSeriesFormat::glb;
    target.path = folder.file("tile.glb");
    const SeriesWritten written = write_surface_series(bent(), target);
    const Rig rig = parse_gltf(read_file(target.path), target.path);
    ASSERT_EQ(rig.parts.size(), 2u);
    ASSERT_EQ(rig.materials.size(), 2u);
    EXPECT_EQ(rig.materials[0].name, "red");
    EXPECT_EQ(rig.materials[0].base_color, (std::array<double, 4>{1, 0, 0, 1}));
    EXPECT_EQ(rig.materials[1].alpha, "BLEND");
    EXPECT_EQ(rig.parts[0].positions.size(), 4u);
    EXPECT_EQ(rig.parts[0].triangles.size(), 2u);
    EXPECT_EQ(rig.parts[0].uvs[0], (std::array<double, 2>{0, 1}));  // glTF counts v downwards
    EXPECT_EQ(rig.parts[1].normals[0], (Vec3{0, -1, 0}));
    EXPECT_TRUE(rig.pictures.empty());
    bool told = false;
    for (const std::string& remark : written.remarks)
        told = told || remark.find("is not in the folder") != std::string::npos;
    EXPECT_TRUE(told);
}

TEST(SurfaceSeries, PutsCachesOnTheArtistsVerticesInTheArtistsUnitAndAxes) {
    const TemporaryFolder folder;
    const Recording r = bent();
    // The same tile in centimetres, z up: x y z is written as x -z y.
    std::string turned;
    const Surface tile = parse_obj(kTile, "tile");
    for (const Vec3& v : tile.vertices) {
        turned += "v " + std::to_string(100 * v.x) + " " + std::to_string(-100 * v.z) + " " +
                  std::to_string(100 * v.y) + "\n";
    }
    turned += "f 1 2 3 4\nf 1 5 2\n";
    SurfaceSeriesTarget target;
    target.format = SurfaceSeriesFormat::mdd;
    target.match = save(folder, "tile.obj", kTile);
    target.path = folder.file("tile.mdd");
    write_surface_series(r, target);
    const PointCache plain = parse_mdd(read_file(target.path), "plain");
    target.match = save(folder, "turned.obj", turned);
    target.match_unit = LengthUnit::cm;
    target.match_up = UpAxis::z;
    write_surface_series(r, target);
    const PointCache other = parse_mdd(read_file(target.path), "turned");
    ASSERT_EQ(plain.points, 5u);
    ASSERT_EQ(other.frames.size(), plain.frames.size());
    for (std::size_t f = 0; f < plain.frames.size(); ++f) {
        for (std::size_t v = 0; v < 5; ++v) {
            const Vec3 &a = plain.frames[f][v], &b = other.frames[f][v];
            EXPECT_LT(norm(b - Vec3{100 * a.x, -100 * a.z, 100 * a.y}), 1e-5) << f << " " << v;
        }
    }
    EXPECT_GT(norm(plain.frames[3][1] - plain.frames[0][1]), 0.01);
}

TEST(SurfaceSeries, AsksAboutTheUnitOfASurfaceThatIsMuchTooLarge) {
    const TemporaryFolder folder;
    SurfaceSeriesTarget target;
    target.match = save(folder, "big.obj", "v 0 0 0\nv 40 0 0\nv 40 20 0\nv 0 20 20\nf 1 2 3 4\n");
    target.path = folder.file("frames");
    const SeriesWritten written = write_surface_series(bent(), target);
    EXPECT_NE(written.remarks.front().find("--match-unit"), std::string::npos) << written.remarks.front();
}

TEST(SurfaceSeries, RefusesWhatItCannotDo) {
    const TemporaryFolder folder;
    const Recording r = bent();
    SurfaceSeriesTarget target;
    target.path = folder.file("x.glb");
    target.format = SurfaceSeriesFormat::glb;
    target.unit = LengthUnit::cm;
    expect_error(Fault::bad_usage, "x.glb", [&] { write_surface_series(r, target); });
    target.unit.reset();
    target.time = 7.0;
    expect_error(Fault::bad_usage, "x.glb", [&] { write_surface_series(r, target); });
    target.time = 0.1;
    target.frame_rate = 10;
    expect_error(Fault::bad_usage, "x.glb", [&] { write_surface_series(r, target); });
    target.time.reset();
    target.frame_rate = 0;
    target.match = folder.file("missing.obj");
    expect_error(Fault::bad_file, "missing.obj", [&] { write_surface_series(r, target); });
    EXPECT_FALSE(std::filesystem::exists(target.path));
}

}  // namespace
}  // namespace limber
