// Cells chosen one by one easily hang together by an edge or a point: no solid, but a hinge without stiffness.
#include "rig/flesh_cells.hpp"

#include "geometry/tet_neighbours.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

/// A cube of eight octants; flesh is where `chosen` says, by the octant's place (0 or 1 along each axis).
struct Octants {
    Mesh mesh = make_box(CellKind::tet4, 4, 4, 4, {0, 0, 0}, {2, 2, 2});
    std::vector<std::array<std::int32_t, 4>> neighbours = tet_neighbours(mesh);
    CellLabels label = CellLabels(mesh.cell_count(), kRest);

    template <class Chosen>
    explicit Octants(const Chosen& chosen) {
        for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
            Vec3 middle;
            for (int k = 0; k < 4; ++k) middle += mesh.vertices[static_cast<std::size_t>(mesh.cell(c)[k])] * 0.25;
            if (chosen(middle.x > 1, middle.y > 1, middle.z > 1)) label[c] = kFlesh;
        }
    }
    LabelledCells cells() { return {mesh, neighbours, label}; }
    double flesh() const {
        double sum = 0.0;
        for (std::size_t c = 0; c < label.size(); ++c) sum += label[c] == kFlesh ? cell_measure(mesh, c) : 0.0;
        return sum;
    }
    bool uses(const Vec3& position) const {
        for (std::size_t c = 0; c < label.size(); ++c) {
            for (int k = 0; label[c] == kFlesh && k < 4; ++k)
                if (norm(mesh.vertices[static_cast<std::size_t>(mesh.cell(c)[k])] - position) < 1e-9) return true;
        }
        return false;
    }
};

TEST(FleshCells, ProperSolidsStayAsTheyAre) {
    Octants whole([](bool, bool, bool) { return true; }), slab([](bool x, bool, bool) { return x; }),
        corner([](bool x, bool y, bool z) { return !(x && y && z); });
    for (Octants* o : {&whole, &slab, &corner}) {
        const double before = o->flesh();
        EXPECT_EQ(remove_pinches(o->cells()), 0u);
        EXPECT_EQ(o->flesh(), before);
    }
}

TEST(FleshCells, WhatMeetsInAnEdgeOrAPointIsParted) {
    // Two octants that share an edge, and two that share the middle only. Cells at the place go; the rest of both
    // stays, in two pieces.
    Octants edge([](bool x, bool y, bool z) { return x == y && !z; }),
        point([](bool x, bool y, bool z) { return x == y && y == z; });
    for (Octants* o : {&edge, &point}) {
        const double before = o->flesh();
        EXPECT_GT(remove_pinches(o->cells()), 0u);
        EXPECT_LT(o->flesh(), before);
        EXPECT_GT(o->flesh(), 0.5 * before);
        EXPECT_EQ(remove_pinches(o->cells()), 0u);
        std::size_t dropped = 0;
        EXPECT_EQ(keep_pieces(o->cells(), 0.01, dropped), 2u);
        EXPECT_EQ(dropped, 0u);
    }
}

TEST(FleshCells, AnOutsideThatTouchesItselfInAPointIsOpenedThere) {
    // All but two opposite octants: the flesh is in one piece, but its outside comes to the middle from both sides.
    Octants o([](bool x, bool y, bool z) { return !(x == y && y == z); });
    ASSERT_TRUE(o.uses({1, 1, 1}));
    EXPECT_GT(remove_pinches(o.cells()), 0u);
    EXPECT_FALSE(o.uses({1, 1, 1}));
    EXPECT_EQ(remove_pinches(o.cells()), 0u);
}

TEST(FleshCells, CrumbsGoToTheRest) {
    Octants o([](bool x, bool, bool) { return x; });
    o.label[0] = kFlesh;  // far from the slab
    std::size_t dropped = 0;
    EXPECT_EQ(keep_pieces(o.cells(), 0.01, dropped), 1u);
    EXPECT_EQ(dropped, 1u);
    EXPECT_EQ(o.label[0], kRest);
}

}  // namespace
}  // namespace limber
