#include <limber/tools/sim.hpp>

#include "expect_error.hpp"
#include "sim/counted_new.hpp"
#include "sim/sim_scenes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

Timeline timeline_of(const Scene& scene) { return Timeline(scene, make_body(scene)); }

TEST(Timeline, TheNeedleMovesBeforeTwoSecondsAndStandsFromStep60On) {
    // 60 * (1/30) and 2 may differ in the last bit; the velocity at exactly t = 2 must be that of standing still.
    Timeline timeline = timeline_of(driven_box());
    EXPECT_EQ(timeline.step_count(), 300u);
    for (std::size_t i = 0; i <= 300; ++i) {
        const HandleTarget& needle = timeline.at_step(i).handles[0];
        const double t = static_cast<double>(i) / 30.0;
        EXPECT_NEAR(needle.translation.x, -0.08 * std::min(t, 2.0), 1e-15) << i;
        EXPECT_EQ(needle.velocity.x, i < 60 ? -0.08 : 0.0) << i;
        EXPECT_EQ(needle.acceleration, Vec3{}) << i;
        EXPECT_EQ(needle.translation.y, 0.0);
    }
    EXPECT_EQ(timeline.at_step(60).handles[0].translation.x, -0.16);
}

TEST(Timeline, AKeyOnAStepTimeIsMetExactlyWhateverTheStep) {
    // Accumulated times, or a missing snap, fail for steps that have no exact binary form.
    for (const int parts : {3, 7, 10, 30, 49, 60, 97, 240, 1000}) {
        Scene scene = driven_box();
        scene.step = 1.0 / parts;
        for (const int key : {1, 2, 3, 5, 7}) {
            scene.bodies[0].handles[0].keys[1].t = key;
            Timeline timeline = timeline_of(scene);
            const auto at = static_cast<std::size_t>(key * parts);
            EXPECT_EQ(timeline.at_step(at).handles[0].velocity.x, 0.0) << parts << " " << key;
            EXPECT_EQ(timeline.at_step(at).handles[0].translation.x, -0.16) << parts << " " << key;
            EXPECT_EQ(timeline.at_step(at - 1).handles[0].velocity.x, -0.16 / key) << parts << " " << key;
        }
    }
}

TEST(Timeline, CountsTheWholeStepsThatFitIntoTheDuration) {
    Scene scene = driven_box();
    scene.duration = 1.0;
    for (const int parts : {3, 7, 10, 30, 49, 60, 97, 240, 1000}) {
        scene.step = 1.0 / parts;
        EXPECT_EQ(timeline_of(scene).step_count(), static_cast<std::size_t>(parts));
    }
    scene.step = 0.3;
    EXPECT_EQ(timeline_of(scene).step_count(), 3u);
    scene.duration = 0.0;
    EXPECT_EQ(timeline_of(scene).step_count(), 0u);
}

TEST(Timeline, RotationTurnsAtConstantSpeedAboutAFixedAxisEvenBeyondAFullTurn) {
    Scene scene = driven_box();
    scene.bodies[0].handles[0].keys = {{0.0, {}, {}}, {2.0, {}, {0.0, 0.0, 12.0}}};
    Timeline timeline = timeline_of(scene);
    const HandleTarget half = timeline.at(1.0).handles[0];
    EXPECT_NEAR(norm(half.angular_velocity - Vec3{0.0, 0.0, 6.0}), 0.0, 1e-14);
    EXPECT_NEAR(norm(half.angular_acceleration), 0.0, 1e-14);
    EXPECT_NEAR(half.rotation.w, std::cos(3.0), 1e-15);
    EXPECT_NEAR(half.rotation.z, std::sin(3.0), 1e-15);
}

TEST(Timeline, ForcesAddUpAndATotalIsSharedEqually) {
    Scene scene = driven_box();
    scene.bodies[0].forces.push_back(
        {"top", {0.0, -1.0, 0.0}, false, {{{0.0, 0.0}, {1.0, 2.0}}, Interpolation::linear}});
    scene.bodies[0].forces.push_back({"front", {0.0, 0.0, 6.0}, true, {}});
    Timeline timeline = timeline_of(scene);
    const auto body = make_body(scene);
    for (int repeat = 0; repeat < 2; ++repeat) {  // the second evaluation must not add to the first
        const Loads& loads = timeline.at(0.75);
        Vec3 sum;
        for (const Vec3& f : loads.force) sum += f;
        EXPECT_NEAR(sum.y, -1.5 * 6, 1e-14);
        EXPECT_NEAR(sum.z, 6.0, 1e-14);
        for (const std::int32_t v : body->mesh().vertex_sets.at("front"))
            EXPECT_DOUBLE_EQ(loads.force[static_cast<std::size_t>(v)].z, 1.0);
    }
}

TEST(Timeline, GravityFollowsItsTrackAndIsConstantWithoutOne) {
    Scene scene = driven_box();
    scene.gravity.vector = {0.0, -10.0, 0.0};
    EXPECT_EQ(timeline_of(scene).at(5.0).gravity.y, -10.0);
    scene.gravity.scale = {{{0.0, 0.0}, {1.0, 1.0}}, Interpolation::step};
    Timeline timeline = timeline_of(scene);
    EXPECT_EQ(timeline.at_step(29).gravity.y, 0.0);
    EXPECT_EQ(timeline.at_step(30).gravity.y, -10.0);
}

TEST(Timeline, EvaluatingAllocatesNothing) {
    Scene scene = driven_box();
    scene.bodies[0].handles[0].interpolation = Interpolation::smooth;
    scene.bodies[0].forces.push_back(
        {"top", {0.0, -1.0, 0.0}, false, {{{0.0, 0.0}, {1.0, 2.0}}, Interpolation::smooth}});
    Timeline timeline = timeline_of(scene);
    const long before = allocation_count();
    for (std::size_t i = 0; i < 300; ++i) timeline.at_step(i);
    EXPECT_EQ(allocation_count() - before, 0);
}

TEST(Timeline, RefusesKeysOutOfOrderAndTimesThatAreNoTimes) {
    Scene scene = driven_box();
    scene.bodies[0].handles[0].keys[1].t = 0.0;
    expect_error(Fault::bad_scene, "driven.json#/bodies/0/handles/0/keyframes/1/t", [&] { timeline_of(scene); });
    for (const double step : {0.0, -1.0, std::nan(""), 1e-12}) {
        scene = driven_box();
        scene.step = step;
        SCOPED_TRACE(step);
        expect_error(Fault::bad_scene, step == 1e-12 ? "driven.json#/duration" : "driven.json#/step",
                     [&] { timeline_of(scene); });
    }
}

TEST(Timeline, ObstaclesGoWhereTheirKeysSayWithTheVelocityOfTheirOwnCentre) {
    // A pivot away from the centre moves the centre too; velocities must be the derivative of what is shown, in
    // position and turn.
    Scene scene = driven_box();
    ObstacleSpec still, bar;
    still.start = {BallShape{0.5}, {1, 2, 3}, {}, {}, {}};
    bar.start = {CapsuleShape{0.1, 1}, {2, 0, 0}, from_rotation_vector({0.3, 0, 0}), {}, {}};
    bar.pivot = Vec3{0, 0, 0};
    bar.keys = {{0.0, {}, {}}, {1.0, {0, 1, 0}, {0.4, 0.2, 1.5}}, {2.0, {0, 1, 2}, {0.4, 0.2, 0.0}}};
    bar.interpolation = Interpolation::smooth;
    scene.obstacles = {still, bar};
    Timeline timeline = timeline_of(scene);
    EXPECT_EQ(timeline.at(0.7).obstacles[0], still.start);
    const double h = 1e-5;
    for (const double t : {0.3, 0.9, 1.4}) {
        const Obstacle before = timeline.at(t - h).obstacles[1], after = timeline.at(t + h).obstacles[1],
                       now = timeline.at(t).obstacles[1];
        EXPECT_LT(norm((after.position - before.position) / (2 * h) - now.velocity), 1e-8) << t;
        // A point of the bar, carried by both poses, moves as its angular velocity says.
        const Vec3 own{0.3, 0.7, -0.2};
        const auto world = [&](const Obstacle& o) { return o.position + to_matrix(o.rotation) * own; };
        EXPECT_LT(norm((world(after) - world(before)) / (2 * h) - now.velocity -
                       cross(now.angular_velocity, world(now) - now.position)),
                  1e-8)
            << t;
    }
    // At the first key it stands as written; at the last it has gone all the way.
    EXPECT_LT(norm(timeline.at(0.0).obstacles[1].position - Vec3{2, 0, 0}), 1e-15);
    const Obstacle end = timeline.at(5.0).obstacles[1];
    EXPECT_LT(norm(end.position - (Vec3{0, 1, 2} + to_matrix(from_rotation_vector({0.4, 0.2, 0})) * Vec3{2, 0, 0})),
              1e-14);
    EXPECT_EQ(end.velocity, Vec3{});
    const auto allocated = allocation_count();
    for (std::size_t i = 0; i < 50; ++i) timeline.at_step(i);
    EXPECT_EQ(allocation_count(), allocated);
}

TEST(Timeline, AStaticProblemHasNoSteps) {
    Scene scene = driven_box();
    scene.statics.emplace();
    expect_error(Fault::bad_scene, "driven.json#/static", [&] { timeline_of(scene); });
}

}  // namespace
}  // namespace limber
