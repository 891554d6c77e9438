// Own targets beside the flesh's: every curve against itself before it was joined, by glTF's own rules in 32-bit times.
#include "dyrt/export_keys.hpp"

#include "rig/pose_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

double rounded(double t) { return static_cast<double>(static_cast<float>(t)); }

/// Two targets; times as a file has them.
Channel own_curve(Channel::Curve curve, double rate, double seconds) {
    Channel out;
    out.target = Channel::Target::weights;
    out.curve = curve;
    for (int k = 0; k / rate <= seconds + 1e-9; ++k) {
        const double t = rounded(k / rate);
        out.times.push_back(t);
        const auto put = [&](double a, double b) { out.values.insert(out.values.end(), {a, b}); };
        if (curve == Channel::Curve::cubic) put(3.0 * std::cos(9.0 * t), -2.0);
        put(std::sin(5.0 * t), 0.3 + 0.2 * std::cos(11.0 * t));
        if (curve == Channel::Curve::cubic) put(-1.0, 4.0 * std::sin(7.0 * t));
    }
    return out;
}

FleshWeights flesh(double rate, double seconds) {
    FleshWeights out;
    const auto frames = static_cast<std::size_t>(std::lround(rate * seconds));
    for (std::size_t f = 0; f <= frames; ++f)
        out.times.push_back(seconds * static_cast<double>(f) / static_cast<double>(frames));
    out.width = 1;
    out.at_frame = [times = out.times](std::size_t f, std::span<double> w) { w[0] = std::sin(20.0 * times[f]); };
    return out;
}
double flesh_at(const FleshWeights& w, double t) {
    std::size_t f = 0;
    while (f + 2 < w.times.size() && w.times[f + 1] <= t) ++f;
    double a = 0.0, b = 0.0;
    w.at_frame(f, {&a, 1});
    w.at_frame(f + 1, {&b, 1});
    return a + (b - a) * std::clamp((t - w.times[f]) / (w.times[f + 1] - w.times[f]), 0.0, 1.0);
}

/// As a client has it: times in 32 bits.
Channel in_file(Channel c) {
    for (double& t : c.times) t = rounded(t);
    return c;
}

void expect_ascending(const Channel& c, const char* what) {
    for (std::size_t k = 1; k < c.times.size(); ++k)
        ASSERT_LT(static_cast<float>(c.times[k - 1]), static_cast<float>(c.times[k])) << what << ", key " << k;
}

void expect_plays_both(const Channel& own, const FleshWeights& w, const Channel& joined, const char* what) {
    expect_ascending(joined, what);
    ASSERT_EQ(joined.width(), 3u) << what;
    const Channel shown = in_file(joined);
    std::vector<double> before(2), after(3), rate(3);
    for (double t = -0.05; t < 1.2; t += 0.000917) {
        bool jumps = false;
        for (const double key : own.times)
            jumps = jumps || (own.curve == Channel::Curve::step && std::abs(key - t) < 1e-6);
        if (jumps) continue;
        sample_curve(own, t, before, std::span(rate).first(2));
        sample_curve(shown, t, after, rate);
        for (std::size_t i = 0; i < 2; ++i)
            ASSERT_NEAR(after[i], before[i], 5e-6) << what << ", target " << i << " at " << t << " s";
        ASSERT_NEAR(after[2], flesh_at(w, t), 2e-5) << what << ", flesh at " << t << " s";
    }
}

}  // namespace

TEST(JoinedWeights, OwnTargetsPlayAsBeforeAndFleshBesideThem) {
    // 30 and 60 Hz meet at times that are one in 32 bits and two in 64: such keys once made a file that no validator
    // took.
    for (const Channel::Curve curve : {Channel::Curve::linear, Channel::Curve::step, Channel::Curve::cubic}) {
        for (const double rate : {30.0, 24.0, 29.97, 60.0, 7.3}) {
            const Channel own = own_curve(curve, rate, 1.0);
            for (const double end : {own.times.back(), 1.15}) {  // frames may go on after the last key
                const FleshWeights w = flesh(60.0, end);
                expect_plays_both(own, w, joined_weights(&own, {}, w), to_string(curve));
            }
        }
    }
}

TEST(JoinedWeights, WithoutFleshACurveStaysWhatItIs) {
    for (const Channel::Curve curve : {Channel::Curve::linear, Channel::Curve::step, Channel::Curve::cubic}) {
        const Channel own = own_curve(curve, 10.0, 1.0);
        const FleshWeights none{{}, 1, {}};
        const Channel joined = joined_weights(&own, {}, none);
        EXPECT_EQ(joined.curve, curve);
        EXPECT_EQ(joined.times, own.times);
        for (std::size_t i = 0; i < own.values.size() / 2; ++i) {
            EXPECT_EQ(joined.values[3 * i], own.values[2 * i]);
            EXPECT_EQ(joined.values[3 * i + 1], own.values[2 * i + 1]);
            EXPECT_EQ(joined.values[3 * i + 2], 0.0);
        }
    }
}

TEST(JoinedWeights, TargetsThatNoCurveMovesRestAndKeysThatNearlyMeetAreOne) {
    const std::vector<double> rest{0.25, 0.75};
    const FleshWeights w = flesh(60.0, 0.5);
    const Channel still = joined_weights(nullptr, rest, w);
    EXPECT_EQ(still.times, w.times);
    for (std::size_t k = 0; k < still.times.size(); ++k) EXPECT_EQ(still.values[3 * k + 1], 0.75);
    Channel own = own_curve(Channel::Curve::linear, 30.0, 0.5);
    for (double& t : own.times)
        t = static_cast<double>(std::nextafter(static_cast<float>(t), 1.0F));  // an exporter that rounds otherwise
    EXPECT_EQ(joined_weights(&own, {}, w).times.size(), w.times.size());
}

}  // namespace limber
