#include "playback/principal_shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace limber {
namespace {

using Field = std::vector<Vec3>;

Field random_field(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> in(-1, 1);
    Field out(n);
    for (Vec3& v : out) v = {in(random), in(random), in(random)};
    return out;
}

std::vector<Field> mixed(std::size_t frames, const std::vector<Field>& shapes) {
    std::vector<Field> out;
    for (std::size_t f = 0; f < frames; ++f) {
        Field u(shapes[0].size());
        for (std::size_t k = 0; k < shapes.size(); ++k) {
            for (std::size_t v = 0; v < u.size(); ++v) {
                u[v] += std::sin(0.3 * static_cast<double>((f + 1) * (k + 1))) / static_cast<double>(k + 1) *
                        shapes[k][v];
            }
        }
        out.push_back(std::move(u));
    }
    return out;
}

double worst_of(const std::vector<Field>& frames, const PrincipalShapes& p) {
    double worst = 0.0;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        for (std::size_t v = 0; v < frames[f].size(); ++v) {
            Vec3 u = frames[f][v];
            for (std::size_t k = 0; k < p.shapes.size(); ++k) u -= p.weights[f][k] * p.shapes[k][v];
            worst = std::max(worst, norm(u));
        }
    }
    return worst;
}

TEST(PrincipalShapes, GiveFramesOfThreeShapesBackWithThree) {
    // 500 frames: more than the basis is made of, so those left out must be met as well.
    const std::vector<Field> frames = mixed(500, {random_field(90, 1), random_field(90, 2), random_field(90, 3)});
    const PrincipalShapes p = principal_shapes(frames, 32, 1e-9);
    EXPECT_EQ(p.shapes.size(), 3u);
    EXPECT_LT(worst_of(frames, p), 1e-9 * p.largest);
    for (const auto& w : p.weights)
        for (const double x : w) EXPECT_LE(std::abs(x), 1.0);
}

TEST(PrincipalShapes, StateTheErrorTheyHave) {
    const std::vector<Field> frames = mixed(
        60, {random_field(50, 1), random_field(50, 2), random_field(50, 3), random_field(50, 4)});
    for (const std::size_t most : {1u, 2u, 3u}) {
        const PrincipalShapes p = principal_shapes(frames, most, 0.0);
        EXPECT_EQ(p.shapes.size(), most);
        EXPECT_NEAR(p.worst, worst_of(frames, p), 1e-12);
        EXPECT_GT(p.worst, 1e-3 * p.largest);
        EXPECT_LE(p.rms, p.worst);
    }
}

TEST(PrincipalShapes, OfNothingThatMovesAreNone) {
    const PrincipalShapes p = principal_shapes(std::vector<Field>(5, Field(4)), 8, 1e-3);
    EXPECT_TRUE(p.shapes.empty());
    EXPECT_EQ(p.worst, 0.0);
    EXPECT_TRUE(principal_shapes({}, 8, 1e-3).shapes.empty());
}

TEST(PrincipalShapes, AreFoundWhereSquaresOverflowOrVanish) {
    const std::vector<Field> plain = mixed(12, {random_field(40, 1), random_field(40, 2)});
    const PrincipalShapes wanted = principal_shapes(plain, 5, 0.0);
    for (const double size : {0x1p-700, 0x1p-300, 0x1p300, 0x1p900}) {
        std::vector<Field> frames = plain;
        for (Field& f : frames)
            for (Vec3& u : f) u *= size;
        const PrincipalShapes p = principal_shapes(frames, 5, 0.0);
        ASSERT_EQ(p.shapes.size(), wanted.shapes.size()) << size;
        EXPECT_NEAR(p.largest / size, wanted.largest, 1e-12 * wanted.largest) << size;
        PrincipalShapes back = p;  // powers of two: as if nothing had been scaled
        for (Field& shape : back.shapes)
            for (Vec3& u : shape) u *= 1.0 / size;
        EXPECT_LT(worst_of(plain, back), 1e-9) << size;
    }
}

}  // namespace
}  // namespace limber
