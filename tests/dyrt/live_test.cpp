// What is made here, live: the C library reads our file and follows a clip's bones as the baked track does.
#include "dyrt/dyrt_fixtures.hpp"

#include "dyrt/limber_dyrt.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace limber {
namespace {

using Asset = std::unique_ptr<limber_dyrt_asset, decltype(&limber_dyrt_free)>;
using Crowd = std::unique_ptr<limber_dyrt_crowd, decltype(&limber_dyrt_crowd_free)>;

Asset load(const std::string& bytes) {
    limber_dyrt_asset* out = nullptr;
    EXPECT_EQ(limber_dyrt_load(bytes.data(), bytes.size(), &out), LIMBER_DYRT_OK);
    return {out, limber_dyrt_free};
}

/// The joint of a flesh part as an engine would give it.
void give(const Rig& rig, const FleshPart& flesh, std::size_t clip, double time, limber_dyrt_bone& bone,
          limber_dyrt_motion& motion) {
    BoneMotion f = bone_motion_at(flesh, pose_at(rig, clip, time));
    // Velocities jump at keys: the mean of both sides, as the baked track has it. The clips repeat.
    const BoneMotion b = bone_motion_at(flesh, pose_at(rig, clip, time > 0.0 ? time - 1e-6 : rig.clips[clip].duration));
    f.velocity = (f.velocity + b.velocity) * 0.5;
    f.angular_velocity = (f.angular_velocity + b.angular_velocity) * 0.5;
    const Quat q = f.rotation * flesh.bind_rotation;
    const double turn[] = {q.x, q.y, q.z, q.w};
    for (int i = 0; i < 3; ++i) {
        bone.position[i] = static_cast<float>(f.origin[i] / rig.unit);
        motion.velocity[i] = static_cast<float>(f.velocity[i] / rig.unit);
        motion.angular_velocity[i] = static_cast<float>(f.angular_velocity[i]);
    }
    for (int i = 0; i < 4; ++i) bone.rotation[i] = static_cast<float>(turn[i]);
}

/// Frame i of a clip that goes on and on: places go on from where the clip ended.
void give_looped(const Rig& rig, const FleshPart& flesh, std::size_t clip, const Vec3& gone, int i, int per_loop,
                 limber_dyrt_bone& bone, limber_dyrt_motion& motion) {
    give(rig, flesh, clip, rig.clips[clip].duration * (i % per_loop) / per_loop, bone, motion);
    const int loops = i / per_loop;
    for (int c = 0; c < 3; ++c) bone.position[c] += static_cast<float>(gone[c] * loops / rig.unit);
}

/// Root mean square of the difference between live and baked amplitudes over that of the baked ones, once the live ones
/// have forgotten how they began.
double difference(const Rig& rig, const DyrtPart& part, const limber_dyrt_asset* asset, const DyrtTrack& track,
                  std::size_t clip, limber_dyrt_drive drive, int sub_frames) {
    limber_dyrt_settings settings;
    limber_dyrt_default_settings(asset, &settings);
    settings.drive = drive;
    limber_dyrt_crowd* made = nullptr;
    limber_dyrt_crowd_create(asset, 1, &settings, &made);
    const Crowd crowd(made, limber_dyrt_crowd_free);
    const std::size_t m = part.count();
    std::vector<float> q(m);
    double apart = 0.0, size = 0.0;
    const int per_loop = sub_frames * static_cast<int>(track.times.size() - 1),
              loops = 1 + static_cast<int>(std::ceil(4.0 / rig.clips[clip].duration));
    const Vec3 gone = bone_motion_at(part.flesh, pose_at(rig, clip, rig.clips[clip].duration)).origin -
                      bone_motion_at(part.flesh, pose_at(rig, clip, 0.0)).origin;
    const auto dt = static_cast<float>(rig.clips[clip].duration / per_loop);
    for (int i = 0; i < loops * per_loop; ++i) {
        limber_dyrt_bone bone;
        limber_dyrt_motion motion;
        give_looped(rig, part.flesh, clip, gone, i, per_loop, bone, motion);
        EXPECT_EQ(limber_dyrt_step(crowd.get(), dt, &bone, drive == LIMBER_DYRT_VELOCITIES ? &motion : nullptr),
                  LIMBER_DYRT_OK);
        if (i < (loops - 1) * per_loop || i % sub_frames != 0) continue;
        limber_dyrt_amplitudes(crowd.get(), 0, 0, q.data());
        for (std::size_t k = 0; k < m; ++k) {
            const double baked = track.amplitudes[static_cast<std::size_t>(i % per_loop / sub_frames) * m + k];
            apart += std::pow(static_cast<double>(q[k]) * rig.unit - baked, 2);
            size += baked * baked;
        }
    }
    EXPECT_EQ(limber_dyrt_limited(crowd.get()), 0u);
    EXPECT_EQ(limber_dyrt_skipped(crowd.get()), 0u);
    return std::sqrt(apart / size);
}

// Bind pose, axes, signs, units, the order of the twelve numbers: any of them wrong and nothing agrees.
TEST(DyrtLive, FollowsAClipAsTheBakedTrackDoes) {
    const Rig& rig = humanoid();
    const Asset asset = load(format_dyrt(rig, {&thigh(), 1}));
    ASSERT_TRUE(asset);
    EXPECT_EQ(limber_dyrt_modes(asset.get(), 0), static_cast<int>(thigh().count()));
    EXPECT_EQ(limber_dyrt_bone_name(asset.get(), 0),
              rig.joints[static_cast<std::size_t>(thigh().flesh.reference)].name);
    for (std::size_t clip = 0; clip < rig.clips.size(); ++clip) {
        BakeSettings settings;
        settings.loop = BakeSettings::Loop::yes;
        const DyrtTrack track = bake_clip(rig, thigh(), clip, settings);
        EXPECT_LT(difference(rig, thigh(), asset.get(), track, clip, LIMBER_DYRT_VELOCITIES, 8), 0.005)
            << rig.clips[clip].name;
        // The clips' curves are linear between keys; 60 places a second do not say whether velocity jumps or grows.
        EXPECT_LT(difference(rig, thigh(), asset.get(), track, clip, LIMBER_DYRT_TRANSFORMS, 1), 0.05)
            << rig.clips[clip].name;
    }
}

TEST(DyrtLive, MovesTheSkinAsTheTablesSay) {
    const Rig& rig = humanoid();
    const DyrtPart& part = thigh();
    const Asset asset = load(format_dyrt(rig, {&part, 1}));
    const std::size_t m = part.count(), n = part.vertices.size();
    std::vector<float> q(m), positions(3 * n), normals(3 * n);
    for (std::size_t k = 0; k < m; ++k) q[k] = static_cast<float>(0.01 * std::cos(static_cast<double>(k)) / rig.unit);
    ASSERT_EQ(limber_dyrt_displace(asset.get(), 0, q.data(), 0, positions.data(), normals.data()), LIMBER_DYRT_OK);
    for (std::size_t v = 0; v < n; ++v) {
        Vec3 position = part.vertices[v].position, normal = part.vertices[v].normal;
        for (std::size_t k = 0; k < m; ++k) {
            position = position + part.displacements[k * n + v] * (static_cast<double>(q[k]) * rig.unit);
            if (part.corrected[k])
                normal = normal + part.corrections[k * n + v] * (static_cast<double>(q[k]) * rig.unit);
        }
        normal = normal / norm(normal);
        for (int c = 0; c < 3; ++c) {
            ASSERT_NEAR(static_cast<double>(positions[3 * v + static_cast<std::size_t>(c)]) * rig.unit, position[c],
                        1e-6);
            ASSERT_NEAR(static_cast<double>(normals[3 * v + static_cast<std::size_t>(c)]), normal[c], 1e-5);
        }
    }
}

}  // namespace
}  // namespace limber
