#include "expect_error.hpp"
#include "metrics/outlines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <ctime>

namespace limber::test {
namespace {

std::uint64_t bits(double v) { return std::bit_cast<std::uint64_t>(v); }

// Length along the line y inside exactly one outline, by plain parity of sorted crossings: shares nothing with the code
// under test.
double length_on_line(const Outline& a, const Outline& b, double y) {
    std::vector<double> xs;
    for (const Outline* o : {&a, &b}) {
        for (std::size_t i = 0; i < o->edges.size(); i += 2) {
            const Vec3 &p = o->vertices[static_cast<std::size_t>(o->edges[i])],
                       &q = o->vertices[static_cast<std::size_t>(o->edges[i + 1])];
            if ((p.y <= y) != (q.y <= y)) xs.push_back(p.x + (q.x - p.x) * (y - p.y) / (q.y - p.y));
        }
    }
    std::sort(xs.begin(), xs.end());
    double length = 0;
    for (std::size_t i = 0; i + 1 < xs.size(); i += 2) length += xs[i + 1] - xs[i];
    return length;
}

double area_by_lines(const Outline& a, const Outline& b, double low, double high, int lines) {
    double sum = 0;
    for (int i = 0; i < lines; ++i) sum += length_on_line(a, b, low + (high - low) * (i + 0.5) / lines);
    return sum * (high - low) / lines;
}

TEST(PolygonXor, ShiftedSquaresDifferByTwoOverhangs) {
    // Corners of one lie on edges of the other when shifted along one axis; crossings are proper when shifted along
    // both.
    EXPECT_NEAR(xor_area(square(0, 0, 1), square(0.25, 0, 1)), 0.5, 1e-15);
    EXPECT_NEAR(xor_area(square(0, 0, 1), square(0, 0.3, 1)), 0.6, 1e-15);
    EXPECT_NEAR(xor_area(square(0, 0, 1), square(0.3, 0.2, 1)), 2 * (1 - 0.7 * 0.8), 1e-15);
    EXPECT_NEAR(xor_area(square(0, 0, 1), square(5, 7, 2)), 5.0, 1e-15);
    EXPECT_NEAR(xor_area(square(0, 0, 4), square(1, 1, 1)), 15.0, 1e-14);
}

TEST(PolygonXor, SquareTurnedByAnEighthLeavesEightTriangles) {
    // Two unit squares about one centre overlap in a regular octagon of inradius 1/2: area 2 (sqrt 2 - 1).
    const Outline a = square(-0.5, -0.5, 1);
    EXPECT_NEAR(xor_area(a, turned(a, std::numbers::pi / 4)), 2 * (1 - 2 * (std::numbers::sqrt2 - 1)), 1e-15);
}

TEST(PolygonXor, BowTieHasBothItsWings) {
    // A signed area would cancel the two wings to zero.
    const Outline bow = closed({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}});
    EXPECT_NEAR(area(bow), 0.5, 1e-16);
    EXPECT_NEAR(xor_area(bow, square(0, 0, 1)), 0.5, 1e-16);
}

TEST(PolygonXor, PentagramsHeartIsOutside) {
    // Even-odd: the inner pentagon is wound twice, so it counts as outside.
    std::vector<Vec3> p;
    for (int i = 0; i < 5; ++i)
        p.push_back({std::sin(4 * std::numbers::pi * i / 5), std::cos(4 * std::numbers::pi * i / 5), 0});
    const double ratio = (3 - std::sqrt(5.0)) / 2;  // circumradius of the inner pentagon
    const double pentagon = 2.5 * std::sin(2 * std::numbers::pi / 5);
    const double tip = 0.5 * (2 * ratio * std::sin(std::numbers::pi / 5)) *
                       (1 - ratio * std::cos(std::numbers::pi / 5));
    EXPECT_NEAR(area(closed(p)), 5 * tip, 1e-15);
    EXPECT_LT(5 * tip, pentagon * (1 - ratio * ratio));
}

TEST(PolygonXor, SinusoidalSideMatchesItsIntegral) {
    // Outline of 2 x 400 edges against a straight one: the trapezoid sums of |0.1 sin| are known from the same
    // vertices.
    const int n = 400;
    std::vector<Vec3> wavy{{0, 0, 0}}, straight{{0, 0, 0}};
    double expected = 0;
    const auto side = [&](int i) { return 0.1 * std::sin(2 * std::numbers::pi * i / n); };
    for (int i = 0; i <= n; ++i) {
        wavy.push_back({1 + side(i), static_cast<double>(i) / n, 0});
        straight.push_back({1, static_cast<double>(i) / n, 0});
        if (i > 0) expected += 0.5 * (std::abs(side(i)) + std::abs(side(i - 1))) / n;
    }
    wavy.push_back({0, 1, 0});
    straight.push_back({0, 1, 0});
    EXPECT_NEAR(xor_area(closed(wavy), closed(straight)), expected, 1e-15);
    EXPECT_NEAR(expected, 0.2 / std::numbers::pi, 1e-5);
    // Level instead of upright: nearly horizontal edges are the hard direction of a horizontal slab.
    EXPECT_NEAR(xor_area(turned(closed(wavy), std::numbers::pi / 2), turned(closed(straight), std::numbers::pi / 2)),
                expected, 1e-14);
}

TEST(PolygonXor, RandomStarsMatchAnIndependentScan) {
    // Hundreds of crossings at any angle, some stars sharing a jagged half with another.
    for (unsigned seed = 0; seed < 10; ++seed) {
        const Outline a = star(30 + static_cast<int>(seed), seed), b = moved(star(40, seed + 100), {0.1, -0.05, 0});
        EXPECT_NEAR(xor_area(a, b), area_by_lines(a, b, -1.1, 1.1, 50'000), 1e-6) << "seed " << seed;
        Outline half = a;
        for (std::size_t i = 0; i < half.vertices.size() / 2; ++i) half.vertices[i] *= 0.9;
        EXPECT_NEAR(xor_area(a, half), area_by_lines(a, half, -1.1, 1.1, 50'000), 1e-6) << "seed " << seed;
    }
}

TEST(PolygonXor, EqualOutlinesDifferByExactlyZero) {
    for (unsigned seed = 0; seed < 10; ++seed) {
        const Outline a = star(57, seed);
        Outline b = a;
        std::reverse(b.edges.begin(), b.edges.end());  // another order and direction of the same edges
        EXPECT_EQ(xor_area(a, b), 0.0);
    }
    EXPECT_EQ(xor_area(Outline{}, Outline{}), 0.0);
}

TEST(PolygonXor, SharedLinesCutDifferentlyDoNotCount) {
    // The clamped sides of a 10 x 10 and a 16 x 16 block lie on the same lines with different vertices.
    EXPECT_NEAR(xor_area(square(0, 0, 1, 10), square(0, 0, 1, 16)), 0.0, 1e-18);
    const Outline a = turned(square(0, 0, 1, 10), 0.3), b = turned(square(0, 0, 1, 16), 0.3);
    EXPECT_NEAR(xor_area(a, b), 0.0, 3e-16);  // here the vertices themselves are rounded off the line
}

TEST(PolygonXor, SwappingGivesTheSameBits) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Outline a = star(33, seed), b = moved(star(47, seed + 7), {0.03, 0.01, 0});
        EXPECT_EQ(bits(xor_area(a, b)), bits(xor_area(b, a)));
    }
}

TEST(PolygonXor, SliversKeepTheirDigits) {
    // A bump of 2^-30 .. 2^-40 on one side of a subdivided block: area bump * side exactly, lost if large areas were
    // subtracted.
    for (const int power : {10, 20, 30, 40, 45}) {
        const double bump = std::ldexp(1.0, -power);  // 1 + bump is exact, so the true area is known exactly
        for (const double angle : {0.0, std::numbers::pi / 2}) {
            const Outline flat = square(0, 0, 1, 16);
            Outline raised = flat;
            for (Vec3& p : raised.vertices)
                if (p.x == 1.0 && p.y > 0 && p.y < 1) p.x += (p.y == 0.5 ? 1 : -1) * bump;
            // heights along the side: 0, -b x 7, +b, -b x 7, 0 with edges of 1/16: sixteen pieces, two of them cross
            // zero
            const double expected = bump / 16 * (0.5 * 2 + 12 * 1.0 + 2 * 0.5);
            auto swap = [&](Outline o) {
                if (angle > 0)
                    for (Vec3& p : o.vertices) std::swap(p.x, p.y);
                return o;
            };
            EXPECT_NEAR(xor_area(swap(flat), swap(raised)), expected, 1e-6 * expected)
                << "2^-" << power << " turned " << angle;
        }
    }
}

TEST(PolygonXor, DistanceFromTheOriginCostsNoDigits) {
    // Coordinates in multiples of 2^-18 stay exact 2^33 m away, so nothing but the arithmetic can lose digits.
    const auto rounded = [](Outline o) {
        for (Vec3& p : o.vertices)
            p = {std::ldexp(std::round(std::ldexp(p.x, 18)), -18), std::ldexp(std::round(std::ldexp(p.y, 18)), -18), 0};
        return o;
    };
    const Outline a = rounded(star(23, 1)), b = rounded(star(31, 2));
    const Vec3 far{std::ldexp(1.0, 33), -std::ldexp(1.0, 33), 0};
    EXPECT_NEAR(xor_area(moved(a, far), moved(b, far)), xor_area(a, b), 1e-15);
}

TEST(PolygonXor, HolesAndSeveralPartsFollowParity) {
    Outline ring = square(0, 0, 3);
    const Outline hole = square(1, 1, 1);
    const auto first = static_cast<std::int32_t>(ring.vertices.size());
    ring.vertices.insert(ring.vertices.end(), hole.vertices.begin(), hole.vertices.end());
    for (const std::int32_t v : hole.edges) ring.edges.push_back(first + v);
    EXPECT_NEAR(area(ring), 8.0, 1e-15);
    EXPECT_NEAR(xor_area(ring, square(0, 0, 3)), 1.0, 1e-15);
}

TEST(PolygonXor, JumbleOfThousandsOfEdgesEndsAndIsNearTheScan) {
    // A run that blew up: every edge crosses a third of all others, millions of crossings.
    std::mt19937 random(5);
    std::vector<Vec3> p, q;
    for (int i = 0; i < 3000; ++i) {
        p.push_back({static_cast<double>(random()) / 4294967296.0, static_cast<double>(random()) / 4294967296.0, 0});
        q.push_back({static_cast<double>(random()) / 4294967296.0, static_cast<double>(random()) / 4294967296.0, 0});
    }
    const Outline a = closed(p), b = closed(q);
    EXPECT_NEAR(xor_area(a, b), area_by_lines(a, b, 0, 1, 500), 0.01);
}

TEST(PolygonXor, BadOutlinesAreRefusedWithTheirPlace) {
    const Outline good = square(0, 0, 1);
    Outline bad = good;
    bad.edges.back() = 4;
    expect_error(Fault::bad_usage, "outline b names vertex 4", [&] { xor_area(good, bad); });
    bad.edges.back() = -1;
    expect_error(Fault::bad_usage, "outline a names vertex -1", [&] { xor_area(bad, good); });
    bad.edges.pop_back();
    expect_error(Fault::bad_usage, "outline a has 7 vertex numbers", [&] { xor_area(bad, good); });
    bad = good;
    bad.vertices[2].x = std::nan("");
    expect_error(Fault::bad_usage, "vertex 2 of outline a is not finite", [&] { xor_area(bad, good); });
}

TEST(PolygonXor, ThreeHundredFramesOfTwoBlocksTakeNoTime) {
    // The benchmark's own load, 300 frames of two outlines of 80 edges, here with every side moved. Processor time, not
    // wall time.
    const std::clock_t start = std::clock();
    double sum = 0;
    for (int frame = 1; frame <= 300; ++frame) {
        Outline a = square(0, 0, 1, 20), b = a;
        for (Vec3& p : a.vertices) p += {0.01 * std::sin(7 * p.y + 0.1 * frame), 0.01 * std::cos(9 * p.x), 0};
        for (Vec3& p : b.vertices) p += {0.01 * std::cos(8 * p.y + 0.1 * frame), 0.01 * std::cos(5 * p.x), 0};
        sum += xor_area(a, b);
    }
    EXPECT_GT(sum, 0);
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 0.3);
}

}  // namespace
}  // namespace limber::test
