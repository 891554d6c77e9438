// Obstacles of a recording in its pictures.
#include "show/runs.hpp"

#include "show/obstacle_shapes.hpp"
#include "show/subject.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

std::shared_ptr<Recording> with_obstacles(CellKind kind, const std::function<std::vector<Obstacle>(double)>& at) {
    auto run = testing_show::bar(
        {0.0, 1.0}, [](const Vec3&, double) { return Vec3{}; }, kind);
    for (Frame& f : run->frames) f.obstacles = at(f.time);
    run->obstacle_count = run->frames[0].obstacles.size();
    return run;
}

/// What is drawn beside the body.
std::vector<DrawMesh> beside(const Recording& run, double time) {
    const auto subject = make_body_subject(std::make_shared<Recording>(run), {});
    DrawList list;
    SubjectLook look;
    look.glyphs = false;
    subject->draw(time, look, list);
    return {list.meshes.begin() + 1, list.meshes.end()};
}

TEST(Obstacles, MoveBetweenFramesTheNearWayRound) {
    // Two quaternions of opposite sign are the same turn; blended as they are they would pass through nothing.
    const auto run = with_obstacles(CellKind::hex8, [](double t) {
        Quat turn = from_rotation_vector({0, 0, 0.2 * t});
        if (t > 0.5) turn = {-turn.w, -turn.x, -turn.y, -turn.z};
        return std::vector<Obstacle>{{BoxShape{{1, 1, 1}}, {2 * t, 0, 0}, turn, {}, {}}};
    });
    const Obstacle half = obstacles_at(*run, 0.5).at(0);
    EXPECT_NEAR(half.position.x, 1.0, 1e-15);
    EXPECT_LT(norm(to_matrix(half.rotation) * Vec3{1, 0, 0} - Vec3{std::cos(0.1), std::sin(0.1), 0}), 1e-12);
}

TEST(Obstacles, AFloorThatStandsStillIsThePicturesOwnGround) {
    const auto fixed = with_obstacles(CellKind::hex8, [](double) {
        return std::vector<Obstacle>{{PlaneShape{}, {5, -0.5, 0}, {}, {}, {}}};
    });
    EXPECT_EQ(floor_level(*fixed), -0.5);
    EXPECT_TRUE(beside(*fixed, 0.0).empty());
    const auto lift = with_obstacles(CellKind::hex8, [](double t) {
        return std::vector<Obstacle>{{PlaneShape{}, {0, t - 2, 0}, {}, {}, {}}};
    });
    EXPECT_FALSE(floor_level(*lift));
    ASSERT_EQ(beside(*lift, 0.0).size(), 1u);
    const auto ramp = with_obstacles(CellKind::hex8, [](double) {
        return std::vector<Obstacle>{{PlaneShape{}, {}, from_rotation_vector({0, 0, 0.3}), {}, {}}};
    });
    EXPECT_FALSE(floor_level(*ramp));
}

TEST(Obstacles, SolidsAreDrawnWhereTheyAreAndOnlySmallOnesWidenThePicture) {
    const auto run = with_obstacles(CellKind::hex8, [](double) {
        return std::vector<Obstacle>{
            {BallShape{0.5}, {2, 3, 0}, {}, {}, {}},
            {CapsuleShape{0.2, 1}, {0, 3, 0}, from_rotation_vector({0, 0, std::acos(-1.0) / 2}), {}, {}},
            {BoxShape{{500, 1, 500}}, {0, -2, 0}, {}, {}, {}}};
    });
    const std::vector<DrawMesh> meshes = beside(*run, 0.0);
    ASSERT_EQ(meshes.size(), 2u);
    const DrawBox small = box_of(meshes[0]), large = box_of(meshes[1]);
    EXPECT_FALSE(meshes[0].backdrop);
    EXPECT_TRUE(meshes[1].backdrop);
    EXPECT_NEAR(small.low.x, -1.2, 1e-9);  // the capsule lies along x
    EXPECT_NEAR(small.high.x, 2.5, 1e-3);
    EXPECT_NEAR(small.high.y, 3.5, 1e-3);
    EXPECT_NEAR(large.high.x, 500, 1e-9);
}

TEST(Obstacles, AreFlatShapesBehindPlanarBodies) {
    const auto run = with_obstacles(CellKind::quad4, [](double) {
        return std::vector<Obstacle>{{PlaneShape{}, {0, -1, 0}, {}, {}, {}},
                                     {BallShape{0.5}, {2, 3, 0}, {}, {}, {}},
                                     {BoxShape{{4, 5, 0}, true}, {2, 3, 0}, {}, {}, {}}};
    });
    const std::vector<DrawMesh> meshes = beside(*run, 0.0);
    ASSERT_EQ(meshes.size(), 7u);  // half plane, the strip of it below the body, disc, four walls
    EXPECT_TRUE(meshes[0].backdrop);
    EXPECT_EQ(std::count_if(meshes.begin(), meshes.end(), [](const DrawMesh& m) { return m.backdrop; }), 1);
    EXPECT_NEAR(box_of(meshes[0]).high.y, -1.0, 1e-12);
    EXPECT_NEAR(box_of(meshes[1]).high.y, -1.0, 1e-12);
    EXPECT_NEAR(box_of(meshes[2]).high.x, 2.5, 1e-12);
    for (const DrawMesh& mesh : meshes)
        for (const Vec3& p : mesh.positions) EXPECT_LT(p.z, 0.0);
    DrawBox walls;
    for (std::size_t k = 3; k < 7; ++k) walls.add(box_of(meshes[k]));
    EXPECT_GT(walls.high.x, 6.0);
    for (std::size_t k = 3; k < 7; ++k) {  // nothing stands in the space that is free
        const DrawBox wall = box_of(meshes[k]);
        EXPECT_TRUE(wall.low.x >= 6 - 1e-9 || wall.high.x <= -2 + 1e-9 || wall.low.y >= 8 - 1e-9 ||
                    wall.high.y <= -2 + 1e-9)
            << k;
    }
}

}  // namespace
}  // namespace limber
