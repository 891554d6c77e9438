#include "bem/boundary_shape.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace limber {
namespace {

double enclosed(const BoundaryShape& shape) {
    double sum = 0;
    const auto d = static_cast<std::size_t>(shape.dimension);
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        const auto at = [&](std::size_t k) { return shape.points[static_cast<std::size_t>(shape.facets[d * f + k])]; };
        sum += d == 2 ? cross(at(0), at(1)).z / 2 : dot(at(0), cross(at(1), at(2))) / 6;
    }
    return sum;
}

TEST(BoundaryShape, EnclosesTheMeshOfEveryKind) {
    // Orientation, quads cut in two, and mid-edge vertices; points must be the mesh's own vertices.
    for (const CellKind kind : {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8}) {
        const Mesh mesh = dimension_of(kind) == 2 ? make_grid(kind, 4, 3, {-1, 0, 0}, {1, 1, 0})
                                                  : make_box(kind, 3, 2, 2, {-1, 0, 0}, {1, 1, 0.5});
        const BoundaryShape shape = boundary_shape(mesh);
        EXPECT_NEAR(enclosed(shape), measure_of(mesh), 1e-12) << to_string(kind);
        EXPECT_EQ(part_count(shape), 1u);
        for (std::size_t p = 0; p < shape.points.size(); ++p)
            EXPECT_EQ(shape.points[p], mesh.vertices[static_cast<std::size_t>(shape.vertex[p])]);
    }
}

Mesh without(Mesh mesh, const std::vector<std::size_t>& cells) {
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
    std::vector<std::int32_t> kept;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        if (std::find(cells.begin(), cells.end(), c) == cells.end())
            kept.insert(kept.end(), mesh.cell(c), mesh.cell(c) + corners);
    }
    mesh.cells = kept;
    return mesh;
}

TEST(BoundaryShape, CountsBodiesNotHoles) {
    const Mesh grid = make_grid(CellKind::quad4, 5, 3, {0, 0, 0}, {5, 3, 0});
    EXPECT_EQ(part_count(boundary_shape(without(grid, {6}))), 1u);         // a hole
    EXPECT_EQ(part_count(boundary_shape(without(grid, {2, 7, 12}))), 2u);  // cut in two
    const Mesh box = make_box(CellKind::hex8, 3, 3, 3, {0, 0, 0}, {3, 3, 3});
    EXPECT_EQ(part_count(boundary_shape(without(box, {13}))), 1u);  // a cavity
    EXPECT_EQ(part_count(boundary_shape(without(box, {9, 10, 11, 12, 13, 14, 15, 16, 17}))), 2u);
}

TEST(BoundaryShape, RefusesAPinchedBoundary) {
    const auto refused = [](const Mesh& mesh) {
        try {
            boundary_shape(mesh);
        } catch (const Error& error) {
            return error.fault() == Fault::unsupported;
        }
        return false;
    };
    const Mesh grid = make_grid(CellKind::quad4, 2, 2, {0, 0, 0}, {2, 2, 0});
    EXPECT_TRUE(refused(without(grid, {1, 2})));  // two squares meet at a point
    EXPECT_FALSE(refused(without(grid, {1})));
    const Mesh box = make_box(CellKind::hex8, 2, 2, 2, {0, 0, 0}, {2, 2, 2});
    EXPECT_TRUE(refused(without(box, {0, 3, 4, 5, 6, 7})));  // two cubes share an edge
    EXPECT_TRUE(refused(without(box, {1, 2, 3, 4, 5, 6})));  // two cubes share a corner: every edge is fine
    EXPECT_FALSE(refused(without(box, {7})));
}

}  // namespace
}  // namespace limber
