#include <limber/error.hpp>
#include <limber/mesh.hpp>

#include "expect_error.hpp"
#include "geometry/cell_quality.hpp"
#include "geometry/meshes.hpp"
#include "geometry/shape.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numbers>
#include <set>

namespace limber {
namespace {

using std::numbers::pi;
using testing::kAllKinds;
using testing::kSolidKinds;
using testing::unit_mesh;

void expect_valid(Mesh mesh, const std::string& what) {
    for (const MeshFinding& f : validate(mesh)) ADD_FAILURE() << what << ": " << f.message;
}

TEST(Kinds, NamesReadBackAsThemselves) {
    for (const CellKind kind : kAllKinds) {
        CellKind back = kind == CellKind::hex8 ? CellKind::tri3 : CellKind::hex8;
        EXPECT_TRUE(parse_cell_kind(to_string(kind), back));
        EXPECT_EQ(back, kind);
    }
    CellKind untouched = CellKind::quad4;
    EXPECT_FALSE(parse_cell_kind("tet5", untouched));
    EXPECT_EQ(untouched, CellKind::quad4);
}

TEST(Grid, IsNumberedRowByRowCounterClockwise) {
    const Mesh mesh = make_grid(CellKind::quad4, 3, 2, {-1, 0, 0}, {2, 4, 0});
    ASSERT_EQ(mesh.vertices.size(), 12U);
    for (int j = 0; j <= 2; ++j) {
        for (int i = 0; i <= 3; ++i)
            EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(j * 4 + i)], (Vec3{-1.0 + i, 2.0 * j, 0.0}));
    }
    EXPECT_EQ(std::vector<std::int32_t>(mesh.cell(4), mesh.cell(5)), (std::vector<std::int32_t>{5, 6, 10, 9}));
    EXPECT_EQ(mesh.vertex_sets.at("left"), (IndexSet{0, 4, 8}));
    EXPECT_EQ(mesh.vertex_sets.at("right"), (IndexSet{3, 7, 11}));
    EXPECT_EQ(mesh.vertex_sets.at("bottom"), (IndexSet{0, 1, 2, 3}));
    EXPECT_EQ(mesh.vertex_sets.at("top"), (IndexSet{8, 9, 10, 11}));
    EXPECT_EQ(mesh.vertex_sets.size(), 4U);
    EXPECT_EQ(make_grid(CellKind::tri3, 3, 2, {-1, 0, 0}, {2, 4, 0}).cell_count(), 12U);
}

TEST(Grid, EndsExactlyAtItsCorners) {
    // 0.1 * 3 / 3 style rounding would leave the last column off the side it names.
    const Mesh mesh = make_grid(CellKind::tri3, 7, 3, {0.1, -0.3, 0}, {0.7, 0.9, 0});
    for (const std::int32_t v : mesh.vertex_sets.at("right"))
        EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(v)].x, 0.7);
    for (const std::int32_t v : mesh.vertex_sets.at("top"))
        EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(v)].y, 0.9);
}

TEST(Box, SidesHoldExactlyTheVerticesOnThem) {
    // tet10's mid-edge nodes too: a clamped side with free mid-edge nodes is not clamped.
    for (const CellKind kind : kSolidKinds) {
        const Mesh mesh = make_box(kind, 3, 2, 4, {0, 0, 0}, {3, 2, 4});
        const struct {
            const char* name;
            int axis;
            double at;
        } sides[] = {{"left", 0, 0.0}, {"right", 0, 3.0}, {"bottom", 1, 0.0},
                     {"top", 1, 2.0},  {"back", 2, 0.0},  {"front", 2, 4.0}};
        for (const auto& side : sides) {
            IndexSet expected;
            for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
                if (mesh.vertices[v][side.axis] == side.at) expected.push_back(static_cast<std::int32_t>(v));
            EXPECT_EQ(mesh.vertex_sets.at(side.name), expected) << to_string(kind) << " " << side.name;
        }
    }
}

TEST(Box, CountsAndNumbersAsDocumented) {
    const Mesh hexes = make_box(CellKind::hex8, 2, 3, 4, {}, {2, 3, 4});
    EXPECT_EQ(hexes.vertices.size(), 60U);
    EXPECT_EQ(hexes.vertices[1 + 3 * (2 + 4 * 3)], (Vec3{1, 2, 3}));
    const std::vector<std::int32_t> first(hexes.cell(0), hexes.cell(0) + 8);
    EXPECT_EQ(first, (std::vector<std::int32_t>{0, 1, 4, 3, 12, 13, 16, 15}));
    EXPECT_EQ(make_box(CellKind::tet4, 2, 3, 4, {}, {2, 3, 4}).cell_count(), 144U);
}

TEST(Box, AndGridHaveTheExactMeasureWithAllCellsPositive) {
    for (const CellKind kind : kAllKinds) {
        const bool flat = dimension_of(kind) == 2;
        const Mesh mesh = flat ? make_grid(kind, 5, 3, {-1, 2, 0}, {1, 2.5, 0})
                               : make_box(kind, 5, 3, 2, {-1, 2, 0}, {1, 2.5, 3});
        EXPECT_NEAR(measure_of(mesh), flat ? 1.0 : 3.0, 1e-13);
        for (std::size_t c = 0; c < mesh.cell_count(); ++c) EXPECT_GT(cell_measure(mesh, c), 0.0);
        expect_valid(mesh, to_string(kind));
    }
}

TEST(Tet10, MidEdgeNodesStandInTheMiddleAndAreShared) {
    const Mesh mesh = unit_mesh(CellKind::tet10, 2);
    const Mesh corners = unit_mesh(CellKind::tet4, 2);
    // V - E + F - T = 1 for a ball gives E = V + F - T - 1 without looking at edges; F = (4T + boundary) / 2.
    const std::size_t t = corners.cell_count(), f = (4 * t + boundary_of(corners).facet_count()) / 2;
    EXPECT_EQ(mesh.vertices.size(), corners.vertices.size() + (corners.vertices.size() + f - t - 1));
    const int ends[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        Vec3 x[kMaxCorners];
        gather_corners(mesh, c, x);
        for (int e = 0; e < 6; ++e) EXPECT_EQ(x[4 + e], 0.5 * x[ends[e][0]] + 0.5 * x[ends[e][1]]);
    }
}

TEST(Tet10, RefusesOtherKindsAndMissingVertices) {
    expect_error(Fault::bad_usage, "to_tet10: cells of kind hex8", [&] { to_tet10(unit_mesh(CellKind::hex8, 1)); });
    Mesh broken = unit_mesh(CellKind::tet4, 1);
    broken.cells[3] = 1000;
    expect_error(Fault::bad_mesh, "to_tet10: a cell names vertex 1000", [&] { to_tet10(broken); });
    broken.cells[3] = -1;
    expect_error(Fault::bad_mesh, "to_tet10: a cell names vertex -1", [&] { to_tet10(broken); });
}

/// Distance of a vertex from the closed-form surface.
double surface_error(const Mesh& mesh, const char* set, const std::function<double(const Vec3&)>& off) {
    double worst = 0.0;
    for (const std::int32_t v : mesh.vertex_sets.at(set))
        worst = std::max(worst, std::abs(off(mesh.vertices[static_cast<std::size_t>(v)])));
    return worst;
}

TEST(Round, AllCellsAreValidFromOneCellUp) {
    for (const CellKind kind : kSolidKinds) {
        for (int n = 1; n <= 9; ++n) {
            const std::string what = std::string(to_string(kind)) + " n = " + std::to_string(n);
            expect_valid(make_ball(kind, n, {1, 2, 3}, 0.5), what + " ball");
            expect_valid(make_cylinder(kind, n, n, 0.5, 3.0), what + " cylinder");
            expect_valid(make_torus(kind, n, 3 * n, 2.0, 0.5), what + " torus");
        }
    }
}

TEST(Round, HexesAreWellShaped) {
    // The plain cube-to-ball map flattens the cells along the cube's edges: there this number tends to zero.
    for (const int n : {2, 3, 4, 8, 16, 24}) {
        for (const Mesh& mesh :
             {make_ball(CellKind::hex8, n, {}, 1.0), make_cylinder(CellKind::hex8, n, n, 1.0, 2.0)}) {
            for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
                Vec3 x[kMaxCorners];
                gather_corners(mesh, c, x);
                for (int a = 0; a < 8; ++a) {
                    const Mat3 j = cell_jacobian(mesh.kind, x, reference_node(mesh.kind, a));
                    double lengths = 1.0;
                    for (int k = 0; k < 3; ++k) lengths *= norm(Vec3{j(0, k), j(1, k), j(2, k)});
                    ASSERT_GT(determinant(j) / lengths, n == 3 ? 0.39 : 0.65) << "n = " << n << " cell " << c;
                }
            }
        }
    }
}

TEST(Round, SurfaceVerticesLieExactlyOnTheSurface) {
    for (const CellKind kind : kSolidKinds) {
        for (const int n : {1, 2, 3, 4, 7}) {
            const Mesh ball = make_ball(kind, n, {1, -2, 3}, 2.0);
            EXPECT_LT(surface_error(ball, "surface",
                                    [](const Vec3& p) {
                                        return norm(p - Vec3{1, -2, 3}) - 2.0;
                                    }),
                      2e-15);
            const Mesh rod = make_cylinder(kind, n, 2, 0.5, 3.0);
            EXPECT_LT(surface_error(rod, "side", [](const Vec3& p) { return std::hypot(p.y, p.z) - 0.5; }), 2e-15);
            EXPECT_EQ(surface_error(rod, "left", [](const Vec3& p) { return p.x; }), 0.0);
            EXPECT_EQ(surface_error(rod, "right", [](const Vec3& p) { return p.x - 3.0; }), 0.0);
            const Mesh ring = make_torus(kind, n, 12, 2.0, 0.5);
            EXPECT_LT(surface_error(ring, "surface",
                                    [](const Vec3& p) { return std::hypot(std::hypot(p.x, p.z) - 2.0, p.y) - 0.5; }),
                      2e-15)
                << to_string(kind) << n;
        }
    }
}

TEST(Round, NamedSurfacesAreTheWholeBoundaryAndNothingElse) {
    for (const CellKind kind : kSolidKinds) {
        for (const int n : {1, 2, 3, 5}) {
            const Mesh ball = make_ball(kind, n, {}, 1.0), ring = make_torus(kind, n, 8, 2.0, 0.5);
            EXPECT_EQ(ball.vertex_sets.at("surface"), boundary_of(ball).vertices);
            EXPECT_EQ(ring.vertex_sets.at("surface"), boundary_of(ring).vertices);
            const Mesh rod = make_cylinder(kind, n, 3, 1.0, 2.0);
            std::set<std::int32_t> all;
            for (const char* name : {"left", "right", "side"})
                all.insert(rod.vertex_sets.at(name).begin(), rod.vertex_sets.at(name).end());
            EXPECT_EQ(IndexSet(all.begin(), all.end()), boundary_of(rod).vertices);
            IndexSet left;
            for (std::size_t v = 0; v < rod.vertices.size(); ++v)
                if (rod.vertices[v].x == 0.0) left.push_back(static_cast<std::int32_t>(v));
            EXPECT_EQ(rod.vertex_sets.at("left"), left);
        }
    }
}

double order_between(double coarse, double fine) { return std::log2(coarse / fine); }

TEST(Round, VolumesConvergeToTheClosedForms) {
    // Straight cells: order 2. Curved tet10: order 4, as their surface is quadratic. Far from either means a wrong
    // surface.
    for (const CellKind kind : kSolidKinds) {
        const double order = kind == CellKind::tet10 ? 4.0 : 2.0;
        const auto errors = [&](int n) {
            return Vec3{1.0 - measure_of(make_ball(kind, n, {}, 2.0)) / (32.0 / 3.0 * pi),
                        1.0 - measure_of(make_cylinder(kind, n, n, 0.5, 3.0)) / (0.75 * pi),
                        1.0 - measure_of(make_torus(kind, n, 4 * n, 2.0, 0.5)) / (pi * pi)};
        };
        const Vec3 coarse = errors(8), fine = errors(16);
        for (int k = 0; k < 3; ++k) {
            EXPECT_GT(fine[k], 0.0) << to_string(kind) << k;
            EXPECT_NEAR(order_between(coarse[k], fine[k]), order, 0.1) << to_string(kind) << k;
        }
    }
}

TEST(Generators, RefuseNonsenseWithANamedFault) {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const int huge = std::numeric_limits<int>::max();
    const Vec3 one{1, 1, 1};
    const std::vector<std::function<void()>> calls{
        [&] { make_grid(CellKind::hex8, 1, 1, {}, one); },
        [&] { make_grid(CellKind::quad4, 0, 1, {}, one); },
        [&] { make_grid(CellKind::quad4, 1, -3, {}, one); },
        [&] { make_grid(CellKind::quad4, huge, huge, {}, one); },
        [&] { make_grid(CellKind::quad4, 1, 1, one, {}); },
        [&] {
            make_grid(CellKind::quad4, 1, 1, {}, {1, 0, 0});
        },
        [&] {
            make_grid(CellKind::quad4, 1, 1, {nan, 0, 0}, one);
        },
        [&] {
            make_grid(CellKind::quad4, 1, 1, {}, {inf, 1, 0});
        },
        [&] { make_box(CellKind::quad4, 1, 1, 1, {}, one); },
        [&] { make_box(CellKind::hex8, 1, 1, 0, {}, one); },
        [&] { make_box(CellKind::hex8, huge, huge, huge, {}, one); },
        [&] { make_box(CellKind::tet4, 1000, 1000, 10, {}, one); },  // 60 million tets
        [&] {
            make_box(CellKind::hex8, 1, 1, 1, {}, {1, 1, 1e200});
        },
        [&] { make_ball(CellKind::tri3, 2, {}, 1.0); },
        [&] { make_ball(CellKind::hex8, 0, {}, 1.0); },
        [&] { make_ball(CellKind::hex8, huge, {}, 1.0); },
        [&] { make_ball(CellKind::hex8, 2, {}, 0.0); },
        [&] { make_ball(CellKind::hex8, 2, {}, nan); },
        [&] {
            make_ball(CellKind::hex8, 2, {0, inf, 0}, 1.0);
        },
        [&] { make_cylinder(CellKind::hex8, 2, 0, 1.0, 1.0); },
        [&] { make_cylinder(CellKind::hex8, huge, huge, 1.0, 1.0); },
        [&] { make_cylinder(CellKind::hex8, 2, 2, 1.0, -1.0); },
        [&] { make_torus(CellKind::hex8, 2, 2, 2.0, 1.0); },
        [&] { make_torus(CellKind::hex8, 2, 8, 1.0, 1.0); },
        [&] { make_torus(CellKind::hex8, 2, 8, inf, 1.0); },
        [&] { make_torus(CellKind::hex8, huge, 8, 2.0, 1.0); }};
    for (std::size_t i = 0; i < calls.size(); ++i) {
        try {
            calls[i]();
            ADD_FAILURE() << "call " << i << " was accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.fault(), Fault::bad_usage) << i;
            EXPECT_FALSE(error.expected().empty()) << i;
        }
    }
}

TEST(VerticesInBox, TakesVerticesOnItsWallsDespiteRounding) {
    const Mesh mesh = make_grid(CellKind::quad4, 10, 10, {}, {1, 1, 0});
    EXPECT_EQ(vertices_in_box(mesh, {0.0, 0.0, 0.0}, {0.1 + 0.2, 0.0, 0.0}), (IndexSet{0, 1, 2, 3}));
    EXPECT_EQ(vertices_in_box(mesh, {0.3, 0.0, 0.0}, {0.3 - 1e-8, 0.0, 0.0}), IndexSet{});
    EXPECT_EQ(vertices_in_box(Mesh{}, {}, {1, 1, 1}), IndexSet{});
}

}  // namespace
}  // namespace limber
