#include "render/glyphs.hpp"

#include "render/picture_tools.hpp"

#include <functional>
#include <map>

namespace limber {

using namespace pictures;

namespace {

double volume_of(const DrawMesh& mesh) {
    double sum = 0.0;
    for (const auto& t : mesh.topology->triangles) {
        const auto point = [&](std::size_t k) {
            return mesh.positions[static_cast<std::size_t>(mesh.topology->vertex[static_cast<std::size_t>(t[k])])];
        };
        sum += dot(point(0), cross(point(1), point(2))) / 6.0;
    }
    return sum;
}

}  // namespace

TEST(Glyphs, FaceOutwardsAndHaveNormalsOfLengthOneOnTheSameSide) {
    // Turned inside out they would still be lit, but cast their shadows and hide behind each other wrongly.
    const std::map<std::string, std::function<void(Glyphs&)>> kinds{
        {"bone",
         [](Glyphs& g) {
             g.bone({0.1, 0.2, 0.3}, {1.0, 1.4, 0.2}, 0.3);
         }},
        {"anchor",
         [](Glyphs& g) {
             g.anchor({0.5, 0.0, 0.0}, {0.0, -2.0, 1.0}, 0.4);
         }},
        {"handle",
         [](Glyphs& g) {
             g.handle({0.5, 0.1, 0.0}, 0.4);
         }},
        {"arrow",
         [](Glyphs& g) {
             g.arrow({0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, 0.1);
         }},
        {"sphere",
         [](Glyphs& g) {
             g.sphere({1.0, 2.0, 3.0}, 0.5);
         }},
        {"capsule",
         [](Glyphs& g) {
             g.capsule({0.0, 0.0, 0.0}, {0.0, 0.0, 2.0}, 0.5);
         }},
        {"box", [](Glyphs& g) {
             g.box({1.0, 0.0, 0.0}, {0.1, 0.2, 0.3}, from_rotation_vector({0.3, 0.2, 0.1}));
         }}};
    for (const auto& [name, add] : kinds) {
        Glyphs glyphs;
        add(glyphs);
        const DrawMesh mesh = glyphs.mesh();
        EXPECT_NO_THROW(check(mesh));
        EXPECT_GT(volume_of(mesh), 0.0) << name;
        for (const auto& t : mesh.topology->triangles) {
            Vec3 p[3], n;
            for (std::size_t k = 0; k < 3; ++k) {
                const auto c = static_cast<std::size_t>(t[k]);
                p[k] = mesh.positions[static_cast<std::size_t>(mesh.topology->vertex[c])];
                const Vec3& corner_normal = mesh.normals[static_cast<std::size_t>(mesh.topology->normal[c])];
                EXPECT_NEAR(norm(corner_normal), 1.0, 1e-9) << name;
                n += corner_normal;
            }
            EXPECT_GE(dot(cross(p[1] - p[0], p[2] - p[0]), n), 0.0) << name;
        }
    }
}

TEST(Glyphs, SolidsHaveTheSizeTheyAreGiven) {
    Glyphs ball, capsule, box, arrow;
    ball.sphere({1.0, 2.0, 3.0}, 0.5);
    EXPECT_NEAR(volume_of(ball.mesh()), 4.0 / 3.0 * kPi * 0.125, 0.01 * kPi * 0.125 * 4.0 / 3.0 * 1.5);
    capsule.capsule({0.0, 0.0, 0.0}, {0.0, 0.0, 2.0}, 0.5);
    EXPECT_NEAR(volume_of(capsule.mesh()), 4.0 / 3.0 * kPi * 0.125 + kPi * 0.25 * 2.0, 0.03);
    box.box({1.0, 0.0, 0.0}, {0.1, 0.2, 0.3}, from_rotation_vector({0.3, 0.2, 0.1}));
    EXPECT_NEAR(volume_of(box.mesh()), 8.0 * 0.1 * 0.2 * 0.3, 1e-12);
    arrow.arrow({0.0, 0.0, 0.0}, {0.0, 3.0, 0.0}, 0.1);
    const DrawBox around = box_of(arrow.mesh());
    EXPECT_NEAR(around.low.y, 0.0, 1e-12);
    EXPECT_NEAR(around.high.y, 3.0, 1e-12);
}

TEST(Glyphs, OnesWithoutASizeAreLeftOut) {
    Glyphs glyphs;
    const double nan = std::nan("");
    glyphs.bone({1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}, 0.1);
    glyphs.arrow({0.0, 0.0, 0.0}, {nan, 0.0, 0.0}, 0.1);
    glyphs.anchor({0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.1);
    glyphs.sphere({0.0, 0.0, 0.0}, 0.0);
    glyphs.handle({0.0, 0.0, 0.0}, -1.0);
    glyphs.plane({0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, nan);
    glyphs.box({0.0, 0.0, 0.0}, {1.0, 0.0, 1.0});
    EXPECT_TRUE(glyphs.empty());
    EXPECT_NO_THROW(check(glyphs.mesh()));
}

}  // namespace limber
