// Writes valid files of every format, from which the fuzzers start: make_seeds FOLDER.
#include "io/bvh_fixtures.hpp"
#include "io/gltf_fixtures.hpp"
#include "io/npz_fixtures.hpp"
#include "io/samples.hpp"
#include "render/picture_fixtures.hpp"
#include "runtime/dyrt_bytes.hpp"

#include "io/files/atomic_file.hpp"
#include "io/vtk/vtu_arrays.hpp"
#include "render/canvas.hpp"
#include "render/png.hpp"

#include <limber/mesh_io.hpp>
#include <limber/series.hpp>

#include <cstdio>
#include <filesystem>

int main(int count, char** arguments) {
    using namespace limber;
    if (count != 2) {
        std::fprintf(stderr, "usage: make_seeds FOLDER\n");
        return 2;
    }
    const std::filesystem::path root = arguments[1];
    const auto file = [&](const char* format, const std::string& name) {
        std::filesystem::create_directories(root / format);
        return (root / format / name).string();
    };
    for (const CellKind kind : testing_io::kKinds) {
        const Mesh mesh = testing_io::sample_mesh(kind);
        for (const MeshFormat format :
             {MeshFormat::msh2_ascii, MeshFormat::msh2_binary, MeshFormat::msh4_ascii, MeshFormat::msh4_binary}) {
            write_mesh(file("msh", std::string(to_string(kind)) + std::to_string(static_cast<int>(format)) + ".msh"),
                       mesh, format);
        }
        write_mesh(file("vtu", std::string(to_string(kind)) + ".vtu"), mesh, MeshFormat::vtu);
        write_mesh(file("inp", std::string(to_string(kind)) + ".inp"), mesh, MeshFormat::inp);
        write_mesh(file("medit", std::string(to_string(kind)) + ".mesh"), mesh, MeshFormat::medit);
    }
    // Scenes that make solids; fuzz_scene has a surface of that name at hand.
    const std::string rest =
        R"(, "materials": [{"young": 1e4, "poisson": 0.3, "density": 1000}]}], "method": {"name": "linear_fem"}, "step": 0.1, "duration": 1})";
    write_file(file("scene", "asset.json"),
               R"({"format": 1, "bodies": [{"mesh": {"asset": "jelly_cube", "cells": 200})" + rest);
    write_file(
        file("scene", "surface.json"),
        R"({"format": 1, "bodies": [{"mesh": {"surfaces": [{"name": "a", "path": "s.obj"}], "cell_size": 0.5, "unit": "cm", "up": "z"}, "surface": {"path": "s.obj", "limit": 0.1})" +
            rest);
    write_file(file("scene", "cage.json"), R"({"format": 1, "bodies": [{"mesh": {"path": "s.obj", "cage": 4})" + rest);
    write_file(file("tetgen", "two"),
               "5 3 1 1\n1 0 0 0 0.5 0\n2 1 0 0 0.5 7\n3 0 1 0 0.5 7\n4 0 0 1 0.5 0\n5 1 1 1 0.5 -1\n@2 4 1\n1 1 2 3 4 "
               "3\n2 2 3 4 5 0\n");
    const std::vector<VtuField> moved{
        {"displacement", false, 3,
         std::vector<double>(3 * testing_io::sample_mesh(CellKind::tri3).vertices.size(), 0.25)}};
    write_vtu(file("vtu_points", "moved.vtu"), testing_io::sample_mesh(CellKind::tri3), moved);
    write_surface(file("obj", "s.obj"), testing_io::sample_surface(), MeshFormat::obj);
    write_file(file("obj_model", "artist.obj"),
               "mtllib a.mtl\no x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 1\nvn 0 0 1\ng a b\nusemtl wood\ns "
               "1\nf 1/1/1 3/2/1 2/1/1\nf 1//1 2//1 4//1\nf -3 \\\n 3 4\nl 1 2\nf 3 1 4\n");
    write_file(file("mtl", "a.mtl"),
               "newmtl wood\nKd 0.5 0.25 1\nd 0.5\nmap_Kd -s 1 1 1 a.png\nnewmtl iron\nTr 0.1\nmap_Kd ../b c.jpg\n");
    write_surface(file("ply", "s.ply"), testing_io::sample_surface(), MeshFormat::ply);
    write_surface(file("stl", "s.stl"), testing_io::sample_surface(), MeshFormat::stl);
    write_recording(file("recording", "r"), testing_io::sample_recording(2));
    Recording with_surface = testing_io::sample_recording(1);
    with_surface.shown = std::make_shared<const PaintedSurface>(testing_io::sample_painted());
    write_recording(file("recording", "shown"), with_surface);
    with_surface.unit = LengthUnit::mm;
    with_surface.up = UpAxis::z;
    write_recording(file("recording", "drawn"), with_surface);
    Recording with_obstacle = testing_io::sample_recording(1);
    with_obstacle.obstacle_count = 1;
    with_obstacle.frames[0].obstacles = {{Obstacle::Shape::capsule, false, {0.1, 0.2, 0}, {1, 2, 3}, {}, {}, {}}};
    write_recording(file("recording", "obstacle"), with_obstacle);
    const Recording recording = testing_io::sample_recording(3);
    write_series(recording, {file("npz", "r.npz"), SeriesFormat::npz});
    std::string numpy;
    for (const char* base64 : {testing_io::kStoredNpz, testing_io::kDeflatedNpz}) {
        if (decode_base64(base64, 1 << 20, numpy))
            write_file(file("npz", std::to_string(numpy.size()) + ".npz"), numpy);
    }
    // The first byte tells the fuzzer which of the two it is.
    for (const SeriesFormat format : {SeriesFormat::pc2, SeriesFormat::mdd}) {
        const std::string path = file("point_cache", to_string(format));
        write_series(recording, {path, format});
        write_file(path, (format == SeriesFormat::pc2 ? "0" : "1") + read_file(path));
    }
    write_file(file("gltf", "rig.glb"), testing_io::sample_gltf().glb());
    write_file(file("gltf", "rig.gltf"),
               testing_io::sample_gltf().gltf("data:;base64," + testing_io::base64(testing_io::sample_gltf().binary)));
    write_file(file("bvh", "chain.bvh"), testing_io::kBvhChain);
    write_file(file("picture", "opaque.png"), encode_png(make_image(9, 5, rgb(0x336699))));
    write_file(file("picture", "clear.png"), encode_png(make_image(4, 7, {0.2F, 0.4F, 0.6F, 0.5F})));
    write_file(file("picture", "red.jpg"),
               {reinterpret_cast<const char*>(testing_render::kRedJpeg), sizeof testing_render::kRedJpeg});
    runtime_tests::FileText jiggling;
    jiggling.parts = {runtime_tests::some_part(3, 4, 1), runtime_tests::some_part(1, 2, 2)};
    jiggling.mesh_sizes = {4, 1};
    const runtime_tests::Bytes dyrt = runtime_tests::make_bytes(jiggling);
    write_file(file("dyrt", "two.dyrt"), {reinterpret_cast<const char*>(dyrt.bytes.data()), dyrt.bytes.size()});
    return 0;
}
