#include "geometry/quadrature.hpp"

#include <limber/error.hpp>

#include "geometry/meshes.hpp"
#include "geometry/shape.hpp"
#include "geometry/tributary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace limber {
namespace {

using testing::kAllKinds;

double factorial(int n) { return std::tgamma(n + 1.0); }

/// Closed form of the integral of x^i y^j z^k over the reference domain.
double exact_monomial(CellKind kind, int i, int j, int k) {
    if (kind == CellKind::tri3) return factorial(i) * factorial(j) / factorial(i + j + 2);
    if (kind == CellKind::tet4 || kind == CellKind::tet10)
        return factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + 3);
    const auto line = [](int n) { return n % 2 ? 0.0 : 2.0 / (n + 1); };
    return line(i) * line(j) * (kind == CellKind::hex8 ? line(k) : 1.0);
}

bool covered(CellKind kind, int degree, int i, int j, int k) {
    const bool tensor = kind == CellKind::quad4 || kind == CellKind::hex8;
    return tensor ? std::max({i, j, k}) <= degree : i + j + k <= degree;
}

double integrate(CellKind kind, int degree, int i, int j, int k) {
    double sum = 0.0;
    for (const QuadraturePoint& q : quadrature(kind, degree))
        sum += q.weight * std::pow(q.xi.x, i) * std::pow(q.xi.y, j) * std::pow(q.xi.z, k);
    return sum;
}

TEST(Quadrature, IsExactForEveryMonomialOfItsDegree) {
    // One mistyped digit in a constant shows in some monomial; the tolerance is a few roundings.
    for (const CellKind kind : kAllKinds) {
        for (int degree = 1; degree <= 5; ++degree) {
            for (int i = 0; i <= degree; ++i) {
                for (int j = 0; j <= degree; ++j) {
                    for (int k = 0; k <= (dimension_of(kind) == 3 ? degree : 0); ++k) {
                        if (!covered(kind, degree, i, j, k)) continue;
                        EXPECT_NEAR(integrate(kind, degree, i, j, k), exact_monomial(kind, i, j, k),
                                    5e-16 * (kind == CellKind::hex8 ? 20 : 5))
                            << to_string(kind) << " degree " << degree << ": " << i << j << k;
                    }
                }
            }
        }
    }
}

TEST(Quadrature, IsNotExactBeyondItsLargestDegree) {
    // Otherwise the test above could be comparing a rule with itself.
    EXPECT_GT(std::abs(integrate(CellKind::tet4, 5, 6, 0, 0) - exact_monomial(CellKind::tet4, 6, 0, 0)), 1e-7);
    EXPECT_GT(std::abs(integrate(CellKind::tri3, 5, 6, 0, 0) - exact_monomial(CellKind::tri3, 6, 0, 0)), 1e-7);
    EXPECT_GT(std::abs(integrate(CellKind::hex8, 3, 4, 0, 0) - exact_monomial(CellKind::hex8, 4, 0, 0)), 1e-2);
}

TEST(Quadrature, PointsLieInsideAndWeightsArePositive) {
    // A negative weight would make mass matrices indefinite.
    for (const CellKind kind : kAllKinds) {
        for (int degree = 1; degree <= 5; ++degree) {
            for (const QuadraturePoint& q : quadrature(kind, degree)) {
                EXPECT_GT(q.weight, 0.0);
                double n[kMaxCorners];
                const CellKind linear = kind == CellKind::tet10 ? CellKind::tet4 : kind;
                shape_values(linear, q.xi, n);
                for (int a = 0; a < corners_of(linear); ++a) EXPECT_GT(n[a], 0.0);
            }
        }
    }
}

TEST(Quadrature, HasThePromisedNumberOfPoints) {
    const auto sizes = [](CellKind kind) {
        std::vector<std::size_t> n;
        for (int degree = 1; degree <= 5; ++degree) n.push_back(quadrature(kind, degree).size());
        return n;
    };
    EXPECT_EQ(sizes(CellKind::tri3), (std::vector<std::size_t>{1, 3, 6, 6, 7}));
    EXPECT_EQ(sizes(CellKind::quad4), (std::vector<std::size_t>{1, 4, 4, 9, 9}));
    EXPECT_EQ(sizes(CellKind::hex8), (std::vector<std::size_t>{1, 8, 8, 27, 27}));
    EXPECT_EQ(sizes(CellKind::tet10), (std::vector<std::size_t>{1, 4, 8, 14, 14}));
}

TEST(Quadrature, RefusesDegreesItDoesNotHave) {
    for (const int degree : {-1, 0, 6, 1000000}) {
        try {
            quadrature(CellKind::tet4, degree);
            FAIL() << degree;
        } catch (const Error& error) {
            EXPECT_EQ(error.fault(), Fault::bad_usage);
        }
    }
}

TEST(Tributary, SumsToTheMeasureOnDistortedMeshes) {
    for (const CellKind kind : kAllKinds) {
        Mesh mesh = testing::distorted_mesh(kind, 3, 0.15, 11);
        mesh.vertices.push_back({5, 5, 0});  // unused: must get nothing
        const std::vector<double> share = tributary_measure(mesh);
        EXPECT_NEAR(std::accumulate(share.begin(), share.end(), 0.0), measure_of(mesh), 1e-13) << to_string(kind);
        EXPECT_EQ(share.back(), 0.0);
    }
}

TEST(Tributary, KnowsItsFirstMomentOnCurvedAndWarpedCells) {
    // sum_a x_a * share_a is the integral of x, which the divergence-free rule of higher degree gives independently.
    for (const CellKind kind : kAllKinds) {
        const Mesh mesh = testing::distorted_mesh(kind, 2, 0.15, 12);
        const std::vector<double> share = tributary_measure(mesh);
        Vec3 moment, direct;
        for (std::size_t v = 0; v < share.size(); ++v) moment += share[v] * mesh.vertices[v];
        for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
            Vec3 x[kMaxCorners];
            gather_corners(mesh, c, x);
            for (const QuadraturePoint& q : quadrature(kind, 5))
                direct += q.weight * determinant(cell_jacobian(kind, x, q.xi)) * map_to_cell(kind, x, q.xi);
        }
        EXPECT_LT(norm(moment - direct), 1e-14) << to_string(kind);
    }
}

TEST(Tributary, GivesStraightTet10CornersMinusOneTwentieth) {
    const Mesh tet = to_tet10(Mesh{CellKind::tet4, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 1, 2, 3}, {}, {}});
    const std::vector<double> share = tributary_measure(tet);
    for (std::size_t a = 0; a < 4; ++a) EXPECT_NEAR(share[a], -1.0 / 120.0, 1e-16);
    for (std::size_t a = 4; a < 10; ++a) EXPECT_NEAR(share[a], 1.0 / 30.0, 1e-16);
}

}  // namespace
}  // namespace limber
