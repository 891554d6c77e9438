#include "bem/cross_sections.hpp"

#include "bem/static_problem.hpp"
#include "expect_error.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

double polygon_area(const BoundaryShape& shape) {
    double twice = 0;
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        twice += cross(shape.points[static_cast<std::size_t>(shape.facets[2 * f])],
                       shape.points[static_cast<std::size_t>(shape.facets[2 * f + 1])])
                     .z;
    }
    return twice / 2;
}

BoundaryShape ball_surface(const Vec3& axes, const Vec3& centre, int across = 12) {
    Mesh mesh = make_ball(CellKind::tet4, across, {}, 1.0);
    for (Vec3& p : mesh.vertices) p = Vec3{axes.x * p.x, axes.y * p.y, axes.z * p.z} + centre;
    return boundary_shape(mesh);
}

SectionAxes tilted(const Vec3& origin, const Vec3& turn) {
    const Mat3 r = to_matrix(from_rotation_vector(turn));
    return {origin, r * Vec3{1, 0, 0}, r * Vec3{0, 1, 0}, r * Vec3{0, 0, 1}};
}

/// Area of the cut of an ellipsoid by a plane through its centre with unit normal n: pi abc / sqrt(sum a_i^2 n_i^2).
double ellipse_area(const Vec3& axes, const Vec3& n) {
    return std::numbers::pi * axes.x * axes.y * axes.z /
           std::sqrt(axes.x * axes.x * n.x * n.x + axes.y * axes.y * n.y * n.y + axes.z * axes.z * n.z * n.z);
}

TEST(CrossSections, CutsBallsAndEllipsoidsAtAnyTilt) {
    // Untilted, the planes hold edges and vertices of the mesh: the case in which cuts come apart.
    for (const Vec3& half_axes : {Vec3{1, 1, 1}, Vec3{2, 1, 0.6}}) {
        for (const Vec3& turn : {Vec3{}, Vec3{0.3, 0, 0}, Vec3{0.4, -1.1, 0.7}, Vec3{0, std::numbers::pi / 4, 0}}) {
            const Vec3 centre{3, -1, 2};
            const BoundaryShape surface = ball_surface(half_axes, centre);
            const SectionAxes axes = tilted(centre, turn);
            SectionSettings settings;
            settings.nodes = 50;
            for (const bool second : {false, true}) {
                const BoundaryShape section = cut_section(surface, axes, second, settings);
                ASSERT_EQ(section.points.size(), 50u);
                const double want = ellipse_area(half_axes, second ? axes.side : axes.out);
                EXPECT_NEAR(polygon_area(section), want, 0.03 * want);
                double shortest = 1e300, longest = 0;
                for (std::size_t i = 0; i < 50; ++i) {
                    const double length = norm(section.points[(i + 1) % 50] - section.points[i]);
                    shortest = std::min(shortest, length);
                    longest = std::max(longest, length);
                    const Vec3 p = section.points[i], v = axes.world(second ? Vec3{0, p.y, p.x} : p);
                    const double radius = std::hypot(v.x / half_axes.x, v.y / half_axes.y, v.z / half_axes.z);
                    EXPECT_LT(radius, 1 + 1e-9);
                    EXPECT_GT(radius, 0.96);
                }
                EXPECT_LT(longest, 1.1 * shortest);
                if (half_axes.x > 1) continue;               // its tips are corners on so coarse a mesh
                EXPECT_NEAR(section.points[0].x, 0, 1e-12);  // lowest on the axis
                EXPECT_LT(section.points[0].y, 0);
            }
        }
    }
}

TEST(CrossSections, KeepsTheCornersOfACylinder) {
    const BoundaryShape surface = boundary_shape(make_cylinder(CellKind::tet4, 12, 8, 0.5, 3.0));  // axis +x from 0
    const SectionAxes axes = tilted({1.5, 0, 0}, {0.2, 0, 0});
    const BoundaryShape along = cut_section(surface, axes, false, {});
    ASSERT_EQ(along.points.size(), 64u);
    for (const double x : {-1.5, 1.5}) {
        EXPECT_EQ(std::count_if(
                      along.points.begin(), along.points.end(),
                      [&](const Vec3& p) { return std::abs(p.x - x) < 1e-9 && std::abs(std::abs(p.y) - 0.5) < 0.02; }),
                  2);
    }
    EXPECT_NEAR(polygon_area(along), 3.0, 0.05);
    const BoundaryShape round = cut_section(surface, axes, true, {});
    EXPECT_NEAR(polygon_area(round), std::numbers::pi / 4, 0.03);
    SectionAxes beside = axes;
    beside.origin.z += 1;
    expect_error(Fault::unsupported, "misses the body's surface", [&] { cut_section(surface, beside, false, {}); });
}

TEST(CrossSections, TheFirstSectionHasMoreContacts) {
    // A cylinder on its side touches along a line: the first section is the long one. A line across it asks for the
    // round one. Both hold the centroid and the contacts' mean.
    const BoundaryShape surface = boundary_shape(make_cylinder(CellKind::tet4, 12, 8, 0.5, 3.0));
    const Vec3 centroid{1.5, 0, 0};
    std::vector<Vec3> line, across;
    for (int k = 0; k <= 10; ++k) {
        line.push_back({0.3 * k, -0.5, 0});
        across.push_back({1.5, -0.5, 0.04 * (k - 5)});
    }
    const SectionAxes lying = section_axes(surface, centroid, line, 0.05, {0, 1, 0});
    EXPECT_NEAR(std::abs(lying.side.x), 1, 1e-5);  // the mesh is not quite symmetric
    EXPECT_NEAR(lying.up.y, 1, 1e-9);
    const SectionAxes round = section_axes(surface, centroid, across, 0.01, {0, 1, 0});
    EXPECT_NEAR(std::abs(round.side.z), 1, 1e-5);
    across.insert(across.end(),
                  {{0.1, -0.5, 0.3}, {2.9, -0.5, -0.3}});  // far, but off either plane: spread is not what counts
    EXPECT_NEAR(std::abs(section_axes(surface, centroid, across, 0.01, {0, 1, 0}).side.z), 1, 1e-5);
    const std::vector<Vec3> corner{{3, -0.5, 0}};
    const SectionAxes oblique = section_axes(surface, centroid, corner, 0.05, {0, 1, 0});
    EXPECT_NEAR(dot(oblique.up, Vec3{-1.5, 0.5, 0}) / std::hypot(1.5, 0.5), 1, 1e-9);
    for (const SectionAxes& f : {lying, round, oblique}) {
        EXPECT_LT(norm(cross(f.side, f.up) - f.out), 1e-12);
        EXPECT_NEAR(dot(f.side, f.up), 0, 1e-12);
    }
    const SectionAxes none = section_axes(surface, centroid, {}, 0.05, {0, 0, 2});
    EXPECT_NEAR(none.up.z, 1, 1e-12);
}

TEST(CrossSections, CarriesTranslationsForAnyAlphaAndStretchForAlphaOne) {
    const BoundaryShape surface = ball_surface({1.4, 1, 0.8}, {1, 2, 3}, 8);
    const SectionAxes axes = tilted({1, 2, 3}, {0.3, 0.5, -0.2});
    for (const double alpha : {0.1, 1.0, 1.5, 10.0, 300.0}) {
        SectionSettings settings;
        settings.alpha = alpha;
        const CrossSections sections(surface, axes, surface.points, settings);
        const auto field = [&](const BoundaryShape& section, double x, double y, double stretch) {
            std::vector<double> u;
            for (const Vec3& p : section.points) u.insert(u.end(), {x + stretch * p.x, y});
            return u;
        };
        std::vector<Vec3> out(surface.points.size());
        sections.displacements(field(sections.first(), 0.2, -0.1, 0), field(sections.second(), 0.5, -0.1, 0), out);
        for (const Vec3& u : out) EXPECT_LT(norm(u - axes.world({0.2, -0.1, 0.5})), 1e-12);
        if (alpha != 1.0) continue;
        sections.displacements(field(sections.first(), 0, 0, 0.3), field(sections.second(), 0, 0, 0), out);
        for (std::size_t v = 0; v < out.size(); ++v) {
            const double x = axes.local(surface.points[v]).x;
            const double reach = 0.9;  // those that project into the section
            if (std::abs(x) < reach && norm(surface.points[v] - axes.origin) < reach) {
                EXPECT_NEAR(dot(out[v], axes.side), 0.3 * x, 1e-9);
            }
        }
    }
}

TEST(CrossSections, AlphaChoosesBetweenTheSides) {
    // Figure 8: with one side moved, a vertex nearer to it follows by r2^a / (r1^a + r2^a).
    const BoundaryShape surface = ball_surface({1, 1, 1}, {}, 12);
    const SectionAxes axes;
    const std::vector<Vec3> vertices{{0, -0.5, 0}};
    double before = 0.5;
    for (const double alpha : {0.1, 1.5, 10.0}) {
        SectionSettings settings;
        settings.alpha = alpha;
        const CrossSections sections(surface, axes, vertices, settings);
        const auto lower = [](const BoundaryShape& section) {
            std::vector<double> u;
            for (const Vec3& p : section.points) u.insert(u.end(), {0.0, p.y < 0 ? 1.0 : 0.0});
            return u;
        };
        std::vector<Vec3> out(1);
        sections.displacements(lower(sections.first()), lower(sections.second()), out);
        EXPECT_NEAR(out[0].y, std::pow(1.5, alpha) / (std::pow(0.5, alpha) + std::pow(1.5, alpha)), 0.01);
        EXPECT_GT(out[0].y, before);
        before = out[0].y;
    }
}

TEST(CrossSections, ASquashedBallIsFlatBelowAndEvenAround) {
    // The sections of a ball are discs: lifted where they would be below a floor, solved by boundary elements, carried
    // to the ball.
    Progress silent;
    const BoundaryShape surface = ball_surface({1, 1, 1}, {}, 14);
    const double floor = -0.85;
    std::vector<Vec3> contacts;
    for (const Vec3& p : surface.points)
        if (p.y < floor) contacts.push_back(p);
    const SectionAxes axes = section_axes(surface, {}, contacts, 0.1, {0, 1, 0});
    EXPECT_NEAR(axes.up.y, 1, 0.01);
    const CrossSections sections(surface, axes, surface.points, {});
    const auto squashed = [&](const BoundaryShape& section) {
        const BoundarySystem system = make_plane_system(section, {1e4, 0.45}, {}, silent);
        StaticConditions conditions(system);
        for (std::size_t i = 0; i < system.nodes.size(); ++i) {
            if (system.nodes[i].y < floor) conditions.hold(i, 1, floor - system.nodes[i].y);
            if (system.nodes[i].y > 0.98) {
                conditions.hold(i, 0, 0.0);
                conditions.hold(i, 1, 0.0);
            }
        }
        return solve_static(system, conditions, silent).displacement;
    };
    std::vector<Vec3> u(surface.points.size());
    sections.displacements(squashed(sections.first()), squashed(sections.second()), u);
    double widest = 0, deepest = 0;
    for (std::size_t v = 0; v < u.size(); ++v) {
        deepest = std::min(deepest, surface.points[v].y + u[v].y);
        if (std::abs(surface.points[v].y) > 0.1) continue;
        const Vec3 n{surface.points[v].x, 0, surface.points[v].z};
        widest = std::max(widest, dot(u[v], n) / norm(n));
        EXPECT_GT(dot(u[v], n), 0) << "it bulges all around";
    }
    EXPECT_GT(deepest, -0.92) << "lifted from -1";
    EXPECT_GT(widest, 0.02);
}

}  // namespace
}  // namespace limber
