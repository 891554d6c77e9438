#include <limber/mesh.hpp>

#include "geometry/meshes.hpp"
#include "geometry/shape.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numbers>
#include <set>

namespace limber {
namespace {

using testing::kAllKinds;
using testing::kSolidKinds;
using testing::unit_mesh;

using Edge = std::pair<std::int32_t, std::int32_t>;

std::map<Edge, int> directed_edges(const Boundary& b) {
    std::map<Edge, int> count;
    const auto n = static_cast<std::size_t>(b.corners);
    for (std::size_t f = 0; f < b.facet_count(); ++f)
        for (std::size_t k = 0; k < n; ++k) ++count[{b.facets[f * n + k], b.facets[f * n + (k + 1) % n]}];
    return count;
}

void expect_closed(const Boundary& b) {
    const auto count = directed_edges(b);
    for (const auto& [edge, n] : count) {
        EXPECT_EQ(n, 1);
        const auto back = count.find({edge.second, edge.first});
        EXPECT_TRUE(back != count.end() && back->second == 1) << edge.first << "-" << edge.second;
    }
}

long euler_characteristic(const Boundary& b) {
    return static_cast<long>(b.vertices.size()) - static_cast<long>(directed_edges(b).size() / 2) +
           static_cast<long>(b.facet_count());
}

/// Area or volume from the boundary alone (divergence theorem with F = x / dimension); exact for flat facets.
double enclosed(const Mesh& mesh, const Boundary& b) {
    double sum = 0.0;
    const auto at = [&](std::size_t i) { return mesh.vertices[static_cast<std::size_t>(b.facets[i])]; };
    for (std::size_t f = 0; f < b.facet_count(); ++f) {
        const std::size_t i = f * static_cast<std::size_t>(b.corners);
        if (b.corners == 2) sum += cross(at(i), at(i + 1)).z / 2.0;
        for (int k = 1; k + 1 < b.corners; ++k) {
            const auto j = static_cast<std::size_t>(k);
            sum += dot(at(i), cross(at(i + j), at(i + j + 1))) / 6.0;
        }
    }
    return sum;
}

TEST(Boundary, OfASolidIsClosedAndConsistentlyOriented) {
    for (const CellKind kind : kSolidKinds) {
        expect_closed(boundary_of(unit_mesh(kind, 3)));
        expect_closed(boundary_of(make_ball(kind, 5, {}, 1.0)));
        expect_closed(boundary_of(make_torus(kind, 4, 9, 2.0, 0.5)));
    }
}

TEST(Boundary, OfAPlanarMeshIsALoopWithTheBodyOnItsLeft) {
    for (const CellKind kind : {CellKind::tri3, CellKind::quad4}) {
        const Mesh mesh = unit_mesh(kind, 4);
        const Boundary b = boundary_of(mesh);
        EXPECT_EQ(b.corners, 2);
        EXPECT_EQ(b.facet_count(), 16U);
        EXPECT_EQ(b.vertices.size(), 16U);
        std::map<std::int32_t, int> leaving, arriving;
        for (std::size_t f = 0; f < b.facet_count(); ++f) {
            ++leaving[b.facets[2 * f]];
            ++arriving[b.facets[2 * f + 1]];
        }
        for (const std::int32_t v : b.vertices) EXPECT_TRUE(leaving[v] == 1 && arriving[v] == 1);
        EXPECT_NEAR(enclosed(mesh, b), 1.0, 1e-14);
    }
}

TEST(Boundary, HasTheEulerCharacteristicOfItsShape) {
    // A hole, a crack between blocks of the O-grid, or a wrong seam of the torus changes this number.
    for (const CellKind kind : kSolidKinds) {
        EXPECT_EQ(euler_characteristic(boundary_of(unit_mesh(kind, 2))), 2);
        EXPECT_EQ(euler_characteristic(boundary_of(make_ball(kind, 6, {}, 1.0))), 2);
        EXPECT_EQ(euler_characteristic(boundary_of(make_cylinder(kind, 4, 3, 1.0, 2.0))), 2);
        EXPECT_EQ(euler_characteristic(boundary_of(make_torus(kind, 4, 7, 2.0, 0.5))), 0);
    }
}

TEST(Boundary, EnclosesTheVolumeOfItsCells) {
    // The divergence theorem ties outward orientation to the cells' own quadrature. Distorted tets: flat faces, exact.
    const Mesh tets = testing::distorted_mesh(CellKind::tet4, 4, 0.1, 5);
    EXPECT_NEAR(enclosed(tets, boundary_of(tets)), measure_of(tets), 1e-13);
    const Mesh tets10 = unit_mesh(CellKind::tet10, 2), hexes = unit_mesh(CellKind::hex8, 3);
    EXPECT_NEAR(enclosed(tets10, boundary_of(tets10)), 1.0, 1e-13);
    EXPECT_NEAR(enclosed(hexes, boundary_of(hexes)), 1.0, 1e-13);
    const Mesh torus = make_torus(CellKind::tet4, 5, 12, 2.0, 0.5);
    EXPECT_NEAR(enclosed(torus, boundary_of(torus)), measure_of(torus), 1e-12);
}

TEST(Boundary, FacetsBelongToTheirOwnersInOrder) {
    for (const CellKind kind : kAllKinds) {
        const Mesh mesh = unit_mesh(kind, 3);
        const Boundary b = boundary_of(mesh);
        EXPECT_TRUE(std::is_sorted(b.owner.begin(), b.owner.end()));
        for (std::size_t f = 0; f < b.facet_count(); ++f) {
            const std::int32_t* cell = mesh.cell(static_cast<std::size_t>(b.owner[f]));
            const std::set<std::int32_t> corners(cell, cell + corners_of(kind));
            for (int k = 0; k < b.corners; ++k) {
                EXPECT_TRUE(
                    corners.contains(b.facets[f * static_cast<std::size_t>(b.corners) + static_cast<std::size_t>(k)]));
            }
        }
    }
}

TEST(Boundary, OfTwoSeparateCellsIsBothOfThem) {
    const Mesh mesh{CellKind::tet4,
                    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {5, 0, 1}},
                    {0, 1, 2, 3, 4, 5, 6, 7},
                    {},
                    {}};
    const Boundary b = boundary_of(mesh);
    EXPECT_EQ(b.facet_count(), 8U);
    expect_closed(b);
}

TEST(Boundary, OfThreeCellsOnOneFaceLeavesThatFaceOut) {
    // Non-manifold: no outside to speak of at the shared face, and nothing may crash.
    const Mesh mesh{CellKind::tet4,
                    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 1, 1}},
                    {0, 1, 2, 3, 0, 2, 1, 4, 0, 1, 2, 5},
                    {},
                    {}};
    EXPECT_EQ(boundary_of(mesh).facet_count(), 9U);
}

TEST(Boundary, OfAnEmptyMeshIsEmpty) {
    for (const CellKind kind : kAllKinds) {
        Mesh mesh;
        mesh.kind = kind;
        EXPECT_EQ(boundary_of(mesh).facet_count(), 0U);
    }
}

}  // namespace
}  // namespace limber
