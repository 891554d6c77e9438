// Crowds: the same bits whoever stands beside, no allocation, and input that no animator meant.
#include "runtime/bone_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

// Counts allocations of C and C++ alike; a sanitizer has its own.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LIMBER_COUNTS_ALLOCATIONS 1
static long allocations = 0;
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): glibc's own names
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
// NOLINTEND(bugprone-reserved-identifier)
void* malloc(std::size_t size) {
    ++allocations;
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
    ++allocations;
    return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
    ++allocations;
    return __libc_realloc(old, size);
}
}
#endif

namespace limber::runtime_tests {
namespace {

constexpr float kDt = 1.0f / 60.0f;

/// Two parts, gravity, limits that some of the motion passes.
FileText two_parts() {
    FileText file;
    file.parts = {some_part(5, 40, 1), some_part(3, 50, 2)};
    file.parts[1].name = "thigh_l";
    file.parts[1].bind_rotation = {0.5f, 0.5f, -0.5f, 0.5f};
    file.parts[0].limits = {60.0f, 200.0f, 12.0f};
    file.mesh_sizes = {64};
    file.gravity = {0, -9.81f, 0};
    return file;
}

/// Bones of instance i at frame f: everyone moves differently, some wildly.
limber_dyrt_bone bone_of(int i, int part, int f) {
    const float t = static_cast<float>(f) * kDt, a = 1.0f + 0.13f * static_cast<float>(i),
                size = i % 7 == 3 ? 1.0f : 0.1f;
    limber_dyrt_bone b;
    b.position[0] = size * std::sin(9.0f * a * t) + static_cast<float>(i);
    b.position[1] = size * std::cos(7.0f * t) + static_cast<float>(part);
    b.position[2] = 0.05f * a * t;
    b.rotation[0] = 0.3f * std::sin(5.0f * a * t);
    b.rotation[1] = i % 5 == 1 ? std::sin(20.0f * t) : 0.1f;
    b.rotation[2] = 0.2f * std::cos(11.0f * t);
    b.rotation[3] = i % 5 == 1 ? std::cos(20.0f * t) : 1.0f;
    return b;
}

limber_dyrt_motion motion_of(int i, int f) {
    limber_dyrt_motion m;
    const std::vector<float> n = some_numbers(6, static_cast<std::uint32_t>(100 * i + f / 3));
    for (std::size_t c = 0; c < 3; ++c) {
        m.velocity[c] = n[c];
        m.angular_velocity[c] = 3.0f * n[3 + c];
    }
    return m;
}

std::vector<float> all_amplitudes(const Crowd& crowd, int count) {
    std::vector<float> out;
    for (int i = 0; i < count; ++i) {
        for (int p = 0; p < 2; ++p) {
            float q[5] = {};
            limber_dyrt_amplitudes(crowd.get(), i, p, q);
            out.insert(out.end(), q, q + (p == 0 ? 5 : 3));
        }
    }
    return out;
}

/// Frame f of instances first to first + count; a cut for every fifth at frame 9, no number for every sixth at
/// frame 13.
void step_some(const Crowd& crowd, int first, int count, int f, bool velocities) {
    std::vector<limber_dyrt_bone> bones;
    std::vector<limber_dyrt_motion> motions;
    for (int i = first; i < first + count; ++i) {
        for (int p = 0; p < 2; ++p) {
            bones.push_back(bone_of(i, p, f));
            motions.push_back(motion_of(i, f));
            if (f == 13 && i % 6 == 2) bones.back().position[1] = std::numeric_limits<float>::quiet_NaN();
        }
    }
    for (int i = first; f == 9 && i < first + count; ++i)
        if (i % 5 == 0) limber_dyrt_cut(crowd.get(), i - first, i % 2);
    ASSERT_EQ(limber_dyrt_step(crowd.get(), f % 4 == 1 ? 1.3f * kDt : kDt, bones.data(),
                               velocities ? motions.data() : nullptr),
              LIMBER_DYRT_OK);
}

// Lanes of one vector, padding, the careful path for rare lanes: none may leak into a neighbour. 75: two blocks and a
// part of one.
TEST(DyrtCrowd, OfManyGivesTheBitsOfManyCrowdsOfOne) {
    const Asset asset = load(make_bytes(two_parts()));
    ASSERT_TRUE(asset);
    for (const int variant : {0, 1, 2}) {
        limber_dyrt_settings settings = default_settings(asset);
        settings.drive = variant == 1 ? LIMBER_DYRT_VELOCITIES : LIMBER_DYRT_TRANSFORMS;
        settings.coriolis = variant == 2;
        const Crowd many = make_crowd(asset, 75, settings);
        std::vector<Crowd> single;
        for (int i = 0; i < 75; ++i) single.push_back(make_crowd(asset, 1, settings));
        std::uint64_t limited = 0, skipped = 0;
        for (int f = 0; f < 24; ++f) {
            step_some(many, 0, 75, f, variant == 1);
            for (int i = 0; i < 75; ++i) step_some(single[static_cast<std::size_t>(i)], i, 1, f, variant == 1);
        }
        std::vector<float> one_by_one;
        for (const Crowd& c : single) {
            const std::vector<float> q = all_amplitudes(c, 1);
            one_by_one.insert(one_by_one.end(), q.begin(), q.end());
            limited += limber_dyrt_limited(c.get());
            skipped += limber_dyrt_skipped(c.get());
        }
        const std::vector<float> together = all_amplitudes(many, 75);
        EXPECT_EQ(std::memcmp(together.data(), one_by_one.data(), together.size() * sizeof(float)), 0)
            << "variant " << variant;
        EXPECT_EQ(limber_dyrt_limited(many.get()), limited);
        EXPECT_EQ(limber_dyrt_skipped(many.get()), skipped);
        EXPECT_EQ(skipped, 13u * 2u);
        EXPECT_GT(limited, 0u);
        for (const float q : together) ASSERT_TRUE(std::isfinite(q));
    }
}

#if defined(LIMBER_COUNTS_ALLOCATIONS)
TEST(DyrtCrowd, AllocatesNothingOnceMade) {
    const Asset asset = load(make_bytes(two_parts()));
    const Crowd crowd = make_crowd(asset, 40, default_settings(asset));
    std::vector<limber_dyrt_bone> bones(80);
    std::vector<float> q(5), positions(3 * 64), normals(3 * 64, 1.0f);
    const float* both[] = {q.data(), q.data()};
    long inside = 0;
    for (int f = 0; f < 12; ++f) {
        for (int i = 0; i < 80; ++i) bones[static_cast<std::size_t>(i)] = bone_of(i / 2, i % 2, f);
        const long before = allocations;
        limber_dyrt_step(crowd.get(), kDt * static_cast<float>(1 + f % 7), bones.data(),
                         nullptr);  // every frame time is new
        limber_dyrt_cut(crowd.get(), f, 0);
        limber_dyrt_amplitudes(crowd.get(), 3, 0, q.data());
        limber_dyrt_set_amplitudes(crowd.get(), 4, 0, q.data(), nullptr);
        limber_dyrt_displace(asset.get(), 0, q.data(), 1, positions.data(), normals.data());
        limber_dyrt_apply(asset.get(), 0, both, 1, positions.data(), normals.data(), 64);
        inside += allocations - before;
    }
    EXPECT_EQ(inside, 0);
    const long before = allocations;
    make_crowd(asset, 1, default_settings(asset));
    EXPECT_GT(allocations, before);  // the counter counts
}
#endif

struct Alone {
    Asset asset;
    Crowd crowd;
    PartText part;
};

/// One oscillator of 3 Hz that feels x, with limits of 50 unit/s^2, 300 rad/s^2 and 20 rad/s.
Alone alone(float limit = 1.0f) {
    Alone out;
    Oscillator o;
    o.omega = 18.8f;
    o.decay = 1.9f;
    o.transfer = {-1, 0, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0};
    out.part.oscillators = {o};
    out.part.limits = {50.0f, 300.0f, 20.0f};
    FileText file;
    file.parts = {out.part};
    out.asset = load(make_bytes(file));
    limber_dyrt_settings settings = default_settings(out.asset);
    settings.limit = limit;
    out.crowd = make_crowd(out.asset, 1, settings);
    return out;
}

float stepped(const Alone& a, const limber_dyrt_bone& bone, float dt = kDt) {
    EXPECT_EQ(limber_dyrt_step(a.crowd.get(), dt, &bone, nullptr), LIMBER_DYRT_OK);
    float q = 0.0f;
    limber_dyrt_amplitudes(a.crowd.get(), 0, 0, &q);
    return q;
}

float largest_after_jump(const Alone& a, float distance, bool turn) {
    limber_dyrt_bone bone{{0, 0, 0}, {0, 0, 0, 1}};
    float largest = 0.0f;
    for (int f = 0; f < 300; ++f) {
        if (f == 5) bone.position[0] = distance;
        if (f == 5 && turn) {
            bone.rotation[2] = 1.0f;
            bone.rotation[3] = 0.001f;
        }
        const float q = stepped(a, bone);
        EXPECT_TRUE(std::isfinite(q));
        largest = std::max(largest, std::abs(q));
    }
    EXPECT_LT(std::abs(stepped(a, bone)), 0.02f * largest);  // and it dies away
    return largest;
}

// The bar: two frames at the limit push at most 2 a dt / omega, however far the bone went.
TEST(DyrtLimits, ATeleportingBoneDoesNotExplode) {
    for (const float distance : {10.0f, 1e4f, 1e9f, 1e18f}) {
        const Alone a = alone();
        EXPECT_LT(largest_after_jump(a, distance, false), 2.0f * 50.0f * kDt / 18.8f) << distance;
        EXPECT_EQ(limber_dyrt_limited(a.crowd.get()), 2u);
    }
    const Alone turned = alone();
    EXPECT_LT(largest_after_jump(turned, 0.0f, true), 2.0f * (300.0f + 400.0f) * kDt / 18.8f);
    EXPECT_GE(limber_dyrt_limited(turned.crowd.get()), 2u);
    const Alone unlimited = alone(1e6f);
    EXPECT_GT(largest_after_jump(unlimited, 10.0f, false), 10.0f * 50.0f * kDt / 18.8f);  // that is what limits are for
    EXPECT_EQ(limber_dyrt_limited(unlimited.crowd.get()), 0u);
}

// A landing is a jump of velocity: 42 unit/s^2 over a 60th of a second, 336 over a 480th, and the limit is 50.
TEST(DyrtLimits, AJumpOfVelocityPassesInShortFramesAsInLongOnes) {
    for (const float dt : {1.0f / 60.0f, 1.0f / 480.0f}) {
        const Alone a = alone();
        limber_dyrt_bone bone{{0, 0, 0}, {0, 0, 0, 1}};
        for (int f = 0; f < 20; ++f) {
            if (f > 4) bone.position[0] += 0.7f * dt;
            stepped(a, bone, dt);
        }
        EXPECT_EQ(limber_dyrt_limited(a.crowd.get()), 0u) << dt;
    }
}

TEST(DyrtLimits, ACutPushesNothing) {
    const Alone a = alone();
    limber_dyrt_bone bone{{0, 0, 0}, {0, 0, 0, 1}};
    for (int f = 0; f < 5; ++f) stepped(a, bone);
    limber_dyrt_cut(a.crowd.get(), 0, 0);
    bone.position[0] = 1e5f;
    for (int f = 0; f < 60; ++f) EXPECT_EQ(stepped(a, bone), 0.0f);
    EXPECT_EQ(limber_dyrt_limited(a.crowd.get()), 0u);
}

// What jiggled goes on jiggling over a cut, a frame later; unless it is told to rest.
TEST(DyrtLimits, ACutKeepsTheJiggleUnlessToldToRest) {
    const Alone a = alone(), b = alone();
    const float q = 0.3f;
    limber_dyrt_bone bone{{0, 0, 0}, {0, 0, 0, 1}};
    for (const Alone* each : {&a, &b}) {
        for (int f = 0; f < 3; ++f) stepped(*each, bone);
        limber_dyrt_set_amplitudes(each->crowd.get(), 0, 0, &q, nullptr);
        for (int f = 0; f < 4; ++f) stepped(*each, bone);
    }
    limber_dyrt_cut(b.crowd.get(), 0, 0);
    bone.position[2] = 77.0f;
    stepped(b, bone);
    bone.position[2] = 0.0f;
    limber_dyrt_bone elsewhere = bone;
    elsewhere.position[2] = 77.0f;
    for (int f = 0; f < 10; ++f) EXPECT_NEAR(stepped(a, bone), stepped(b, elsewhere), 1e-6f);
    limber_dyrt_cut(a.crowd.get(), 0, 1);
    EXPECT_EQ(stepped(a, bone), 0.0f);
}

TEST(DyrtLimits, InputThatIsNotFiniteIsSkippedAndCounted) {
    const float bad[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                         -std::numeric_limits<float>::infinity(), 3e38f};
    for (const float value : bad) {
        for (int field = 0; field < 7; ++field) {
            const Alone a = alone();
            limber_dyrt_bone bone{{0, 0, 0}, {0, 0, 0, 1}};
            for (int f = 0; f < 4; ++f) stepped(a, bone);
            const float q = 0.25f, rate = 1.0f;
            limber_dyrt_set_amplitudes(a.crowd.get(), 0, 0, &q, &rate);
            limber_dyrt_bone spoiled = bone;
            (field < 3 ? spoiled.position[field] : spoiled.rotation[field - 3]) = value;
            const float kept = stepped(a, spoiled);
            if (std::isfinite(value) && field < 3) continue;  // far away, but a place: the limit's business
            EXPECT_EQ(kept, q) << "field " << field << " = " << value;
            EXPECT_EQ(limber_dyrt_skipped(a.crowd.get()), 1u);
            float after = 0.0f;
            for (int f = 0; f < 30; ++f) after = stepped(a, bone);
            EXPECT_TRUE(std::isfinite(after));
            EXPECT_NE(after, q);
            EXPECT_EQ(limber_dyrt_skipped(a.crowd.get()), 1u);
        }
    }
    const Alone a = alone();
    const limber_dyrt_bone none{{0, 0, 0}, {0, 0, 0, 0}};
    stepped(a, none);
    EXPECT_EQ(limber_dyrt_skipped(a.crowd.get()), 1u);  // no rotation at all
}

// A rotation may be given as q or -q and at any length; the axis must not flip between frames.
TEST(DyrtCrowd, RotationsOfEitherSignAndAnyLengthAreTheSame) {
    const Alone a = alone(), b = alone();
    for (int f = 0; f < 40; ++f) {
        const float t = static_cast<float>(f) * kDt;
        limber_dyrt_bone bone{{0, 0, 0},
                              {0, 0, std::sin(0.4f * std::sin(9.0f * t)), std::cos(0.4f * std::sin(9.0f * t))}},
            other = bone;
        for (float& v : other.rotation) v *= f % 2 ? -3.0f : 0.5f;
        EXPECT_NEAR(stepped(a, bone), stepped(b, other), 2e-5f) << f;
    }
}

TEST(DyrtCrowd, WrongArgumentsAreToldNotTaken) {
    const Asset asset = load(make_bytes(two_parts()));
    limber_dyrt_crowd* out = nullptr;
    limber_dyrt_settings s = default_settings(asset);
    const auto refused = [&](const limber_dyrt_settings& settings, int count) {
        return limber_dyrt_crowd_create(asset.get(), count, &settings, &out) == LIMBER_DYRT_BAD_ARGUMENT &&
               out == nullptr;
    };
    EXPECT_TRUE(refused(s, 0));
    EXPECT_TRUE(refused(s, -1));
    EXPECT_TRUE(refused(s, std::numeric_limits<int>::max()));
    s.limit = 0.0f;
    EXPECT_TRUE(refused(s, 1));
    s = default_settings(asset);
    s.amount = std::numeric_limits<float>::infinity();
    EXPECT_TRUE(refused(s, 1));
    s = default_settings(asset);
    std::memset(&s.filter, 9, sizeof s.filter);
    EXPECT_TRUE(refused(s, 1));
    FileText plain = two_parts();
    plain.parts[1].coriolis.clear();
    const Asset without = load(make_bytes(plain));
    s = default_settings(without);
    s.coriolis = 1;
    EXPECT_EQ(limber_dyrt_crowd_create(without.get(), 1, &s, &out), LIMBER_DYRT_BAD_ARGUMENT);

    const Crowd crowd = make_crowd(asset, 2, default_settings(asset));
    const std::vector<limber_dyrt_bone> bones(4, limber_dyrt_bone{{0, 0, 0}, {0, 0, 0, 1}});
    const limber_dyrt_motion motions[4] = {};
    for (const float dt :
         {-1e-9f, -1.0f, 2e6f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        EXPECT_EQ(limber_dyrt_step(crowd.get(), dt, bones.data(), nullptr), LIMBER_DYRT_BAD_ARGUMENT);
    }
    EXPECT_EQ(limber_dyrt_step(crowd.get(), kDt, bones.data(), motions), LIMBER_DYRT_BAD_ARGUMENT);
    EXPECT_EQ(limber_dyrt_step(crowd.get(), kDt, nullptr, nullptr), LIMBER_DYRT_BAD_ARGUMENT);
    float q[5] = {};
    EXPECT_EQ(limber_dyrt_amplitudes(crowd.get(), 2, 0, q), LIMBER_DYRT_BAD_ARGUMENT);
    EXPECT_EQ(limber_dyrt_amplitudes(crowd.get(), 0, 2, q), LIMBER_DYRT_BAD_ARGUMENT);
    EXPECT_EQ(limber_dyrt_cut(crowd.get(), -1, 0), LIMBER_DYRT_BAD_ARGUMENT);
    q[2] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(limber_dyrt_set_amplitudes(crowd.get(), 0, 0, q, nullptr), LIMBER_DYRT_BAD_ARGUMENT);
    EXPECT_EQ(limber_dyrt_find_part(asset.get(), "thigh_l"), 1);
    EXPECT_EQ(limber_dyrt_find_part(asset.get(), "thigh_r"), -1);
    EXPECT_STREQ(limber_dyrt_bone_name(asset.get(), 5), "");
}

TEST(DyrtCrowd, TheAmountScalesTheAnswer) {
    const Asset asset = load(make_bytes(two_parts()));
    limber_dyrt_settings s = default_settings(asset);
    const Crowd one = make_crowd(asset, 2, s);
    s.amount = 2.5f;
    const Crowd more = make_crowd(asset, 2, s);
    for (int f = 0; f < 9; ++f) {
        step_some(one, 0, 2, f, false);
        step_some(more, 0, 2, f, false);
    }
    const std::vector<float> a = all_amplitudes(one, 2), b = all_amplitudes(more, 2);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(2.5f * a[i], b[i], 1e-4f * (std::abs(b[i]) + 0.01f));
}

// Scaled, mirrored, and turned so far that the trace is negative: each branch of the matrix's quaternion.
TEST(DyrtBone, FromAMatrixIsItsRotationWithoutScale) {
    const Quat turns[] = {
        {0, 0, 0, 1}, about({1, 0, 0}, 3.0), about({0, 1, 0}, 2.9), about({0, 0, 1}, 3.1), about({0.6, 0, 0.8}, 1.0)};
    for (const Quat& q : turns) {
        for (const double mirror : {1.0, -1.0}) {
            float m[16] = {};
            const double scale[] = {2.0 * mirror, 0.5, 3.0};
            for (std::size_t c = 0; c < 3; ++c) {
                const Vec axis = turned(q, {c == 0 ? 1.0 : 0.0, c == 1 ? 1.0 : 0.0, c == 2 ? 1.0 : 0.0});
                for (std::size_t r = 0; r < 3; ++r) m[4 * c + r] = static_cast<float>(scale[c] * axis[r]);
            }
            m[12] = 4.0f;
            m[13] = 5.0f;
            m[14] = 6.0f;
            m[15] = 1.0f;
            limber_dyrt_bone bone;
            ASSERT_EQ(limber_dyrt_bone_from_matrix(m, &bone), LIMBER_DYRT_OK);
            double same = 0.0;
            for (std::size_t i = 0; i < 4; ++i) same += q[i] * static_cast<double>(bone.rotation[i]);
            EXPECT_NEAR(std::abs(same), 1.0, 1e-6);
            EXPECT_EQ(bone.position[1], 5.0f);
        }
    }
    const float flat[16] = {};
    limber_dyrt_bone bone;
    EXPECT_EQ(limber_dyrt_bone_from_matrix(flat, &bone), LIMBER_DYRT_BAD_ARGUMENT);
}

}  // namespace
}  // namespace limber::runtime_tests
