// How bones carry flesh, and that it behaves like flesh in a simulation.
#include <limber/body.hpp>
#include <limber/deformer.hpp>
#include <limber/error.hpp>
#include <limber/loads.hpp>
#include <limber/material.hpp>
#include <limber/method.hpp>
#include <limber/tools/assets.hpp>
#include <limber/tools/flesh.hpp>

#include "expect_error.hpp"
#include "rig/pose_rates.hpp"
#include "rig/rig_fixtures.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace limber {
namespace {

const Rig& plain_humanoid() {
    static const Rig rig = make_humanoid(3000);
    return rig;
}
const FleshPart& plain_thigh() {
    static const FleshPart part = [] {
        const Region region = parse_region("thigh=bone:thigh_l");
        Progress quiet;
        return make_flesh(plain_humanoid(), std::span(&region, 1), {.cells = 2000}, quiet)[0];
    }();
    return part;
}

TEST(FleshMotion, InTheBindPoseHeldVerticesAreWhereTheyAre) {
    std::vector<Vec3> at(plain_thigh().held.size());
    held_targets(plain_thigh(), bind_pose(plain_humanoid()), at);
    for (std::size_t i = 0; i < at.size(); ++i)
        EXPECT_LT(norm(at[i] - plain_thigh().mesh.vertices[static_cast<std::size_t>(plain_thigh().held[i])]), 1e-12);
    for (const Influences& v : plain_thigh().influences) {
        double sum = 0.0;
        for (const double w : v.weight) sum += w;
        EXPECT_NEAR(sum, 1.0, 1e-12);
    }
    expect_error(Fault::bad_usage, "thigh",
                 [&] { held_targets(plain_thigh(), bind_pose(plain_humanoid()), std::span(at).first(3)); });
}

TEST(FleshMotion, VelocitiesOfHeldVerticesAreTheDerivativeOfTheirTargets) {
    const std::size_t jump = find_clip(plain_humanoid(), "jump"), n = plain_thigh().held.size();
    const double t = 0.71, h = 1e-6;  // within a segment of the curves
    std::vector<Vec3> before(n), at(n), after(n), velocity(n);
    held_targets(plain_thigh(), pose_at(plain_humanoid(), jump, t - h), before);
    held_targets(plain_thigh(), pose_at(plain_humanoid(), jump, t), at, velocity);
    held_targets(plain_thigh(), pose_at(plain_humanoid(), jump, t + h), after);
    double fastest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        EXPECT_LT(norm((after[i] - before[i]) / (2 * h) - velocity[i]), 1e-7);
        fastest = std::max(fastest, norm(velocity[i]));
    }
    EXPECT_GT(fastest, 0.1);
}

TEST(FleshMotion, TheSeamFollowsTheSkinAroundItAndBonesAreRigid) {
    // A seam vertex on the skin must go where the skin goes, or the surface tears; bone vertices keep their distances.
    const std::size_t walk = find_clip(plain_humanoid(), "walk");
    const Pose pose = pose_at(plain_humanoid(), walk, 0.2);
    std::vector<Vec3> at(plain_thigh().held.size());
    held_targets(plain_thigh(), pose, at);
    const auto& sets = plain_thigh().mesh.vertex_sets;
    const IndexSet& bone = sets.at("bone:thigh_l");
    const auto target = [&](std::int32_t v) {
        return at[static_cast<std::size_t>(std::lower_bound(plain_thigh().held.begin(), plain_thigh().held.end(), v) -
                                           plain_thigh().held.begin())];
    };
    const auto rest = [&](std::int32_t v) { return plain_thigh().mesh.vertices[static_cast<std::size_t>(v)]; };
    for (const std::int32_t v : bone)
        EXPECT_NEAR(norm(target(v) - target(bone[0])), norm(rest(v) - rest(bone[0])), 1e-9);

    std::size_t compared = 0;
    for (std::size_t p = 0; p < plain_humanoid().parts.size(); ++p) {
        std::vector<Vec3> skinned(plain_humanoid().parts[p].positions.size());
        skin(plain_humanoid(), p, pose, skinned);
        for (const std::int32_t v : sets.at("seam")) {
            const auto& x = plain_humanoid().parts[p].positions;
            const auto near = static_cast<std::size_t>(std::min_element(x.begin(), x.end(),
                                                                        [&](const Vec3& a, const Vec3& b) {
                                                                            return norm2(a - rest(v)) <
                                                                                   norm2(b - rest(v));
                                                                        }) -
                                                       x.begin());
            const double away = norm(x[near] - rest(v));
            if (away > 0.01) continue;
            ++compared;
            EXPECT_LT(norm((skinned[near] - x[near]) - (target(v) - rest(v))),
                      0.7 * away + 1e-3);  // a thigh turns by less than 40 degrees in a walk
        }
    }
    EXPECT_GT(compared, 5u);
}

TEST(FleshMotion, TheFrameCarriesTheReferenceBoneAndItsRatesAreDerivatives) {
    const Rig& rig = plain_humanoid();
    const std::size_t walk = find_clip(rig, "walk");
    const double t = 0.2, h = 1e-6;
    EXPECT_EQ(rig.joints[static_cast<std::size_t>(plain_thigh().reference)].name, "thigh_l");
    const BoneMotion frame = bone_motion_at(rig, plain_thigh(), walk, t),
                     next = bone_motion_at(rig, plain_thigh(), walk, t + h);
    EXPECT_LT(norm((next.origin - frame.origin) / h - frame.velocity), 1e-5);
    // The points on the thigh's bone move with the frame and nothing else.
    std::vector<Vec3> at(plain_thigh().held.size());
    const Pose pose = pose_at(rig, walk, t);
    held_targets(plain_thigh(), pose, at);
    const IndexSet& bone = plain_thigh().mesh.vertex_sets.at("bone:thigh_l");
    for (std::size_t i = 0; i < at.size(); ++i) {
        if (std::binary_search(bone.begin(), bone.end(), plain_thigh().held[i])) {
            const Vec3 arm = plain_thigh().mesh.vertices[static_cast<std::size_t>(plain_thigh().held[i])] -
                             frame.bind_origin;
            EXPECT_LT(norm(frame.origin + to_matrix(frame.rotation) * arm - at[i]), 1e-9);
        }
    }
    BoneMotion later = bone_motion_at(plain_thigh(), pose_at(rig, walk, t + 0.1));
    const BoneMotion now = bone_motion_at(plain_thigh(), pose);
    mean_acceleration(now, later, 0.1);
    EXPECT_LT(norm(later.acceleration * 0.1 - (later.velocity - now.velocity)), 1e-12);
}

TEST(FleshMotion, AccelerationsAreTheSecondDerivativesOfCubicCurves) {
    // Turns, moves and scales at once down a chain: every cross term (Coriolis, centripetal, growing arms) has to be
    // there.
    Rig rig = testing_body::sample_rig();
    using T = Channel::Target;
    Clip clip{"cubic", {}, 1.1};
    std::uint64_t seed = 40;
    for (std::int32_t j = 0; j < 5; ++j) {
        clip.channels.push_back(testing_body::sample_channel(j, T::translation, Channel::Curve::cubic, ++seed, 3));
        clip.channels.push_back(testing_body::sample_channel(j, T::rotation, Channel::Curve::cubic, ++seed, 4));
        clip.channels.push_back(testing_body::sample_channel(j, T::scale, Channel::Curve::cubic, ++seed, 3));
    }
    rig.clips.push_back(clip);
    const double t = 0.41, h = 1e-5;
    const Pose before = pose_at(rig, 0, t - h), at = pose_at(rig, 0, t), after = pose_at(rig, 0, t + h);
    const PoseAcceleration a = acceleration_at(rig, 0, t, at);
    for (std::size_t j = 0; j < 5; ++j) {
        const Vec3 moved = (after.velocity(j) - before.velocity(j)) / (2 * h),
                   turned = (after.angular_velocity[j] - before.angular_velocity[j]) / (2 * h);
        EXPECT_LT(norm(moved - a.world[j].translation), 1e-6 * (1 + norm(moved))) << j;
        EXPECT_LT(norm(turned - a.angular[j]), 1e-6 * (1 + norm(turned))) << j;
    }
}

TEST(FleshMotion, BindPoseUndoesOtherAxesUnitsAndPoses) {
    // A file bound lying down in centimetres and shown standing in metres, posed: the solid stands at the size that is
    // shown.
    Rig rig = plain_humanoid();
    const Affine lying{to_matrix(from_rotation_vector({-1.5707963267948966, 0, 0})), {3, 0, 0}};
    Affine large = lying;
    for (auto& row : large.linear.m)
        for (double& v : row) v *= 100.0;
    for (SkinPart& part : rig.parts)
        for (Vec3& x : part.positions) x = large * x;
    for (Affine& bind : rig.bindings[0].inverse_bind) bind = bind * inverse(large);
    rig.joints[5].rest.rotation = from_rotation_vector({0.4, 0, 0}) *
                                  rig.joints[5].rest.rotation;  // an arm moved after binding
    const Pose bind = bind_pose(rig), plain = bind_pose(plain_humanoid());
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
        EXPECT_LT(norm(bind.position(j) - plain.position(j)), 1e-9) << j;
        EXPECT_NEAR(std::abs(bind.rotation[j].w * plain.rotation[j].w + bind.rotation[j].x * plain.rotation[j].x +
                             bind.rotation[j].y * plain.rotation[j].y + bind.rotation[j].z * plain.rotation[j].z),
                    1.0, 1e-9)
            << j;
    }
    std::vector<Vec3> x(rig.parts[0].positions.size());
    skin(rig, 0, bind, x);
    for (std::size_t v = 0; v < x.size(); v += 50) EXPECT_LT(norm(x[v] - plain_humanoid().parts[0].positions[v]), 1e-9);
}

TEST(FleshMotion, UnderGravityFreeFleshSagsAndWhatIsHeldStays) {
    BodyDescription d;
    d.mesh = plain_thigh().mesh;
    d.materials = {{"", find_material_preset("fat")->material}};
    d.anchors = {{"held", plain_thigh().held, {}}};
    Progress quiet;
    const double step = 1.0 / 60.0;
    const std::unique_ptr<Deformer> deformer = require_method("linear_fem")
                                                   .prepare(Body::make(d), {{"step", step}}, quiet);
    State state = deformer->rest_state();
    Workspace scratch = deformer->make_workspace();
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    std::vector<Vec3> u(d.mesh.vertices.size()), sum(u.size());
    for (int i = 0; i < 30; ++i) {
        ASSERT_EQ(deformer->step(state, loads, step, scratch).trouble, Trouble::none);
        deformer->displacements(state, u);
        for (std::size_t v = 0; v < u.size(); ++v)
            sum[v] += u[v] / 30.0;  // the mean of the swing is near the sag at rest
    }
    const IndexSet& free = d.mesh.vertex_sets.at("free");
    double down = 0.0, most = 0.0;
    for (const std::int32_t v : free) {
        down += sum[static_cast<std::size_t>(v)].y < 0.0 ? 1.0 : 0.0;
        most = std::max(most, norm(sum[static_cast<std::size_t>(v)]));
    }
    EXPECT_GT(down, 0.9 * static_cast<double>(free.size()));
    EXPECT_GT(most, 1e-3);
    EXPECT_LT(most, 0.1);  // centimetres, not a puddle
    for (const std::int32_t v : plain_thigh().held) EXPECT_EQ(u[static_cast<std::size_t>(v)], Vec3{});
}

}  // namespace
}  // namespace limber
