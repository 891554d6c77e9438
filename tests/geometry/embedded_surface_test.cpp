#include <limber/embedding.hpp>

#include "expect_error.hpp"
#include "geometry/smooth_normals.hpp"
#include "geometry/surface_shapes.hpp"

#include <limber/error.hpp>
#include <limber/tools/solid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace limber {
namespace {

std::vector<Vec3> random_points(std::size_t n, double low, double high, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> in(low, high);
    std::vector<Vec3> out;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = in(random), y = in(random), z = in(random);
        out.push_back({x, y, z});
    }
    return out;
}

Mesh mesh_of(CellKind kind) {
    return dimension_of(kind) == 2 ? make_grid(kind, 4, 3, {0, 0, 0}, {1, 1, 0})
                                   : make_box(kind, 4, 3, 3, {0, 0, 0}, {1, 1, 1});
}

constexpr CellKind kKinds[] = {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8};

TEST(EmbeddedSurface, IsItsOwnRestShapeToTheBitWhereverItsPointsLie) {
    // Points put back together from weights times corners would be off by rounding, and an artist's file would change
    // at rest.
    for (const CellKind kind : kKinds) {
        const Mesh mesh = mesh_of(kind);
        const std::vector<Vec3> points = random_points(300, -0.3, 1.3, 1);
        const EmbeddedSurface embedded(points, mesh);
        std::vector<Vec3> out(points.size());
        embedded.positions(std::vector<Vec3>(mesh.vertices.size()), out);
        EXPECT_EQ(out, points) << to_string(kind);
    }
}

TEST(EmbeddedSurface, FollowsAffineMotionsExactlyInsideAndOutside) {
    // Binding outer points to the nearest point alone would leave them behind when the body turns.
    for (const CellKind kind : kKinds) {
        const Mesh mesh = mesh_of(kind);
        const bool planar = dimension_of(kind) == 2;
        Mat3 a = to_matrix(from_rotation_vector(planar ? Vec3{0, 0, 1.2} : Vec3{0.7, -0.4, 1.2}));
        a(0, 1) += 0.3;
        std::vector<Vec3> points = random_points(400, -0.3, 1.3, 2);
        if (planar)
            for (Vec3& p : points) p.z = 0.0;
        const auto moved = [&](const Vec3& x) { return a * x + Vec3{0.1, 0.2, planar ? 0.0 : -0.3}; };
        std::vector<Vec3> body, out(points.size());
        for (const Vec3& v : mesh.vertices) body.push_back(moved(v) - v);
        const EmbeddedSurface embedded(points, mesh);
        EXPECT_GT(embedded.outside(), 100u) << to_string(kind);
        embedded.positions(body, out);
        double worst = 0.0;
        for (std::size_t p = 0; p < points.size(); ++p) worst = std::max(worst, norm(out[p] - moved(points[p])));
        EXPECT_LT(worst, 1e-12) << to_string(kind);
    }
}

TEST(EmbeddedSurface, TakesTheFieldOfTheCellThatHoldsThePoint) {
    // A weight on the wrong corner still passes affine motions with bad luck; a field of one vertex does not.
    const Mesh mesh = make_box(CellKind::hex8, 2, 2, 2, {0, 0, 0}, {1, 1, 1});
    std::vector<Vec3> body(mesh.vertices.size());
    for (std::size_t v = 0; v < body.size(); ++v)
        if (norm(mesh.vertices[v] - Vec3{0.5, 0.5, 0.5}) < 1e-12) body[v] = {0, 1, 0};
    const std::vector<Vec3> points{
        {0.5, 0.5, 0.5}, {0.25, 0.5, 0.5}, {0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}, {0, 0, 0}};
    std::vector<Vec3> out(points.size());
    EmbeddedSurface(points, mesh).displacements(body, out);
    const double expected[] = {1.0, 0.5, 0.125, 0.125, 0.0};
    for (std::size_t p = 0; p < points.size(); ++p) EXPECT_NEAR(out[p].y, expected[p], 1e-14) << p;
}

TEST(EmbeddedSurface, NamesWhatLiesBeyondTheLimitAndBindsItStill) {
    const Mesh mesh = make_box(CellKind::tet4, 2, 2, 2, {0, 0, 0}, {1, 1, 1});
    const std::vector<Vec3> points{{0.5, 0.5, 0.5}, {1.1, 0.5, 0.5}, {0.5, 4.0, 0.5}, {0.5, 0.5, -1.5}};
    const EmbeddedSurface embedded(points, mesh);
    EXPECT_EQ(embedded.outside(), 3u);
    EXPECT_EQ(embedded.beyond_limit(), 2u);
    EXPECT_EQ(embedded.farthest_point(), 2u);
    EXPECT_NEAR(embedded.farthest(), 3.0, 1e-12);
    EXPECT_NE(embedded.warning().find("2 of 4 points"), std::string::npos) << embedded.warning();
    std::vector<Vec3> out(points.size());
    embedded.displacements(std::vector<Vec3>(mesh.vertices.size(), Vec3{1, 2, 3}), out);
    for (const Vec3& u : out) EXPECT_LT(norm(u - Vec3{1, 2, 3}), 1e-12);
    EXPECT_EQ(EmbeddedSurface(points, mesh, {10.0}).beyond_limit(), 0u);
    EXPECT_EQ(EmbeddedSurface(points, mesh, {10.0}).warning(), "");
}

TEST(EmbeddedSurface, RefusesPointsThatAreNotFinite) {
    const Mesh mesh = mesh_of(CellKind::tet4);
    expect_error(Fault::bad_mesh, "point 0 is not finite", [&] {
        EmbeddedSurface(std::vector<Vec3>{{0, NAN, 0}}, mesh);
    });
}

TEST(EmbeddedSurface, RidesOnASolidMadeFromItself) {
    // Stuffing moves its vertices, not the artist's: about half of them end up outside, none beyond a cell.
    const Surface ball = testing::to_surface(testing::ball(0.5, 12));
    Progress quiet;
    const Solid solid = make_solid(std::vector<NamedSurface>{{"", ball}}, {2000, 0.0, 1e-3}, quiet);
    const EmbeddedSurface embedded(ball.vertices, solid.mesh);
    EXPECT_GT(embedded.outside(), 0u);
    EXPECT_EQ(embedded.beyond_limit(), 0u);
    EXPECT_LT(embedded.farthest(), 0.5 * solid.cell_size);
    for (std::size_t p = 0; p < embedded.size(); ++p)
        for (const double w : embedded.weights_of(p)) EXPECT_LT(std::abs(w), 4.0) << p;
}

/// Every corner a vertex of its own, as after a texture seam on every edge.
Surface torn(const Surface& s) {
    Surface out;
    out.face_starts = s.face_starts;
    for (const std::int32_t v : s.faces) {
        out.faces.push_back(static_cast<std::int32_t>(out.vertices.size()));
        out.vertices.push_back(s.vertices[static_cast<std::size_t>(v)]);
    }
    return out;
}

TEST(SmoothNormals, OfASphereAreRadialAcrossSeamsOfSplitVertices) {
    // Normals per vertex number would be face normals here: every vertex belongs to one face.
    const Surface ball = torn(testing::to_surface(testing::ball(0.5, 8)));
    const SmoothNormals smooth(ball);
    std::vector<Vec3> normals(smooth.count());
    smooth.compute(ball.vertices, normals);
    EXPECT_LT(smooth.count(), ball.vertices.size() / 4);
    for (std::size_t c = 0; c < ball.faces.size(); ++c) {
        const Vec3& x = ball.vertices[static_cast<std::size_t>(ball.faces[c])];
        EXPECT_LT(norm(normals[static_cast<std::size_t>(smooth.of_corner()[c])] - x / norm(x)), 1e-9) << c;
    }
}

TEST(SmoothNormals, KeepTheEdgesOfACubeHard) {
    const Surface cube = torn(testing::to_surface(testing::cube()));
    const SmoothNormals smooth(cube);
    std::vector<Vec3> normals(smooth.count());
    smooth.compute(cube.vertices, normals);
    for (const Vec3& n : normals) EXPECT_NEAR(std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)}), 1.0, 1e-12);
    // At a corner of the cube three normals meet; one with everything smooth.
    EXPECT_EQ(smooth.count(), 6u * 9u);
    EXPECT_EQ(SmoothNormals(cube, 120.0).count(), 26u);
}

TEST(SmoothNormals, FollowTheSplitsOfAFileAndNotTheAngle) {
    const Surface cube = testing::to_surface(testing::cube());
    const std::vector<std::int32_t> smooth_all(cube.faces.size(), 7);
    EXPECT_EQ(SmoothNormals(cube, 60.0, smooth_all).count(), 26u);
    std::vector<std::int32_t> flat;
    for (std::size_t c = 0; c < cube.faces.size(); ++c) flat.push_back(static_cast<std::int32_t>(c / 3));
    EXPECT_EQ(SmoothNormals(cube, 180.0, flat).count(), cube.faces.size());
}

TEST(SmoothNormals, OfAConcavePolygonDoNotTurnOver) {
    Surface arrow;
    arrow.vertices = {{0, 0, 0}, {2, 1, 0}, {0, 2, 0}, {0.5, 1, 0}};  // the last corner points inwards
    arrow.faces = {0, 1, 2, 3};
    arrow.face_starts = {0, 4};
    const SmoothNormals smooth(arrow);
    std::vector<Vec3> normals(smooth.count());
    smooth.compute(arrow.vertices, normals);
    for (const Vec3& n : normals) EXPECT_EQ(n, (Vec3{0, 0, 1}));
}

TEST(SmoothNormals, TurnAFilesNormalByTheLeastRotation) {
    const Vec3 odd{0.36, 0.48, 0.8};
    EXPECT_EQ(turned_along(odd, {0, 0, 1}, {0, 0, 1}), odd);
    const Vec3 turned = turned_along(odd, {0, 0, 1}, {0, 1, 0});
    EXPECT_LT(norm(turned - Vec3{0.36, 0.8, -0.48}), 1e-14);
    EXPECT_LT(norm(turned_along(odd, {0, 0, 1}, {0, 0, -1}) + odd), 1e-14);
}

}  // namespace
}  // namespace limber
