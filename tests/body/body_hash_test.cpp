#include <limber/body.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace limber {
namespace {

BodyDescription hashed_plate() {
    BodyDescription d;
    d.mesh = make_grid(CellKind::quad4, 2, 1, {0, 0, 0}, {2, 1, 0});
    d.mesh.cell_sets = {{"one", {0}}};
    d.materials = {{"one", Material{}}, {"", Material{"other", 2e5, 0.2, 900, 0.1, 0.2}}};
    d.anchors = {{"wall", {0, 3}, {}}};
    d.handles = {{"grip", {2, 5}, {}, {2, 0.5, 0}}};
    return d;
}

TEST(BodyHash, ChangesWithEverythingPhysicsDependsOn) {
    // A forgotten field would let a saved deformer run on a body it was not made for.
    const std::vector<std::function<void(BodyDescription&)>> changes{
        [](BodyDescription&) {},
        [](BodyDescription& d) { d.mesh.vertices[4].y += 1e-12; },
        [](BodyDescription& d) { std::rotate(d.mesh.cells.begin(), d.mesh.cells.begin() + 4, d.mesh.cells.end()); },
        [](BodyDescription& d) { d.plane = Plane::stress; },
        [](BodyDescription& d) { d.thickness = 2.0; },
        [](BodyDescription& d) { d.materials[0].material.young *= 2; },
        [](BodyDescription& d) { d.materials[0].material.poisson = 0.1; },
        [](BodyDescription& d) { d.materials[1].material.density = 1; },
        [](BodyDescription& d) { d.materials[1].material.rayleigh_alpha = 3; },
        [](BodyDescription& d) { d.materials[1].material.rayleigh_beta = 3; },
        [](BodyDescription& d) { d.mesh.cell_sets["one"] = {1}; },
        [](BodyDescription& d) { d.anchors[0].vertices = {0}; },
        [](BodyDescription& d) { d.anchors[0].axes.y = false; },
        [](BodyDescription& d) { d.anchors[0].name = "floor"; },
        [](BodyDescription& d) { d.handles[0].vertices = {2}; },
        [](BodyDescription& d) { d.handles[0].axes.x = false; },
        [](BodyDescription& d) { d.handles[0].pivot.x = 1; },
        [](BodyDescription& d) { d.handles[0].name = "claw"; },
        [](BodyDescription& d) { d.handles.clear(); },
    };
    std::set<std::uint64_t> seen;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        BodyDescription d = hashed_plate();
        changes[i](d);
        EXPECT_TRUE(seen.insert(Body::make(d)->hash()).second) << "change " << i << " went unseen";
    }
}

TEST(BodyHash, IsTheSameForTheSamePhysics) {
    BodyDescription d = hashed_plate();
    const std::uint64_t hash = Body::make(d)->hash();
    d.name = "renamed";
    d.materials[0].material.name = "renamed";
    d.mesh.vertex_sets["extra"] = {1};
    d.mesh.vertices[0].x = -0.0;
    EXPECT_EQ(Body::make(d)->hash(), hash);
}

}  // namespace
}  // namespace limber
