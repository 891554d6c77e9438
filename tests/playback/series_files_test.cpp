// Recordings out and back in through every format, and VTU files as other programs write them.
#include "expect_error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/mutate.hpp"
#include "io/samples.hpp"
#include "playback/series_fixtures.hpp"
#include "playback/series_vtu.hpp"

#include <limber/tools/mesh_io.hpp>
#include <limber/tools/metrics.hpp>

#include <algorithm>

namespace limber {
namespace {

using namespace testing_io;

double largest_difference(const Recording& a, const Recording& b) {
    double worst = 0.0;
    EXPECT_EQ(a.frames.size(), b.frames.size());
    for (std::size_t f = 0; f < std::min(a.frames.size(), b.frames.size()); ++f) {
        EXPECT_NEAR(a.frames[f].time, b.frames[f].time, 1e-12);
        for (std::size_t v = 0; v < a.frames[f].displacement.size(); ++v)
            worst = std::max(worst, norm(a.frames[f].displacement[v] - b.frames[f].displacement[v]));
    }
    return worst;
}

TEST(SeriesFiles, NpzAndVtuComeBackBitForBit) {
    const TemporaryFolder folder;
    for (const Recording& r : {moving(block()), moving(block(1, CellKind::hex8), 1), sample_recording(3)}) {
        for (const auto& [path, format] :
             {std::pair{folder.file("a.npz"), SeriesFormat::npz}, std::pair{folder.file("vtu"), SeriesFormat::vtu},
              std::pair{folder.file("b.pvd"), SeriesFormat::vtu}}) {
            const SeriesWritten written = write_series(r, {path, format});
            const Recording back = read_series({written.path}, r.body);
            ASSERT_EQ(back.frames.size(), r.frames.size());
            EXPECT_EQ(back.body, r.body);
            EXPECT_TRUE(back.has_velocity);
            EXPECT_EQ(back.prepare_ms, format == SeriesFormat::npz ? r.prepare_ms : 0.0);
            EXPECT_EQ(back.prepared_bytes, format == SeriesFormat::npz ? r.prepared_bytes : 0u);
            for (std::size_t f = 0; f < r.frames.size(); ++f) {
                EXPECT_EQ(back.frames[f].time, r.frames[f].time);
                EXPECT_EQ(back.frames[f].displacement, r.frames[f].displacement) << written.path;
                EXPECT_EQ(back.frames[f].velocity, r.frames[f].velocity);
                if (format == SeriesFormat::npz) {
                    EXPECT_EQ(back.frames[f].energies.kinetic, r.frames[f].energies.kinetic);
                    EXPECT_EQ(back.frames[f].energies.elastic, r.frames[f].energies.elastic);
                    EXPECT_EQ(back.frames[f].step_ms, r.frames[f].step_ms);
                }
            }
        }
    }
}

TEST(SeriesFiles, EveryFormatComesBackThroughOtherUnitsAndAxes) {
    // A turn the wrong way, or a unit applied to rest but not to motion, is off by far more than rounding.
    const TemporaryFolder folder;
    const Recording r = moving(block());
    for (const SeriesFormat format : {SeriesFormat::npz, SeriesFormat::pc2, SeriesFormat::mdd, SeriesFormat::vtu}) {
        for (const UpAxis up : {UpAxis::y, UpAxis::z}) {
            for (const LengthUnit unit : {LengthUnit::m, LengthUnit::mm, LengthUnit::ft}) {
                SeriesTarget target{
                    folder.file(std::string("a.") + (format == SeriesFormat::vtu ? "pvd" : to_string(format))), format,
                    unit, up};
                const SeriesWritten written = write_series(r, target);
                SeriesSource source{written.path};
                source.unit = unit;
                source.up = up;
                if (format == SeriesFormat::pc2) source.frame_rate = written.frame_rate;
                const bool narrow = format == SeriesFormat::pc2 || format == SeriesFormat::mdd;
                EXPECT_LT(largest_difference(r, read_series(source, r.body)), narrow ? 1.5e-7 : 1e-15)
                    << to_string(format) << to_string(unit) << to_string(up);
            }
        }
    }
}

TEST(SeriesFiles, UpZPutsTheHeightIntoZ) {
    // Round trips cannot tell a turn from its inverse when reader and writer share it.
    const TemporaryFolder folder;
    Recording r = moving(block(), 1);
    r.frames[0].displacement.assign(r.body->vertex_count(), Vec3{0.001, 0.002, 0.004});
    write_series(r, {folder.file("a.npz"), SeriesFormat::npz, LengthUnit::mm, UpAxis::z});
    const std::string bytes = read_file(folder.file("a.npz"));
    const NpzReader in(bytes, "a");
    const std::vector<double> u = in.numbers("displacements").values, w = in.numbers("reactions").values;
    EXPECT_NEAR(u[0], 1.0, 1e-12);
    EXPECT_NEAR(u[1], -4.0, 1e-12);
    EXPECT_NEAR(u[2], 2.0, 1e-12);
    EXPECT_EQ(w, (std::vector<double>{1, -3, 2, 4, 0, 5})) << "reactions turn too, in newtons still";
}

TEST(SeriesFiles, PointCachesAreBlendedOnlyFromEvenFrames) {
    const TemporaryFolder folder;
    Recording r = moving(block(), 7);  // 60 per second
    const SeriesWritten every = write_series(r, {folder.file("a.pc2"), SeriesFormat::pc2});
    EXPECT_EQ(every.frame_rate, 60.0);
    EXPECT_EQ(every.frames, 7u);
    const SeriesWritten third = write_series(r,
                                             {folder.file("a.pc2"), SeriesFormat::pc2, LengthUnit::m, UpAxis::y, 20.0});
    EXPECT_EQ(third.frames, 3u);
    EXPECT_FALSE(says(third.remarks, "blended"));
    SeriesSource source{folder.file("a.pc2")};
    source.frame_rate = 20;
    EXPECT_LT(norm(read_series(source, r.body).frames[1].displacement[9] - r.frames[3].displacement[9]), 1e-7);
    const SeriesWritten more = write_series(r,
                                            {folder.file("a.mdd"), SeriesFormat::mdd, LengthUnit::m, UpAxis::y, 90.0});
    EXPECT_EQ(more.frames, 10u);
    EXPECT_TRUE(says(more.remarks, "6 of 10 frames are blended"));
    const Recording back = read_series({folder.file("a.mdd")}, r.body);
    const Vec3 middle = (1.0 / 3.0) * r.frames[0].displacement[9] + (2.0 / 3.0) * r.frames[1].displacement[9];
    EXPECT_LT(norm(back.frames[1].displacement[9] - middle), 1e-7);
    // A rate that would fill the disk.
    expect_error(Fault::bad_usage, "a.mdd", [&] {
        write_series(r, {folder.file("a.mdd"), SeriesFormat::mdd, LengthUnit::m, UpAxis::y, 1e9});
    });
    r.frames[3].time += 0.001;
    expect_error(Fault::unsupported, "b.pc2", [&] { write_series(r, {folder.file("b.pc2"), SeriesFormat::pc2}); });
    expect_error(Fault::unsupported, "b.mdd", [&] {
        write_series(r, {folder.file("b.mdd"), SeriesFormat::mdd, LengthUnit::m, UpAxis::y, 60.0});
    });
    EXPECT_NO_THROW(write_series(r, {folder.file("b.mdd"), SeriesFormat::mdd})) << "MDD has a time for every frame";
    expect_error(Fault::bad_usage, "b.npz", [&] {
        write_series(r, {folder.file("b.npz"), SeriesFormat::npz, LengthUnit::m, UpAxis::y, 60.0});
    });
    EXPECT_EQ(folder.entries(), 3u) << "what is refused leaves nothing behind";
}

TEST(SeriesFiles, MovingPointsOfNumberedVtuFilesAreASeries) {
    // As SOFA writes them: points move, no list of times.
    const TemporaryFolder folder;
    const Recording r = moving(block(), 12);
    for (std::size_t f = 0; f < 12; ++f) {
        Mesh mesh = r.body->mesh();
        for (std::size_t v = 0; v < mesh.vertices.size(); ++v) mesh.vertices[v] += r.frames[f].displacement[v];
        write_vtu(folder.file("out_" + std::to_string(f) + ".vtu"), mesh, {});  // 10 after 9, not after 1
    }
    write_file(folder.file("out_x.vtu"), "not a number");
    SeriesSource source{folder.file("out_*.vtu")};
    EXPECT_NE(failure_of(source, r.body).find("a frame rate"), std::string::npos);
    source.frame_rate = 60;
    const Recording back = read_series(source, r.body);
    EXPECT_LT(largest_difference(r, back), 1e-15);
    EXPECT_FALSE(back.has_velocity);
    EXPECT_TRUE(says(back.remarks, "positions are the points"));
    EXPECT_NE(failure_of({folder.file("none_*.vtu")}, r.body).find("no file has such a name"), std::string::npos);
}

TEST(SeriesFiles, DisplacementsOnFixedPointsAreFoundUnderTheirUsualNames) {
    const TemporaryFolder folder;
    const Recording r = moving(block(), 2);
    for (const char* name : {"displacement", "U", "u", "Displacement"}) {
        std::vector<VtuField> fields{{name, false, 3, {}},
                                     {"pressure", false, 1, std::vector<double>(r.body->vertex_count(), 1.0)}};
        for (const Vec3& u : r.frames[1].displacement) fields[0].values.insert(fields[0].values.end(), {u.x, u.y, u.z});
        write_vtu(folder.file("a.vtu"), r.body->mesh(), fields);
        const Recording back = read_series({folder.file("a.vtu")}, r.body);
        ASSERT_EQ(back.frames.size(), 1u);
        EXPECT_EQ(back.frames[0].displacement, r.frames[1].displacement);
        EXPECT_TRUE(says(back.remarks, name)) << name;
    }
}

TEST(SeriesFiles, ASeriesOnAnotherMeshKeepsItsOwn) {
    const TemporaryFolder folder;
    const Recording fine = moving(block(3)), coarse = moving(block(2));
    const SeriesWritten written = write_series(coarse, {folder.file("coarse.pvd"), SeriesFormat::vtu});
    const Recording back = read_series({written.path}, fine.body);
    ASSERT_NE(back.body, fine.body);
    EXPECT_EQ(back.body->mesh().vertices, coarse.body->mesh().vertices);
    EXPECT_EQ(back.body->materials(), fine.body->materials());
    EXPECT_TRUE(says(back.remarks, "a mesh of its own"));
    for (const char* name : {"relative_l2", "volume_drift"})
        EXPECT_EQ(evaluate_metric(name, fine, back).value, evaluate_metric(name, fine, coarse).value) << name;
    // Without cells there is nothing to put the points on.
    write_series(coarse, {folder.file("coarse.npz"), SeriesFormat::npz});
    EXPECT_NE(failure_of({folder.file("coarse.npz")}, fine.body).find("have no point at their rest position"),
              std::string::npos);
}

TEST(SeriesFiles, FilesThatDoNotBelongTogetherAreNamed) {
    const TemporaryFolder folder;
    const Recording a = moving(block(2), 2), b = moving(block(3), 2);
    write_series(a, {folder.file("a"), SeriesFormat::vtu});
    write_series(b, {folder.file("b"), SeriesFormat::vtu});
    write_pvd(folder.file("mixed.pvd"),
              std::vector<PvdEntry>{{0.0, "a/frame_000000.vtu"}, {0.1, "b/frame_000001.vtu"}});
    const std::string what = failure_of({folder.file("mixed.pvd")}, a.body);
    EXPECT_NE(what.find("b/frame_000001.vtu: 112 points; expected 45"), std::string::npos) << what;
    write_pvd(folder.file("mixed.pvd"),
              std::vector<PvdEntry>{{0.0, "a/frame_000000.vtu"}, {0.1, "a/frame_000000.vtu"}});
    EXPECT_NE(failure_of({folder.file("mixed.pvd")}, a.body).find("named twice"), std::string::npos);
    write_pvd(folder.file("mixed.pvd"), std::vector<PvdEntry>{{0.0, "a/frame_000000.vtu"}, {0.1, "a/gone.vtu"}});
    EXPECT_NE(failure_of({folder.file("mixed.pvd")}, a.body).find("gone.vtu"), std::string::npos);
}

TEST(SeriesFiles, MutatedVtuFilesAreReadOrRefusedInOneLine) {
    const TemporaryFolder folder;
    write_series(moving(block(1), 1), {folder.file("a"), SeriesFormat::vtu});
    const std::string valid = read_file(folder.file("a/frame_000000.vtu"));
    ASSERT_EQ(parse_vtu_points(valid, "mutant").velocity_name, "velocity");
    std::size_t refused = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        try {
            const VtuPoints read = parse_vtu_points(mutate(valid, seed), "mutant");
            EXPECT_TRUE(read.displacement.empty() || read.displacement.size() == read.points.size());
            for (const Vec3& p : read.points) EXPECT_TRUE(is_finite(p));
        } catch (const Error& e) {
            ++refused;
            EXPECT_EQ(std::string(e.what()).compare(0, 6, "mutant"), 0) << e.what();
        }
    }
    EXPECT_GT(refused, 100u);
    EXPECT_LT(refused, 400u);
}

}  // namespace
}  // namespace limber
