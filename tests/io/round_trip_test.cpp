// What is written, read and written again has the same bytes, for every format that has both a reader and a writer.
// Whether the values are those that were meant is asked beside each format; here a reader that drops or rounds anything
// its writer put down shows.
#include "io/files/atomic_file.hpp"
#include "io/gltf/gltf_write.hpp"
#include "io/gltf_fixtures.hpp"
#include "io/points/point_cache.hpp"
#include "io/samples.hpp"
#include "io/temporary_folder.hpp"
#include "playback/series_fixtures.hpp"

#include <limber/tools/mesh_io.hpp>
#include <limber/tools/rig_io.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace testing_io;

TEST(RoundTrip, MeshesAreWrittenAgainWithTheSameBytes) {
    const TemporaryFolder folder;
    const std::pair<MeshFormat, const char*> formats[] = {
        {MeshFormat::msh2_ascii, "a.msh"},  {MeshFormat::msh2_binary, "a.msh"}, {MeshFormat::msh4_ascii, "a.msh"},
        {MeshFormat::msh4_binary, "a.msh"}, {MeshFormat::vtu, "a.vtu"},         {MeshFormat::inp, "a.inp"},
        {MeshFormat::medit, "a.mesh"}};
    for (const CellKind kind : kKinds) {
        for (const auto& [format, name] : formats) {
            const std::string path = folder.file(name);
            write_mesh(path, sample_mesh(kind), format);
            const std::string first = read_file(path);
            write_mesh(path, read_mesh(path), format);
            EXPECT_EQ(read_file(path), first) << to_string(kind) << " " << name << " " << static_cast<int>(format);
        }
    }
}

TEST(RoundTrip, SurfacesAreWrittenAgainWithTheSameBytes) {
    const TemporaryFolder folder;
    for (const auto& [format, name] : {std::pair{MeshFormat::obj, "a.obj"}, std::pair{MeshFormat::ply, "a.ply"},
                                       std::pair{MeshFormat::stl, "a.stl"}}) {
        const std::string path = folder.file(name);
        write_surface(path, sample_surface(), format);
        const std::string first = read_file(path);
        write_surface(path, read_surface(path), format);
        EXPECT_EQ(read_file(path), first) << name;
    }
}

TEST(RoundTrip, RigsAreWrittenAgainWithTheSameBytes) {
    const std::string first = format_glb(parse_gltf(sample_gltf().glb(), "a.glb"), "a.glb");
    EXPECT_EQ(format_glb(parse_gltf(first, "a.glb"), "a.glb"), first);
}

TEST(RoundTrip, PointCachesAreWrittenAgainWithTheSameBytes) {
    const TemporaryFolder folder;
    const Recording r = moving(block());
    for (const SeriesFormat format : {SeriesFormat::pc2, SeriesFormat::mdd}) {
        const std::string path = folder.file("cache");
        write_series(r, {path, format});
        const std::string first = read_file(path);
        EXPECT_EQ(format == SeriesFormat::pc2 ? format_pc2(parse_pc2(first, path), path)
                                              : format_mdd(parse_mdd(first, path), path),
                  first)
            << to_string(format);
    }
}

TEST(RoundTrip, RecordingsAreWrittenAgainWithTheSameBytes) {
    const TemporaryFolder folder;
    const std::string path = folder.file("r.limber"), again = folder.file("again.limber");
    write_recording(path, sample_recording(3));
    write_recording(again, read_recording(path));
    EXPECT_EQ(read_file(again), read_file(path));
}

TEST(RoundTrip, TheSkinOfAGlbIsTheSurfaceThatIsWritten) {
    // read_surface() of a model is its skin at rest: vertex order and triangles are the file's.
    const TemporaryFolder folder;
    const Rig rig = parse_gltf(sample_gltf().glb(), "a.glb");
    write_glb(folder.file("a.glb"), rig);
    const Surface s = read_surface(folder.file("a.glb"));
    ASSERT_EQ(s.vertices.size(), rig.parts[0].positions.size());
    ASSERT_EQ(s.face_count(), rig.parts[0].triangles.size());
    for (std::size_t v = 0; v < s.vertices.size(); ++v) EXPECT_EQ(s.vertices[v], rig.parts[0].positions[v]) << v;
    EXPECT_EQ(s.faces[3], rig.parts[0].triangles[1][0]);
}

}  // namespace
}  // namespace limber
