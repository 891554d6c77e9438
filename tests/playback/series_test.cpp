#include "io/mutate.hpp"
#include "io/samples.hpp"
#include "playback/series_build.hpp"
#include "playback/series_fixtures.hpp"

#include <limber/tools/mesh_io.hpp>
#include <limber/tools/metrics.hpp>

#include <algorithm>

namespace limber {
namespace {

using namespace testing_io;

TEST(Series, PermutedPointsMatchedByRestGiveTheSameMetricsAsByIndex) {
    // The metrics are compared bit by bit: one swapped pair of vertices in a nearly rigid motion would hide in any
    // tolerance.
    const TemporaryFolder folder;
    const Recording truth = moving(block());
    Recording other = truth;
    for (Frame& f : other.frames) {
        for (std::size_t v = 0; v < f.displacement.size(); ++v)
            f.displacement[v] += Vec3{1e-3 * static_cast<double>(v % 7), 1e-4 * static_cast<double>(v), 0} * f.time;
    }
    std::vector<std::size_t> order = in_order(truth.body->vertex_count());
    arrays_of(other, order).write(folder.file("index.npz"));
    Dice dice(7);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[dice.below(i)]);
    arrays_of(other, order).write(folder.file("permuted.npz"));
    SeriesSource by_index{folder.file("index.npz")}, by_rest{folder.file("permuted.npz")}, automatic = by_rest;
    by_index.match = SeriesMatch::by_index;
    by_rest.match = SeriesMatch::by_rest_position;
    const Recording a = read_series(by_index, truth.body), b = read_series(by_rest, truth.body),
                    c = read_series(automatic, truth.body);
    EXPECT_TRUE(says(b.remarks, "by rest position"));
    for (const char* name : {"relative_l2", "relative_energy", "interior", "max_distance", "volume_drift"}) {
        const MetricSeries x = evaluate_metric(name, truth, a), y = evaluate_metric(name, truth, b),
                           z = evaluate_metric(name, truth, c);
        EXPECT_EQ(x.value, y.value) << name;
        EXPECT_EQ(x.value, z.value) << name;
        EXPECT_EQ(x.value.size(), 4u);
        EXPECT_NE(x.value.back(), 0.0) << name;
    }
}

TEST(Series, AShiftedPointIsRefusedWithItsNumberAndDistance) {
    const TemporaryFolder folder;
    const Recording truth = moving(block());
    Arrays arrays = arrays_of(truth, in_order(truth.body->vertex_count()));
    arrays.rest[11].y += 3e-5;  // thirty times what is allowed
    arrays.write(folder.file("a.npz"));
    SeriesSource source{folder.file("a.npz")};
    source.match = SeriesMatch::by_rest_position;
    const std::string what = failure_of(source, truth.body);
    EXPECT_NE(what.find("vertex 11 is 3e-05 m"), std::string::npos) << what;
    EXPECT_NE(what.find("1 of "), std::string::npos) << what;
    arrays.rest[11].y -= 3e-5 * (1 - 1e-2);  // now within 1e-6 of the diagonal
    arrays.write(folder.file("a.npz"));
    EXPECT_EQ(failure_of(source, truth.body), "no error");
}

TEST(Series, PointsThatRestAtNoVertexAreLeftOutAndCounted) {
    const TemporaryFolder folder;
    const Recording truth = moving(block());
    Arrays arrays = arrays_of(truth, in_order(truth.body->vertex_count()));
    for (auto* list :
         {&arrays.rest, &arrays.positions[0], &arrays.positions[1], &arrays.positions[2], &arrays.positions[3]}) {
        for (int i = 0; i < 3; ++i) list->insert(list->begin(), Vec3{1e300, 5, 5.0 + i});
    }
    arrays.write(folder.file("a.npz"));
    const Recording back = read_series({folder.file("a.npz")}, truth.body);
    EXPECT_TRUE(says(back.remarks, "3 points of the series rest at no vertex"));
    EXPECT_NEAR(norm(back.frames[3].displacement[5] - truth.frames[3].displacement[5]), 0.0, 1e-15);
}

TEST(Series, PointsThatRestTogetherAndPartAreRefused) {
    // Split vertices of a surface may move alike; which one a vertex means must not be guessed when they do not.
    const TemporaryFolder folder;
    const Recording truth = moving(block());
    std::vector<std::size_t> order = in_order(truth.body->vertex_count());
    order.push_back(4);
    Arrays arrays = arrays_of(truth, order);
    arrays.write(folder.file("a.npz"));
    EXPECT_EQ(failure_of({folder.file("a.npz")}, truth.body), "no error");
    arrays.positions[2].back().x += 0.01;
    arrays.write(folder.file("a.npz"));
    const std::string what = failure_of({folder.file("a.npz")}, truth.body);
    EXPECT_NE(what.find("rest at vertex 4 but part in frame 2"), std::string::npos) << what;
}

TEST(Series, AnotherUnitIsSuspectedByName) {
    const TemporaryFolder folder;
    const Recording truth = moving(block());
    Arrays arrays = arrays_of(truth, in_order(truth.body->vertex_count()));
    for (Vec3& p : arrays.rest) p *= 1000.0;
    for (auto& frame : arrays.positions)
        for (Vec3& p : frame) p *= 1000.0;
    arrays.write(folder.file("a.npz"));
    SeriesSource source{folder.file("a.npz")};
    EXPECT_NE(failure_of(source, truth.body).find("1000 times as large"), std::string::npos)
        << failure_of(source, truth.body);
    source.unit = LengthUnit::mm;
    const Recording back = read_series(source, truth.body);
    EXPECT_LT(evaluate_metric("relative_l2", truth, back).value.back(), 1e-12);
}

TEST(Series, CountsMustAgreeWhereNothingElseTellsThePointsApart) {
    const TemporaryFolder folder;
    const Recording truth = moving(block());
    Arrays arrays = arrays_of(truth, in_order(truth.body->vertex_count() - 1));
    arrays.rest.clear();
    arrays.write(folder.file("a.npz"));
    const std::string what = failure_of({folder.file("a.npz")}, truth.body);
    EXPECT_NE(what.find("frames of 44 points; expected 45"), std::string::npos) << what;
    SeriesSource source{folder.file("a.npz")};
    source.match = SeriesMatch::by_rest_position;
    EXPECT_NE(failure_of(source, truth.body).find("rest positions of the points are not known"), std::string::npos);
}

TEST(Series, WithoutARestShapeTheBodysIsTakenAndTheFirstFrameMayBe) {
    const TemporaryFolder folder;
    const Recording truth = moving(block());
    Arrays arrays = arrays_of(truth, in_order(truth.body->vertex_count()));
    arrays.rest.clear();
    for (auto& frame : arrays.positions)
        for (Vec3& p : frame) p.x += 0.5;  // the other program put the body elsewhere
    arrays.write(folder.file("a.npz"));
    SeriesSource source{folder.file("a.npz")};
    const Recording off = read_series(source, truth.body);
    EXPECT_NEAR(off.frames[0].displacement[3].x, 0.5, 1e-12);
    EXPECT_TRUE(says(off.remarks, "the first frame is up to 0.5 m from it"));
    source.first_frame_is_rest = true;
    source.match = SeriesMatch::by_index;
    const Recording on = read_series(source, truth.body);
    EXPECT_LT(evaluate_metric("relative_l2", truth, on).value.back(), 1e-12);
    EXPECT_TRUE(says(on.remarks, "own rest shape is up to 0.5 m from the body's"));
    write_surface(folder.file("rest.ply"), {std::vector<Vec3>(arrays.positions[0]), {0, 3}, {0, 1, 2}},
                  MeshFormat::ply);
    source.first_frame_is_rest = false;
    source.rest = folder.file("rest.ply");
    EXPECT_EQ(read_series(source, truth.body).frames[2].displacement, on.frames[2].displacement);
}

TEST(Series, TimesMustAscendAndBeKnown) {
    const TemporaryFolder folder;
    const Recording truth = moving(block());
    Arrays arrays = arrays_of(truth, in_order(truth.body->vertex_count()));
    arrays.times[2] = arrays.times[1];
    arrays.write(folder.file("a.npz"));
    EXPECT_NE(failure_of({folder.file("a.npz")}, truth.body).find("frame 2 is at 0.016"), std::string::npos);
    arrays.times.clear();
    arrays.write(folder.file("a.npz"));
    SeriesSource source{folder.file("a.npz")};
    EXPECT_NE(failure_of(source, truth.body).find("no times; expected a frame rate"), std::string::npos);
    source.frame_rate = 60;
    EXPECT_EQ(evaluate_metric("relative_l2", truth, read_series(source, truth.body)).value.size(), 4u);
}

TEST(Series, AFrameRateCorrectsRoundedTimesButContradictsNone) {
    // 0.0166667 s, as many programs print it, is no time of a run at 60 Hz: no frame would be common.
    const TemporaryFolder folder;
    const Recording truth = moving(block());
    Arrays arrays = arrays_of(truth, in_order(truth.body->vertex_count()));
    for (double& t : arrays.times) t = std::round(t * 1e6) / 1e6;
    arrays.write(folder.file("a.npz"));
    SeriesSource source{folder.file("a.npz")};
    EXPECT_EQ(evaluate_metric("relative_l2", truth, read_series(source, truth.body)).value.size(), 2u)
        << "only 0 and 0.05 s";
    source.frame_rate = 60;
    EXPECT_EQ(evaluate_metric("relative_l2", truth, read_series(source, truth.body)).value.size(), 4u);
    source.frame_rate = 50;
    EXPECT_NE(failure_of(source, truth.body).find("by the frame rate 50"), std::string::npos);
}

TEST(Series, ShortTimesAreWidenedToWhatTheyStandFor) {
    const auto narrow = [](std::vector<double> times) {
        for (double& t : times) t = static_cast<float>(t);
        return times;
    };
    std::vector<double> sixtieths, odd;
    for (int k = 0; k < 500; ++k) {
        sixtieths.push_back(k / 60.0);
        odd.push_back(0.5 + k * 0.033);
    }
    EXPECT_EQ(widened_times(narrow(sixtieths)), sixtieths);
    const std::vector<double> back = widened_times(narrow(odd));
    for (std::size_t k = 0; k < odd.size(); ++k) EXPECT_NEAR(back[k], odd[k], 1e-12) << k;
    EXPECT_EQ(widened_times(narrow({0.3})), (std::vector<double>{0.3}));
}

TEST(Series, EnergiesAndVelocitiesThatAreNotThereAreNotMeasured) {
    const TemporaryFolder folder;
    const Recording truth = moving(block());
    arrays_of(truth, in_order(truth.body->vertex_count())).write(folder.file("a.npz"));
    const Recording series = read_series({folder.file("a.npz")}, truth.body);
    EXPECT_FALSE(series.has_energies || series.has_velocity || series.has_cost);
    for (const char* name : {"energy_drift", "momentum_drift"}) {
        EXPECT_NO_THROW(evaluate_metric(name, truth, truth));
        for (const bool swapped : {false, true}) {
            try {
                evaluate_metric(name, swapped ? series : truth, swapped ? truth : series);
                ADD_FAILURE() << name;
            } catch (const Error& e) {
                EXPECT_EQ(e.fault(), Fault::unsupported);
            }
        }
    }
    // Differences of a motion that is linear in time, at the ends too.
    const Vec3 v = series.frames[0].velocity[7], p = truth.body->mesh().vertices[7];
    EXPECT_NEAR(v.y, 0.1 * p.x * p.x, 1e-12);
    EXPECT_NEAR(series.frames[3].velocity[7].x, 0.05 * p.y, 1e-12);
}

TEST(Series, WhatIsNotKnownStaysSoInARecordingFile) {
    const TemporaryFolder folder;
    Recording r = sample_recording(2);
    r.has_energies = false;
    r.has_cost = false;
    r.remarks = {"one", "two"};
    write_recording(folder.file("r"), r);
    const Recording back = read_recording(folder.file("r"));
    EXPECT_FALSE(back.has_energies);
    EXPECT_TRUE(back.has_velocity);
    EXPECT_FALSE(back.has_cost);
    EXPECT_EQ(back.remarks, r.remarks);
    EXPECT_EQ(back.frames.size(), 2u);
    // Everything known: the first format, which older readers know.
    write_recording(folder.file("r"), sample_recording(2));
    EXPECT_EQ(read_file(folder.file("r"))[16], 1);
}

TEST(Series, APlanarBodyDoesNotLeaveItsPlane) {
    const TemporaryFolder folder;
    Recording r = sample_recording(2);
    Arrays arrays = arrays_of(r, in_order(r.body->vertex_count()));
    arrays.positions[1][6].z = 0.1;
    arrays.write(folder.file("a.npz"));
    const std::string what = failure_of({folder.file("a.npz")}, r.body);
    EXPECT_NE(what.find("frame 1 leaves the plane at vertex 6"), std::string::npos) << what;
}

TEST(Series, ARecordingIsReadAsItIs) {
    const TemporaryFolder folder;
    write_recording(folder.file("r.limber"), sample_recording(2));
    EXPECT_EQ(read_series({folder.file("r.limber")}, nullptr).method, "linear_fem");
    SeriesSource source{folder.file("r.limber")};
    source.unit = LengthUnit::mm;
    EXPECT_NE(failure_of(source, nullptr).find("it has its own"), std::string::npos);
    EXPECT_NE(failure_of({folder.file("r.abc")}, block()).find("'.abc'"), std::string::npos);
    EXPECT_NE(failure_of({folder.file("r.npz")}, nullptr).find("without a body"), std::string::npos);
}

}  // namespace
}  // namespace limber
