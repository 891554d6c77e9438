#include <limber/scene.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

std::shared_ptr<const Body> body_of(CellKind kind, double poisson, Plane plane = Plane::strain) {
    Scene scene;
    BodySpec body;
    const bool planar = dimension_of(kind) == 2;
    body.mesh.generator.shape = planar ? MeshGenerator::Shape::grid : MeshGenerator::Shape::box;
    body.mesh.generator.kind = kind;
    body.plane = plane;
    Material material;
    material.poisson = poisson;
    body.materials.push_back({"*", material});
    body.anchors.push_back({"wall", "left", {}});
    scene.bodies.push_back(body);
    return make_body(scene);
}

TEST(Locking, PlainLinearCellsOfNearlyIncompressibleMaterialAreNamedWithTheirNumbers) {
    for (const CellKind kind : {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::hex8}) {
        const auto risks = locking_risks(*body_of(kind, 0.495), true);
        ASSERT_EQ(risks.size(), 1u) << to_string(kind);
        // kappa/mu = 2 (1 + nu) / (3 (1 - 2 nu)) = 2.99 / 0.03
        EXPECT_NEAR(risks[0].stiffening, 2.99 / 0.03, 1e-9);
        EXPECT_NE(risks[0].message.find("0.495"), std::string::npos);
        EXPECT_NE(risks[0].message.find("99.7"), std::string::npos);
        EXPECT_NE(risks[0].message.find(to_string(kind)), std::string::npos);
    }
}

TEST(Locking, TheRuleStartsAtPoissonRatio45) {
    EXPECT_TRUE(locking_risks(*body_of(CellKind::hex8, 0.449), true).empty());
    EXPECT_EQ(locking_risks(*body_of(CellKind::hex8, 0.45), true).size(), 1u);
}

TEST(Locking, BbarQuadraticCellsAndPlaneStressDoNotLock) {
    EXPECT_TRUE(locking_risks(*body_of(CellKind::hex8, 0.495), false).empty());
    EXPECT_TRUE(locking_risks(*body_of(CellKind::tet10, 0.495), true).empty());
    EXPECT_TRUE(locking_risks(*body_of(CellKind::quad4, 0.495, Plane::stress), true).empty());
    // The plane of a solid means nothing, so it must not hide the risk.
    EXPECT_EQ(locking_risks(*body_of(CellKind::hex8, 0.495, Plane::stress), true).size(), 1u);
}

}  // namespace
}  // namespace limber
