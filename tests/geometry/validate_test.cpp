#include <limber/mesh.hpp>

#include "geometry/meshes.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace limber {
namespace {

using testing::kAllKinds;
using testing::Random;
using testing::unit_mesh;
using Finding = MeshFinding::Kind;
using Severity = MeshFinding::Severity;

/// The finding of this kind, which must be the only one.
MeshFinding only(const std::vector<MeshFinding>& findings, Finding kind, Severity severity) {
    EXPECT_EQ(findings.size(), 1U);
    for (const MeshFinding& f : findings) {
        EXPECT_STREQ(to_string(f.kind), to_string(kind)) << f.message;
        EXPECT_EQ(f.severity, severity) << f.message;
        EXPECT_FALSE(f.message.empty());
        EXPECT_EQ(f.message.find('\n'), std::string::npos);
    }
    return findings.empty() ? MeshFinding{} : findings.front();
}

bool mentions(const MeshFinding& f, const std::string& words) { return f.message.find(words) != std::string::npos; }

/// An odd renumbering of the corners that mirrors the cell, written independently of the repair.
void mirror_cell(CellKind kind, std::int32_t* c) {
    const std::vector<int> order = kind == CellKind::tri3    ? std::vector<int>{2, 1, 0}
                                   : kind == CellKind::quad4 ? std::vector<int>{3, 2, 1, 0}
                                   : kind == CellKind::tet4  ? std::vector<int>{0, 1, 3, 2}
                                   : kind == CellKind::tet10 ? std::vector<int>{0, 1, 3, 2, 4, 8, 7, 6, 5, 9}
                                                             : std::vector<int>{1, 0, 3, 2, 5, 4, 7, 6};
    const std::vector<std::int32_t> old(c, c + order.size());
    for (std::size_t k = 0; k < order.size(); ++k) c[k] = old[static_cast<std::size_t>(order[k])];
}

TEST(Validate, FindsNothingInGoodMeshes) {
    for (const CellKind kind : kAllKinds) {
        for (const double scale : {1.0, 1e-9, 1e9, 1e-80, 1e80}) {
            for (const double share : {0.0, 0.15}) {
                Mesh mesh = testing::distorted_mesh(kind, 3, share, 3);
                for (Vec3& v : mesh.vertices) v *= scale;
                for (const MeshFinding& f : validate(mesh))
                    ADD_FAILURE() << to_string(kind) << " * " << scale << ": " << f.message;
            }
        }
    }
}

TEST(Validate, TurnsInvertedCellsAndSaysSo) {
    for (const CellKind kind : kAllKinds) {
        Mesh mesh = testing::distorted_mesh(kind, 3, 0.1, 4);
        const double measure = measure_of(mesh);
        mirror_cell(kind, mesh.cell(2));
        mirror_cell(kind, mesh.cell(7));
        ASSERT_LT(cell_measure(mesh, 2), 0.0);
        const MeshFinding f = only(validate(mesh), Finding::inverted_cell, Severity::repaired);
        EXPECT_EQ(f.count, 2U);
        EXPECT_EQ(f.first, 2U);
        EXPECT_TRUE(mentions(f, "cell 2")) << f.message;
        // Every cell's own volume is back, and so are the mid-edge nodes: a second look finds nothing.
        EXPECT_NEAR(measure_of(mesh), measure, 1e-14);
        EXPECT_TRUE(validate(mesh).empty()) << to_string(kind);
    }
}

TEST(Validate, RejectsFlatCells) {
    for (const CellKind kind : kAllKinds) {
        Mesh mesh = unit_mesh(kind, 1);
        for (Vec3& v : mesh.vertices) (mesh.dimension() == 2 ? v.y : v.z) = 0.5 * v.x;  // all in one line or plane
        const MeshFinding f = only(validate(mesh), Finding::zero_volume_cell, Severity::fatal);
        EXPECT_EQ(f.count, mesh.cell_count());
    }
}

TEST(Validate, JudgesFlatnessByTheCellsOwnSize) {
    // A micron-sized cell is small, not flat; a plate of one part in 1e13 is flat at any size.
    Mesh mesh{CellKind::tet4, {{0, 0, 0}, {1e-6, 0, 0}, {0, 1e-6, 0}, {0, 0, 1e-6}}, {0, 1, 2, 3}, {}, {}};
    EXPECT_TRUE(validate(mesh).empty());
    mesh.vertices = {{0, 0, 0}, {1e6, 0, 0}, {0, 1e6, 0}, {0, 0, 1e-7}};
    only(validate(mesh), Finding::zero_volume_cell, Severity::fatal);
    mesh.vertices = {{0, 0, 0}, {1e-110, 0, 0}, {0, 1e-110, 0}, {0, 0, 1e-110}};  // the volume underflows to 0
    only(validate(mesh), Finding::zero_volume_cell, Severity::fatal);
}

TEST(Validate, RejectsFoldedCells) {
    // Each has positive total measure or none at all, so a check of the sign of the volume alone would pass or misname
    // it.
    Mesh bow_tie = unit_mesh(CellKind::quad4, 1);
    std::swap(bow_tie.cells[2], bow_tie.cells[3]);
    only(validate(bow_tie), Finding::bad_shape, Severity::fatal);

    Mesh dart = unit_mesh(CellKind::quad4, 1);
    dart.vertices[3] = {0.7, 0.4, 0.0};
    EXPECT_TRUE(validate(dart).empty()) << "still convex";
    dart.vertices[3] = {0.5, 0.5, 0.0};
    EXPECT_TRUE(validate(dart).empty()) << "180 degrees integrate well";
    dart.vertices[3] = {0.5, 0.4, 0.0};  // reflex corner, though the area and all 2x2 Gauss points are positive
    only(validate(dart), Finding::bad_shape, Severity::fatal);

    Mesh hex = unit_mesh(CellKind::hex8, 1);
    hex.vertices[7] = {-0.2, -0.2, -0.2};  // the last corner pushed through the opposite one
    ASSERT_GT(measure_of(hex), 0.0);
    EXPECT_TRUE(mentions(only(validate(hex), Finding::bad_shape, Severity::fatal), "cell 0"));

    Mesh tet = to_tet10(Mesh{CellKind::tet4, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 1, 2, 3}, {}, {}});
    tet.vertices[4] = {0.9, 0.0, 0.0};  // a mid-edge node beyond the last quarter of its edge
    only(validate(tet), Finding::bad_shape, Severity::fatal);
}

TEST(Validate, RejectsCellsThatFoldOnlyInside) {
    // det J is positive at every node of these two, and negative at a quadrature point.
    Mesh hex{CellKind::hex8,
             {{0.065, -0.588, -0.367},
              {1.679, -0.257, 0.652},
              {1.672, 1.349, 0.517},
              {0.570, 0.685, 0.126},
              {0.157, -0.334, 0.743},
              {0.277, 0.577, 0.827},
              {0.697, 0.695, 0.604},
              {0.345, 1.361, 1.658}},
             {0, 1, 2, 3, 4, 5, 6, 7},
             {},
             {}};
    only(validate(hex), Finding::bad_shape, Severity::fatal);
    Mesh tet{CellKind::tet10,
             {{-0.062, 0.119, 0.275},
              {-0.207, 0.239, 0.722},
              {0.966, 0.214, 1.124},
              {0.741, 0.728, 1.017},
              {-0.290, -0.257, 0.244},
              {0.411, -0.212, 1.144},
              {0.371, 0.262, 0.389},
              {0.343, 0.344, 0.330},
              {0.734, 0.273, 1.181},
              {0.926, 0.633, 1.024}},
             {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
             {},
             {}};
    for (const Mesh& mesh : {hex, tet}) {
        Vec3 x[kMaxCorners];
        gather_corners(mesh, 0, x);
        for (int a = 0; a < corners_of(mesh.kind); ++a) {
            ASSERT_GT(determinant(cell_jacobian(mesh.kind, x, reference_node(mesh.kind, a))), -1e-10)
                << "the example must fold inside only";
        }
    }
    only(validate(tet), Finding::bad_shape, Severity::fatal);
}

TEST(Validate, CountsOnePartHoweverVerticesAreNumbered) {
    // Joining parts must not depend on which corner has the lower number.
    Random random(6);
    for (const CellKind kind : kAllKinds) {
        Mesh mesh = unit_mesh(kind, 3);
        std::vector<std::int32_t> number(mesh.vertices.size());
        for (std::size_t i = 0; i < number.size(); ++i) number[i] = static_cast<std::int32_t>(i);
        for (std::size_t i = number.size(); i > 1; --i)
            std::swap(number[i - 1], number[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
        std::vector<Vec3> moved(number.size());
        for (std::size_t i = 0; i < number.size(); ++i) moved[static_cast<std::size_t>(number[i])] = mesh.vertices[i];
        mesh.vertices = moved;
        for (std::int32_t& v : mesh.cells) v = number[static_cast<std::size_t>(v)];
        mesh.vertex_sets.clear();
        for (const MeshFinding& f : validate(mesh)) ADD_FAILURE() << to_string(kind) << ": " << f.message;
    }
}

TEST(Validate, NamesIndicesOutOfRangeAndStops) {
    for (const std::int32_t wrong :
         {-1, 27, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
        Mesh mesh = unit_mesh(CellKind::hex8, 2);
        mesh.cells[8 * 3 + 5] = wrong;
        const MeshFinding f = only(validate(mesh), Finding::index_out_of_range, Severity::fatal);
        EXPECT_EQ(f.first, 3U);
        EXPECT_TRUE(mentions(f, std::to_string(wrong)) && mentions(f, "27 vertices")) << f.message;
    }
}

TEST(Validate, NamesRepeatedCorners) {
    for (const CellKind kind : kAllKinds) {
        Mesh mesh = unit_mesh(kind, 3);
        mesh.cell(4)[corners_of(kind) - 1] = mesh.cell(4)[0];
        bool found = false;
        for (const MeshFinding& f : validate(mesh)) {
            if (f.kind == Finding::repeated_corner) {
                found = true;
                EXPECT_EQ(f.severity, Severity::fatal);
                EXPECT_EQ(f.first, 4U);
                EXPECT_EQ(f.count, 1U);
            }
        }
        EXPECT_TRUE(found) << to_string(kind);
    }
}

TEST(Validate, NamesDuplicateCellsInAnyCornerOrder) {
    for (const CellKind kind : kAllKinds) {
        Mesh mesh = unit_mesh(kind, 2);
        const std::vector<std::int32_t> copy(mesh.cell(1), mesh.cell(1) + corners_of(kind));
        mesh.cells.insert(mesh.cells.end(), copy.begin(), copy.end());
        mirror_cell(kind, mesh.cell(mesh.cell_count() - 1));
        const auto findings = validate(mesh);
        ASSERT_EQ(findings.size(), 2U);  // the mirrored copy is inverted, too
        EXPECT_EQ(findings[0].kind, Finding::duplicate_cell);
        EXPECT_EQ(findings[0].severity, Severity::fatal);
        EXPECT_EQ(findings[0].first, mesh.cell_count() - 1);
        EXPECT_TRUE(mentions(findings[0], "repeats cell 1")) << findings[0].message;
    }
}

TEST(Validate, NamesCoordinatesThatAreNoNumbers) {
    for (const double wrong :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1e151, 1e300}) {
        for (int axis = 0; axis < 3; ++axis) {
            Mesh mesh = unit_mesh(CellKind::tet4, 2);
            mesh.vertices[5][axis] = wrong;
            EXPECT_EQ(only(validate(mesh), Finding::non_finite_coordinate, Severity::fatal).first, 5U);
        }
    }
}

TEST(Validate, WarnsOfUnusedVertices) {
    Mesh mesh = unit_mesh(CellKind::tri3, 2);
    mesh.vertices.push_back({3, 3, 0});
    const MeshFinding f = only(validate(mesh), Finding::unused_vertex, Severity::warning);
    EXPECT_EQ(f.first, 9U);
    EXPECT_TRUE(mentions(f, "mass")) << f.message;
}

TEST(Validate, CountsSeparateParts) {
    Mesh mesh = unit_mesh(CellKind::hex8, 2);
    for (int copy = 1; copy <= 2; ++copy) {
        const Mesh more = make_box(CellKind::hex8, 1, 1, 1, {2.0 * copy, 0, 0}, {2.0 * copy + 1, 1, 1});
        const auto shift = static_cast<std::int32_t>(mesh.vertices.size());
        mesh.vertices.insert(mesh.vertices.end(), more.vertices.begin(), more.vertices.end());
        for (const std::int32_t v : more.cells) mesh.cells.push_back(v + shift);
    }
    const MeshFinding f = only(validate(mesh), Finding::disconnected_parts, Severity::warning);
    EXPECT_EQ(f.count, 3U);
    EXPECT_EQ(f.first, 8U);
}

TEST(Validate, WantsFlatKindsFlat) {
    Mesh mesh = unit_mesh(CellKind::quad4, 2);
    mesh.vertices[4].z = 1e-10;
    EXPECT_TRUE(validate(mesh).empty());
    mesh.vertices[4].z = -1e-3;
    EXPECT_EQ(only(validate(mesh), Finding::not_planar, Severity::fatal).first, 4U);
}

TEST(Validate, NamesEmptyAndRaggedMeshes) {
    for (const CellKind kind : kAllKinds) {
        Mesh mesh;
        mesh.kind = kind;
        only(validate(mesh), Finding::empty, Severity::fatal);
        mesh.vertices = {{0, 0, 0}};
        only(validate(mesh), Finding::empty, Severity::fatal);
        mesh = unit_mesh(kind, 1);
        mesh.cells.pop_back();
        only(validate(mesh), Finding::bad_shape, Severity::fatal);
        mesh = unit_mesh(kind, 1);
        mesh.kind = static_cast<CellKind>(77);
        only(validate(mesh), Finding::bad_shape, Severity::fatal);
    }
}

TEST(Validate, RejectsSetsThatPointNowhereAndSortsTheOthers) {
    Mesh mesh = unit_mesh(CellKind::quad4, 2);
    mesh.vertex_sets["held"] = {3, 9};
    EXPECT_TRUE(mentions(only(validate(mesh), Finding::bad_set, Severity::fatal), "'held'"));
    mesh.vertex_sets["held"] = {-1};
    only(validate(mesh), Finding::bad_set, Severity::fatal);
    mesh.vertex_sets.erase("held");
    mesh.cell_sets["soft"] = {4};
    only(validate(mesh), Finding::bad_set, Severity::fatal);
    mesh.cell_sets["soft"] = {3, 0, 3, 1};
    only(validate(mesh), Finding::bad_set, Severity::repaired);
    EXPECT_EQ(mesh.cell_sets["soft"], (IndexSet{0, 1, 3}));
    EXPECT_TRUE(validate(mesh).empty());
}

/// A mesh of nonsense: anything a damaged or hostile file could produce.
Mesh garbage(Random& random) {
    Mesh mesh;
    mesh.kind = static_cast<CellKind>(random.below(20) == 0 ? random.below(256) : random.below(5));
    const int vertices = random.below(30), numbers = random.below(120), mood = random.below(4);
    const double odd[] = {0.0,
                          -0.0,
                          1e-320,
                          1e308,
                          -1e99,
                          std::numeric_limits<double>::quiet_NaN(),
                          std::numeric_limits<double>::infinity()};
    for (int v = 0; v < vertices; ++v) {
        Vec3 p = random.in_cube(-1, 1);
        if (mood == 0) p = {std::floor(2 * p.x), std::floor(2 * p.y), 0.0};  // many coincident points
        if (mood == 1 && random.below(5) == 0) p[random.below(3)] = odd[random.below(7)];
        mesh.vertices.push_back(p);
    }
    for (int i = 0; i < numbers; ++i) {
        const bool wild = mood == 2 && random.below(10) == 0;
        mesh.cells.push_back(wild ? static_cast<std::int32_t>(random.between(-2e9, 2e9)) : random.below(vertices + 1));
    }
    for (int i = 0; i < 5; ++i)
        mesh.vertex_sets["s"].push_back(random.below(40) - 5), mesh.cell_sets["c"].push_back(random.below(40) - 5);
    return mesh;
}

TEST(Validate, SurvivesGarbage) {
    // Run under the sanitizers this is where an unchecked index shows. What passes must really be usable.
    Random random(20);
    for (int round = 0; round < 20000; ++round) {
        Mesh mesh = garbage(random);
        boundary_of(mesh);
        bool fatal = false;
        for (const MeshFinding& f : validate(mesh)) {
            fatal = fatal || f.severity == Severity::fatal;
            EXPECT_GT(f.count, 0U);
        }
        if (fatal) continue;
        for (std::size_t c = 0; c < mesh.cell_count(); ++c) EXPECT_GT(cell_measure(mesh, c), 0.0);
    }
}

TEST(Validate, SurvivesValidIndicesOnWildCoordinates) {
    // Here most meshes get past the first checks, and some cells turn out fine.
    Random random(21);
    std::size_t passed = 0;
    for (int round = 0; round < 3000; ++round) {
        const CellKind kind = kAllKinds[random.below(5)];
        Mesh mesh = unit_mesh(kind, 1);
        const double reach = std::pow(10.0, random.between(-3, 1));
        for (Vec3& v : mesh.vertices) {
            Vec3 push = random.in_cube(-reach, reach);
            if (mesh.dimension() == 2) push.z = 0.0;
            v += push;
        }
        bool fatal = false;
        for (const MeshFinding& f : validate(mesh)) fatal = fatal || f.severity == Severity::fatal;
        if (fatal) continue;
        ++passed;
        for (std::size_t c = 0; c < mesh.cell_count(); ++c) ASSERT_GT(cell_measure(mesh, c), 0.0);
    }
    EXPECT_GT(passed, 500U);
    EXPECT_LT(passed, 2900U);
}

}  // namespace
}  // namespace limber
