// Frames of any length in any order: what a change of velocity does must not depend on how long the frame was in which
// it came.
#include "runtime/bone_motion.hpp"

#include "dyrt/oscillator.h"

#include <gtest/gtest.h>

#include <cmath>

namespace limber::runtime_tests {
namespace {

constexpr double kTurn = 6.28318530717958648;
constexpr double kUsual = 1.0 / 60.0;  // [s]
constexpr limber_dyrt_drive kBothDrives[] = {LIMBER_DYRT_TRANSFORMS, LIMBER_DYRT_VELOCITIES};

/// One oscillator each of 1.5 to 90 Hz that feel x: from what a frame resolves well to what it does not at all.
PartText felt_along_x() {
    PartText p;
    for (const double hertz : {1.5, 4.0, 9.0, 25.0, 90.0}) {
        Oscillator o;
        o.omega = static_cast<float>(kTurn * hertz);
        o.decay = 0.1f * o.omega;
        o.transfer[0] = -1.0f;
        p.oscillators.push_back(o);
    }
    return p;
}

Asset asset_with(const PartText& part) {
    FileText file;
    file.parts = {part};
    return load(make_bytes(file));
}

/// A bone that goes along x at `speed` over a frame of `time`; the velocity given with it is that of the frame's end.
struct Frame {
    double time, speed;
};

/// Where the oscillators are after each frame.
std::vector<std::vector<float>> stepped(const Asset& asset, const PartText& part, limber_dyrt_drive drive,
                                        limber_dyrt_filter filter, const std::vector<Frame>& frames) {
    limber_dyrt_settings settings = default_settings(asset);
    settings.drive = drive;
    settings.filter = filter;
    const Crowd crowd = make_crowd(asset, 1, settings);
    std::vector<std::vector<float>> out;
    double x = 0.0;
    for (const Frame& f : frames) {
        x += f.speed * f.time;
        const limber_dyrt_bone bone{{static_cast<float>(x), 0, 0}, {0, 0, 0, 1}};
        const limber_dyrt_motion motion{{static_cast<float>(f.speed), 0, 0}, {0, 0, 0}};
        EXPECT_EQ(limber_dyrt_step(crowd.get(), static_cast<float>(f.time), &bone,
                                   drive == LIMBER_DYRT_VELOCITIES ? &motion : nullptr),
                  LIMBER_DYRT_OK);
        out.emplace_back(part.oscillators.size());
        limber_dyrt_amplitudes(crowd.get(), 0, 0, out.back().data());
        for (const float q : out.back()) EXPECT_TRUE(std::isfinite(q));
    }
    return out;
}

/// Exactly that, in double: with places each change of speed comes at its frame's start, with velocities evenly over
/// its frame.
std::vector<double> exactly(const Oscillator& o, limber_dyrt_drive drive, const std::vector<Frame>& frames) {
    double q = 0.0, rate = 0.0, speed = frames[0].speed;
    std::vector<double> out{0.0};
    for (std::size_t i = 1; i < frames.size(); ++i) {
        const double change = static_cast<double>(o.transfer[0]) * (frames[i].speed - speed);
        limber_oscillator_step s;
        limber_oscillator_prepare(static_cast<double>(o.omega), static_cast<double>(o.decay), frames[i].time, &s);
        const bool at_once = drive == LIMBER_DYRT_TRANSFORMS || frames[i].time == 0.0;
        if (at_once) rate += change;
        const double force = at_once ? 0.0 : change / frames[i].time, next = s.qq * q + s.qv * rate + s.f1 * force;
        rate = s.vq * q + s.vv * rate + s.qv * force;
        q = next;
        out.push_back(q);
        speed = frames[i].speed;
    }
    return out;
}

/// Usual frames with one jump of speed at number 10, which lasts `time`.
std::vector<Frame> one_among_usual(double time, std::size_t count = 1) {
    std::vector<Frame> out(10, Frame{kUsual, 0.0});
    out.insert(out.end(), count, Frame{time, 0.01});
    out.insert(out.end(), 60, Frame{kUsual, 0.01});
    return out;
}

double largest(const std::vector<std::vector<float>>& q, std::size_t mode) {
    double out = 0.0;
    for (const auto& frame : q) out = std::max(out, std::abs(static_cast<double>(frame[mode])));
    return out;
}

/// Per unit of the jump of speed: 1 is what an impulse does to an oscillator without damping.
double answer(const PartText& part, const std::vector<std::vector<float>>& q, std::size_t mode) {
    return largest(q, mode) * static_cast<double>(part.oscillators[mode].omega) / 0.01;
}

const double kTimes[] = {kUsual, 1.0, 0.3, 0.1, 0.05, 5e-3, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-30, 0.0};

// A difference of velocities over a tiny time is a huge force; going on from it over the next frame was a kick of 14
// times the answer at 0.1 ms.
TEST(DyrtFrames, AShortOrLongFrameAmongUsualOnesDoesNotKick) {
    const PartText part = felt_along_x();
    const Asset asset = asset_with(part);
    for (const limber_dyrt_drive drive : kBothDrives) {
        for (const std::size_t count : {1u, 2u, 5u}) {
            for (const double time : kTimes) {
                const auto live = stepped(asset, part, drive, LIMBER_DYRT_EXACT, one_among_usual(time, count));
                for (std::size_t k = 0; k < 5; ++k) {
                    EXPECT_LT(answer(part, live, k), drive == LIMBER_DYRT_VELOCITIES ? 0.95 : 1.6)
                        << drive << ", " << count << " frames of " << time << " s, mode " << k;
                }
                for (std::size_t k = 0; k < 3 && time < 0.02; ++k) {
                    EXPECT_GT(answer(part, live, k), 0.75)
                        << drive << ", " << count << " frames of " << time << " s, mode " << k;
                }
            }
        }
    }
}

// Not only no kick, but the answer: an impulse, wherever in a row of short frames it comes. In units of what the bone
// covers in a usual frame.
TEST(DyrtFrames, AJumpInAShortFrameIsAnsweredAsAnImpulse) {
    const PartText part = felt_along_x();
    const Asset asset = asset_with(part);
    for (const limber_dyrt_drive drive : kBothDrives) {
        for (const std::size_t count : {1u, 2u, 5u}) {
            for (const double time : {5e-3, 1e-3, 2e-4, 1e-4}) {
                const auto frames = one_among_usual(time, count);
                const auto live = stepped(asset, part, drive, LIMBER_DYRT_EXACT, frames);
                for (std::size_t k = 0; k < 5; ++k) {
                    const std::vector<double> exact = exactly(part.oscillators[k], drive, frames);
                    for (std::size_t i = 0; i < live.size(); ++i) {
                        ASSERT_NEAR(static_cast<double>(live[i][k]), exact[i], 0.15 * 0.01 * kUsual)
                            << drive << ", " << count << " frames of " << time << " s, mode " << k << " frame " << i;
                    }
                }
            }
        }
    }
}

/// Half of them usual, the others from nothing to hitches of 0.3 s; the speed changes in two of five.
std::vector<Frame> any_frames(std::uint32_t seed) {
    const std::vector<float> numbers = some_numbers(240, seed);
    std::vector<Frame> out;
    double speed = 0.0;
    for (std::size_t i = 0; i < 60; ++i) {
        const auto next = [&](std::size_t which) { return 0.5 + 0.5 * static_cast<double>(numbers[4 * i + which]); };
        const double kind = next(0), time = kind < 0.5   ? kUsual
                                            : kind < 0.8 ? std::pow(10.0, -8.0 + 7.5 * next(1))
                                            : kind < 0.9 ? 0.0
                                                         : 0.3 * next(1);
        if (next(2) < 0.4) speed = 0.02 * next(3) - 0.01;
        out.push_back({time, speed});
    }
    return out;
}

// In any order: what is wrong stays of the size of what the jumps themselves do (up to 24 of up to 0.02 each, so up to
// 2 a jump).
TEST(DyrtFrames, AnySequenceOfFramesStaysNearTheExactAnswer) {
    const PartText part = felt_along_x();
    const Asset asset = asset_with(part);
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        const std::vector<Frame> frames = any_frames(7919 * seed);
        for (const limber_dyrt_drive drive : kBothDrives) {
            const auto live = stepped(asset, part, drive, LIMBER_DYRT_EXACT, frames);
            for (std::size_t k = 0; k < 5; ++k) {
                const std::vector<double> exact = exactly(part.oscillators[k], drive, frames);
                for (std::size_t i = 0; i < live.size(); ++i) {
                    ASSERT_LT(std::abs(static_cast<double>(live[i][k]) - exact[i]) *
                                  static_cast<double>(part.oscillators[k].omega) / 0.01,
                              drive == LIMBER_DYRT_VELOCITIES ? 2.5 : 6.0)
                        << drive << " seed " << seed << " mode " << k << " frame " << i;
                }
            }
        }
    }
}

// The paper's filter and the other forms in q alone are for a steady rate; beside it they may be wrong, but not without
// bounds.
TEST(DyrtFrames, FiltersOfTwoTapsDoNotKickEither) {
    const PartText part = felt_along_x();
    const Asset asset = asset_with(part);
    for (const limber_dyrt_filter filter : {LIMBER_DYRT_PAPER, LIMBER_DYRT_TWO_TAP_HOLD, LIMBER_DYRT_TWO_TAP_IMPULSE}) {
        for (const double time : {kUsual, 1e-3, 1e-4, 1e-5, 1e-6, 0.0}) {
            const auto live = stepped(asset, part, LIMBER_DYRT_VELOCITIES, filter, one_among_usual(time));
            for (std::size_t k = 0; k < 3; ++k)
                EXPECT_LT(answer(part, live, k), 1.3) << filter << ", " << time << " s, mode " << k;
        }
    }
}

// A paused game steps by nothing; what bones do meanwhile counts when time goes on. Short times are not lost.
TEST(DyrtFrames, ShortTimesWaitUntilTheyAreAFrame) {
    const PartText part = felt_along_x();
    const Asset asset = asset_with(part);
    for (const limber_dyrt_drive drive : kBothDrives) {
        const std::vector<Frame> plain = one_among_usual(kUsual);
        std::vector<Frame> paused;
        for (const Frame& f : plain) {
            paused.push_back(f);
            paused.insert(paused.end(), 3, Frame{0.0, 7.0});
        }
        const auto a = stepped(asset, part, drive, LIMBER_DYRT_EXACT, plain),
                   b = stepped(asset, part, drive, LIMBER_DYRT_EXACT, paused);
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[4 * i + 3]) << drive << " frame " << i;
        // The same time in 2000 pieces: 0.02 s of free swinging after the jump.
        std::vector<Frame> whole = one_among_usual(kUsual), pieces = whole;
        whole.push_back({0.02, 0.01});
        pieces.insert(pieces.end(), 2000, Frame{1e-5, 0.01});
        const auto c = stepped(asset, part, drive, LIMBER_DYRT_EXACT, whole),
                   d = stepped(asset, part, drive, LIMBER_DYRT_EXACT, pieces);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(c.back()[k], d.back()[k], 0.02f * static_cast<float>(largest(c, k))) << drive << " mode " << k;
    }
}

// A first call without time still takes the bones in: the next one moves.
TEST(DyrtFrames, TheFirstFrameMayLastNothing) {
    const PartText part = felt_along_x();
    FileText file;
    file.parts = {part};
    file.gravity = {0, -9.81f, 0};
    const Asset asset = load(make_bytes(file));
    const limber_dyrt_bone lying{{0, 0, 0}, {0, 0, 0.70710678f, 0.70710678f}};
    const limber_dyrt_motion still{};
    for (const limber_dyrt_drive drive : kBothDrives) {
        limber_dyrt_settings settings = default_settings(asset);
        settings.drive = drive;
        float q[2][5] = {};
        for (const int empty : {0, 1}) {
            const Crowd crowd = make_crowd(asset, 1, settings);
            for (int i = 0; i < 9; ++i) {
                EXPECT_EQ(limber_dyrt_step(crowd.get(), empty && i == 0 ? 0.0f : 1.0f / 60.0f, &lying,
                                           drive == LIMBER_DYRT_VELOCITIES ? &still : nullptr),
                          LIMBER_DYRT_OK);
            }
            limber_dyrt_amplitudes(crowd.get(), 0, 0, q[empty]);
        }
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_NE(q[0][k], 0.0f);
            EXPECT_NEAR(q[1][k], q[0][k], 1e-4f * std::abs(q[0][k])) << drive << " mode " << k;
        }
    }
}

}  // namespace
}  // namespace limber::runtime_tests
