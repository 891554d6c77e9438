// Extreme but finite numbers at every door: refused, skipped and counted, or answered with finite numbers. Never a
// result OK beside something that is no number.
#include "runtime/bone_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace limber::runtime_tests {
namespace {

constexpr float kFrameTime = 1.0f / 60.0f, kMost = std::numeric_limits<float>::max();

FileText small_file() {
    FileText file;
    file.parts = {some_part(4, 30, 5)};
    file.mesh_sizes = {40};
    file.gravity = {0, -9.81f, 0};
    return file;
}

void expect_finite(const std::vector<float>& values, const char* what) {
    for (const float v : values) ASSERT_TRUE(std::isfinite(v)) << what;
}

/// Bones that move wildly but are finite, some frames of any length; every amplitude and rate must stay a number.
void shake(const Asset& asset, const limber_dyrt_settings& settings, std::uint32_t seed, float size, const char* what) {
    const Crowd crowd = make_crowd(asset, 2, settings);
    ASSERT_TRUE(crowd) << what;
    const std::vector<float> r = some_numbers(60 * 27, seed);
    for (std::size_t f = 0; f < 60; ++f) {
        limber_dyrt_bone bones[2];
        limber_dyrt_motion motions[2];
        for (std::size_t i = 0; i < 2; ++i) {
            for (std::size_t c = 0; c < 4; ++c) {
                const float* n = r.data() + f * 27 + i * 13;
                bones[i].rotation[c] = n[c] + (c == 3 ? 0.01f : 0.0f);
                if (c == 3) continue;
                bones[i].position[c] = size * n[4 + c];
                motions[i].velocity[c] = size * n[7 + c];
                motions[i].angular_velocity[c] = size * n[10 + c];
            }
        }
        const float dt = f % 3 == 0 ? std::pow(10.0f, 5.0f * r[f * 27 + 26]) : kFrameTime;
        const limber_dyrt_result result = limber_dyrt_step(
            crowd.get(), dt, bones, settings.drive == LIMBER_DYRT_VELOCITIES ? motions : nullptr);
        ASSERT_TRUE(result == LIMBER_DYRT_OK || result == LIMBER_DYRT_OUT_OF_RANGE) << what;
        for (int i = 0; i < 2; ++i) {
            std::vector<float> q(4), rate(4), skin(90), normals(90);
            limber_dyrt_amplitudes(crowd.get(), i, 0, q.data());
            expect_finite(q, what);
            if (settings.filter == LIMBER_DYRT_EXACT) limber_dyrt_rates(crowd.get(), i, 0, rate.data());
            expect_finite(rate, what);
            for (const int warp : {0, 1}) {
                if (limber_dyrt_displace(asset.get(), 0, q.data(), warp, skin.data(), normals.data()) ==
                    LIMBER_DYRT_OK) {
                    expect_finite(skin, what);
                    expect_finite(normals, what);
                }
            }
        }
    }
}

void shake_all(const Asset& asset, const limber_dyrt_settings& base, std::uint32_t seed, const char* what) {
    for (const limber_dyrt_drive drive : {LIMBER_DYRT_TRANSFORMS, LIMBER_DYRT_VELOCITIES}) {
        for (const limber_dyrt_filter filter :
             {LIMBER_DYRT_EXACT, LIMBER_DYRT_PAPER, LIMBER_DYRT_TWO_TAP_HOLD, LIMBER_DYRT_TWO_TAP_IMPULSE}) {
            for (const int coriolis : {0, 1}) {
                for (const float size : {1.0f, 1e6f, 1e18f, 1e30f, kMost}) {
                    limber_dyrt_settings s = base;
                    s.drive = drive;
                    s.filter = filter;
                    s.coriolis = coriolis;
                    shake(asset, s, seed, size, what);
                    if (::testing::Test::HasFatalFailure()) return;
                }
            }
        }
    }
}

// Every number of the file, huge or tiny in turn: either the file is refused, or whatever bones do, the answers are
// numbers.
TEST(DyrtRange, FilesOfExtremeNumbersAreRefusedOrGiveNumbers) {
    const Bytes good = make_bytes(small_file());
    int refused = 0, taken = 0;
    for (std::size_t table : {64u, 68u, 72u, 80u, 84u, 88u, 92u, 96u}) {
        for (const float value : {3e38f, -3e38f, 1e30f, 1e12f, 1e9f, -1e9f, 1e6f, 1e-6f, 1e-30f, 1e-44f}) {
            for (const std::size_t column : {0u, 1u, 2u, 7u, 11u}) {
                if (table == 64 && column > 2) continue;  // omega, decay and scale of the first; the fourth is not used
                Bytes b = good;
                b.put(good.get(kPart + table) + 4 * column, value);
                const Asset asset = load(b);
                if (!asset) {
                    ++refused;
                    continue;
                }
                ++taken;
                limber_dyrt_settings s = default_settings(asset);
                for (const limber_dyrt_drive drive : {LIMBER_DYRT_TRANSFORMS, LIMBER_DYRT_VELOCITIES}) {
                    s.drive = drive;
                    s.coriolis = 1;
                    shake(asset, s, 3, 1e18f, "a file");
                    s.coriolis = 0;
                    shake(asset, s, 4, 1.0f, "a file");
                }
                ASSERT_FALSE(::testing::Test::HasFatalFailure())
                    << "table " << table << " column " << column << " = " << value;
            }
        }
    }
    EXPECT_GT(refused, 100);
    EXPECT_GT(taken, 150);
    for (const std::size_t at : {100u, 104u, 108u})  // limits may be as large as anyone likes: that means none
    {
        for (const float value : {kMost, 1e20f, 1e-30f}) {
            Bytes b = good;
            b.put(kPart + at, value);
            const Asset asset = load(b);
            ASSERT_TRUE(asset);
            shake_all(asset, default_settings(asset), 6, "limits");
            ASSERT_FALSE(::testing::Test::HasFatalFailure());
        }
    }
}

TEST(DyrtRange, SettingsOfExtremeNumbersAreRefusedOrGiveNumbers) {
    const Asset asset = load(make_bytes(small_file()));
    const auto each = [&](const limber_dyrt_settings& s, bool expected, const char* what) {
        limber_dyrt_crowd* out = nullptr;
        const limber_dyrt_result result = limber_dyrt_crowd_create(asset.get(), 2, &s, &out);
        const Crowd owner(out);
        EXPECT_EQ(result, expected ? LIMBER_DYRT_OK : LIMBER_DYRT_BAD_ARGUMENT) << what;
        EXPECT_EQ(out != nullptr, expected);
        if (expected) shake_all(asset, s, 9, what);
    };
    limber_dyrt_settings s = default_settings(asset);
    each(s, true, "default");
    for (const float amount : {-100.0f, 0.0f, 1e6f, 1e-30f}) {
        s.amount = amount;
        each(s, true, "amount");
    }
    for (const float amount : {1e30f, -kMost}) {
        s.amount = amount;
        each(s, false, "amount");
    }
    s = default_settings(asset);
    for (const float limit : {kMost, 1e12f, 1e-30f}) {  // no limits at all
        s.limit = limit;
        each(s, true, "limit");
    }
    s = default_settings(asset);
    s.gravity[0] = 1e9f;
    each(s, true, "gravity");
    s.gravity[0] = kMost;
    each(s, false, "gravity");
}

TEST(DyrtRange, AmplitudesOfExtremeNumbersAreRefusedOrGiveNumbers) {
    const Asset asset = load(make_bytes(small_file()));
    const Crowd crowd = make_crowd(asset, 1, default_settings(asset));
    const limber_dyrt_bone bone{{0, 0, 0}, {0, 0, 0, 1}};
    std::vector<float> zero(4, 0.0f), skin(120), normals(120);
    for (int i = 0; i < 3; ++i) limber_dyrt_step(crowd.get(), kFrameTime, &bone, nullptr);
    for (const float value : {1e10f, 1e20f, 1e25f, -1e25f, 1.1e25f, 1e30f, kMost, -kMost,
                              std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        const bool expected = std::abs(value) <= 1e25f;
        const std::vector<float> q(4, value);
        const float* all[] = {q.data()};
        const limber_dyrt_result wanted = expected ? LIMBER_DYRT_OK : LIMBER_DYRT_BAD_ARGUMENT;
        EXPECT_EQ(limber_dyrt_set_amplitudes(crowd.get(), 0, 0, q.data(), q.data()), wanted) << value;
        EXPECT_EQ(limber_dyrt_set_amplitudes(crowd.get(), 0, 0, zero.data(), q.data()), wanted) << value;
        for (int i = 0; i < 50; ++i) limber_dyrt_step(crowd.get(), kFrameTime, &bone, nullptr);
        std::vector<float> now(4);
        limber_dyrt_amplitudes(crowd.get(), 0, 0, now.data());
        expect_finite(now, "rung on");
        for (const int warp : {0, 1}) {
            std::fill(skin.begin(), skin.end(), 0.25f);
            std::fill(normals.begin(), normals.end(), 0.25f);
            EXPECT_EQ(limber_dyrt_displace(asset.get(), 0, q.data(), warp, skin.data(), normals.data()), wanted)
                << value;
            EXPECT_EQ(skin[0] == 0.25f, !expected);  // untouched unless it can be done
            expect_finite(skin, "displaced");
            for (std::size_t v = 0; expected && v < 90; v += 3)
                EXPECT_NEAR(std::hypot(normals[v], normals[v + 1], normals[v + 2]), 1.0f, 1e-5f) << value;
            std::fill(skin.begin(), skin.end(), 0.25f);
            EXPECT_EQ(limber_dyrt_apply(asset.get(), 0, all, warp, skin.data(), normals.data(), 40), wanted) << value;
            EXPECT_EQ(skin[0] == 0.25f, !expected);
            expect_finite(skin, "applied");
            expect_finite(normals, "applied");
        }
    }
}

// The scale of a matrix is taken out, however large; what has none is refused and nothing is written.
TEST(DyrtRange, MatricesOfAnyScaleGiveTheirRotation) {
    for (const float scale : {1e-40f, 1e-30f, 1e-10f, 1.0f, 1e10f, 1e30f}) {
        const float m[16] = {0, 0, -scale, 0, 0, 2 * scale, 0, 0, 3 * scale, 0, 0, 0, 7, 8, 9, 1};
        limber_dyrt_bone bone{};
        ASSERT_EQ(limber_dyrt_bone_from_matrix(m, &bone), LIMBER_DYRT_OK) << scale;
        EXPECT_NEAR(std::abs(bone.rotation[1]), std::sqrt(0.5f), 1e-6f) << scale;
        EXPECT_NEAR(bone.rotation[1], bone.rotation[3], 1e-6f) << scale;
        EXPECT_EQ(bone.position[2], 9.0f);
    }
    const float flat[16] = {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    limber_dyrt_bone kept{{5, 5, 5}, {5, 5, 5, 5}};
    EXPECT_EQ(limber_dyrt_bone_from_matrix(flat, &kept), LIMBER_DYRT_BAD_ARGUMENT);
    for (const float v : kept.rotation) EXPECT_EQ(v, 5.0f);
    EXPECT_EQ(kept.position[0], 5.0f);
}

/// Two oscillators that a spin about z turns into each other, as two swings of a limb do.
Asset gyroscope() {
    FileText file;
    PartText p;
    for (int k = 0; k < 2; ++k) {
        Oscillator o;
        o.omega = 20.0f;
        p.oscillators.push_back(o);
        p.oscillators.back().transfer[static_cast<std::size_t>(k)] = -1.0f;
    }
    p.coriolis.assign(12, 0.0f);
    p.coriolis[2 * 4 + 1] = 2.0f;
    p.coriolis[2 * 4 + 2] = -2.0f;
    file.parts = {p};
    return load(make_bytes(file));
}

// Coriolis's force does no work: a swing on a bone that spins at any rate must not grow, and the reader is told when
// the spin was too much for the frame.
TEST(DyrtRange, CoriolisForcesDoNotMakeASwingGrow) {
    const Asset asset = gyroscope();
    ASSERT_TRUE(asset);
    for (const limber_dyrt_drive drive : {LIMBER_DYRT_TRANSFORMS, LIMBER_DYRT_VELOCITIES}) {
        for (const float rate : {5.0f, 20.0f, 50.0f, 90.0f}) {
            limber_dyrt_settings s = default_settings(asset);
            s.drive = drive;
            s.coriolis = 1;
            s.centripetal = 0;
            const Crowd crowd = make_crowd(asset, 1, s);
            const float q0[] = {1.0f, 0.0f};
            float q[2], largest = 0.0f;
            for (int f = 0; f < 3000; ++f) {
                const float half = 0.5f * rate * kFrameTime * static_cast<float>(f);
                const limber_dyrt_bone bone{{0, 0, 0}, {0, 0, std::sin(half), std::cos(half)}};
                const limber_dyrt_motion motion{{0, 0, 0}, {0, 0, rate}};
                ASSERT_EQ(limber_dyrt_step(crowd.get(), kFrameTime, &bone,
                                           drive == LIMBER_DYRT_VELOCITIES ? &motion : nullptr),
                          LIMBER_DYRT_OK)
                    << rate << " frame " << f;
                if (f == 5) limber_dyrt_set_amplitudes(crowd.get(), 0, 0, q0, nullptr);
                limber_dyrt_amplitudes(crowd.get(), 0, 0, q);
                largest = std::max(largest, std::hypot(q[0], q[1]));
            }
            EXPECT_LT(largest, 1.5f) << drive << ", " << rate << " rad/s";
            EXPECT_EQ(limber_dyrt_limited(crowd.get()) > 0, rate > 54.0f) << drive << ", " << rate << " rad/s";
        }
    }
}

// A table that is not of flesh may still pump: the part comes to rest, and the result says so.
TEST(DyrtRange, WhatGrowsBeyondAllMeasureIsPutToRestAndTold) {
    FileText file = small_file();
    for (float& c : file.parts[0].coriolis) c *= 1e6f;
    const Asset asset = load(make_bytes(file));
    ASSERT_TRUE(asset);
    limber_dyrt_settings s = default_settings(asset);
    s.coriolis = 1;
    const Crowd crowd = make_crowd(asset, 1, s);
    int told = 0;
    for (int f = 0; f < 200; ++f) {
        const float a = 0.1f * static_cast<float>(f);
        const limber_dyrt_bone bone{{0.1f * std::sin(a), 0, 0}, {0, 0, std::sin(a), std::cos(a)}};
        const limber_dyrt_result result = limber_dyrt_step(crowd.get(), kFrameTime, &bone, nullptr);
        std::vector<float> q(4);
        limber_dyrt_amplitudes(crowd.get(), 0, 0, q.data());
        expect_finite(q, "pumped");
        if (result == LIMBER_DYRT_OK) continue;
        ASSERT_EQ(result, LIMBER_DYRT_OUT_OF_RANGE);
        ++told;
        for (const float v : q) EXPECT_EQ(v, 0.0f);
    }
    EXPECT_GT(told, 0);
    EXPECT_NE(std::string(limber_dyrt_words(LIMBER_DYRT_OUT_OF_RANGE)), limber_dyrt_words(LIMBER_DYRT_OK));
}

}  // namespace
}  // namespace limber::runtime_tests
