#include "geometry/solid_torn.hpp"
#include "geometry/surface_shapes.hpp"
#include "geometry/triangles.hpp"

#include <limber/tools/solid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kCell = 0.2;
const Box3 kBox{{-1.6, -0.6, -0.6}, {1.6, 0.6, 0.6}};

bool in_ball(const Vec3& p, double x, double radius) { return norm(p - Vec3{x, 0, 0}) < radius; }

bool in_rod(const Vec3& p, double radius) { return std::abs(p.x) < 1.0 && std::hypot(p.y - 0.03, p.z - 0.04) < radius; }

TornParts fall_apart(const InsideTest& inside) {
    Progress progress;
    const Mesh mesh = stuff(inside, kBox, kCell, progress);
    return torn_parts(mesh, 1e-3, inside, kCell, progress);
}

TEST(TornParts, BallsOnAThinRodAreOnePiece) {
    // A rod of half a cell's thickness: no lattice of such cells follows it, and a walk does.
    const TornParts parts = fall_apart(
        [](const Vec3& p) { return in_ball(p, -1, 0.5) || in_ball(p, 1, 0.3) || in_rod(p, 0.05); });
    ASSERT_GE(parts.volume.size(), 2u) << "the rod held: take a thinner one";
    const auto largest = std::max_element(parts.volume.begin(), parts.volume.end()) - parts.volume.begin();
    EXPECT_FALSE(parts.torn[static_cast<std::size_t>(largest)]);
    const double small = std::pow(0.3, 3), large = std::pow(0.5, 3);
    EXPECT_NEAR(parts.share, small / (small + large), 0.05);
}

TEST(TornParts, BallsWithoutARodAreTwoPieces) {
    const TornParts parts = fall_apart([](const Vec3& p) { return in_ball(p, -1, 0.5) || in_ball(p, 1, 0.3); });
    EXPECT_EQ(parts.volume.size(), 2u);
    EXPECT_EQ(parts.share, 0.0);
}

TEST(TornParts, AGapNarrowerThanAStepParts) {
    // Two blocks, and shapes in which they are one, or parted by a tenth of a step half-way between two layers of the
    // walk's grid.
    Progress progress;
    const auto in_bar = [](const Vec3& p) { return std::abs(p.x) < 1 && std::abs(p.y) < 0.5 && std::abs(p.z) < 0.5; };
    const Mesh mesh = stuff([&](const Vec3& p) { return in_bar(p) && std::abs(p.x) > 0.3; }, kBox, kCell, progress);
    const double step = kCell / 3, first = box_of(mesh.vertices).low.x - kCell,
                 at = first + step * (std::round(-first / step) + 0.5);
    EXPECT_EQ(
        torn_parts(
            mesh, 1e-3, [&](const Vec3& p) { return in_bar(p) && std::abs(p.x - at) > 0.05 * step; }, kCell, progress)
            .share,
        0.0);
    EXPECT_GT(torn_parts(mesh, 1e-3, in_bar, kCell, progress).share, 0.4);
}

TEST(TornParts, SolidsOfThinLimbsAreOnePart) {
    // A ball with six arms about as thick as the cells that were asked for.
    Triangles shape = testing::ball(1.0);
    for (int a = 0; a < 3; ++a) {
        for (const double side : {-1.0, 1.0}) {
            Vec3 low{-0.1, -0.1, -0.1}, high{0.1, 0.1, 0.1};
            low[a] = side < 0 ? -3.0 : 0.5;
            high[a] = side < 0 ? -0.5 : 3.0;
            testing::append(shape, testing::boundary_triangles(make_box(CellKind::tet4, 1, 1, 1, low, high)));
        }
    }
    for (const int cells : {1000, 2000, 4000}) {
        const NamedSurface s{"", testing::to_surface(shape)};
        SolidSettings settings;
        settings.cells = cells;
        Progress progress;
        const Solid solid = make_solid(std::span(&s, 1), settings, progress);
        EXPECT_EQ(solid.parts, 1u) << cells;
        EXPECT_LT(solid.mesh.cell_count(), 5u * static_cast<std::size_t>(cells));
    }
}

}  // namespace
}  // namespace limber
