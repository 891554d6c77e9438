// 200 damaged files of every format: each is read as something that can be checked, or refused in one line.
#include "io/mutate.hpp"
#include "io/samples.hpp"

#include "io/files/atomic_file.hpp"
#include "io/msh/msh.hpp"
#include "io/recording/recording_file.hpp"
#include "io/surface/surfaces.hpp"
#include "io/temporary_folder.hpp"

#include <limber/tools/mesh_io.hpp>

#include <cmath>

namespace limber {
namespace {

using namespace testing_io;

constexpr std::uint64_t kMutants = 200;

void use(Mesh mesh) {
    for (const Vec3& p : mesh.vertices) ASSERT_TRUE(is_finite(p));
    for (const std::int32_t v : mesh.cells) ASSERT_TRUE(v >= 0 && static_cast<std::size_t>(v) < mesh.vertices.size());
    validate(mesh);
}

void use(const Surface& surface) {
    for (const Vec3& p : surface.vertices) ASSERT_TRUE(is_finite(p));
    ASSERT_EQ(static_cast<std::size_t>(surface.face_starts.back()), surface.faces.size());
    for (const std::int32_t v : surface.faces)
        ASSERT_TRUE(v >= 0 && static_cast<std::size_t>(v) < surface.vertices.size());
}

void use(const Recording& recording) {
    ASSERT_NE(recording.body, nullptr);
    for (const Frame& f : recording.frames) check_frame(f, recording, "r");
}

// Returns how many mutants were refused.
template <class Parse>
std::size_t try_mutants(const std::string& valid, Parse&& parse) {
    std::size_t refused = 0;
    for (std::uint64_t seed = 0; seed < kMutants; ++seed) {
        SCOPED_TRACE(seed);
        const std::string bytes = mutate(valid, seed);
        try {
            use(parse(bytes, "mutant"));
        } catch (const Error& e) {
            ++refused;
            const std::string what = e.what();
            EXPECT_EQ(what.find_first_of("\n\r"), std::string::npos);
            EXPECT_EQ(what.compare(0, 6, "mutant"), 0) << what;
            EXPECT_GT(what.size(), 20u) << what;
            EXPECT_LT(what.size(), 400u) << what;
        }
    }
    return refused;
}

std::string written_vtu(const Mesh& mesh) {
    const TemporaryFolder folder;
    write_mesh(folder.file("m.vtu"), mesh, MeshFormat::vtu);
    return read_file(folder.file("m.vtu"));
}

TEST(MutatedFiles, MutatingIsReproducibleAndChangesTheFile) {
    const std::string valid = format_msh4(sample_mesh(CellKind::tri3), false);
    std::size_t changed = 0;
    for (std::uint64_t seed = 0; seed < kMutants; ++seed) {
        EXPECT_EQ(mutate(valid, seed), mutate(valid, seed));
        changed += mutate(valid, seed) != valid ? 1 : 0;
    }
    EXPECT_GT(changed, kMutants - 10);
}

TEST(MutatedFiles, MeshesAreReadOrRefusedInOneLine) {
    for (const CellKind kind : {CellKind::tri3, CellKind::tet10}) {
        const Mesh mesh = sample_mesh(kind);
        for (const bool binary : {false, true}) {
            EXPECT_GT(try_mutants(format_msh2(mesh, binary), parse_msh), kMutants / 4);
            EXPECT_GT(try_mutants(format_msh4(mesh, binary), parse_msh), kMutants / 4);
        }
        EXPECT_GT(try_mutants(written_vtu(mesh), parse_vtu), kMutants / 4);
    }
}

TEST(MutatedFiles, SurfacesAreReadOrRefusedInOneLine) {
    EXPECT_GT(try_mutants(format_obj(sample_surface()), parse_obj), kMutants / 4);
    EXPECT_GT(try_mutants(format_ply(sample_surface()), parse_ply), kMutants / 4);
    EXPECT_GT(try_mutants(format_stl(sample_surface()), parse_stl), kMutants / 4);
}

TEST(MutatedFiles, RecordingsAreReadOrRefusedInOneLine) {
    const TemporaryFolder folder;
    write_recording(folder.file("r"), sample_recording(4));
    const std::size_t refused = try_mutants(
        read_file(folder.file("r")),
        [](std::string_view bytes, const std::string& name) { return parse_recording(bytes, name); });
    EXPECT_GT(refused, kMutants / 10);
    EXPECT_LT(refused, kMutants);
}

}  // namespace
}  // namespace limber
