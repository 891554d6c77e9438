// The study of the DyRT paper: its filter, and every claim measured.
#include "reproduce/dyrt/reproduce_dyrt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace limber {
namespace {

/// (19) run as a program would run it, until it stands.
double filtered_by_hand(double omega, double ratio, double step, double sign) {
    const double damped = omega * std::sqrt(1.0 - ratio * ratio), theta = damped * step,
                 eps = std::exp(-ratio * omega * step), gamma = std::asin(ratio);
    double now = 0.0, before = 0.0;
    for (int k = 0; k < 20000; ++k) {
        const double next = 2.0 * eps * std::cos(theta) * now - eps * eps * before +
                            2.0 *
                                (eps * std::cos(theta + sign * gamma) -
                                 eps * eps * std::cos(2.0 * theta + sign * gamma)) /
                                (3.0 * omega * damped);
        before = now;
        now = next;
    }
    return now * omega * omega;
}

TEST(DyrtStudy, ThePapersFilterHasTheGainThatRunningItShows) {
    for (const double sign : {1.0, -1.0}) {
        for (const double hertz : {2.0, 5.0}) {
            EXPECT_NEAR(paper_filter_gain(2.0 * std::numbers::pi * hertz, 0.1, 1.0 / 60.0, sign),
                        filtered_by_hand(2.0 * std::numbers::pi * hertz, 0.1, 1.0 / 60.0, sign), 1e-9);
        }
    }
    // errata: as printed it grows like 1 + (4/3) xi / (omega h)
    EXPECT_NEAR(paper_filter_gain(1.0, 0.2, 0.01, 1.0) / (1.0 + 4.0 / 3.0 * 0.2 / 0.01), 1.0, 0.1);
}

// A claim that could not be measured, a part without modes or a plot without points would be a page that says nothing.
TEST(DyrtStudy, EveryClaimIsMeasured) {
    Progress quiet;
    DyrtStudySettings settings;
    settings.quick = true;
    const DyrtStudy study = reproduce_dyrt(settings, quiet);
    ASSERT_EQ(study.rows.size(), 3u);
    for (const DyrtStudyRow& r : study.rows) {
        EXPECT_EQ(r.hertz.size(), 11u) << r.name;
        EXPECT_GT(r.jump, r.walk) << r.name;
        EXPECT_GT(r.fem.relative_l2, 0.0) << r.name;
        EXPECT_LT(r.fem.relative_l2, r.fem.by_modes.back()) << r.name;
        EXPECT_LT(r.corrected_normals, r.plain_normals) << r.name;
    }
    for (const Claim& c : study.claims) {
        EXPECT_TRUE(std::isfinite(c.measured)) << c.id;
        if (c.id != "prepare" && c.id != "cpu" && c.id != "vertices" && c.id != "ratios") {  // no timing decides a test
            EXPECT_EQ(c.holds, c.id != "filter") << c.id;
        }
    }
    for (const Plot& p : study.plots) EXPECT_EQ(p.series.size(), 3u) << p.name;
}

}  // namespace
}  // namespace limber
