// Surfaces that are small in a file and would take the square of their size: what is near everything else, and what
// repeats.
#include "geometry/orient.hpp"
#include "geometry/self_intersection.hpp"
#include "geometry/smooth_normals.hpp"
#include "geometry/surface_shapes.hpp"
#include "geometry/weld.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

/// `n` triangles that share one edge, their tips on a grid.
Triangles book(int n) {
    Triangles t;
    t.vertices = {{0, 0, 0}, {0, 0, 1}};
    for (int i = 0; i < n; ++i) {
        const int row = i / 100;
        t.vertices.push_back({1.0 + i % 100, static_cast<double>(row), 0.5});
        t.corners.push_back({0, 1, i + 2});
        t.face.push_back(i);
    }
    return t;
}

TEST(Crowds, PointsWithinReachOfEachOtherAreWelded) {
    std::vector<Vec3> equal(200000, Vec3{1, 2, 3}), distinct;
    for (int i = 0; i < 200000; ++i) distinct.push_back({1e-12 * i, 1e-12 * (i % 977), 0.0});
    distinct.push_back({1.0, 0.0, 0.0});
    EXPECT_EQ(weld(equal, 1e-6), std::vector<std::int32_t>(equal.size(), 0));
    std::vector<std::int32_t> expected(distinct.size(), 0);
    expected.back() = 200000;
    EXPECT_EQ(weld(distinct, 1e-6), expected);
}

TEST(Crowds, WeldingIsThatOfEveryPairWhereFewAreNear) {
    std::vector<Vec3> points;
    for (int i = 0; i < 600; ++i) points.push_back({std::fmod(0.754877 * i, 1.0), std::fmod(0.569840 * i, 1.0), 0.0});
    const double reach = 0.05;
    const std::vector<std::int32_t> joined = weld(points, reach);
    std::size_t near = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (norm(points[i] - points[j]) <= reach) {
                ++near;
                EXPECT_EQ(joined[i], joined[j]) << i << " " << j;
            }
        }
    }
    EXPECT_GT(near, 100u);
}

TEST(Crowds, OfPiecesThatOverlapManyStayAsGivenAndAreCounted) {
    Triangles t = book(8000);
    EXPECT_GT(orient(t).unjudged, 1000u);
    Triangles few = book(20);
    EXPECT_EQ(orient(few).unjudged, 0u);
}

TEST(Crowds, SelfIntersectionsSayThatNotAllPairsWereLookedAt) {
    Progress progress;
    EXPECT_FALSE(self_intersections(book(20000), progress).complete);
    EXPECT_TRUE(self_intersections(book(500), progress).complete);
}

TEST(Crowds, ALargePolygonHasItsNormalsInOneGoAlsoWhereItIsConcave) {
    Surface s;
    const int n = 100000;
    for (int i = 0; i < n; ++i) {
        const double angle = 2e-5 * 3.141592653589793 * i, r = i % 2 == 0 ? 1.0 : 0.9;
        s.vertices.push_back({r * std::cos(angle), r * std::sin(angle), 0.0});
        s.faces.push_back(i);
    }
    s.face_starts = {0, n};
    const SmoothNormals normals(s);
    std::vector<Vec3> out(normals.count());
    normals.compute(s.vertices, out);
    for (const Vec3& v : out) ASSERT_NEAR(v.z, 1.0, 1e-12);
}

}  // namespace
}  // namespace limber
