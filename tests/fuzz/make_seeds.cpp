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

#include <limber/tools/mesh_io.hpp>
#include <limber/tools/series.hpp>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace limber {
namespace {

/// Where seeds go: a folder per reader.
class Seeds {
public:
    explicit Seeds(std::filesystem::path root) : root_(std::move(root)) {}

    /// The path of a file in the folder of a reader, which is made.
    std::string file(const char* reader, const std::string& name) const {
        std::filesystem::create_directories(root_ / reader);
        return (root_ / reader / name).string();
    }
    void write(const char* reader, const std::string& name, std::string_view content) const {
        write_file(file(reader, name), content);
    }

private:
    std::filesystem::path root_;
};

void write_meshes(const Seeds& seeds) {
    for (const CellKind kind : testing_io::kKinds) {
        const Mesh mesh = testing_io::sample_mesh(kind);
        const std::string name = to_string(kind);
        for (const MeshFormat format :
             {MeshFormat::msh2_ascii, MeshFormat::msh2_binary, MeshFormat::msh4_ascii, MeshFormat::msh4_binary})
            write_mesh(seeds.file("msh", name + std::to_string(static_cast<int>(format)) + ".msh"), mesh, format);
        write_mesh(seeds.file("vtu", name + ".vtu"), mesh, MeshFormat::vtu);
        write_mesh(seeds.file("inp", name + ".inp"), mesh, MeshFormat::inp);
        write_mesh(seeds.file("medit", name + ".mesh"), mesh, MeshFormat::medit);
    }
    seeds.write("tetgen", "two",
                "5 3 1 1\n1 0 0 0 0.5 0\n2 1 0 0 0.5 7\n3 0 1 0 0.5 7\n4 0 0 1 0.5 0\n5 1 1 1 0.5 -1\n"
                "@2 4 1\n1 1 2 3 4 3\n2 2 3 4 5 0\n");
    const Mesh triangles = testing_io::sample_mesh(CellKind::tri3);
    const std::vector<VtuField> moved{
        {"displacement", false, 3, std::vector<double>(3 * triangles.vertices.size(), 0.25)}};
    write_vtu(seeds.file("vtu_points", "moved.vtu"), triangles, moved);
}

/// Scenes that make solids; fuzz_scene has a surface of that name at hand.
void write_scenes(const Seeds& seeds) {
    const std::string begin = R"({"format": 1, "bodies": [{"mesh": {)";
    const std::string rest = R"(, "materials": [{"young": 1e4, "poisson": 0.3, "density": 1000}]}], )"
                             R"("method": {"name": "linear_fem"}, "step": 0.1, "duration": 1})";
    seeds.write("scene", "asset.json", begin + R"("asset": "jelly_cube", "cells": 200})" + rest);
    seeds.write("scene", "surface.json",
                begin +
                    R"("surfaces": [{"name": "a", "path": "s.obj"}], "cell_size": 0.5, "unit": "cm", "up": "z"}, )"
                    R"("surface": {"path": "s.obj", "limit": 0.1})" +
                    rest);
    seeds.write("scene", "cage.json", begin + R"("path": "s.obj", "cage": 4})" + rest);
}

void write_surfaces(const Seeds& seeds) {
    write_surface(seeds.file("obj", "s.obj"), testing_io::sample_surface(), MeshFormat::obj);
    write_surface(seeds.file("ply", "s.ply"), testing_io::sample_surface(), MeshFormat::ply);
    write_surface(seeds.file("stl", "s.stl"), testing_io::sample_surface(), MeshFormat::stl);
    seeds.write("obj_model", "artist.obj",
                "mtllib a.mtl\no x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 1\nvn 0 0 1\ng a b\nusemtl wood\n"
                "s 1\nf 1/1/1 3/2/1 2/1/1\nf 1//1 2//1 4//1\nf -3 \\\n 3 4\nl 1 2\nf 3 1 4\n");
    seeds.write("mtl", "a.mtl",
                "newmtl wood\nKd 0.5 0.25 1\nd 0.5\nmap_Kd -s 1 1 1 a.png\nnewmtl iron\nTr 0.1\nmap_Kd ../b c.jpg\n");
}

void write_recordings(const Seeds& seeds) {
    write_recording(seeds.file("recording", "r"), testing_io::sample_recording(2));
    Recording with_surface = testing_io::sample_recording(1);
    with_surface.shown = std::make_shared<const PaintedSurface>(testing_io::sample_painted());
    write_recording(seeds.file("recording", "shown"), with_surface);
    with_surface.unit = LengthUnit::mm;
    with_surface.up = UpAxis::z;
    write_recording(seeds.file("recording", "drawn"), with_surface);
    Recording with_obstacle = testing_io::sample_recording(1);
    with_obstacle.obstacle_count = 1;
    with_obstacle.frames[0].obstacles = {{CapsuleShape{0.1, 0.2}, {1, 2, 3}, {}, {}, {}}};
    write_recording(seeds.file("recording", "obstacle"), with_obstacle);
}

void write_every_series(const Seeds& seeds) {
    const Recording recording = testing_io::sample_recording(3);
    write_series(recording, {seeds.file("npz", "r.npz"), SeriesFormat::npz});
    std::string numpy;
    for (const char* base64 : {testing_io::kStoredNpz, testing_io::kDeflatedNpz})
        if (decode_base64(base64, 1 << 20, numpy)) seeds.write("npz", std::to_string(numpy.size()) + ".npz", numpy);
    // The first byte tells the fuzzer which of the two it is.
    for (const SeriesFormat format : {SeriesFormat::pc2, SeriesFormat::mdd}) {
        const std::string path = seeds.file("point_cache", to_string(format));
        write_series(recording, {path, format});
        write_file(path, (format == SeriesFormat::pc2 ? "0" : "1") + read_file(path));
    }
}

void write_characters(const Seeds& seeds) {
    const testing_io::GltfBuilder sample = testing_io::sample_gltf();
    seeds.write("gltf", "rig.glb", sample.glb());
    seeds.write("gltf", "rig.gltf", sample.gltf("data:;base64," + testing_io::base64(sample.binary)));
    seeds.write("bvh", "chain.bvh", testing_io::kBvhChain);
    runtime_tests::FileText jiggling;
    jiggling.parts = {runtime_tests::some_part(3, 4, 1), runtime_tests::some_part(1, 2, 2)};
    jiggling.mesh_sizes = {4, 1};
    const runtime_tests::Bytes dyrt = runtime_tests::make_bytes(jiggling);
    seeds.write("dyrt", "two.dyrt", {reinterpret_cast<const char*>(dyrt.bytes.data()), dyrt.bytes.size()});
}

void write_pictures(const Seeds& seeds) {
    seeds.write("picture", "opaque.png", encode_png(make_image(9, 5, rgb(0x336699))));
    seeds.write("picture", "clear.png", encode_png(make_image(4, 7, {0.2F, 0.4F, 0.6F, 0.5F})));
    seeds.write("picture", "red.jpg",
                {reinterpret_cast<const char*>(testing_render::kRedJpeg), sizeof testing_render::kRedJpeg});
}

}  // namespace
}  // namespace limber

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: make_seeds FOLDER\n");
        return 2;
    }
    const limber::Seeds seeds(arguments[1]);
    limber::write_meshes(seeds);
    limber::write_scenes(seeds);
    limber::write_surfaces(seeds);
    limber::write_recordings(seeds);
    limber::write_every_series(seeds);
    limber::write_characters(seeds);
    limber::write_pictures(seeds);
    return 0;
}
