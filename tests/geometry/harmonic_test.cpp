// Values carried from known vertices to the others, and the small things flesh is cut with.
#include "geometry/harmonic.hpp"
#include "geometry/segment.hpp"
#include "geometry/stuffing.hpp"
#include "geometry/tet_neighbours.hpp"
#include "geometry/triangle_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

Mesh bar() { return make_box(CellKind::tet4, 12, 3, 3, {0, 0, 0}, {4, 1, 1}); }

/// The lattice that solids are made of.
Mesh lattice_bar() {
    Progress quiet;
    return stuff([](const Vec3& p) { return p.x > 0 && p.x < 4 && p.y > 0 && p.y < 1 && p.z > 0 && p.z < 1; },
                 {{0, 0, 0}, {4, 1, 1}}, 0.21, quiet);
}

TEST(Harmonic, ValuesStayInRangeFallEvenlyAndSumToOne) {
    // Known at both ends of a bar only: a straight line between them, nowhere beyond what is known.
    const Mesh mesh = lattice_bar();
    std::vector<char> known(mesh.vertices.size(), 0);
    std::vector<double> left(mesh.vertices.size(), 0.0), right = left;
    for (std::size_t v = 0; v < known.size(); ++v) {
        const double x = mesh.vertices[v].x;
        known[v] = x < 0.01 || x > 3.99 ? 1 : 0;
        left[v] = x < 0.01 ? 1.0 : 0.0;
        right[v] = x > 3.99 ? 1.0 : 0.0;
    }
    const HarmonicField field(mesh, known);
    const std::vector<double> a = field.extend(left), b = field.extend(right);
    for (std::size_t v = 0; v < a.size(); ++v) {
        EXPECT_GE(a[v], 0.0);
        EXPECT_LE(a[v], 1.0);
        EXPECT_NEAR(a[v] + b[v], 1.0, 1e-8);
        EXPECT_NEAR(a[v], 1.0 - mesh.vertices[v].x / 4.0, 0.03);
    }
}

TEST(Harmonic, NothingCrossesAGapAndAPieceWithoutKnownValuesIsZero) {
    Mesh mesh = bar();
    const std::size_t n = mesh.vertices.size(), cells = mesh.cells.size();
    for (std::size_t v = 0; v < n; ++v) mesh.vertices.push_back(mesh.vertices[v] + Vec3{0, 1.001, 0});
    for (std::size_t c = 0; c < cells; ++c) mesh.cells.push_back(mesh.cells[c] + static_cast<std::int32_t>(n));
    std::vector<char> known(2 * n, 0);
    std::vector<double> values(2 * n, 0.0);
    known[0] = 1;
    values[0] = 0.75;
    const std::vector<double> out = HarmonicField(mesh, known).extend(values);
    for (std::size_t v = 0; v < n; ++v) {
        EXPECT_NEAR(out[v], 0.75, 1e-8);
        EXPECT_EQ(out[n + v], 0.0);
    }
}

TEST(TetNeighbours, EveryFaceIsSharedBothWaysOrOutside) {
    const Mesh mesh = bar();
    const auto neighbours = tet_neighbours(mesh);
    std::size_t outer = 0;
    for (std::size_t c = 0; c < neighbours.size(); ++c) {
        for (const std::int32_t other : neighbours[c]) {
            if (other < 0) {
                ++outer;
            } else {
                EXPECT_EQ(std::count(neighbours[static_cast<std::size_t>(other)].begin(),
                                     neighbours[static_cast<std::size_t>(other)].end(), static_cast<std::int32_t>(c)),
                          1);
            }
        }
    }
    EXPECT_EQ(outer, boundary_of(mesh).facet_count());
}

TEST(TriangleTree, ARayEndsAtTheFirstTriangleBeforeIt) {
    Triangles t;
    for (int i = 0; i < 40; ++i) {
        const double z = i % 2 ? 1.0 + i : -1.0 - i;
        const auto first = static_cast<std::int32_t>(t.vertices.size());
        t.vertices.insert(t.vertices.end(), {{-1, -1, z}, {2, -1, z}, {-1, 2, z}});
        t.corners.push_back({first, first + 1, first + 2});
    }
    const TriangleTree tree(t);
    EXPECT_NEAR(tree.first_hit({0, 0, 0}, {0, 0, 1}), 2.0, 1e-12);  // triangle 1
    EXPECT_NEAR(tree.first_hit({0, 0, 0}, {0, 0, 2}), 1.0, 1e-12);  // in lengths of the direction
    EXPECT_NEAR(tree.first_hit({0, 0, 0}, {0, 0, 1}, 1), 4.0, 1e-12);
    EXPECT_NEAR(tree.first_hit({0, 0, 2.5}, {0, 0, -1}), 0.5, 1e-12);
    EXPECT_TRUE(std::isinf(tree.first_hit({5, 5, 0}, {0, 0, 1})));
}

TEST(Segment, NearestPointStaysOnTheSegment) {
    EXPECT_EQ(distance_to_segment({0.5, 2, 0}, {0, 0, 0}, {1, 0, 0}), 2.0);
    EXPECT_EQ(distance_to_segment({4, 4, 0}, {0, 0, 0}, {1, 0, 0}), 5.0);
    EXPECT_EQ(distance_to_segment({3, 4, 0}, {0, 0, 0}, {0, 0, 0}), 5.0);
}

}  // namespace
}  // namespace limber
