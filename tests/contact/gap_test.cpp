#include "contact/gap.hpp"
#include "contact/facet_gap.hpp"

#include "core/rotation.hpp"
#include "deform/obstacle_numbers.hpp"
#include "deform/obstacle_shape.hpp"
#include "geometry/meshes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

namespace limber {
namespace {

struct GapCase {
    std::string name;
    Obstacle obstacle;
    bool planar = false;
};

/// Every shape in both dimensions, moved and turned.
std::vector<GapCase> gap_cases() {
    std::vector<GapCase> cases;
    for (const bool planar : {true, false}) {
        const auto add = [&](const char* name, const ObstacleShape& shape) {
            const Vec3 turn = planar ? Vec3{0, 0, 0.7} : Vec3{0.4, -0.9, 0.5};
            Obstacle obstacle{shape, {0.3, -0.2, planar ? 0.0 : 0.5}, from_rotation_vector(turn), {}, {}};
            cases.push_back({std::string(name) + (planar ? ", planar" : ", in space"), obstacle, planar});
        };
        add("plane", PlaneShape{});
        add("box", BoxShape{{0.5, 0.8, 0.3}});
        add("container", BoxShape{{0.5, 0.8, 0.7}, true});
        add("ball", BallShape{0.6});
        add("capsule", CapsuleShape{0.3, 0.5});
    }
    return cases;
}

Vec3 some_point(testing::Random& random, bool planar) {
    Vec3 p = random.in_cube(-1.6, 1.6);
    if (planar) p.z = 0.0;
    return p;
}

Vec3 own_point(const Obstacle& obstacle, const Vec3& p) {
    return to_matrix(conjugate(obstacle.rotation)) * (p - obstacle.position);
}

/// Where the distance or its gradient has a kink, give or take `margin`.
bool near_kink(const GapCase& c, const Vec3& point, double margin) {
    const Vec3 p = own_point(c.obstacle, point);
    if (is_plane(c.obstacle)) return false;
    if (std::holds_alternative<BallShape>(c.obstacle.shape)) return norm(p) < margin;
    if (const auto* capsule = std::get_if<CapsuleShape>(&c.obstacle.shape))
        return std::abs(std::abs(p.y) - capsule->half_length) < margin || std::hypot(p.x, p.z) < margin;
    const Vec3 half = std::get<BoxShape>(c.obstacle.shape).half;
    double past[3];
    for (int i = 0; i < (c.planar ? 2 : 3); ++i) {
        past[i] = std::abs(p[i]) - half[i];
        if (std::abs(past[i]) < margin || std::abs(p[i]) < margin) return true;
        for (int j = 0; j < i; ++j)
            if (std::abs(past[i] - past[j]) < margin) return true;
    }
    return false;
}

TEST(Gap, GradientAndCurvatureAreTheDerivativesOfTheDistance) {
    // Corners and edges of boxes are round outside and flat inside; rotated second derivatives are easy to transpose.
    testing::Random random(1);
    const double h = 1e-5;
    for (const GapCase& c : gap_cases()) {
        int checked = 0, curved = 0;
        for (int k = 0; k < 400; ++k) {
            const Vec3 p = some_point(random, c.planar);
            if (near_kink(c, p, 0.02)) continue;
            ++checked;
            const Gap gap = gap_to(c.obstacle, p, c.planar);
            EXPECT_NEAR(norm(gap.gradient), 1.0, 1e-14) << c.name;
            const SymMat3& s = gap.curvature;
            const Vec3 row[3] = {{s.xx, s.xy, s.zx}, {s.xy, s.yy, s.yz}, {s.zx, s.yz, s.zz}};
            if (norm(row[0]) + norm(row[1]) > 0.1) ++curved;
            for (int i = 0; i < (c.planar ? 2 : 3); ++i) {
                Vec3 up = p, down = p;
                up[i] += h;
                down[i] -= h;
                const Gap above = gap_to(c.obstacle, up, c.planar), below = gap_to(c.obstacle, down, c.planar);
                EXPECT_NEAR((above.value - below.value) / (2 * h), gap.gradient[i], 1e-8) << c.name;
                EXPECT_LT(norm((above.gradient - below.gradient) / (2 * h) - row[i]), 2e-5) << c.name;
            }
            if (c.planar) {
                EXPECT_EQ(gap.gradient.z, 0.0);
                EXPECT_EQ(norm(row[2]), 0.0);
            }
        }
        EXPECT_GT(checked, 150) << c.name;
        EXPECT_EQ(curved > 0, !is_plane(c.obstacle)) << c.name;
    }
}

/// Points of the surface in the world, `n` along each direction, and how far apart they are at most.
struct SurfaceSamples {
    std::vector<Vec3> points;
    double spacing = 0.0;
};

void add_round(SurfaceSamples& out, double radius, const Vec3& centre, int n, bool planar) {
    const double pi = std::numbers::pi;
    for (int i = 0; i < 2 * n; ++i) {
        for (int j = 0; j <= (planar ? 0 : n); ++j) {
            const double around = pi * i / n, down = planar ? pi / 2 : pi * j / n;
            out.points.push_back(centre + radius * Vec3{std::sin(down) * std::cos(around),
                                                        std::sin(down) * std::sin(around), std::cos(down)});
        }
    }
    out.spacing = std::max(out.spacing, radius * pi / n);
}

SurfaceSamples samples_of(const GapCase& c, int n) {
    SurfaceSamples out;
    const ObstacleShape& shape = c.obstacle.shape;
    const auto at = [n](int i) { return -1.0 + 2.0 * i / n; };
    if (const auto* ball = std::get_if<BallShape>(&shape)) add_round(out, ball->radius, {}, n, c.planar);
    if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
        const double radius = capsule->radius, half = capsule->half_length;
        for (int k = 0; k <= n; ++k)  // round things along the axis: those inside the capsule are taken out below
            add_round(out, radius, {0, half * at(k), 0}, n, c.planar);
        std::erase_if(out.points, [&](const Vec3& p) {
            return norm(p - Vec3{0, std::clamp(p.y, -half, half), 0}) < radius * (1 - 1e-9);
        });
        out.spacing += 2 * half / n;
    }
    if (const auto* box = std::get_if<BoxShape>(&shape)) {
        for (int axis = 0; axis < (c.planar ? 2 : 3); ++axis) {
            for (int i = 0; i <= n; ++i) {
                for (int j = 0; j <= (c.planar ? 0 : n); ++j) {
                    for (const double side : {-1.0, 1.0}) {
                        Vec3 p;
                        p[axis] = side * box->half[axis];
                        const int second = c.planar ? 1 - axis : (axis + 1) % 3;
                        p[second] = box->half[second] * at(i);
                        if (!c.planar) p[(axis + 2) % 3] = box->half[(axis + 2) % 3] * at(j);
                        out.points.push_back(p);
                        out.spacing = std::max(out.spacing, 2 * box->half[second] / n);
                    }
                }
            }
        }
    }
    if (is_plane(c.obstacle)) {
        for (int i = 0; i <= 8 * n; ++i) {
            for (int j = 0; j <= (c.planar ? 0 : 8 * n); ++j)
                out.points.push_back({4 * (i / (4.0 * n) - 1), 0, c.planar ? 0 : 4 * (j / (4.0 * n) - 1)});
        }
    }
    out.spacing = std::max(out.spacing, 1.0 / n);
    const Mat3 turn = to_matrix(c.obstacle.rotation);
    for (Vec3& p : out.points) p = c.obstacle.position + turn * p;
    return out;
}

bool is_free(const GapCase& c, const Vec3& point) {
    const Vec3 p = own_point(c.obstacle, point);
    if (const auto* ball = std::get_if<BallShape>(&c.obstacle.shape)) return norm(p) > ball->radius;
    if (const auto* capsule = std::get_if<CapsuleShape>(&c.obstacle.shape)) {
        const double half = capsule->half_length;
        return norm(p - Vec3{0, std::clamp(p.y, -half, half), 0}) > capsule->radius;
    }
    if (is_plane(c.obstacle)) return p.y > 0;
    const BoxShape& box = std::get<BoxShape>(c.obstacle.shape);
    const Vec3& half = box.half;
    const bool in = std::abs(p.x) < half.x && std::abs(p.y) < half.y && (c.planar || std::abs(p.z) < half.z);
    return in == box.inside;
}

TEST(Gap, TheValueIsTheDistanceToTheNearestOfManySurfacePoints) {
    // A lower bound such as max(q) passes near faces and derivative tests everywhere; only a second way to measure
    // shows it.
    testing::Random random(2);
    for (const GapCase& c : gap_cases()) {
        const SurfaceSamples surface = samples_of(c, 24);
        for (int k = 0; k < 60; ++k) {
            const Vec3 p = some_point(random, c.planar);
            double nearest = 1e9;
            for (const Vec3& q : surface.points) nearest = std::min(nearest, norm(p - q));
            const double value = gap_to(c.obstacle, p, c.planar).value;
            EXPECT_EQ(value > 0, is_free(c, p)) << c.name;
            EXPECT_LE(std::abs(value), nearest + 1e-12) << c.name;
            EXPECT_GE(std::abs(value), std::sqrt(std::max(0.0, nearest * nearest - surface.spacing * surface.spacing)) -
                                           surface.spacing * surface.spacing * 2)
                << c.name;
            // Going back by the gap along the gradient ends on the surface.
            const Gap gap = gap_to(c.obstacle, p, c.planar);
            EXPECT_NEAR(gap_to(c.obstacle, p - gap.gradient * gap.value, c.planar).value, 0.0, 1e-12) << c.name;
        }
    }
}

TEST(Gap, IsFiniteWithAUnitGradientWhereTheDistanceHasNone) {
    // Centres, axes, edges, corners and the zeros next to them; sizes of nothing.
    const double tiny[] = {0.0, -0.0, 1e-320, 1e-200, -1e-160, 5e-17};
    for (GapCase c : gap_cases()) {
        for (const double share : {1.0, 0.0}) {
            ObstacleNumbers numbers = numbers_of(c.obstacle.shape);
            numbers.size *= share;
            c.obstacle.shape = shape_of(numbers).value();
            const Vec3& size = numbers.size;
            for (const Vec3& place : {Vec3{}, size, Vec3{0, size.y, 0}, Vec3{size.x, 0, 0}}) {
                for (const double dx : tiny) {
                    for (const double dy : tiny) {
                        GapCase plain = c;
                        plain.obstacle.position = {};
                        plain.obstacle.rotation = {};
                        for (const GapCase& one : {plain, c}) {
                            const Mat3 turn = to_matrix(one.obstacle.rotation);
                            const Gap gap = gap_to(
                                one.obstacle, one.obstacle.position + turn * (place + Vec3{dx, dy, 0}), one.planar);
                            const SymMat3& s = gap.curvature;
                            ASSERT_TRUE(std::isfinite(gap.value) && is_finite({s.xx, s.yy, s.zz}) &&
                                        is_finite({s.xy, s.yz, s.zx}))
                                << one.name;
                            ASSERT_NEAR(norm(gap.gradient), 1.0, 1e-12) << one.name;
                        }
                    }
                }
            }
        }
    }
}

TEST(Gap, TheSurfacesVelocityIsHowItsPointsMove) {
    // The spin acts about the obstacle's centre, not about the origin.
    Obstacle ball{BallShape{0.5}, {1, 2, 3}, {}, {0.1, -0.2, 0.3}, {0.5, 1.0, -2.0}};
    const Vec3 arm{0.2, -0.3, 0.4};
    const double h = 1e-6;
    const auto moved = [&](double t) {
        return ball.position + ball.velocity * t + to_matrix(from_rotation_vector(ball.angular_velocity * t)) * arm;
    };
    EXPECT_LT(norm((moved(h) - moved(-h)) / (2 * h) - obstacle_velocity(ball, ball.position + arm)), 1e-9);
}

// A facet may be deepest anywhere: inside, on a side, at a corner. Random obstacles against the smallest of many
// samples.
TEST(FacetGap, IsTheLeastOfManySamples) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    const auto any = [&] { return Vec3{unit(random), unit(random), unit(random)}; };
    for (int trial = 0; trial < 60; ++trial) {
        const bool planar = trial % 2 == 0;
        Obstacle o;
        const double size = 0.1 + std::abs(unit(random));
        o.shape = std::array<ObstacleShape, 4>{PlaneShape{}, BoxShape{{size, 0.3, 0.2}}, BallShape{size},
                                               CapsuleShape{size, 0.3}}[static_cast<std::size_t>(trial % 4)];
        o.position = any() * 0.7;
        o.rotation = from_rotation_vector(planar ? Vec3{0.0, 0.0, unit(random)} : any());
        Vec3 corner[3] = {any(), any(), any()};
        for (Vec3& c : corner)
            if (planar) c.z = 0.0;
        const std::span<const Vec3> facet(corner, planar ? 2 : 3);
        double least = 1e300;
        const int n = planar ? 4000 : 120;
        for (int i = 0; i <= n; ++i) {
            for (int j = 0; j <= (planar ? 0 : n - i); ++j) {
                const double a = static_cast<double>(i) / n, b = static_cast<double>(j) / n;
                least = std::min(
                    least,
                    gap_to(o, corner[0] + (corner[1] - corner[0]) * a + (planar ? Vec3{} : (corner[2] - corner[0]) * b),
                           planar)
                        .value);
            }
        }
        EXPECT_NEAR(least_gap(o, facet, planar), least, 0.02) << "trial " << trial;
        EXPECT_LE(least_gap(o, facet, planar), least + 2e-3) << "trial " << trial;
    }
}

// A floor's point that a box's edge has run under is nearest to the box's side, where it did not come in.
TEST(FacetGap, TheWayOutOfABoxFacesTheSurface) {
    Obstacle box;
    box.shape = BoxShape{{1.0, 1.0, 1.0}};
    const Vec3 point{-0.99, 0.9, 0.0}, down{0.0, -1.0, 0.0};
    EXPECT_EQ(gap_to(box, point, false).gradient, (Vec3{-1.0, 0.0, 0.0}));
    for (const bool planar : {true, false}) {
        const Gap gap = gap_against(box, point, down, planar);
        EXPECT_NEAR(gap.value, -0.1, 1e-15);
        EXPECT_EQ(gap.gradient, (Vec3{0.0, 1.0, 0.0}));
        EXPECT_EQ(gap_against(box, point, {1.0, 0.0, 0.0}, planar).gradient, (Vec3{-1.0, 0.0, 0.0}));
    }
    EXPECT_EQ(gap_against(box, {-1.5, 0.9, 0.0}, down, false).value, 0.5);
}

}  // namespace
}  // namespace limber
