#include "expect_error.hpp"
#include "rig/rig_fixtures.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace testing_body;

Rig moving_rig() {
    Rig rig = sample_rig();
    rig.clips.push_back(sample_clip(rig));
    return rig;
}

TEST(RigSkinning, TheBindPoseGivesThePositionsBack) {
    const Rig rig = sample_rig();
    std::vector<Vec3> x(40), n(40);
    skin(rig, 0, rest_pose(rig), x, n);
    for (std::size_t v = 0; v < x.size(); ++v) {
        EXPECT_LT(norm(x[v] - rig.parts[0].positions[v]), 1e-12);
        EXPECT_LT(norm(n[v] - rig.parts[0].normals[v] / norm(rig.parts[0].normals[v])), 1e-12);
    }
}

TEST(RigSkinning, APartWithoutNormalsSaysSoWhenTheyAreAskedFor) {
    Rig rig = sample_rig();
    rig.source.clear();
    rig.parts[0].normals.clear();
    std::vector<Vec3> x(40), n(40), short_of(39);
    skin(rig, 0, rest_pose(rig), x);
    expect_error(Fault::bad_usage, "none of its own; expected an empty span",
                 [&] { skin(rig, 0, rest_pose(rig), x, n); });
    expect_error(Fault::bad_usage, "room for 39 positions", [&] { skin(rig, 0, rest_pose(rig), short_of); });
}

TEST(RigSkinning, PositionsAreTheWeightedMeanOverAllEightJoints) {
    // Summed here joint by joint, not matrix by matrix: influences 4 to 7 are what a reader of only one set loses.
    const Rig rig = moving_rig();
    const Pose pose = pose_at(rig, 0, 0.4);
    std::vector<Vec3> x(40);
    skin(rig, 0, pose, x);
    for (std::size_t v = 0; v < x.size(); ++v) {
        Vec3 expected;
        for (std::size_t k = 0; k < Influences::kMost; ++k) {
            const auto j = static_cast<std::size_t>(rig.parts[0].influences[v].joint[k]);
            expected += rig.parts[0].influences[v].weight[k] *
                        (pose.world[j] * (rig.bindings[0].inverse_bind[j] * rig.parts[0].positions[v]));
        }
        EXPECT_LT(norm(x[v] - expected), 1e-12);
    }
}

TEST(RigSkinning, VertexVelocitiesAreTheDerivativeOfPositions) {
    // Part 0 is blended, part 1 rides rigidly and swells by a cubic morph weight.
    const Rig rig = moving_rig();
    const double h = 1e-3;
    for (std::size_t part = 0; part < 2; ++part) {
        const std::size_t n = rig.parts[part].positions.size();
        for (const double t : {0.12, 0.41, 0.77}) {
            std::vector<Vec3> x(n), velocity(n), a(n), b(n), c(n), d(n);
            skin(rig, part, pose_at(rig, 0, t), x, {}, velocity);
            skin(rig, part, pose_at(rig, 0, t + h), a);
            skin(rig, part, pose_at(rig, 0, t - h), b);
            skin(rig, part, pose_at(rig, 0, t + 2 * h), c);
            skin(rig, part, pose_at(rig, 0, t - 2 * h), d);
            for (std::size_t v = 0; v < n; ++v) {
                const Vec3 expected = ((a[v] - b[v]) * 8.0 - (c[v] - d[v])) / (12 * h);
                EXPECT_LT(norm(velocity[v] - expected), 1e-6 * (1 + norm(expected)))
                    << "part " << part << " vertex " << v << " at " << t;
            }
        }
    }
}

TEST(RigSkinning, NormalsStayAcrossTheSurfaceUnderUnevenScaleAndMirroring) {
    // A plane squeezed and mirrored: turning normals by the matrix itself would tilt them the wrong way.
    Rig rig;
    rig.joints.push_back({"a", -1, {{1, 2, 3}, from_rotation_vector({0.3, 0.4, -0.2}), {-3.0, 1.0, 0.5}}});
    SkinPart part;
    part.joint = 0;
    const Vec3 normal = Vec3{1, 2, 2} / 3.0;
    part.positions = {{0, 0, 0}, {2, -1, 0}, {0, 1, -1}};
    part.normals = {normal, normal, normal};
    part.triangles = {{0, 1, 2}};
    rig.parts.push_back(part);
    std::vector<Vec3> x(3), n(3);
    skin(rig, 0, rest_pose(rig), x, n);
    EXPECT_NEAR(dot(n[0], x[1] - x[0]), 0.0, 1e-12);
    EXPECT_NEAR(dot(n[0], x[2] - x[0]), 0.0, 1e-12);
    EXPECT_NEAR(norm(n[0]), 1.0, 1e-12);
    // Still on the same side of the matter.
    EXPECT_GT(dot(n[0], rest_pose(rig).world[0].linear * normal), 0.0);
}

TEST(RigSkinning, RoomOfTheWrongSizeIsRefused) {
    const Rig rig = sample_rig();
    std::vector<Vec3> few(39), enough(40);
    expect_error(Fault::bad_usage, "sample", [&] { skin(rig, 0, rest_pose(rig), few); });
    expect_error(Fault::bad_usage, "sample", [&] { skin(rig, 0, rest_pose(rig), enough, few); });
}

}  // namespace
}  // namespace limber
