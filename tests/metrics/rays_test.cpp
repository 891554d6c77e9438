#include "metrics/rays.hpp"
#include "metrics/outlines.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace limber::test {
namespace {

struct RaySolid {
    Mesh mesh;
    Skin skin;
    std::vector<Vec3> points;
    explicit RaySolid(Mesh m) : mesh(std::move(m)), skin(make_skin(mesh)), points(on_skin(skin, mesh.vertices)) {}
    SkinShape shape() const { return {skin, points}; }
    template <class F>
    RaySolid moved(F&& f) const {
        RaySolid out = *this;
        for (Vec3& p : out.points) p = f(p);
        return out;
    }
};

std::vector<Vec3> difference(const RaySolid& a, const RaySolid& b) {
    std::vector<Vec3> d(a.points.size());
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = b.points[i] - a.points[i];
    return d;
}

constexpr CellKind kSolidKinds[] = {CellKind::tet4, CellKind::tet10, CellKind::hex8};

TEST(Skin, EnclosesTheVolumeOfItsMesh) {
    // Hex faces become four triangles around their middle: for warped faces that still is the cell's own volume.
    for (const CellKind kind : kSolidKinds) {
        const RaySolid box(make_box(kind, 3, 2, 2, {1, 2, 3}, {2, 4, 3.5}));
        EXPECT_NEAR(enclosed_volume(box.skin, box.points), 1.0, 1e-14) << to_string(kind);
    }
    Mesh warped = make_box(CellKind::hex8, 2, 2, 2, {0, 0, 0}, {1, 1, 1});
    std::mt19937 random(3);
    for (Vec3& p : warped.vertices)
        for (int k = 0; k < 3; ++k) p[k] += 0.1 * static_cast<double>(random()) / 4294967296.0;
    const RaySolid solid(warped);
    EXPECT_NEAR(enclosed_volume(solid.skin, solid.points), measure_of(warped), 1e-14);
}

TEST(Skin, ShiftedBoxSweepsItsProjectedFacesTwice) {
    const RaySolid box(make_box(CellKind::tet4, 3, 2, 2, {0, 0, 0}, {1, 2, 3}));
    const std::vector<Vec3> shift(box.points.size(), Vec3{1e-3, -2e-3, 5e-4});
    EXPECT_NEAR(swept_volume(box.skin, box.points, shift), 2 * (1e-3 * 6 + 2e-3 * 3 + 5e-4 * 2), 1e-16);
}

TEST(Skin, SignChangeInsideATriangleIsIntegratedExactly) {
    // delta . n = x - c on the top of one big box: the crossing line cuts triangles, where a mean of absolute corner
    // values is wrong.
    const RaySolid box(make_box(CellKind::hex8, 1, 1, 1, {0, 0, 0}, {1, 1, 1}));
    for (const double c : {0.25, 0.5, 0.9}) {
        std::vector<Vec3> delta;
        for (const Vec3& p : box.points)
            delta.push_back({0, p.y * (p.x - c), 0});  // only the face y = 1 moves along its normal
        EXPECT_NEAR(swept_volume(box.skin, box.points, delta), (c * c + (1 - c) * (1 - c)) / 2, 1e-15) << c;
    }
}

TEST(Rays, ShiftedBoxesDifferByTheirOverhangs) {
    // Along the shift every ray is clipped exactly and the grid fits the box: no error at all, for any ray axis chosen
    // right.
    const RaySolid box(make_box(CellKind::tet4, 2, 3, 2, {0, 0, 0}, {1, 2, 1}));
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 shift;
        shift[axis] = 0.0371;
        const RaySolid other = box.moved([&](const Vec3& p) { return p + shift; });
        EXPECT_EQ(sweep_axis(box.skin, box.points, difference(box, other)), axis);
        const RayVolume r = xor_volume(box.shape(), other.shape(), axis);
        EXPECT_NEAR(r.volume, 2 * 0.0371 * (axis == 1 ? 1 : 2), 1e-14);
        EXPECT_LT(r.error, 6e-4 * r.volume);
    }
}

TEST(Rays, LayersThinnerThanTheGridAreSeen) {
    // Faces parallel to the rays, moved by less than the distance of two rays: a plain grid sees none of it, on any
    // grid size.
    const RaySolid box(make_box(CellKind::hex8, 2, 2, 2, {0, 0, 0}, {1, 1, 1}));
    for (const double d : {1e-5, 0.003, 0.02, 0.11}) {
        const RaySolid other = box.moved([&](const Vec3& p) { return p + Vec3{d, 0.7 * d, 0.4 * d}; });
        for (int axis = 0; axis < 3; ++axis) {
            const RayVolume r = xor_volume(box.shape(), other.shape(), axis);
            EXPECT_NEAR(r.volume, 2 * (d + 0.7 * d + 0.4 * d - d * d * (0.7 + 0.4 + 0.28 - 0.28 * d)), 1e-14) << d;
            EXPECT_LT(r.error, 6e-4) << d;
        }
    }
}

TEST(Rays, ThinLayersInsideTheBoundingBoxAreSeenToo) {
    // An L along the rays: the faces of its notch are at no end of the bounding box. The outline's own measure gives
    // the truth.
    Mesh notched = make_box(CellKind::hex8, 1, 2, 2, {0, 0, 0}, {1, 1, 1});
    for (std::size_t c = 0; c < notched.cell_count(); ++c) {
        Vec3 middle;
        for (int k = 0; k < 8; ++k) middle += notched.vertices[static_cast<std::size_t>(notched.cell(c)[k])] / 8;
        if (middle.y > 0.5 && middle.z > 0.5) {
            notched.cells.erase(notched.cells.begin() + static_cast<std::ptrdiff_t>(8 * c),
                                notched.cells.begin() + static_cast<std::ptrdiff_t>(8 * c + 8));
        }
    }
    const RaySolid solid(notched);
    const Outline ell = closed({{0, 0, 0}, {1, 0, 0}, {1, 0.5, 0}, {0.5, 0.5, 0}, {0.5, 1, 0}, {0, 1, 0}});
    for (const double d : {1e-4, 3e-3, 0.04}) {
        const RaySolid other = solid.moved([&](const Vec3& p) { return p + Vec3{0, d, 0.4 * d}; });
        const RayVolume r = xor_volume(solid.shape(), other.shape(), 0);
        EXPECT_NEAR(r.volume, xor_area(ell, moved(ell, {d, 0.4 * d, 0})), 1e-14) << d;
    }
}

TEST(Rays, ObliqueFacesAlongTheRaysStayWithinTheStatedError) {
    // The same cube turned about the ray axis: its sides still graze the rays but fit no panel. Here the stated error
    // must tell.
    for (const double angle : {0.1, 0.4, std::numbers::pi / 4}) {
        const double c = std::cos(angle), s = std::sin(angle);
        const auto turn = [&](const Vec3& p) { return Vec3{p.x, c * p.y - s * p.z, s * p.y + c * p.z}; };
        const RaySolid box = RaySolid(make_box(CellKind::hex8, 2, 2, 2, {0, 0, 0}, {1, 1, 1})).moved(turn);
        for (const double d : {0.003, 0.02, 0.11}) {
            const RaySolid other = box.moved([&](const Vec3& p) { return p + turn({d, 0.7 * d, 0.4 * d}); });
            const RayVolume r = xor_volume(box.shape(), other.shape(), 0);
            const double exact = 2 * (1 - (1 - d) * (1 - 0.7 * d) * (1 - 0.4 * d));
            EXPECT_LE(std::abs(r.volume - exact), r.error) << angle << " " << d << " of " << exact;
            EXPECT_LT(r.error, 0.01) << angle << " " << d;
        }
    }
}

TEST(Rays, InflatedBallGainsItsSurfaceTimesTheStep) {
    const RaySolid ball(make_ball(CellKind::tet4, 10, {0, 0, 0}, 1.0));
    const double grow = 0.01;
    const RaySolid other = ball.moved([&](const Vec3& p) { return p * (1 + grow); });
    const double volume = enclosed_volume(ball.skin, ball.points);
    const double exact = volume * (std::pow(1 + grow, 3) - 1);  // of the polyhedron itself
    const RayVolume r = xor_volume(ball.shape(), other.shape(), 2);
    EXPECT_LE(std::abs(r.volume - exact), r.error);
    EXPECT_NEAR(r.volume, exact, 0.02 * exact);
    EXPECT_NEAR(r.volume, 4 * std::numbers::pi * grow,
                0.06 * 4 * std::numbers::pi * grow);  // ten cells across: a rough sphere
    EXPECT_NEAR(swept_volume(ball.skin, ball.points, difference(ball, other)), 3 * volume * grow, 1e-12);
}

TEST(Rays, EqualShapesDifferByExactlyZeroAndSwappingGivesTheSameBits) {
    const RaySolid ball(make_ball(CellKind::hex8, 6, {0.1, 0.2, 0.3}, 1.0));
    const RaySolid other = ball.moved([](const Vec3& p) { return Vec3{p.x + 0.05 * p.y * p.y, p.y, 1.02 * p.z}; });
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(xor_volume(ball.shape(), ball.shape(), axis).volume, 0.0);
        EXPECT_EQ(xor_volume(ball.shape(), other.shape(), axis).volume,
                  xor_volume(other.shape(), ball.shape(), axis).volume);
    }
}

TEST(Rays, RaysThroughVerticesAndEdgesAreCountedOnce) {
    // Mesh lines every 1/32 and rows of rays at odd multiples of 1/32: every row of the finest grid runs along mesh
    // edges, where a careless test counts several triangles or none.
    const RaySolid box(make_box(CellKind::tet4, 32, 32, 1, {0, 0, 0}, {1, 1, 1}));
    const RaySolid higher = box.moved([](const Vec3& p) { return Vec3{p.x, p.y, 1.25 * p.z}; });
    const RayVolume r = xor_volume(box.shape(), higher.shape(), 2, 16);
    EXPECT_NEAR(r.volume, 0.25, 1e-15);
}

TEST(Rays, EmptyAndFlatShapesHaveNoVolume) {
    const RaySolid box(make_box(CellKind::tet4, 1, 1, 1, {0, 0, 0}, {1, 1, 1}));
    const RaySolid flat = box.moved([](const Vec3& p) { return Vec3{p.x, 0, p.z}; });
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(xor_volume(flat.shape(), flat.shape(), axis).volume, 0.0);
    const Skin none;
    EXPECT_EQ(xor_volume({none, {}}, {none, {}}, 0).volume, 0.0);
    EXPECT_NEAR(xor_volume(flat.shape(), box.shape(), 1).volume, 1.0, 1e-12);
}

}  // namespace
}  // namespace limber::test
