#include "dyrt/skin_stretch.hpp"

#include "dyrt_fixtures.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

/// A strip of skin along x with `count` quads of 1 x 1 m.
Rig strip(int count) {
    Rig rig;
    SkinPart skin;
    for (int i = 0; i <= count; ++i)
        for (int j = 0; j < 2; ++j) skin.positions.push_back({static_cast<double>(i), static_cast<double>(j), 0.0});
    for (std::int32_t i = 0; i < 2 * count; i += 2) {
        skin.triangles.push_back({i, i + 2, i + 3});
        skin.triangles.push_back({i, i + 3, i + 1});
    }
    rig.parts = {skin};
    return rig;
}

/// One oscillator that moves vertices with x >= 1 by `move(x)`.
template <class Move>
DyrtPart moved(const Rig& rig, Move move) {
    DyrtPart out;
    out.omega = {1.0};
    for (std::size_t v = 0; v < rig.parts[0].positions.size(); ++v) {
        const Vec3& p = rig.parts[0].positions[v];
        if (p.x < 1.0) continue;
        out.vertices.push_back({0, static_cast<std::int32_t>(v), p, {}});
        out.displacements.push_back(move(p.x));
    }
    return out;
}

DyrtTrack track(std::vector<double> amplitudes) {
    DyrtTrack out;
    out.times.resize(amplitudes.size());
    out.amplitudes = std::move(amplitudes);
    return out;
}

TEST(SkinStretch, IsTheGradientOfAnEvenStretchWhateverItsSign) {
    const Rig rig = strip(40);
    const DyrtPart part = moved(rig, [](double x) { return Vec3{0.3 * x, 0.0, 0.0}; });
    const SkinEdges edges(rig, part);
    EXPECT_NEAR(edges.largest_change(part, track({0.1, -2.0, 1.0})), 0.6, 1e-12);
    EXPECT_EQ(edges.largest_change(part, track({0.0})), 0.0);
}

TEST(SkinStretch, RigidMotionChangesOnlyTheRim) {
    // 3 of the edges touch the rim (two along x and a diagonal): of 20 quads they are more than 2 %, of 260 less.
    const auto all = [](double) { return Vec3{0.0, 0.0, 5.0}; };
    const Rig few = strip(20), many = strip(260);
    EXPECT_NEAR(SkinEdges(few, moved(few, all)).largest_change(moved(few, all), track({1.0})), 5.0 / std::sqrt(2.0),
                1e-12);
    EXPECT_EQ(SkinEdges(many, moved(many, all)).largest_change(moved(many, all), track({1.0})), 0.0);
}

TEST(SkinStretch, ManyEdgesAreLookedAtInPart) {
    const Rig rig = strip(20000);
    const DyrtPart part = moved(rig, [](double x) { return Vec3{0.0, 0.25 * x, 0.0}; });
    EXPECT_NEAR(SkinEdges(rig, part).largest_change(part, track({1.0})), 0.25, 1e-12);
}

TEST(SkinStretch, APartWithoutEdgesDoesNotMove) {
    Rig rig = strip(3);
    rig.parts[0].triangles.clear();
    const DyrtPart part = moved(rig, [](double x) { return Vec3{x, 0.0, 0.0}; });
    EXPECT_EQ(SkinEdges(rig, part).largest_change(part, track({1.0})), 0.0);
}

}  // namespace
}  // namespace limber
