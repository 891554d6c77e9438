#include "geometry/embedding.hpp"

#include <limber/error.hpp>

#include "expect_error.hpp"
#include "geometry/cell_inverse.hpp"
#include "geometry/cell_quality.hpp"
#include "geometry/meshes.hpp"
#include "geometry/shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace limber {
namespace {

using testing::kAllKinds;
using testing::kSolidKinds;
using testing::Random;
using testing::unit_mesh;

/// distorted_mesh(), proven valid.
Mesh valid_mesh(CellKind kind, int n, std::uint64_t seed) {
    Mesh mesh = testing::distorted_mesh(kind, n, 0.2, seed);
    for (const MeshFinding& f : validate(mesh)) ADD_FAILURE() << f.message;
    return mesh;
}

Vec3 point_of(const Mesh& mesh, const Location& at) { return interpolate(mesh, at, mesh.vertices); }

double weight_sum(const Location& at) {
    double sum = 0.0;
    for (const double w : at.weights) sum += w;
    return sum;
}

TEST(Locator, FindsPointsOfDistortedMeshesAgain) {
    // Newton may fail in skewed cells, and the box tree may lose cells; either shows as "outside" or a wrong place.
    Random random(1);
    for (const CellKind kind : kAllKinds) {
        const Mesh mesh = valid_mesh(kind, 5, 9);
        const PointLocator locator(mesh);
        for (int i = 0; i < 2000; ++i) {
            const auto c = static_cast<std::size_t>(random.below(static_cast<int>(mesh.cell_count())));
            Vec3 x[kMaxCorners];
            gather_corners(mesh, c, x);
            const Vec3 point = map_to_cell(kind, x, random.in_reference(kind));
            const Location at = locator.locate(point);
            ASSERT_TRUE(at.inside) << to_string(kind) << " cell " << c;
            EXPECT_EQ(at.distance, 0.0);
            EXPECT_NEAR(weight_sum(at), 1.0, 1e-12);
            EXPECT_LT(norm(point_of(mesh, at) - point), 1e-12) << to_string(kind);
        }
    }
}

TEST(Locator, FindsEveryVertexAsItself) {
    for (const CellKind kind : kAllKinds) {
        const Mesh mesh = valid_mesh(kind, 4, 10);
        const PointLocator locator(mesh);
        for (const Vec3& v : mesh.vertices) {
            const Location at = locator.locate(v);
            EXPECT_TRUE(at.inside) << to_string(kind);
            EXPECT_LT(norm(point_of(mesh, at) - v), 1e-12);
        }
    }
}

TEST(Locator, WorksFarFromTheOriginAndAtAnyScale) {
    for (const CellKind kind : kAllKinds) {
        for (const double scale : {1e-6, 1e6}) {
            Mesh mesh = valid_mesh(kind, 3, 11);
            const Vec3 shift{1000 * scale, -2000 * scale, mesh.dimension() == 2 ? 0.0 : 500 * scale};
            for (Vec3& v : mesh.vertices) v = scale * v + shift;
            const PointLocator locator(mesh);
            Random random(2);
            for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
                Vec3 x[kMaxCorners];
                gather_corners(mesh, c, x);
                const Vec3 point = map_to_cell(kind, x, random.in_reference(kind));
                const Location at = locator.locate(point);
                EXPECT_TRUE(at.inside) << to_string(kind) << scale;
                EXPECT_LT(norm(point_of(mesh, at) - point), 1e-11 * 1000 * scale);
            }
        }
    }
}

TEST(Locator, InterpolatesLinearFieldsExactlyOnAnotherMesh) {
    // What the metrics do: probe points from one mesh, values from another.
    for (const CellKind kind : kSolidKinds) {
        const Mesh mesh = make_ball(kind, 6, {0.5, 0.5, 0.5}, 1.0),
                   probes = make_box(CellKind::hex8, 4, 4, 4, {}, {1, 1, 1});
        std::vector<Vec3> field;
        for (const Vec3& v : mesh.vertices) field.push_back({1.0 + v.x, 2.0 * v.y - v.z, v.x + v.y});
        const PointLocator locator(mesh);
        for (const Vec3& p : probes.vertices) {
            const Location at = locator.locate(p);
            ASSERT_TRUE(at.inside);
            EXPECT_LT(norm(interpolate(mesh, at, field) - Vec3{1.0 + p.x, 2.0 * p.y - p.z, p.x + p.y}), 1e-12);
        }
    }
}

TEST(Locator, GivesTheDistanceToABoxFromOutside) {
    // Closed form: distance to the unit square or cube. Faces, edges and corners all occur among the points.
    Random random(3);
    for (const CellKind kind : kAllKinds) {
        const Mesh mesh = unit_mesh(kind, 3);
        const PointLocator locator(mesh);
        for (int i = 0; i < 500; ++i) {
            Vec3 p = random.in_cube(-2, 3);
            if (mesh.dimension() == 2) p.z = 0.0;
            const Vec3 nearest{std::clamp(p.x, 0.0, 1.0), std::clamp(p.y, 0.0, 1.0), std::clamp(p.z, 0.0, 1.0)};
            const Location at = locator.locate(p);
            EXPECT_EQ(at.inside, p == nearest);
            EXPECT_NEAR(at.distance, norm(p - nearest), 1e-12) << to_string(kind);
            EXPECT_LT(norm(point_of(mesh, at) - nearest), 1e-6);
            EXPECT_NEAR(weight_sum(at), 1.0, 1e-12);
        }
    }
}

/// Nearest boundary point by looking at a fine grid of every cell's reference domain.
double sampled_distance(const Mesh& mesh, const Vec3& p) {
    double best = std::numeric_limits<double>::infinity();
    const int n = 16;
    const bool cube = mesh.kind == CellKind::hex8 || mesh.kind == CellKind::quad4;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        Vec3 x[kMaxCorners];
        gather_corners(mesh, c, x);
        for (int k = 0; k <= (mesh.dimension() == 3 ? n : 0); ++k) {
            for (int j = 0; j <= n; ++j) {
                for (int i = 0; i <= n; ++i) {
                    if (!cube && i + j + k > n) continue;
                    Vec3 xi{static_cast<double>(i) / n, static_cast<double>(j) / n, static_cast<double>(k) / n};
                    if (cube) xi = 2.0 * xi - Vec3{1, 1, 1};
                    best = std::min(best, norm(map_to_cell(mesh.kind, x, xi) - p));
                }
            }
        }
    }
    return best;
}

TEST(Locator, GivesTheDistanceToCurvedAndWarpedCells) {
    // Samples can only overestimate: the locator may be nearer, never farther, and not by more than the grid's width
    // allows.
    Random random(4);
    for (const CellKind kind : kAllKinds) {
        const Mesh mesh = valid_mesh(kind, 2, 13);
        const PointLocator locator(mesh);
        int outside = 0;
        for (int i = 0; i < 40; ++i) {
            Vec3 p = random.in_cube(-0.6, 1.6);
            if (mesh.dimension() == 2) p.z = 0.0;
            const Location at = locator.locate(p);
            if (at.inside) continue;
            ++outside;
            const double sampled = sampled_distance(mesh, p);
            EXPECT_LE(at.distance, sampled + 1e-12) << to_string(kind);
            EXPECT_NEAR(norm(point_of(mesh, at) - p), at.distance, 1e-12);
            EXPECT_LT(sampled - at.distance, 0.02) << to_string(kind);
        }
        EXPECT_GT(outside, 15);
    }
}

TEST(Locator, PrefersTheLowestCellOnASharedCorner) {
    const Mesh mesh = unit_mesh(CellKind::quad4, 2);
    const Location at = PointLocator(mesh).locate({0.5, 0.5, 0.0});
    EXPECT_TRUE(at.inside);
    EXPECT_EQ(at.cell, 0);
}

TEST(Locator, IgnoresZInThePlane) {
    const Mesh mesh = unit_mesh(CellKind::tri3, 2);
    EXPECT_TRUE(PointLocator(mesh).locate({0.3, 0.3, 5.0}).inside);
}

TEST(Locator, AnswersNonsenseWithNoCellAndNoNaN) {
    const Mesh mesh = unit_mesh(CellKind::hex8, 1);
    const PointLocator locator(mesh);
    for (const double wrong :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e200}) {
        const Location at = locator.locate({0.5, wrong, 0.5});
        EXPECT_EQ(at.cell, -1);
        EXPECT_FALSE(at.inside);
        EXPECT_EQ(interpolate(mesh, at, mesh.vertices), Vec3{});
    }
    const Location far = locator.locate({1e100, 0.0, 0.0});
    EXPECT_EQ(far.cell, 0);
    EXPECT_TRUE(std::isfinite(far.distance));
}

TEST(Locator, RefusesMeshesItCannotSearch) {
    Mesh mesh;
    expect_error(Fault::bad_mesh, "the mesh has no vertices", [&] { PointLocator{mesh}; });
    mesh = unit_mesh(CellKind::tet4, 1);
    mesh.cells[0] = 99;
    expect_error(Fault::bad_mesh, "cell 0 names vertex 99", [&] { PointLocator{mesh}; });
}

TEST(CellInverse, RecoversReferenceCoordinatesInNearlyFoldedCells) {
    // One corner of the square pulled almost to the diagonal: the inverse map has a second branch close by.
    Random random(5);
    for (const double pull : {0.3, 0.45, 0.49}) {
        const Vec3 quad[] = {{0, 0, 0}, {1, 0, 0}, {1 - pull, 1 - pull, 0}, {0, 1, 0}};
        for (int i = 0; i < 500; ++i) {
            const Vec3 xi = random.in_reference(CellKind::quad4);
            Vec3 back;
            ASSERT_TRUE(invert_cell_map(CellKind::quad4, quad, map_to_cell(CellKind::quad4, quad, xi), back))
                << pull << " " << xi.x << " " << xi.y;
            EXPECT_LT(norm(back - xi), 1e-6) << pull;
        }
    }
}

TEST(CellInverse, NeedsMoreThanOneStartInStronglyDistortedCells) {
    // Valid cells with random corners; a few of these 40000 are lost when Newton starts from the centre only.
    Random random(5);
    for (const CellKind kind : {CellKind::hex8, CellKind::tet10}) {
        const Mesh unit = unit_mesh(kind, 1);
        int tried = 0;
        for (int i = 0; i < 40000; ++i) {
            Vec3 x[kMaxCorners], back;
            gather_corners(unit, 0, x);
            const double reach = random.between(0.0, kind == CellKind::tet10 ? 0.35 : 0.9);
            for (int a = 0; a < corners_of(kind); ++a) x[a] += random.in_cube(-reach, reach);
            const Vec3 xi = random.in_reference(kind), point = map_to_cell(kind, x, xi);
            if (least_determinant(kind, x) < 2e-2) continue;
            ++tried;
            EXPECT_TRUE(invert_cell_map(kind, x, point, back)) << to_string(kind) << " " << i;
            EXPECT_LT(norm(map_to_cell(kind, x, back) - point), 1e-11);
        }
        EXPECT_GT(tried, 10000);
    }
}

}  // namespace
}  // namespace limber
