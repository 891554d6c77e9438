#include "geometry/clean.hpp"
#include "geometry/surface_shapes.hpp"
#include "geometry/weld.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace testing;

double cleaned_volume(const Triangles& t, CleanReport* out = nullptr) {
    CleanReport report;
    const Triangles c = clean(to_surface(t), 1e-9, report);
    if (out) *out = report;
    return enclosed_volume(c);
}

TEST(Weld, JoinsPointsWithinReachAndNoOthers) {
    const std::vector<Vec3> p{{0, 0, 0}, {1, 0, 0}, {1e-4, 0, 0}, {1, 0, 1e-4}, {1, 0, 3e-4}, {-1e-9, 0, 0}};
    EXPECT_EQ(weld(p, 0.0), (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(weld(p, 1.5e-4), (std::vector<std::int32_t>{0, 1, 0, 1, 4, 0}));
    EXPECT_EQ(weld(p, 2.5e-4), (std::vector<std::int32_t>{0, 1, 0, 1, 1, 0}));  // through the one between
}

TEST(Orient, MendsFlippedFacesOfAnyShare) {
    // Beyond one half the majority is wrong, and only the enclosed volume can tell.
    for (const double share : {0.0, 0.2, 0.5, 0.8, 1.0}) {
        for (const Triangles& clean_one : {ball(), torus(), cube()}) {
            Triangles t = clean_one;
            flip_some(t, share, 11);
            EXPECT_NEAR(cleaned_volume(t), enclosed_volume(clean_one), 1e-12) << share;
        }
    }
}

TEST(Orient, TurnsASoupByRays) {
    Triangles t = soup(ball());
    for (auto& p : t.vertices) {
        p = p + 1e-4 * Vec3{std::sin(1e4 * p.x), std::sin(1e4 * p.y), std::cos(1e4 * p.z)};
    }  // gaps: nothing can be welded
    flip_some(t, 0.4, 5);
    CleanReport report;
    EXPECT_NEAR(cleaned_volume(t, &report), enclosed_volume(ball()), 5e-3);
}

/// A soup whose triangles are drawn in towards their middles: nothing can be welded.
Triangles shrunk_soup(const Triangles& t, double share) {
    Triangles out = soup(t);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Vec3 middle = out.centroid(i);
        for (const std::int32_t v : out.corners[i])
            out.vertices[static_cast<std::size_t>(v)] += share * (middle - out.vertices[static_cast<std::size_t>(v)]);
    }
    return out;
}

TEST(Orient, NeighboursAgreeAcrossGapsWhereShellsOverlap) {
    // A turned region agrees within itself, and inside another shell rays mislead: only the neighbours across the gap
    // can tell.
    const Vec3 centres[] = {{0, 0, 0}, {0.35, 0.1, 0}};
    Triangles t = shrunk_soup(ball(0.5, 12, centres[0]), 0.03);
    const std::size_t first = t.size();
    append(t, shrunk_soup(ball(0.4, 10, centres[1]), 0.03));
    std::size_t turned = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
        if (norm(t.centroid(i) - Vec3{0.5, 0, 0}) < 0.3) {
            flip(t, i);
            ++turned;
        }
    }
    ASSERT_GT(turned, t.size() / 12);
    CleanReport report;
    const Triangles c = clean(to_surface(t), 1e-9, report);
    ASSERT_EQ(c.size(), t.size());
    for (std::size_t i = 0; i < c.size(); ++i)
        EXPECT_GT(dot(c.area_vector(i), c.centroid(i) - centres[i < first ? 0 : 1]), 0.0) << i;
    EXPECT_EQ(report.orientation.disagreeing, turned);
}

TEST(Orient, ShellsThatMeetAtTheirHolesAreJudgedApart) {
    // Two overlapping boxes without lids, a wall and its rim of one a hair within the other's: their rims run the same
    // way, so that tying them together would turn the smaller inside out.
    const auto open_box = [](double from, double to) {
        Triangles box = cube(), out;
        out.vertices = box.vertices;
        for (Vec3& p : out.vertices) p.x = from + (to - from) * p.x;
        for (std::size_t i = 0; i < box.size(); ++i) {
            if (box.centroid(i).y < 1.0 - 1e-9) {
                out.corners.push_back(box.corners[i]);
                out.face.push_back(static_cast<std::int32_t>(out.face.size()));
            }
        }
        return out;
    };
    Triangles t = open_box(0.0, 1.0);
    append(t, open_box(0.3, 0.999));
    CleanReport report;
    clean(to_surface(t), 1e-9, report);
    EXPECT_EQ(report.orientation.patches, 2u);
    EXPECT_EQ(report.orientation.flipped, 0u);
}

TEST(Orient, LeavesCavitiesAndInnerSolidsAsTheyAre) {
    const double outer = enclosed_volume(ball(0.5)), inner = enclosed_volume(ball(0.2));
    Triangles hollow = ball(0.5), hole = ball(0.2);
    for (std::size_t i = 0; i < hole.size(); ++i) flip(hole, i);
    append(hollow, hole);
    EXPECT_NEAR(cleaned_volume(hollow), outer - inner, 1e-12);
    Triangles nested = ball(0.5);
    append(nested, ball(0.2));
    EXPECT_NEAR(cleaned_volume(nested), outer + inner, 1e-12);
}

TEST(Clean, DropsRepeatsFlatsAndDoublesAndCountsThem) {
    Triangles t = soup(cube());
    const std::size_t n = t.size();
    append(t, t);  // every face twice
    const auto v = static_cast<std::int32_t>(t.vertices.size());
    t.vertices.insert(t.vertices.end(), {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}});
    t.corners.push_back({v, v + 1, v + 2});  // on a line
    t.face.push_back(0);
    CleanReport report;
    const Triangles c = clean(to_surface(t), 1e-9, report);
    EXPECT_EQ(c.size(), n);
    EXPECT_EQ(report.repeated, n);
    EXPECT_EQ(report.flat, 1u);
    EXPECT_EQ(c.vertices.size(), 26u);
    EXPECT_NEAR(enclosed_volume(c), 1.0, 1e-12);
}

TEST(Clean, LeavesOutWhatCannotBeFollowed) {
    Surface s = to_surface(cube());
    s.vertices[0].x = std::nan("");
    CleanReport report;
    const Triangles c = clean(s, 1e-9, report);
    EXPECT_GT(report.not_finite, 0u);
    for (const Vec3& p : c.vertices) EXPECT_TRUE(is_finite(p));
}

}  // namespace
}  // namespace limber
