#include <limber/tools/sim.hpp>

#include "expect_error.hpp"
#include "sim/fake_method.hpp"
#include "sim/sim_scenes.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

class Run : public testing::Test {
protected:
    void SetUp() override {
        register_fake();
        fake_calls() = {};
        scene = driven_box();
        scene.step = 0.25;
        scene.duration = 2.0;
        scene.bodies[0].handles[0].keys.clear();
    }
    RunResult run() { return run_scene(scene, settings, silent); }

    Scene scene;
    RunSettings settings;
    Progress silent;
};

/// Asks to stop at the n-th time it is asked.
class StopAfter : public Progress {
public:
    explicit StopAfter(int n) : left_(n) {}
    bool stop_requested() const override { return left_-- <= 0; }

private:
    mutable int left_;
};

TEST_F(Run, StartsAtRestAndEndsAtTheDuration) {
    const RunResult result = run();
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(result.message, "");
    ASSERT_EQ(result.recording.frames.size(), 9u);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(result.recording.frames[i].time, 0.25 * static_cast<double>(i));
    EXPECT_EQ(result.recording.frames[0].displacement[0], Vec3{});
    EXPECT_FALSE(result.recording.cut_short);
    EXPECT_EQ(result.steps, 8u);
    EXPECT_EQ(result.end_time, 2.0);
    EXPECT_EQ(result.recording.prepared_bytes, 123u);
    EXPECT_EQ(result.recording.method, "fake");
    EXPECT_EQ(result.recording.scene_hash, hash(scene));
    EXPECT_EQ(result.recording.frames[0].reactions.size(), 2u);  // one anchor, one handle
    EXPECT_LE(result.median_ms, result.p99_ms);
    EXPECT_LE(result.p99_ms, result.max_ms);
}

TEST_F(Run, TheScenesStepReachesTheMethodUnlessTheOptionsNameOne) {
    run();
    EXPECT_EQ(fake_calls().prepared_step, 0.25);
    EXPECT_EQ(fake_calls().last_dt, 0.25);
    scene.method.options["step"] = 0.5;
    const RunResult result = run();
    EXPECT_EQ(fake_calls().prepared_step, 0.5);
    EXPECT_EQ(fake_calls().last_dt, 0.5);
    EXPECT_EQ(result.steps, 4u);
    EXPECT_EQ(result.recording.step, 0.5);
}

TEST_F(Run, LoadsAreThoseAtTheEndOfEachStep) {
    scene.bodies[0].handles[0].keys = {{0.0, {}, {}}, {1.0, {4.0, 0.0, 0.0}, {}}};
    const RunResult result = run();
    for (std::size_t i = 0; i < 9; ++i)
        EXPECT_EQ(result.recording.frames[i].displacement[0].x, std::min(4.0, static_cast<double>(i))) << i;
}

TEST_F(Run, FramesComeEveryNthStepAndGoToTheSink) {
    std::vector<double> times;
    int heads = 0;
    settings.every = 3;
    settings.keep_frames = false;
    settings.on_start = [&](const Recording& head) {
        heads += head.frames.empty() && head.step == 0.25 && head.body ? 1 : 0;
    };
    settings.on_frame = [&](const Frame& frame) { times.push_back(frame.time); };
    const RunResult result = run();
    EXPECT_EQ(times, (std::vector<double>{0.0, 0.75, 1.5, 2.0}));  // the end of a run is never lost
    EXPECT_EQ(heads, 1);
    EXPECT_EQ(result.frames, 4u);
    EXPECT_TRUE(result.recording.frames.empty());
    EXPECT_EQ(result.steps, 8u);
}

TEST_F(Run, TroubleKeepsTheLastGoodStateAndNamesCauseAndTime) {
    scene.method.options = {{"fail_at", 6.0}};
    scene.bodies[0].handles[0].keys = {{0.0, {}, {}}, {2.0, {2.0, 0.0, 0.0}, {}}};
    scene.output.every = 2;
    const RunResult result = run();
    EXPECT_FALSE(result.ok());
    EXPECT_TRUE(has(result.trouble, Trouble::non_finite));
    EXPECT_EQ(result.steps, 5u);
    EXPECT_EQ(result.end_time, 1.25);
    EXPECT_TRUE(result.recording.cut_short);
    // Frames at 0, 0.5, 1.0, and the last good state at 1.25 though no frame was due.
    ASSERT_EQ(result.recording.frames.size(), 4u);
    EXPECT_EQ(result.recording.frames.back().time, 1.25);
    EXPECT_EQ(result.recording.frames.back().displacement[0].x, 1.25);
    EXPECT_NE(result.message.find("non-finite"), std::string::npos);
    EXPECT_NE(result.message.find("1.5"), std::string::npos);
    EXPECT_NE(result.message.find("1.25"), std::string::npos);
    EXPECT_EQ(result.message.find('\n'), std::string::npos);
    EXPECT_EQ(fake_calls().steps, 6);  // it stopped
}

TEST_F(Run, AMethodThatHidesANaNDoesNotGetItIntoAFrame) {
    scene.method.options = {{"fail_at", 3.0}, {"fail_as", std::string("silent_nan")}};
    const RunResult result = run();
    EXPECT_TRUE(has(result.trouble, Trouble::non_finite));
    ASSERT_EQ(result.recording.frames.size(), 3u);
    for (const Frame& frame : result.recording.frames)
        for (const Vec3& u : frame.displacement) EXPECT_TRUE(is_finite(u));
    EXPECT_EQ(result.steps, 2u);
}

TEST_F(Run, ToleratedTroubleIsRememberedAndDoesNotStop) {
    scene.method.options = {{"fail_at", 3.0}, {"fail_as", std::string("not_converged")}};
    EXPECT_FALSE(run().ok());
    settings.tolerate = Trouble::not_converged;
    const RunResult result = run();
    EXPECT_TRUE(result.ok());
    EXPECT_TRUE(has(result.tolerated, Trouble::not_converged));
    EXPECT_EQ(result.steps, 8u);
    EXPECT_TRUE(has(result.recording.frames[3].report.trouble, Trouble::not_converged));
}

// Methods made for it turn such cells back: a run that stopped there could never show it. But nobody may miss it.
TEST_F(Run, CellsTurnedInsideOutDoNotStopARunAndAreSaid) {
    scene.method.options = {{"fail_at", 3.0}, {"fail_as", std::string("inverted_cell")}};
    const RunResult result = run();
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(result.steps, 8u);
    EXPECT_TRUE(has(result.tolerated, Trouble::inverted_cell));
    EXPECT_EQ(result.message.find("cells were turned inside out in 1 step, first in cell 3 at t = 0.75 s"), 0u)
        << result.message;
    scene.method.options["fail_at"] = -1.0;
    EXPECT_EQ(run().message, "");
}

TEST_F(Run, AStopRequestEndsCleanlyWithWhatWasComputed) {
    scene.output.every = 2;
    StopAfter stop(3);
    const RunResult result = run_scene(scene, settings, stop);
    EXPECT_TRUE(result.interrupted);
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(result.trouble, Trouble::none);
    EXPECT_TRUE(result.recording.cut_short);
    EXPECT_EQ(result.steps, 3u);
    ASSERT_EQ(result.recording.frames.size(), 3u);
    EXPECT_EQ(result.recording.frames.back().time, 0.75);
    EXPECT_NE(result.message.find("interrupted"), std::string::npos);
}

TEST_F(Run, ADurationOfZeroIsOneFrame) {
    scene.duration = 0.0;
    const RunResult result = run();
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(result.recording.frames.size(), 1u);
}

TEST_F(Run, AnUnknownMethodAndABodyItCannotTakeAreErrorsBeforeTheFirstStep) {
    scene.method.name = "fak";
    expect_error(Fault::bad_usage, "driven.json#/method/name", [&] { run(); });
    scene.method.name = "fake";
    scene.bodies[0].mesh.generator.kind = CellKind::tet4;
    expect_error(Fault::unsupported, "whose cells are tet4", [&] { run(); });
    EXPECT_EQ(fake_calls().steps, 0);
}

TEST_F(Run, FramesCarryTheObstaclesOfTheirOwnTimeAndOnlyMethodsThatCollideTakeThem) {
    ObstacleSpec door;
    door.start.shape = BoxShape{{1, 1, 1}};
    door.keys = {{0.0, {}, {}}, {2.0, {0, 4, 0}, {}}};
    scene.obstacles = {door};
    expect_error(Fault::unsupported, "driven.json#/obstacles", [&] { run(); });
    EXPECT_EQ(fake_calls().steps, 0);
    fake_collides() = true;
    settings.every = 3;
    const RunResult result = run();
    fake_collides() = false;
    ASSERT_EQ(result.recording.frames.size(), 4u);  // the last one is what was computed since the last whole three
    for (const Frame& frame : result.recording.frames) {
        ASSERT_EQ(frame.obstacles.size(), 1u);
        EXPECT_NEAR(frame.obstacles[0].position.y, 2.0 * frame.time, 1e-14);
    }
}

TEST_F(Run, ABodyMayStartInMotionAboutItsCentreOfMassUnlessTheMethodCannot) {
    scene.bodies[0].motion = {{0.5, 0, 0}, {0, 0, 2.0}};
    expect_error(Fault::unsupported, "driven.json#/bodies/0/motion", [&] { run(); });  // the fake cannot
    EXPECT_EQ(fake_calls().steps, 0);
    // Half of the box is ten times as dense: its centre of mass is not the middle of its vertices.
    BodySpec& body = scene.bodies[0];
    body.anchors.clear();
    body.handles.clear();
    Mesh mesh = make_mesh(body);
    mesh.cell_sets["heavy"] = {1};
    body.mesh.path = "loaded.msh";
    body.mesh.loaded = std::make_shared<const Mesh>(mesh);
    body.materials.push_back({"heavy", body.materials[0].material});
    body.materials[1].material.density *= 10.0;
    scene.method = {"linear_fem", {}};
    scene.duration = 0.0;
    const Frame first = run().recording.frames.at(0);
    const Vec3 centre{(0.5 + 15.0) / 11.0, 0.5, 0.5};
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        EXPECT_LT(norm(first.velocity[v] - (Vec3{0.5, 0, 0} + cross(Vec3{0, 0, 2.0}, mesh.vertices[v] - centre))),
                  1e-12)
            << v;
    }
}

}  // namespace
}  // namespace limber
