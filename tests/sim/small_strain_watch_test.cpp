#include "sim/small_strain_watch.hpp"

#include "core/rotation.hpp"
#include "sim/fake_method.hpp"

#include <limber/mesh.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

std::shared_ptr<const Body> watched_bar(bool held) {
    BodyDescription d;
    d.mesh = make_box(CellKind::hex8, 8, 2, 2, {}, {1.0, 0.2, 0.2});
    d.materials = {{"", Material{}}};
    if (held) {
        IndexSet left;
        for (std::size_t v = 0; v < d.mesh.vertices.size(); ++v)
            if (d.mesh.vertices[v].x < 1e-9) left.push_back(static_cast<std::int32_t>(v));
        d.anchors = {{"wall", left, {}}};
    }
    return Body::make(std::move(d));
}

/// As a rigid body turned about z, or sheared as far by small strain.
std::vector<Vec3> turned(const Body& body, double angle, bool small_strain) {
    const Mat3 r = to_matrix(from_rotation_vector({0.0, 0.0, angle}));
    std::vector<Vec3> out;
    for (const Vec3& x : body.mesh().vertices)
        out.push_back(small_strain ? cross(Vec3{0.0, 0.0, angle}, x) : r * x - x);
    return out;
}

std::string warning_text(const char* method, bool held, double angle, bool small_strain) {
    register_fake();
    const auto body = watched_bar(held);
    SmallStrainWatch watch(require_method(method), *body, false);
    watch.look(turned(*body, angle, small_strain), 0.5);
    return watch.words();
}

TEST(SmallStrainWatch, TellsWhereCellsTurnMoreThanSmallStrainTakes) {
    EXPECT_EQ(warning_text("linear_fem", true, 0.3, true), "");
    const std::string words = warning_text("linear_fem", true, 0.9, true);
    EXPECT_NE(words.find("linear_fem"), std::string::npos) << words;
    EXPECT_NE(words.find("corotational"), std::string::npos) << words;
    EXPECT_EQ(warning_text("corotational", true, 0.9, true), "");
}

TEST(SmallStrainWatch, AFreeBodyMayTurnButNotSwell) {
    EXPECT_EQ(warning_text("linear_fem", false, 2.0, false), "");
    EXPECT_NE(warning_text("linear_fem", false, 2.0, true), "");
}

}  // namespace
}  // namespace limber
