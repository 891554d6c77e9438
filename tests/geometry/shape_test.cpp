#include "geometry/shape.hpp"

#include "geometry/meshes.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

using testing::kAllKinds;
using testing::Random;

TEST(Shape, FunctionsAreOneAtTheirOwnNodeAndZeroAtTheOthers) {
    // A swapped pair of corners, or of tet10's mid-edge nodes, passes every test of sums.
    for (const CellKind kind : kAllKinds) {
        for (int a = 0; a < corners_of(kind); ++a) {
            double n[kMaxCorners];
            shape_values(kind, reference_node(kind, a), n);
            for (int b = 0; b < corners_of(kind); ++b)
                EXPECT_NEAR(n[b], a == b ? 1.0 : 0.0, 1e-15) << to_string(kind) << a << b;
        }
    }
}

TEST(Shape, NodesStandInVtkOrder) {
    // The numbers are written out by hand from the VTK figure, independent of the tables in the source.
    const Vec3 hex[] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                        {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    for (int a = 0; a < 8; ++a) EXPECT_EQ(reference_node(CellKind::hex8, a), hex[a]);
    const Vec3 tet[] = {{0, 0, 0},   {1, 0, 0},  {0, 1, 0},  {0, 0, 1},   {.5, 0, 0},
                        {.5, .5, 0}, {0, .5, 0}, {0, 0, .5}, {.5, 0, .5}, {0, .5, .5}};
    for (int a = 0; a < 10; ++a) EXPECT_EQ(reference_node(CellKind::tet10, a), tet[a]);
}

TEST(Shape, ValuesSumToOneAndGradientsToZeroEverywhere) {
    Random random(1);
    for (const CellKind kind : kAllKinds) {
        for (int i = 0; i < 100; ++i) {
            const Vec3 xi = random.in_cube(-2, 2);  // outside the domain too: the locator extrapolates
            double n[kMaxCorners], sum = 0.0;
            Vec3 dn[kMaxCorners], gradient_sum;
            shape_values(kind, xi, n);
            shape_gradients(kind, xi, dn);
            for (int a = 0; a < corners_of(kind); ++a) {
                sum += n[a];
                gradient_sum += dn[a];
            }
            EXPECT_NEAR(sum, 1.0, 1e-13);
            EXPECT_LT(norm(gradient_sum), 1e-13);
        }
    }
}

TEST(Shape, GradientsMatchDifferenceQuotients) {
    // Central differences of quadratics per axis are exact up to rounding, so the tolerance is rounding only.
    Random random(2);
    const double h = 1e-3;
    for (const CellKind kind : kAllKinds) {
        for (int i = 0; i < 20; ++i) {
            const Vec3 xi = random.in_reference(kind);
            Vec3 dn[kMaxCorners];
            shape_gradients(kind, xi, dn);
            for (int axis = 0; axis < dimension_of(kind); ++axis) {
                Vec3 plus = xi, minus = xi;
                plus[axis] += h;
                minus[axis] -= h;
                double up[kMaxCorners], down[kMaxCorners];
                shape_values(kind, plus, up);
                shape_values(kind, minus, down);
                for (int a = 0; a < corners_of(kind); ++a) EXPECT_NEAR(dn[a][axis], (up[a] - down[a]) / (2 * h), 1e-12);
            }
        }
    }
}

TEST(Shape, AffineFieldsAreReproducedOnDistortedCells) {
    Random random(3);
    for (const CellKind kind : kAllKinds) {
        const Mesh mesh = testing::distorted_mesh(kind, 2, 0.15, 7);
        const auto field = [](const Vec3& p) { return 3.0 + 2.0 * p.x - p.y + 0.5 * p.z; };
        for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
            Vec3 x[kMaxCorners];
            double n[kMaxCorners], value = 0.0;
            gather_corners(mesh, c, x);
            const Vec3 xi = random.in_reference(kind);
            shape_values(kind, xi, n);
            for (int a = 0; a < corners_of(kind); ++a) value += n[a] * field(x[a]);
            EXPECT_NEAR(value, field(map_to_cell(kind, x, xi)), 1e-13);
        }
    }
}

}  // namespace
}  // namespace limber
