#include "expect_error.hpp"
#include "geometry/surface_shapes.hpp"

#include <limber/error.hpp>
#include <limber/tools/solid.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace testing;

Mesh cage_of(const Triangles& t, int across, CellKind kind = CellKind::hex8) {
    const NamedSurface s{"", to_surface(t)};
    Progress progress;
    return make_cage(std::span(&s, 1), {across, kind}, progress);
}

bool within_a_hex(const Mesh& cage, const Vec3& p) {
    for (std::size_t c = 0; c < cage.cell_count(); ++c) {
        const Vec3 &low = cage.vertices[static_cast<std::size_t>(cage.cell(c)[0])],
                   &high = cage.vertices[static_cast<std::size_t>(cage.cell(c)[6])];
        bool in = true;
        for (int a = 0; a < 3; ++a) in = in && p[a] >= low[a] - 1e-9 && p[a] <= high[a] + 1e-9;
        if (in) return true;
    }
    return false;
}

TEST(Cage, HoldsTheSurfaceAndTheInside) {
    for (const Triangles& t : {ball(), torus(), cube()}) {
        const Mesh cage = cage_of(t, 6);
        for (std::size_t i = 0; i < t.size(); ++i) {
            EXPECT_TRUE(within_a_hex(cage, t.centroid(i)));
            EXPECT_TRUE(within_a_hex(cage, t.at(i, 0)));
        }
        EXPECT_GE(measure_of(cage), enclosed_volume(t) - 1e-12);
        Mesh copy = cage;
        EXPECT_TRUE(validate(copy).empty());
    }
}

TEST(Cage, LeavesOutCubesThatNothingTouches) {
    // Eight corners of the box around a ball are empty at six cubes across; all of them would be the box itself.
    EXPECT_LT(cage_of(ball(), 6).cell_count(), 216u);
    EXPECT_GT(cage_of(ball(), 6).cell_count(), 113u);  // pi / 6 of 216, and more at the surface
    EXPECT_EQ(cage_of(cube(), 4).cell_count(), 64u);
    EXPECT_EQ(cage_of(cube(), 1).cell_count(), 1u);
}

TEST(Cage, OfTetrahedraFillsTheSameCubes) {
    const Mesh hexes = cage_of(torus(), 8), tets = cage_of(torus(), 8, CellKind::tet4);
    EXPECT_EQ(tets.cell_count(), 6 * hexes.cell_count());
    EXPECT_NEAR(measure_of(tets), measure_of(hexes), 1e-12);
    Mesh copy = tets;
    EXPECT_TRUE(validate(copy).empty());
}

TEST(Cage, NeedsNoInside) {
    // A sheet encloses nothing, yet a cage around it makes sense.
    Triangles sheet;
    sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    sheet.corners = {{0, 1, 2}, {0, 2, 3}};
    sheet.face = {0, 1};
    EXPECT_EQ(cage_of(sheet, 3).cell_count(), 9u);
    expect_error(Fault::bad_usage, "cells across", [&] { cage_of(sheet, 0); });
    expect_error(Fault::bad_usage, "make_cage: cells of kind tet10", [&] { cage_of(sheet, 3, CellKind::tet10); });
    expect_error(Fault::bad_mesh, "no face with area among 0", [&] { cage_of(Triangles{}, 3); });
}

}  // namespace
}  // namespace limber
