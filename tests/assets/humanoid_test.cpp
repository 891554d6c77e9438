#include "assets/humanoid.hpp"

#include <limber/tools/assets.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

const Rig& rig() {
    static const Rig made = make_humanoid(5000);
    return made;
}

double lowest_vertex(const Pose& pose) {
    double low = 1e9;
    for (std::size_t p = 0; p < rig().parts.size(); ++p) {
        std::vector<Vec3> at(rig().parts[p].positions.size());
        skin(rig(), p, pose, at);
        for (const Vec3& v : at) low = std::min(low, v.y);
    }
    return low;
}

TEST(Humanoid, IsASoundRigWithTwoClips) {
    check_rig(rig());
    EXPECT_EQ(rig().joints.size(), 21u);
    EXPECT_EQ(find_clip(rig(), "walk"), 0u);
    EXPECT_EQ(find_clip(rig(), "jump"), 1u);
    EXPECT_EQ(rig().parts.size(), 6u);
}

TEST(Humanoid, AtRestTheSkinIsWhereItWasMade) {
    const Pose rest = rest_pose(rig());
    for (std::size_t p = 0; p < rig().parts.size(); ++p) {
        std::vector<Vec3> at(rig().parts[p].positions.size());
        skin(rig(), p, rest, at);
        for (std::size_t v = 0; v < at.size(); ++v) ASSERT_LT(norm(at[v] - rig().parts[p].positions[v]), 1e-12);
    }
}

TEST(Humanoid, WeightsDoNotReachAcrossTheBody) {
    // Thighs nearly touch: weights by distance alone would tie one leg's skin to the other's bones.
    for (const SkinPart& part : rig().parts) {
        for (std::size_t v = 0; v < part.positions.size(); ++v) {
            double left = 0.0, right = 0.0;
            std::size_t count = 0;
            for (std::size_t k = 0; k < Influences::kMost; ++k) {
                const double w = part.influences[v].weight[k];
                count += w > 0.0 ? 1 : 0;
                if (part.influences[v].joint[k] >= kThighL && part.influences[v].joint[k] <= kToesL) left += w;
                if (part.influences[v].joint[k] >= kThighR) right += w;
            }
            ASSERT_LE(count, 4u);
            if (part.positions[v].y > 0.70) continue;  // at the crotch both have a say
            if (std::abs(part.positions[v].x) < 0.3) {
                ASSERT_LT(part.positions[v].x > 0.0 ? right : left, 1e-3);
            }
        }
    }
}

TEST(Humanoid, TheWalkClosesAndStandsOnTheGround) {
    const Clip& walk = rig().clips[0];
    const Pose first = pose_at(rig(), 0, 0.0), last = pose_at(rig(), 0, walk.duration);
    for (std::size_t j = 0; j < rig().joints.size(); ++j) EXPECT_LT(norm(first.position(j) - last.position(j)), 1e-9);
    double stride = 0.0;
    for (int k = 0; k < 16; ++k) {
        const Pose pose = pose_at(rig(), 0, walk.duration * k / 16.0);
        EXPECT_NEAR(lowest_vertex(pose), 0.0, 0.02) << "at " << pose.time;
        stride = std::max(stride, pose.position(kFootL).z - pose.position(kFootR).z);
    }
    EXPECT_GT(stride, 0.4);  // it walks
}

TEST(Humanoid, TheJumpLeavesTheGroundAndFallsFreely) {
    double highest = 0.0;
    for (int k = 0; k <= 40; ++k) {
        const Pose pose = pose_at(rig(), 1, 2.0 * k / 40.0);
        const double low = lowest_vertex(pose);
        highest = std::max(highest, low);
        EXPECT_GT(low, -0.02) << "at " << pose.time;
        if (pose.time < 0.65 || pose.time > 1.25) {
            EXPECT_LT(low, 0.02) << "at " << pose.time;
        }
    }
    EXPECT_GT(highest, 0.25);
    const double step = 2.0 / 60.0;  // between keys
    for (int k = 23; k < 35; ++k) {
        const double before = pose_at(rig(), 1, (k - 1) * step).position(kHips).y,
                     here = pose_at(rig(), 1, k * step).position(kHips).y,
                     after = pose_at(rig(), 1, (k + 1) * step).position(kHips).y;
        EXPECT_NEAR((before - 2.0 * here + after) / (step * step), -9.81, 1e-6) << "key " << k;
    }
}

TEST(Humanoid, SkinStretchesButDoesNotTear) {
    // Arms overhead stretch the armpits 3.4 times; a vertex tied to a wrong bone would be far beyond.
    for (std::size_t clip = 0; clip < 2; ++clip) {
        for (int k = 0; k < 10; ++k) {
            const Pose pose = pose_at(rig(), clip, rig().clips[clip].duration * k / 10.0);
            for (std::size_t p = 0; p < rig().parts.size(); ++p) {
                const SkinPart& part = rig().parts[p];
                std::vector<Vec3> at(part.positions.size());
                skin(rig(), p, pose, at);
                for (const auto& t : part.triangles) {
                    for (std::size_t i = 0; i < 3; ++i) {
                        const auto a = static_cast<std::size_t>(t[i]), b = static_cast<std::size_t>(t[(i + 1) % 3]);
                        ASSERT_LT(norm(at[a] - at[b]), 4.0 * norm(part.positions[a] - part.positions[b]))
                            << part.name << " at " << pose.time;
                    }
                }
            }
        }
    }
}

}  // namespace
}  // namespace limber
