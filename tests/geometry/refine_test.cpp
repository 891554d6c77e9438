#include "geometry/refine.hpp"

#include "expect_error.hpp"
#include "geometry/cell_quality.hpp"
#include "geometry/meshes.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace limber::testing {
namespace {

std::size_t parts_of(CellKind kind) { return dimension_of(kind) == 2 ? 4 : 8; }

/// tet10 with curved edges, twisted hexes, bent quads: where a careless midpoint would change the shape.
Mesh bent(CellKind kind) { return distorted_mesh(kind, 2, 0.18, 7); }

TEST(Refine, PartsFillTheShapeOfTheirCellExactly) {
    for (const CellKind kind : kAllKinds) {
        const Mesh mesh = bent(kind), finer = refine(mesh);
        const std::size_t parts = parts_of(kind);
        ASSERT_EQ(finer.cell_count(), parts * mesh.cell_count()) << to_string(kind);
        for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
            double sum = 0.0;
            for (std::size_t p = 0; p < parts; ++p) {
                sum += cell_measure(finer, parts * c + p);
                EXPECT_GT(cell_measure(finer, parts * c + p), 0.0) << to_string(kind);
            }
            // The quadrature of curved tet10 is exact for their volume, so nothing may be lost but rounding.
            EXPECT_NEAR(sum, cell_measure(mesh, c), 1e-14) << to_string(kind);
        }
    }
}

TEST(Refine, ACurvedCellsPartsLieOnTheSameCurvedShape) {
    // Volume alone would not see a node that slides: the middle of every new edge of a part lies on the old cell's map.
    Mesh mesh = to_tet10(Mesh{CellKind::tet4, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 1, 2, 3}, {}, {}});
    Random random(3);
    for (std::size_t v = 4; v < 10; ++v) mesh.vertices[v] += random.in_cube(-0.06, 0.06);
    const Mesh finer = refine(mesh);
    Vec3 x[kMaxCorners], y[kMaxCorners];
    gather_corners(mesh, 0, x);
    gather_corners(finer, 0, y);  // the part at corner 0: the old map at half the coordinates
    for (int i = 0; i < 20; ++i) {
        const Vec3 xi = random.in_reference(CellKind::tet10);
        EXPECT_LT(norm(map_to_cell(CellKind::tet10, y, xi) - map_to_cell(CellKind::tet10, x, 0.5 * xi)), 1e-15);
    }
}

TEST(Refine, OldVerticesKeepTheirNumbersAndNeighboursShareTheNewOnes) {
    for (const CellKind kind : kAllKinds) {
        const Mesh mesh = unit_mesh(kind, 3);
        Mesh finer = refine(mesh);
        for (std::size_t v = 0; v < mesh.vertices.size(); ++v) EXPECT_EQ(finer.vertices[v], mesh.vertices[v]);
        // Without sharing there would be more vertices than a mesh of twice the cells has.
        EXPECT_EQ(finer.vertices.size(), unit_mesh(kind, 6).vertices.size()) << to_string(kind);
        EXPECT_TRUE(validate(finer).empty()) << to_string(kind);
        EXPECT_EQ(boundary_of(finer).facet_count(),
                  (dimension_of(kind) == 2 ? 2u : 4u) * boundary_of(mesh).facet_count());
    }
}

TEST(Refine, ASideStaysTheSide) {
    for (const CellKind kind : kAllKinds) {
        // One cell through the body: its edges and faces run from side to side through the inside.
        const Mesh mesh = unit_mesh(kind, 1), finer = refine(mesh);
        for (const auto& [name, set] : unit_mesh(kind, 2).vertex_sets)
            EXPECT_EQ(finer.vertex_sets.at(name).size(), set.size()) << to_string(kind) << " " << name;
        EXPECT_EQ(finer.vertex_sets.at("left"), vertices_in_box(finer, {0, 0, 0}, {0, 1, 1})) << to_string(kind);
    }
}

TEST(Refine, ASkinDoesNotSwallowTheInside) {
    // Few cells across: most inner edges join two vertices of the surface.
    for (const CellKind kind : kSolidKinds) {
        for (const int across : {1, 2, 3}) {
            const Mesh finer = refine(make_ball(kind, across, {}, 1.0));
            EXPECT_EQ(finer.vertex_sets.at("surface"), boundary_of(finer).vertices) << to_string(kind) << " " << across;
        }
    }
}

TEST(Refine, ARegionStaysARegion) {
    for (const CellKind kind : kAllKinds) {
        Mesh mesh = unit_mesh(kind, 4);
        mesh.vertex_sets["half"] = vertices_in_box(mesh, {0, 0, 0}, {0.5, 1, 1});
        const Mesh finer = refine(mesh);
        EXPECT_EQ(finer.vertex_sets.at("half"), vertices_in_box(finer, {0, 0, 0}, {0.5, 1, 1})) << to_string(kind);
    }
}

TEST(Refine, ASingleVertexStaysSingle) {
    Mesh mesh = unit_mesh(CellKind::hex8, 2);
    mesh.vertex_sets["tip"] = {26};
    EXPECT_EQ(refine(mesh).vertex_sets.at("tip"), IndexSet{26});
}

TEST(Refine, CellSetsGoToTheParts) {
    for (const CellKind kind : kAllKinds) {
        Mesh mesh = bent(kind);
        mesh.cell_sets["some"] = {0, 3};
        mesh.cell_sets["none"] = {};
        const Mesh finer = refine(mesh);
        double measure = 0.0;
        for (const std::int32_t c : finer.cell_sets.at("some"))
            measure += cell_measure(finer, static_cast<std::size_t>(c));
        EXPECT_NEAR(measure, cell_measure(mesh, 0) + cell_measure(mesh, 3), 1e-14) << to_string(kind);
        EXPECT_TRUE(finer.cell_sets.at("none").empty());
    }
}

TEST(Refine, TetsStayRoundHoweverOftenTheyAreCut) {
    // A fixed diagonal would flatten them a little more each time.
    const auto worst = [](const Mesh& mesh) {
        double least = 1.0;
        for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
            Vec3 x[kMaxCorners];
            gather_corners(mesh, c, x);
            double longest = 0.0;
            for (int p = 0; p < 4; ++p)
                for (int q = 0; q < p; ++q) longest = std::max(longest, norm(x[p] - x[q]));
            least = std::min(least, std::abs(cell_measure(mesh, c)) / (longest * longest * longest));
        }
        return least;
    };
    // A long tet: along its length the inner parts would be as long as itself, at an eighth of its volume.
    const Mesh needle{CellKind::tet4, {{0, 0, 0}, {0, 0.3, 0}, {3, 0, 0.3}, {3, 0.2, 0}}, {0, 2, 1, 3}, {}, {}};
    for (const std::array<std::int32_t, 4>& order :
         {std::array{0, 1, 2, 3}, std::array{0, 2, 1, 3}, std::array{0, 2, 3, 1}}) {
        Mesh one = needle;
        one.cells.assign(order.begin(), order.end());
        validate(one);  // turns it right-handed
        EXPECT_GT(worst(refine(one)), 0.5 * worst(one));
    }
    Mesh mesh = distorted_mesh(CellKind::tet4, 1, 0.2, 11);
    const double first = worst(refine(mesh));
    for (int i = 0; i < 3; ++i) mesh = refine(mesh);
    EXPECT_GT(worst(mesh), 0.7 * first);
}

TEST(RaiseOrder, SidesTakeMiddlesOfTheirOwnEdgesOnly) {
    const Mesh mesh = raise_order(make_ball(CellKind::tet4, 2, {}, 1.0));
    EXPECT_EQ(mesh.kind, CellKind::tet10);
    EXPECT_EQ(mesh.vertex_sets.at("surface"), boundary_of(mesh).vertices);
    // What it is for: to_tet10 takes inner edges between two surface vertices for part of the surface.
    EXPECT_GT(to_tet10(make_ball(CellKind::tet4, 2, {}, 1.0)).vertex_sets.at("surface").size(),
              mesh.vertex_sets.at("surface").size());
}

TEST(Refine, DamagedCellsAreRefused) {
    Mesh mesh = unit_mesh(CellKind::quad4, 1);
    mesh.cells[2] = 99;
    expect_error(Fault::bad_mesh, "a cell names vertex 99", [&] { refine(mesh); });
}

}  // namespace
}  // namespace limber::testing
