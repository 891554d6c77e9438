#include <limber/error.hpp>
#include <limber/round.hpp>

#include "expect_error.hpp"
#include "geometry/meshes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <set>

namespace limber {
namespace {

using std::numbers::pi;
constexpr CellKind kPlanarKinds[] = {CellKind::tri3, CellKind::quad4};

void expect_sound(Mesh mesh, const std::string& what) {
    for (const MeshFinding& f : validate(mesh)) ADD_FAILURE() << what << ": " << f.message;
}

/// Largest value of `off` over a set.
double farthest(const Mesh& mesh, const char* set, const std::function<double(const Vec3&)>& off) {
    double worst = 0.0;
    for (const std::int32_t v : mesh.vertex_sets.at(set))
        worst = std::max(worst, std::abs(off(mesh.vertices[static_cast<std::size_t>(v)])));
    return worst;
}

TEST(RoundBodies, DiscsHaveAsManyEquallySpacedVerticesOnTheirRimAsAskedFor) {
    // The core of the O-grid decides: a count that does not divide must not be rounded in silence, and 4 is one lone
    // cell.
    const Vec3 centre{0.3, -0.2, 0};
    for (const CellKind kind : kPlanarKinds) {
        for (const int around : {4, 8, 12, 20, 64, 100}) {
            const Mesh disc = make_disc(kind, around, centre, 0.5);
            expect_sound(disc, std::to_string(around));
            const Boundary boundary = boundary_of(disc);
            IndexSet rim = disc.vertex_sets.at("rim");
            EXPECT_EQ(rim, boundary.vertices) << around;
            ASSERT_EQ(rim.size(), static_cast<std::size_t>(around));
            EXPECT_LT(farthest(disc, "rim", [&](const Vec3& p) { return norm(p - centre) - 0.5; }), 2e-16 * 2);
            for (std::size_t f = 0; f < boundary.facet_count(); ++f) {
                const auto at = [&](std::size_t k) {
                    return disc.vertices[static_cast<std::size_t>(boundary.facets[2 * f + k])];
                };
                EXPECT_NEAR(norm(at(1) - at(0)), 2 * 0.5 * std::sin(pi / around), 1e-14);
            }
            EXPECT_NEAR(measure_of(disc), 0.25 * around / 2 * std::sin(2 * pi / around), 1e-13);
        }
    }
}

TEST(RoundBodies, RingsAreTheDifferenceOfTwoPolygons) {
    const Vec3 centre{-1, 2, 0};
    for (const CellKind kind : kPlanarKinds) {
        for (const int around : {3, 7, 32}) {
            const Mesh ring = make_ring(kind, around, 3, centre, 0.5, 2.0);
            expect_sound(ring, std::to_string(around));
            EXPECT_LT(farthest(ring, "inner", [&](const Vec3& p) { return norm(p - centre) - 0.5; }), 1e-15);
            EXPECT_LT(farthest(ring, "outer", [&](const Vec3& p) { return norm(p - centre) - 2.0; }), 1e-15);
            EXPECT_EQ(ring.vertex_sets.at("inner").size() + ring.vertex_sets.at("outer").size(),
                      boundary_of(ring).vertices.size());
            EXPECT_NEAR(measure_of(ring), (4.0 - 0.25) * around / 2 * std::sin(2 * pi / around), 1e-12);
            EXPECT_EQ(ring.vertices[0], (centre + Vec3{0.5, 0, 0}));
        }
    }
}

TEST(RoundBodies, EllipsesAndEllipsoidsLieOnTheirSurfaces) {
    const Vec3 centre{1, -2, 3}, radii{0.5, 2.0, 1.25};
    const auto off = [&](const Vec3& p) {
        return std::hypot((p.x - centre.x) / radii.x, (p.y - centre.y) / radii.y, (p.z - centre.z) / radii.z) - 1;
    };
    for (const CellKind kind : testing::kSolidKinds) {
        for (const int n : {2, 5, 8}) {
            const Mesh egg = make_ellipsoid(kind, n, centre, radii);
            expect_sound(egg, std::to_string(n));
            EXPECT_LT(farthest(egg, "surface", off), 2e-15);
            EXPECT_EQ(egg.vertex_sets.at("surface"), boundary_of(egg).vertices);
            EXPECT_NEAR(measure_of(egg) / measure_of(make_ball(kind, n, {}, 1.0)), 1.25, 1e-12);
        }
    }
    const Mesh ellipse = make_ellipse(CellKind::tri3, 24, {1, -2, 0}, radii);
    expect_sound(ellipse, "ellipse");
    EXPECT_LT(farthest(ellipse, "rim", [&](const Vec3& p) { return std::hypot((p.x - 1) / 0.5, (p.y + 2) / 2.0) - 1; }),
              1e-15);
    EXPECT_NEAR(measure_of(ellipse), 12 * std::sin(2 * pi / 24), 1e-12);
}

TEST(RoundBodies, FrustumsTaperFromOneRadiusToTheOther) {
    for (const CellKind kind : testing::kSolidKinds) {
        for (const double end : {0.2, 0.5, 1.5}) {
            const Mesh cup = make_frustum(kind, 6, 5, 0.5, end, 2.0);
            expect_sound(cup, std::string(to_string(kind)) + std::to_string(end));
            EXPECT_LT(farthest(cup, "side",
                               [&](const Vec3& p) { return std::hypot(p.y, p.z) - (0.5 + (end - 0.5) * p.x / 2.0); }),
                      1e-15);
            EXPECT_LT(farthest(cup, "right", [&](const Vec3& p) { return p.x - 2.0; }), 1e-15);
            EXPECT_NEAR(measure_of(cup) / measure_of(make_cylinder(kind, 6, 5, 0.5, 2.0)),
                        (0.25 + 0.5 * end + end * end) / (3.0 * 0.25), 0.01);
        }
    }
    expect_error(Fault::bad_usage, "make_frustum: end_radius = -1",
                 [&] { make_frustum(CellKind::tet4, 4, 4, 0.5, -1.0, 1.0); });
}

TEST(RoundBodies, ShellsAreHollowAndTheirWallsAreNamed) {
    const Vec3 centre{0.1, 0.2, 0.3};
    for (const CellKind kind : testing::kSolidKinds) {
        for (const int n : {1, 2, 5}) {
            const Mesh shell = make_shell(kind, n, 2, centre, 0.6, 1.0);
            expect_sound(shell, std::string(to_string(kind)) + std::to_string(n));
            EXPECT_LT(farthest(shell, "inner", [&](const Vec3& p) { return norm(p - centre) - 0.6; }), 5e-16);
            EXPECT_LT(farthest(shell, "outer", [&](const Vec3& p) { return norm(p - centre) - 1.0; }), 5e-16);
            const IndexSet &inner = shell.vertex_sets.at("inner"), &outer = shell.vertex_sets.at("outer");
            std::set<std::int32_t> both(inner.begin(), inner.end());
            both.insert(outer.begin(), outer.end());
            EXPECT_EQ(IndexSet(both.begin(), both.end()), boundary_of(shell).vertices);
            EXPECT_EQ(both.size(), inner.size() + outer.size());
        }
    }
    const double exact = 4.0 / 3.0 * pi * (1.0 - 0.216);
    const auto error = [&](CellKind kind, int n) {
        return std::abs(1.0 - measure_of(make_shell(kind, n, std::max(1, n / 3), centre, 0.6, 1.0)) / exact);
    };
    EXPECT_NEAR(std::log2(error(CellKind::hex8, 6) / error(CellKind::hex8, 12)), 2.0, 0.1);
    // Curved cells follow the sphere better by two orders.
    EXPECT_NEAR(std::log(error(CellKind::tet10, 6) / error(CellKind::tet10, 9)) / std::log(1.5), 4.0, 0.2);
}

TEST(RoundBodies, RefuseNonsenseWithANamedFault) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const int huge = std::numeric_limits<int>::max();
    const std::vector<std::function<void()>> calls{[&] { make_disc(CellKind::hex8, 8, {}, 1.0); },
                                                   [&] { make_disc(CellKind::quad4, 10, {}, 1.0); },
                                                   [&] { make_disc(CellKind::quad4, 0, {}, 1.0); },
                                                   [&] { make_disc(CellKind::quad4, -4, {}, 1.0); },
                                                   [&] { make_disc(CellKind::quad4, huge - 3, {}, 1.0); },
                                                   [&] { make_disc(CellKind::quad4, 8, {}, -1.0); },
                                                   [&] {
                                                       make_disc(CellKind::quad4, 8, {nan, 0, 0}, 1.0);
                                                   },
                                                   [&] {
                                                       make_ellipse(CellKind::tri3, 8, {}, {1.0, 0.0, 1.0});
                                                   },
                                                   [&] { make_ring(CellKind::quad4, 2, 1, {}, 0.5, 1.0); },
                                                   [&] { make_ring(CellKind::quad4, 8, 0, {}, 0.5, 1.0); },
                                                   [&] { make_ring(CellKind::quad4, 8, 1, {}, 1.0, 1.0); },
                                                   [&] { make_ring(CellKind::quad4, 8, 1, {}, 0.0, 1.0); },
                                                   [&] { make_ring(CellKind::quad4, huge, huge, {}, 0.5, 1.0); },
                                                   [&] { make_ring(CellKind::tet4, 8, 1, {}, 0.5, 1.0); },
                                                   [&] {
                                                       make_ellipsoid(CellKind::hex8, 3, {}, {1.0, 1.0, nan});
                                                   },
                                                   [&] {
                                                       make_ellipsoid(CellKind::quad4, 3, {}, {1.0, 1.0, 1.0});
                                                   },
                                                   [&] { make_shell(CellKind::hex8, 0, 1, {}, 0.5, 1.0); },
                                                   [&] { make_shell(CellKind::hex8, 2, 1, {}, 2.0, 1.0); },
                                                   [&] { make_shell(CellKind::hex8, 30000, 1, {}, 0.5, 1.0); },
                                                   [&] { make_shell(CellKind::tri3, 2, 1, {}, 0.5, 1.0); }};
    for (std::size_t i = 0; i < calls.size(); ++i) {
        try {
            calls[i]();
            ADD_FAILURE() << "call " << i << " was accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.fault(), Fault::bad_usage) << i;
            EXPECT_FALSE(error.expected().empty()) << i;
        }
    }
}

}  // namespace
}  // namespace limber
