#include "study/sweep.hpp"

#include "core/text.hpp"
#include "expect_error.hpp"
#include "io/files/atomic_file.hpp"
#include "report/files.hpp"
#include "study/study_scenes.hpp"
#include "study/sweep_jobs.hpp"
#include "study/sweep_store.hpp"

#include <limber/tools/series.hpp>
#include <limber/tools/sim.hpp>
#include <limber/version.hpp>

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

namespace limber {
namespace {

using testing_study::bar;
using testing_study::Folder;
using testing_study::strip;

SweepSettings settings_of(std::vector<std::string> varied, const std::string& directory = {}) {
    SweepSettings s;
    s.scene = strip();
    s.varied = std::move(varied);
    s.directory = directory;
    s.jobs = 2;
    return s;
}

SweepReport sweep(const SweepSettings& settings) {
    Progress silent;
    return run_sweep(settings, silent);
}

std::size_t column(const SweepReport& report, const std::string& name) {
    for (std::size_t c = 0; c < report.columns.size(); ++c)
        if (report.columns[c].name == name) return c;
    ADD_FAILURE() << "no column " << name;
    return 0;
}

/// Asks to stop after so many looks.
class Impatient : public Progress {
public:
    explicit Impatient(std::size_t limit) : limit_(limit) {}
    bool stop_requested() const override { return looks_.fetch_add(1) >= limit_; }

private:
    std::size_t limit_;
    mutable std::atomic<std::size_t> looks_{0};
};

TEST(Sweep, EveryPointOfTheGridIsARowAndTheLastParameterVariesFastest) {
    const SweepReport report = sweep(
        settings_of({"material.young=1000,2000,4000", "scheme=newmark_implicit,backward_euler"}));
    ASSERT_EQ(report.points.size(), 6u);
    const std::size_t tip = column(report, "tip end uy");
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(report.points[i].status, PointStatus::done) << report.points[i].cause;
        EXPECT_EQ(report.value_of(i, 0), i / 2);
        EXPECT_EQ(report.value_of(i, 1), i % 2);
        // The very run that the sets of this point give.
        const Scene scene = scene_of(strip(), {text("material.young=", report.parameters[0].values[i / 2]),
                                               text("scheme=", report.parameters[1].values[i % 2])});
        Progress silent;
        const RunResult run = run_scene(scene, {}, silent);
        EXPECT_EQ(report.points[i].values[tip], run.probes[0].value(run.recording.frames.back().displacement).y);
        EXPECT_EQ(report.points[i].steps, 10u);
    }
}

TEST(Sweep, PeaksAreOverEveryStepNotOnlyOverRecordedOnes) {
    const SweepReport all = sweep(settings_of({"output.every=1"})), few = sweep(settings_of({"output.every=10"}));
    for (const char* name : {"tip peak |u|", "largest peak |u|", "largest peak |f|", "elastic peak"})
        EXPECT_EQ(all.points[0].values[column(all, name)], few.points[0].values[column(few, name)]) << name;
    EXPECT_GT(all.points[0].values[column(all, "tip peak |u|")], 0.0);
}

TEST(Sweep, TheSameBitsForAnyNumberOfJobs) {
    // Preparing in parallel shares METIS, BLAS and every static of the program.
    SweepSettings s = settings_of({"mesh.counts=[2,1],[12,6],[9,9],[14,3]", "material.poisson=0.2:0.49:4"});
    s.quantities = {"probes", "reactions", "energies", "frequency"};
    s.jobs = 1;
    const std::string one = sweep_csv(sweep(s));
    for (const int jobs : {2, 5}) {
        s.jobs = jobs;
        EXPECT_EQ(sweep_csv(sweep(s)), one);
    }
    set_thread_count(3);
    EXPECT_EQ(sweep_csv(sweep(s)), one);
    EXPECT_EQ(thread_count(), 3);
    set_thread_count(1);
}

TEST(Sweep, FailuresAreRowsWithTheirCause) {
    // A value out of range, a point outside of the body, an unstable step, a mesh beyond any memory, and one that
    // works.
    const SweepReport bad = sweep(settings_of({"material.poisson=0.3,0.7"}));
    EXPECT_EQ(bad.points[0].status, PointStatus::done);
    EXPECT_EQ(bad.points[1].status, PointStatus::refused);
    EXPECT_NE(bad.points[1].cause.find("poisson"), std::string::npos) << bad.points[1].cause;
    const SweepReport outside = sweep(settings_of({"mesh.high=[2,1],[1,1]"}));
    EXPECT_NE(outside.points[1].cause.find("outside the body"), std::string::npos) << outside.points[1].cause;
    SweepSettings fast = settings_of({"step=0.002,0.2"});
    fast.scene.sets = {"scheme=newmark_explicit", "mass=lumped", "damping=mass_only", "duration=20", "young=1e5"};
    const SweepReport blown = sweep(fast);
    EXPECT_EQ(blown.points[0].status, PointStatus::done) << blown.points[0].cause;
    EXPECT_EQ(blown.points[1].status, PointStatus::trouble) << blown.points[1].cause;
    EXPECT_NE(blown.points[1].cause, "");
    for (const double v : blown.points[1].values) EXPECT_FALSE(std::isfinite(v));
    SweepSettings huge = settings_of({"mesh.counts=[10,10,10],[160,160,160]"});
    huge.scene = bar();
    huge.quantities = {"displacement"};
    huge.scene.sets = {"output.probes=[]"};
    const SweepReport big = sweep(huge);
    EXPECT_EQ(big.points[1].status, PointStatus::refused);
    EXPECT_NE(big.points[1].cause.find("GB of memory needed"), std::string::npos) << big.points[1].cause;
    EXPECT_EQ(sweep_csv(bad).find("nan"), std::string::npos);
}

TEST(Sweep, AnInterruptedSweepGoesOnAndEndsWithTheSameBytes) {
    Folder folder;
    SweepSettings s = settings_of({"material.young=1000:9000:20", "material.poisson=0.1,0.2,0.3"}, folder.path("a"));
    s.scene.sets = {"duration=10"};  // long enough that the caller looks several times before the end
    const std::string whole = sweep_csv(sweep(s));
    s.directory = folder.path("b");
    s.jobs = 1;
    Impatient impatient(3);
    expect_error(Fault::interrupted, "strip.json", [&] { run_sweep(s, impatient); });
    const SweepReport resumed = sweep(s);
    EXPECT_GT(resumed.resumed, 0u);
    EXPECT_LT(resumed.resumed, 60u);
    EXPECT_EQ(sweep_csv(resumed), whole);
    const SweepReport again = sweep(s);
    EXPECT_EQ(again.resumed, 60u);
    EXPECT_EQ(sweep_csv(again), whole);
}

TEST(Sweep, TornAndDamagedLinesAreRunAgain) {
    Folder folder;
    SweepSettings s = settings_of({"material.young=1000:9000:9"}, folder.path("a"));
    const std::string whole = sweep_csv(sweep(s));
    const std::string file = folder.path("a/points.jsonl"), content = read_file(file);
    // Cut at every kind of place: inside the head, at a line's end, inside a line, before the last line break.
    for (const std::size_t keep :
         {std::size_t{0}, std::size_t{10}, content.find('\n') + 1, content.size() / 2, content.size() - 1}) {
        std::ofstream(file, std::ios::trunc) << content.substr(0, keep);
        const SweepReport report = sweep(s);
        EXPECT_EQ(sweep_csv(report), whole) << keep;
        EXPECT_LT(report.resumed, 9u) << keep;
    }
    // One digit changed in the middle of a line: still JSON, but not what was measured.
    std::string damaged = read_file(file);
    const std::size_t at = damaged.find("\"values\":[", damaged.size() / 2) + 14;
    damaged[at] = damaged[at] == '1' ? '2' : '1';
    std::ofstream(file, std::ios::trunc) << damaged;
    const SweepReport repaired = sweep(s);
    EXPECT_EQ(repaired.resumed, 8u);
    EXPECT_EQ(sweep_csv(repaired), whole);
    EXPECT_EQ(sweep(s).resumed, 9u);
}

TEST(Sweep, PointsOfAnotherSweepAreRefusedNotMixedIn) {
    Folder folder;
    const SweepSettings s = settings_of({"material.young=1000,2000"}, folder.path("a"));
    sweep(s);
    const auto refusal = [](const SweepSettings& changed) -> std::string {
        try {
            sweep(changed);
        } catch (const Error& error) {
            EXPECT_EQ(error.fault(), Fault::bad_usage);
            return error.what();
        }
        return "";
    };
    SweepSettings changed = s;
    changed.scene.sets = {"duration=0.1"};
    EXPECT_NE(refusal(changed).find("the scene changed"), std::string::npos);
    changed = s;
    changed.varied = {"material.young=1000,3000"};
    EXPECT_NE(refusal(changed).find("the grid changed"), std::string::npos);
    changed = s;
    changed.quantities = {"energies"};
    EXPECT_NE(refusal(changed).find("the quantities changed"), std::string::npos);
    changed = s;
    changed.reference = "scene";
    EXPECT_NE(refusal(changed).find("the reference"), std::string::npos);
    EXPECT_NE(refusal(changed).find("--fresh"), std::string::npos);
    changed.fresh = true;
    EXPECT_EQ(refusal(changed), "");
    EXPECT_EQ(sweep([&] {
                  SweepSettings fresh = s;
                  fresh.fresh = true;
                  return fresh;
              }())
                  .resumed,
              0u);
    std::ofstream(folder.path("a/points.jsonl"), std::ios::trunc) << "somebody's\nnotes\n";
    EXPECT_NE(refusal(s).find("not the points of a sweep"), std::string::npos);
    EXPECT_EQ(read_file(folder.path("a/points.jsonl")), "somebody's\nnotes\n");
}

TEST(Sweep, TwoSweepsDoNotWriteIntoOneFolder) {
    Folder folder;
    const StoreKey key{{"the scene", "x"}};
    SweepStore first(folder.path("points.jsonl"), key, 0, false);
    expect_error(Fault::bad_usage, "points.jsonl", [&] { SweepStore(folder.path("points.jsonl"), key, 0, false); });
}

TEST(Sweep, ErrorsAgainstTheUnchangedSceneAreZeroWhereNothingChanged) {
    SweepSettings s = settings_of({"material.young=1000,1100"});
    s.reference = "scene";
    const SweepReport report = sweep(s);
    for (const char* name : {"relative_l2 max", "surface end", "max_distance max"}) {
        EXPECT_EQ(report.points[0].values[column(report, name)], 0.0) << name;
        EXPECT_GT(report.points[1].values[column(report, name)], 0.0) << name;
    }
    // Another step shares no time but the start, where every body rests: the errors say why they are missing, the rest
    // is there.
    s.varied = {"step=0.011,0.03"};
    const SweepReport other = sweep(s);
    EXPECT_EQ(other.points[0].status, PointStatus::done);
    EXPECT_TRUE(std::isfinite(other.points[0].values[column(other, "tip end uy")]));
    for (const char* name : {"relative_l2 max", "surface end", "max_distance max"}) {
        EXPECT_TRUE(std::isnan(other.points[0].values[column(other, name)])) << name;
        EXPECT_GT(other.points[1].values[column(other, name)], 0.0) << name;  // 0.12 s is a frame of both
    }
    EXPECT_NE(other.points[0].cause.find("no value at a common time"), std::string::npos) << other.points[0].cause;
}

TEST(Sweep, AReferenceThatDoesNotSayItsTimesIsToldThem) {
    Folder folder;
    SweepSettings s = settings_of({"material.young=1000,1100"});
    Progress silent;
    SeriesTarget target;
    target.path = folder.path("run.pc2");
    target.format = SeriesFormat::pc2;
    write_series(run_scene(scene_of(s.scene), {}, silent).recording, target);
    s.reference = target.path;
    expect_error(Fault::bad_usage, "run.pc2", [&] { sweep(s); });
    s.reference += ":rate=25";
    const SweepReport report = sweep(s);
    const std::size_t end = column(report,
                                   "relative_l2 end");  // the first moves are small beside the rounding of 32 bits
    EXPECT_LT(report.points[0].values[end], 1e-4);
    EXPECT_GT(report.points[1].values[end], 10.0 * report.points[0].values[end]);
}

TEST(Sweep, QuantitiesAreChosenByNameAndMisspeltOnesGetASuggestion) {
    SweepSettings s = settings_of({"material.young=1000,4000"});
    s.quantities = {"frequency", "tip end uy"};
    const SweepReport report = sweep(s);
    ASSERT_EQ(report.columns.size(), 2u);
    EXPECT_NEAR(report.points[1].values[1] / report.points[0].values[1], 2.0,
                1e-9);  // a frequency grows with the root of stiffness
    for (const auto& [asked, word] : {std::pair{"frequancy", "frequency"}, std::pair{"errors", "--reference"},
                                      std::pair{"tip end uw", "tip end u"}}) {
        s.quantities = {asked};
        try {
            sweep(s);
            ADD_FAILURE() << asked;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
        }
    }
}

TEST(Sweep, WhatVariesTwiceOrNotAtAllOrTooMuchIsRefused) {
    expect_error(Fault::bad_usage, "--set", [&] { sweep(settings_of({})); });
    expect_error(Fault::bad_usage, "--set young=3,4", [&] { sweep(settings_of({"material.E=1,2", "young=3,4"})); });
    expect_error(Fault::bad_usage, "--set", [&] {
        sweep(settings_of({"material.E=1:2:10000", "duration=1:2:10000"}));
    });
    expect_error(Fault::bad_usage, "--set material.EE=1,2", [&] { sweep(settings_of({"material.EE=1,2"})); });
}

TEST(Sweep, PlotsShowCurvesPerSecondParameterAndSayWhatIsLeftOut) {
    std::vector<std::string> left_out;
    const SweepReport one = sweep(settings_of({"material.young=1000:8000:4:log"}));
    const std::vector<Plot> single = sweep_plots(one, left_out);
    ASSERT_FALSE(single.empty());
    EXPECT_EQ(single[0].series.size(), 1u);
    EXPECT_EQ(single[0].x.scale, Scale::log);
    // The word comes first, the number still is the axis; failed points are gaps.
    const SweepReport two = sweep(settings_of({"scheme=bdf2,backward_euler", "material.poisson=0.1,0.2,0.7"}));
    const std::vector<Plot> plots = sweep_plots(two, left_out);
    ASSERT_EQ(plots[0].series.size(), 2u);
    EXPECT_EQ(plots[0].series[0].name, "bdf2");
    EXPECT_EQ(plots[0].series[1].x, (std::vector<double>{0.1, 0.2, 0.7}));
    EXPECT_TRUE(std::isnan(plots[0].series[1].y[2]));
    EXPECT_NE(plots[0].caption.find("2 points have no value"), std::string::npos) << plots[0].caption;
    left_out.clear();
    const SweepReport many = sweep(
        settings_of({"material.young=1000,2000", "material.poisson=0.1,0.2,0.3,0.4", "material.density=1,2,3"}));
    EXPECT_EQ(sweep_plots(many, left_out)[0].series.size(), 7u);
    EXPECT_NE(left_out[0].find("7 of 12 curves"), std::string::npos);
    // Names without a plain letter still get files of their own.
    SweepSettings greek = settings_of({"material.young=1000,2000"});
    greek.scene.sets = {"output.probes=[{\"name\": \"α\", \"point\": [2, 1]}, {\"name\": \"β\", \"point\": [2, 0]}]"};
    greek.quantities = {"α end uy", "β end uy"};
    const std::vector<Plot> both = sweep_plots(sweep(greek), left_out);
    ASSERT_EQ(both.size(), 2u);
    EXPECT_EQ(both[0].name, "end_uy");
    EXPECT_EQ(both[1].name, "end_uy_2");
}

TEST(Sweep, TheFilesAreWholeAndCarryTheCommandAndProvenance) {
    Folder folder;
    SweepSettings s = settings_of({"material.young=1000:8000:3"}, folder.path("out"));
    s.command = "limber sweep strip.json --set material.young=1000:8000:3";
    const SweepReport report = sweep(s);
    write_sweep(s.directory, report);
    const std::string csv = read_file(folder.path("out/sweep.csv"));
    EXPECT_EQ(csv, sweep_csv(report));
    for (const std::string& content :
         {csv, read_file(folder.path("out/timings.csv")), read_file(folder.path("out/index.html")),
          read_file(folder.path("out/tip_end_uy.svg")), read_file(folder.path("out/tip_end_uy.csv"))}) {
        for (const std::string& words : {s.command, report.scene_hash, std::string("limber " + provenance().version)})
            EXPECT_NE(content.find(words), std::string::npos) << words;
    }
    SweepReport split = report;
    split.scene = split.command = "two\nlines";
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), std::ranges::count(sweep_csv(split), '\n'));
    EXPECT_EQ(csv.find(" ms"), std::string::npos);  // costs are never the same twice
    EXPECT_EQ(csv.find("[ms]"), std::string::npos);
    EXPECT_EQ(sweep_json(report)["points"].size(), 3u);
}

TEST(SweepJobs, EveryItemIsDoneOnceAndAFailureEndsAllOfThem) {
    std::vector<std::atomic<int>> done(500);
    Progress silent;
    EXPECT_TRUE(run_jobs(done.size(), 7, "item", silent, [&](std::size_t i, Progress&) { ++done[i]; }));
    for (const auto& count : done) EXPECT_EQ(count.load(), 1);
    expect_error(Fault::bad_file, "the disk is full", [&] {
        run_jobs(100, 3, "item", silent, [](std::size_t i, Progress&) {
            if (i == 20) throw Error(Fault::bad_file, {}, "the disk is full");
        });
    });
    EXPECT_TRUE(run_jobs(0, 3, "item", silent, [](std::size_t, Progress&) { FAIL(); }));
}

TEST(SweepJobs, TheMemoryGateLetsOneBigRunInAlone) {
    MemoryGate gate(100.0);
    std::atomic<int> inside{0}, most{0};
    Progress silent;
    run_jobs(12, 6, "item", silent, [&](std::size_t, Progress&) {
        const MemoryShare share(gate, 60.0);
        most = std::max(most.load(), ++inside);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        --inside;
    });
    EXPECT_EQ(most.load(), 1);
    const MemoryShare larger_than_all(gate, 1000.0);  // must not wait for ever
}

}  // namespace
}  // namespace limber
