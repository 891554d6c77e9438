// The study of the jelly paper: its own yardsticks. Its claims are checked by tests/cli/jelly_test.py.
#include "reproduce/jelly/jelly_drop.hpp"
#include "reproduce/jelly/jelly_scenes.hpp"
#include "reproduce/jelly/jelly_speed.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace limber {
namespace {

// For a shallow touch the model is an oscillator; a wrong volume or mass would show in the time.
TEST(JellyStudy, TheModelsContactTimeFollowsItsScalingLaws) {
    const double time = model_contact_time(0.05, 1000.0, 1e6, 0.02);
    EXPECT_NEAR(model_contact_time(0.05, 2000.0, 2e6, 0.02), time, 1e-5 * time);  // only k / rho counts
    EXPECT_NEAR(model_contact_time(0.2, 1000.0, 1e6, 0.08), 2.0 * time,
                1e-5 * time);  // lengths by 4 at the same gravity: times by 2
    EXPECT_LT(model_contact_time(0.05, 1000.0, 4e6, 0.02), time);
}

TEST(JellyStudy, TheAreaBelowTheFloorIsCutFromThePolygon) {
    const std::vector<Vec3> square{{0, -1, 0}, {2, -1, 0}, {2, 1, 0}, {0, 1, 0}};
    EXPECT_DOUBLE_EQ(area_below(square), 2.0);
    std::vector<Vec3> disc;
    constexpr int kCount = 4096;
    for (int i = 0; i < kCount; ++i) {
        disc.push_back(
            {std::cos(2.0 * std::numbers::pi * i / kCount), 0.5 + std::sin(2.0 * std::numbers::pi * i / kCount), 0.0});
    }
    EXPECT_NEAR(area_below(disc), std::acos(0.5) - 0.5 * std::sqrt(0.75), 1e-5);
    for (Vec3& p : disc) p.y += 1.0;
    EXPECT_EQ(area_below(disc), 0.0);
}

// Taking the rigid motion out must leave nothing of a body that falls freely.
TEST(JellyStudy, ABodyInFlightHasNotChangedItsShape) {
    Progress quiet;
    Scene scene = bar_drop({});
    scene.duration = 0.1;
    const Drop drop = run_drop(scene, quiet);
    EXPECT_LT(rms(shape_of(drop, drop.moments.size() - 1)), 1e-12);
    EXPECT_EQ(rebound_of(drop), 0.0);
    EXPECT_EQ(contact_time(drop), 0.0);
    EXPECT_NEAR(drop.moments.back().centre.y, drop.moments.front().centre.y - 0.5 * 9.81 * 0.01, 1e-9);
}

// The same of one that turns: stiff enough that neither contact nor turning bends it.
TEST(JellyStudy, AStiffBodyTumblesWithoutChangingItsShape) {
    Progress quiet;
    Scene scene = bar_drop({});
    scene.bodies[0].materials[0].material.young = 1e8;
    scene.duration = 0.4;
    const Drop drop = run_drop(scene, quiet);
    std::size_t moment = drop.moments.size() - 1;
    while (moment > 0 && drop.moments[moment].push > 0.0) --moment;
    ASSERT_GT(contact_time(drop), 0.0);
    ASSERT_LT(std::abs(drop.moments[moment].rotation.w), 0.99) << "it does not tumble";
    EXPECT_LT(rms(shape_of(drop, moment)), 1e-6);
    EXPECT_LE(energy_gain(drop), 1e-12);
}

// Gravity must pull the top of a held disc down; as (10) is printed it does not (errata, 2).
TEST(JellyStudy, ThePrintedBodyForceLiftsAHeldDisc) {
    Progress quiet;
    const HeldDisc coarse = held_disc(32, quiet), fine = held_disc(64, quiet);
    EXPECT_GT(fine.printed, 0.0);
    EXPECT_LT(fine.corrected, 0.0);
    EXPECT_NEAR(coarse.corrected / fine.corrected, 1.0, 0.02);
}

}  // namespace
}  // namespace limber
