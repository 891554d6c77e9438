#include "deform/loads_fit.hpp"
#include "deform/obstacle_numbers.hpp"
#include "deform/obstacle_shape.hpp"
#include "deform/still_method.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace limber {
namespace {

const ObstacleShape kShapes[] = {PlaneShape{},   BoxShape{{1, 2, 3}},  BoxShape{{1, 2, 0}, true},
                                 BallShape{0.5}, CapsuleShape{0.5, 2}, CapsuleShape{0.5, 0}};

TEST(ObstacleNumbers, EveryShapeComesBack) {
    std::set<std::size_t> seen;
    for (const ObstacleShape& shape : kShapes) {
        EXPECT_EQ(shape_of(numbers_of(shape)), shape) << shape.index();
        seen.insert(shape.index());
    }
    EXPECT_EQ(seen.size(), std::variant_size_v<ObstacleShape>);  // a new shape needs its numbers
}

TEST(ObstacleNumbers, AreThoseOfOldFiles) {
    // A round trip alone would pass with numbers that no older recording or hash has.
    const auto are = [](const ObstacleShape& shape, int number, bool inside, const Vec3& size) {
        return numbers_of(shape) == ObstacleNumbers{static_cast<std::uint8_t>(number), inside, size};
    };
    EXPECT_TRUE(are(PlaneShape{}, 0, false, {}));
    EXPECT_TRUE(are(BoxShape{{1, 2, 3}}, 1, false, {1, 2, 3}));
    EXPECT_TRUE(are(BoxShape{{1, 2, 3}, true}, 1, true, {1, 2, 3}));
    EXPECT_TRUE(are(BallShape{0.5}, 2, false, {0.5, 0, 0}));
    EXPECT_TRUE(are(CapsuleShape{0.5, 2}, 3, false, {0.5, 2, 0}));
}

TEST(ObstacleNumbers, WhatNoShapeHasIsRefusedOrIgnored) {
    for (int number = kLastObstacleNumber + 1; number < 256; ++number)
        EXPECT_FALSE(shape_of({static_cast<std::uint8_t>(number), false, {1, 1, 1}})) << number;
    for (const int number : {0, 2, 3})
        EXPECT_FALSE(shape_of({static_cast<std::uint8_t>(number), true, {1, 1, 1}})) << number;
    EXPECT_EQ(shape_of({0, false, {1, 2, 3}}), ObstacleShape(PlaneShape{}));
    EXPECT_EQ(shape_of({2, false, {1, 2, 3}}), ObstacleShape(BallShape{1}));
    EXPECT_EQ(shape_of({3, false, {1, 2, 3}}), ObstacleShape(CapsuleShape{1, 2}));
}

TEST(ObstacleShape, QuestionsAreAnsweredForEveryShape) {
    constexpr double kEndless = std::numeric_limits<double>::infinity();
    struct Answers {
        bool plane, inside, far_side;
        double half_width_planar, half_width, extent;
    };
    const Answers expected[] = {
        {true, false, false, kEndless, kEndless, 0.0},         {false, false, true, 1.0, 1.0, norm(Vec3{1, 2, 3})},
        {false, true, false, 1.0, 0.0, norm(Vec3{1, 2, 0})},   {false, false, true, 0.5, 0.5, 0.5},
        {false, false, true, 0.5, 0.5, norm(Vec3{0.5, 2, 0})}, {false, false, true, 0.5, 0.5, 0.5}};
    for (std::size_t i = 0; i < std::size(kShapes); ++i) {
        Obstacle o;
        o.shape = kShapes[i];
        EXPECT_EQ(is_plane(o), expected[i].plane) << i;
        EXPECT_EQ(keeps_inside(o), expected[i].inside) << i;
        EXPECT_EQ(has_far_side(o), expected[i].far_side) << i;
        EXPECT_EQ(half_width(o, true), expected[i].half_width_planar) << i;
        EXPECT_EQ(half_width(o, false), expected[i].half_width) << i;
        EXPECT_EQ(extent(o), expected[i].extent) << i;
    }
}

TEST(LoadsFit, EachShapesOwnSizesAreChecked) {
    const auto fit = [](const ObstacleShape& shape) {
        Obstacle o;
        o.shape = shape;
        Loads loads;
        loads.obstacles = {&o, 1};
        return loads_fit(*still_body(), loads, true);
    };
    for (const ObstacleShape& shape : kShapes) EXPECT_TRUE(fit(shape)) << shape.index();
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
    for (const double bad : {0.0, -1.0, kNan, kInf}) {
        EXPECT_FALSE(fit(BoxShape{{bad, 1, 1}})) << bad;
        EXPECT_FALSE(fit(BoxShape{{1, bad, 1}})) << bad;
        EXPECT_FALSE(fit(BallShape{bad})) << bad;
        EXPECT_FALSE(fit(CapsuleShape{bad, 1})) << bad;
    }
    for (const double bad : {-1.0, kNan, kInf}) {
        EXPECT_FALSE(fit(BoxShape{{1, 1, bad}})) << bad;
        EXPECT_FALSE(fit(CapsuleShape{1, bad})) << bad;
    }
}

}  // namespace
}  // namespace limber
