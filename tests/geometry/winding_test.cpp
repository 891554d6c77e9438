#include "geometry/winding.hpp"
#include "geometry/surface_shapes.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace testing;

Vec3 random_point(std::mt19937& random, double size) {
    std::uniform_real_distribution<double> u(-size, size);
    return {u(random), u(random), u(random)};
}

TEST(Winding, OfAClosedSurfaceIsOneInsideAndZeroOutside) {
    const WindingNumber w(ball());
    for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{0.3, 0.2, -0.1}, Vec3{0, 0.47, 0}})
        EXPECT_NEAR(w.exact_at(p), 1.0, 1e-12);
    for (const Vec3& p : {Vec3{0.6, 0, 0}, Vec3{3, 4, 5}}) EXPECT_NEAR(w.exact_at(p), 0.0, 1e-12);
}

TEST(Winding, ByClustersStaysWithinItsStatedError) {
    // Moments with a wrong sign or a transposed quadrupole would be off by a tenth and more.
    for (const Triangles& t : {ball(0.5, 16), torus(), soup(torus())}) {
        const WindingNumber w(t);
        std::mt19937 random(3);
        for (int i = 0; i < 400; ++i) {
            const Vec3 p = random_point(random, 0.8);
            EXPECT_NEAR(w.at(p), w.exact_at(p), 0.03);
        }
    }
}

TEST(Winding, OfAPiercedSurfaceStillTellsInsideFromOutside) {
    Triangles t = ball(0.5, 16);
    pierce(t, {0.5, 0, 0}, 0.12);
    const WindingNumber w(t);
    EXPECT_TRUE(w.inside({0, 0, 0}));
    EXPECT_TRUE(w.inside({0.4, 0, 0}));
    EXPECT_FALSE(w.inside({0.62, 0, 0}));
}

TEST(Winding, OfNothingIsZero) {
    EXPECT_EQ(WindingNumber(Triangles{}).at({0, 0, 0}), 0.0);
    Triangles flat;
    flat.vertices = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    flat.corners = {{0, 1, 2}};
    EXPECT_EQ(WindingNumber(flat).at({0, 0, 0}), 0.0);
    EXPECT_EQ(WindingNumber(flat).at({1, 0, 0}), 0.0);
}

}  // namespace
}  // namespace limber
