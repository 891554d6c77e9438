#include <limber/body.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

BodyDescription cube(double scale = 1.0, Vec3 at = {}) {
    BodyDescription d;
    d.mesh = make_box(CellKind::tet4, 1, 1, 1, at, at + Vec3{scale, scale, scale});
    d.materials = {{"", Material{}}};
    return d;
}

Support support_with(BodyDescription d, std::vector<Anchor> anchors) {
    d.anchors = std::move(anchors);
    return Body::make(d)->support();
}

IndexSet corner(const Mesh& mesh, Vec3 p) { return vertices_in_box(mesh, p, p); }

TEST(Support, OfACubeByCornersIsWhatMechanicsSays) {
    const BodyDescription d = cube();
    const IndexSet a = corner(d.mesh, {0, 0, 0}), b = corner(d.mesh, {1, 0, 0}), c = corner(d.mesh, {0, 1, 0});
    EXPECT_EQ(support_with(d, {}), Support::free);
    EXPECT_EQ(support_with(d, {{"a", a, {}}}), Support::partial);                // a ball joint
    EXPECT_EQ(support_with(d, {{"a", a, {}}, {"b", b, {}}}), Support::partial);  // a hinge: 5 of 6
    EXPECT_EQ(support_with(d, {{"a", a, {}}, {"b", b, {}}, {"c", c, {}}}), Support::held);
    // The classic 3-2-1: exactly six components, and no more.
    EXPECT_EQ(support_with(d, {{"a", a, {}}, {"b", b, {false, true, true}}, {"c", c, {false, false, true}}}),
              Support::held);
    // Six components again, but badly placed: nothing stops the turn about x.
    EXPECT_EQ(support_with(d, {{"a", a, {}}, {"b", b, {}}}), Support::partial);
}

TEST(Support, RollersOnThreeFacesHoldABox) {
    BodyDescription d = cube();
    EXPECT_EQ(support_with(d, {{"x", d.mesh.vertex_sets.at("left"), {true, false, false}},
                               {"y", d.mesh.vertex_sets.at("bottom"), {false, true, false}},
                               {"z", d.mesh.vertex_sets.at("back"), {false, false, true}}}),
              Support::held);
    EXPECT_EQ(support_with(d, {{"x", d.mesh.vertex_sets.at("left"), {true, false, false}},
                               {"y", d.mesh.vertex_sets.at("bottom"), {false, true, false}}}),
              Support::partial);
}

TEST(Support, DoesNotDependOnSizeOrPlace) {
    // A rank with an absolute tolerance, or about the origin, fails on a micrometre or a kilometre away.
    for (const double scale : {1e-6, 1e-3, 1e4}) {
        for (const Vec3 at : {Vec3{0, 0, 0}, Vec3{100 * scale, -50 * scale, 7 * scale}}) {
            const BodyDescription d = cube(scale, at);
            EXPECT_EQ(support_with(d, {{"wall", d.mesh.vertex_sets.at("left"), {}}}), Support::held) << scale;
            const IndexSet edge = vertices_in_box(d.mesh, at, at + Vec3{scale, 0, 0});
            EXPECT_EQ(support_with(d, {{"edge", edge, {}}}), Support::partial) << scale;
        }
    }
}

TEST(Support, HandlesCountLikeAnchors) {
    BodyDescription d = cube();
    d.handles = {{"grip", d.mesh.vertex_sets.at("right"), {}, {}}};
    EXPECT_EQ(Body::make(d)->support(), Support::held);
}

TEST(Support, InThePlaneThereAreThreeWays) {
    BodyDescription d;
    d.mesh = make_grid(CellKind::tri3, 1, 1, {0, 0, 0}, {1, 1, 0});
    d.materials = {{"", Material{}}};
    const IndexSet a = corner(d.mesh, {0, 0, 0}), b = corner(d.mesh, {1, 0, 0});
    EXPECT_EQ(support_with(d, {}), Support::free);
    EXPECT_EQ(support_with(d, {{"a", a, {}}}), Support::partial);
    EXPECT_EQ(support_with(d, {{"a", a, {}}, {"b", b, {true, false, false}}}),
              Support::partial);  // along the line ab: no lever
    EXPECT_EQ(support_with(d, {{"a", a, {}}, {"b", b, {false, true, false}}}), Support::held);
}

Mesh two_cubes() {
    Mesh mesh = make_box(CellKind::hex8, 1, 1, 1, {0, 0, 0}, {1, 1, 1});
    const Mesh other = make_box(CellKind::hex8, 1, 1, 1, {3, 0, 0}, {4, 1, 1});
    for (const std::int32_t v : other.cells) mesh.cells.push_back(v + 8);
    mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
    mesh.vertex_sets.clear();
    return mesh;
}

TEST(Support, EveryPartNeedsItsOwn) {
    // Counted over the whole mesh, one held part would hide one that drifts away.
    BodyDescription d;
    d.mesh = two_cubes();
    d.materials = {{"", Material{}}};
    EXPECT_EQ(support_with(d, {}), Support::free);
    d.anchors = {{"first", {0, 1, 2, 3}, {}}};
    const auto body = Body::make(d);
    EXPECT_EQ(body->support(), Support::partial);
    const MeshFinding& warning = body->findings().back();
    EXPECT_EQ(warning.kind, MeshFinding::Kind::disconnected_parts);
    EXPECT_EQ(warning.severity, MeshFinding::Severity::warning);
    EXPECT_EQ(warning.first, 8u);
    EXPECT_NE(warning.message.find("1 of 2"), std::string::npos) << warning.message;
    EXPECT_EQ(support_with(d, {{"first", {0, 1, 2, 3}, {}}, {"second", {8, 9, 10, 11}, {}}}), Support::held);
}

TEST(Support, VerticesOfNoCellDoNotHoldAnything) {
    BodyDescription d = cube();
    d.mesh.vertices.insert(d.mesh.vertices.end(), {{0, 0, 5}, {1, 0, 5}, {0, 1, 5}});
    EXPECT_EQ(support_with(d, {{"ghosts", {8, 9, 10}, {}}}), Support::free);
}

}  // namespace
}  // namespace limber
